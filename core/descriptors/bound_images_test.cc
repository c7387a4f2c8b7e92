// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Images that are bound and what shaders take them for, for every command that runs shaders, through the whole layer.

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/descriptors/bound_test.h"
#include "gmock/gmock.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

// An image of a shader, and how it is accessed.
struct ImageShader {
  std::string_view dim = "2D";
  bool is_arrayed = false;
  bool is_multisampled = false;
  std::string_view type = "OpTypeFloat 32";
  // OpAtomicExchange of a storage image; otherwise it is fetched.
  bool is_atomic = false;
  // Whether a branch goes around the access.
  bool is_conditional = false;
  std::string_view operands = {};
  VkShaderStageFlags stages = ShaderAddition().stages;
};

ShaderAddition AdditionOf(const ImageShader& shader) {
  ShaderAddition text = {.stages = shader.stages};
  const bool is_64 = shader.type == "OpTypeInt 64 0";
  if (is_64) {
    text.capabilities = "OpCapability Int64\nOpCapability Int64ImageEXT\nOpCapability Int64Atomics\n";
    text.extensions = "OpExtension \"SPV_EXT_shader_image_int64\"\n";
  }
  if (shader.dim == "1D") absl::StrAppend(&text.capabilities, "OpCapability Sampled1D\n");
  text.variables = "%image";
  text.decorations = "OpDecorate %image DescriptorSet 0\nOpDecorate %image Binding 0\n";
  const bool is_uint = shader.type == "OpTypeInt 32 0";
  const std::string_view scalar = is_uint ? "%uint" : "%scalar";
  if (!is_uint) absl::StrAppend(&text.declarations, "%scalar = ", shader.type, "\n");
  const size_t coordinates = static_cast<size_t>(shader.dim[0] - '0') + (shader.is_arrayed ? 1 : 0);
  if (coordinates > 1) absl::StrAppend(&text.declarations, "%place = OpTypeVector %uint ", coordinates, "\n");
  const std::string_view format = !shader.is_atomic ? "Unknown" : is_64 ? "R64ui" : is_uint ? "R32ui" : "R32f";
  absl::StrAppend(&text.declarations, "%texel = OpTypeVector ", scalar, " 4\n%type = OpTypeImage ", scalar, " ",
                  shader.dim, " 0 ", shader.is_arrayed ? 1 : 0, " ", shader.is_multisampled ? 1 : 0, " ",
                  shader.is_atomic ? 2 : 1, " ", format,
                  "\n%pointer = OpTypePointer UniformConstant %type\n%image = OpVariable %pointer UniformConstant\n",
                  "%at = OpConstantNull ", coordinates > 1 ? "%place" : "%uint", "\n%none = OpConstantNull ", scalar,
                  "\n%texel_pointer = OpTypePointer Image ", scalar,
                  "\n%device = OpConstant %uint 1\n%bool = OpTypeBool\n%spec = OpSpecConstantTrue %bool\n");
  if (shader.is_conditional) {
    text.body = "OpSelectionMerge %behind None\nOpBranchConditional %spec %then %behind\n%then = OpLabel\n";
  }
  if (shader.is_atomic) {
    absl::StrAppend(&text.body,
                    "%target = OpImageTexelPointer %texel_pointer %image %at %zero\n%old = OpAtomicExchange ", scalar,
                    " %target %device %zero %none\n");
  } else {
    absl::StrAppend(&text.body, "%loaded = OpLoad %type %image\n%value = OpImageFetch %texel %loaded %at ",
                    shader.is_multisampled ? "Sample" : "Lod", shader.operands, " %zero\n");
  }
  if (shader.is_conditional) absl::StrAppend(&text.body, "OpBranch %behind\n%behind = OpLabel\n");
  return text;
}

class BoundImages : public BoundTest {
 protected:
  void Use(const ImageShader& shader, VkDescriptorBindingFlags flags = 0) {
    type_ = shader.is_atomic ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    UseFlagged(AdditionOf(shader), flags);
  }
  VkDescriptorSet SetOf(VkFormat format, VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D,
                        VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT, VkImageCreateFlags flags = 0) {
    const bool is_storage = type_ == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    return SetWith(MakeViewOf({.format = format,
                               .type = type,
                               .usage = is_storage ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT,
                               .samples = samples,
                               .flags = flags}));
  }
};

TEST_F(BoundImages, TypesOfViews) {
  Start();
  Use({.dim = "2D"});
  ExpectRuleOfEach(SetOf(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_2D_ARRAY), "viewType-07752");
  ExpectSilenceOfEach(SetOf(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_2D));
}
TEST_F(BoundImages, OtherTypesOfViews) {
  Start();
  const ActionCall& dispatch = CallOf(vk::CommandId::kCmdDispatch);
  struct Fit {
    std::string_view dim;
    bool is_arrayed;
    VkImageViewType type;
  };
  for (const Fit& shader : {Fit{"2D", true, VK_IMAGE_VIEW_TYPE_2D_ARRAY}, Fit{"3D", false, VK_IMAGE_VIEW_TYPE_3D}}) {
    Use({.dim = shader.dim, .is_arrayed = shader.is_arrayed});
    const VkPipeline pipeline = MakeCompute();
    for (const VkImageViewType type :
         {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_IMAGE_VIEW_TYPE_3D, VK_IMAGE_VIEW_TYPE_CUBE}) {
      const VkDescriptorSet set = SetOf(VK_FORMAT_R8G8B8A8_UNORM, type);
      const VkCommandBuffer commands = BeginFor(dispatch);
      Bind(commands, pipeline, VK_PIPELINE_BIND_POINT_COMPUTE);
      vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout(), 0, 1, &set, 0, nullptr);
      if (type == shader.type) {
        ExpectSilence(dispatch, commands);
      } else {
        ExpectRule(dispatch, commands, "viewType-07752");
      }
      EndFor(dispatch, commands);
    }
  }
}

TEST_F(BoundImages, NumbersOfFormats) {
  Start();
  Use({});
  ExpectRuleOfEach(SetOf(VK_FORMAT_R8G8B8A8_UINT, VK_IMAGE_VIEW_TYPE_2D), "format-07753");
  ExpectSilenceOfEach(SetOf(VK_FORMAT_R8G8B8A8_SRGB, VK_IMAGE_VIEW_TYPE_2D));
  Use({.type = "OpTypeInt 32 0"});
  ExpectRuleOfEach(SetOf(VK_FORMAT_R8G8B8A8_SINT, VK_IMAGE_VIEW_TYPE_2D), "format-07753");
  ExpectSilenceOfEach(SetOf(VK_FORMAT_R8G8B8A8_UINT, VK_IMAGE_VIEW_TYPE_2D));
}
// The access says that the numbers are signed.
TEST_F(BoundImages, SignExtend) {
  Start();
  Use({.type = "OpTypeInt 32 0", .operands = "|SignExtend"});
  ExpectSilenceOfEach(SetOf(VK_FORMAT_R8G8B8A8_SINT, VK_IMAGE_VIEW_TYPE_2D));
  ExpectRuleOfEach(SetOf(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_2D), "format-07753");
}
TEST_F(BoundImages, WidthsOfFormats) {
  Start({.extensions = {"VK_EXT_shader_image_atomic_int64"}});
  Use({.type = "OpTypeInt 32 0"});
  ExpectRuleOfEach(SetOf(VK_FORMAT_R64_UINT, VK_IMAGE_VIEW_TYPE_2D), "SampledType-04470");
  Use({.type = "OpTypeInt 64 0"});
  ExpectRuleOfEach(SetOf(VK_FORMAT_R32_UINT, VK_IMAGE_VIEW_TYPE_2D), "SampledType-04471");
  ExpectSilenceOfEach(SetOf(VK_FORMAT_R64_UINT, VK_IMAGE_VIEW_TYPE_2D));
}

TEST_F(BoundImages, Samples) {
  Start();
  constexpr VkSampleCountFlagBits kSamples = VK_SAMPLE_COUNT_4_BIT;
  Use({});
  ExpectIdOfEach(SetOf(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_2D, kSamples), "VUID-RuntimeSpirv-samples-08725");
  Use({.is_multisampled = true});
  ExpectIdOfEach(SetOf(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_2D), "VUID-RuntimeSpirv-samples-08726");
  ExpectSilenceOfEach(SetOf(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_2D, kSamples));
}

constexpr VkImageCreateFlags kSparse = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
constexpr VkSampleCountFlagBits kOne = VK_SAMPLE_COUNT_1_BIT;

TEST_F(BoundImages, AtomicsOfSparseImages) {
  Start({.without = {"sparseImageInt64Atomics"}, .extensions = {"VK_EXT_shader_image_atomic_int64"}});
  Use({.type = "OpTypeInt 64 0", .is_atomic = true});
  ExpectRuleOfEach(SetOf(VK_FORMAT_R64_UINT, VK_IMAGE_VIEW_TYPE_2D, kOne, kSparse), "sparseImageInt64Atomics-04474");
  ExpectSilenceOfEach(SetOf(VK_FORMAT_R64_UINT, VK_IMAGE_VIEW_TYPE_2D));
}
TEST_F(BoundImages, AtomicsOfSparseImagesWithFeature) {
  Start({.extensions = {"VK_EXT_shader_image_atomic_int64"}});
  Use({.type = "OpTypeInt 64 0", .is_atomic = true});
  ExpectSilenceOfEach(SetOf(VK_FORMAT_R64_UINT, VK_IMAGE_VIEW_TYPE_2D, kOne, kSparse));
}
TEST_F(BoundImages, FloatAtomicsOfSparseImages) {
  Start({.without = {"sparseImageFloat32Atomics", "sparseImageFloat32AtomicAdd", "sparseImageFloat32AtomicMinMax"},
         .extensions = {"VK_EXT_shader_atomic_float", "VK_EXT_shader_atomic_float2"}});
  Use({.is_atomic = true});
  ExpectIdOfEach(SetOf(VK_FORMAT_R32_SFLOAT, VK_IMAGE_VIEW_TYPE_2D, kOne, kSparse), "VUID-RuntimeSpirv-None-06287");
  ExpectSilenceOfEach(SetOf(VK_FORMAT_R32_SFLOAT, VK_IMAGE_VIEW_TYPE_2D));
}
TEST_F(BoundImages, FloatAtomicsOfSparseImagesWithFeature) {
  Start({.extensions = {"VK_EXT_shader_atomic_float"}});
  Use({.is_atomic = true});
  ExpectSilenceOfEach(SetOf(VK_FORMAT_R32_SFLOAT, VK_IMAGE_VIEW_TYPE_2D, kOne, kSparse));
}

TEST_F(BoundImages, AtomicsOfOtherFormats) {
  driver().config().formats[VK_FORMAT_R32_UINT] = {.optimalTilingFeatures = VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT |
                                                                            VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT};
  Start();
  Use({.type = "OpTypeInt 32 0", .is_atomic = true});
  ExpectRuleOfEach(SetOf(VK_FORMAT_R32_UINT, VK_IMAGE_VIEW_TYPE_2D), "None-02691");
  ExpectSilenceOfEach(SetOf(VK_FORMAT_R16_UINT, VK_IMAGE_VIEW_TYPE_2D));
}

class ProtectedImages : public BoundImages {
 protected:
  void StartWith(VkBool32 no_fault) {
    driver().config().adjust_properties = [no_fault](VkBaseOutStructure* properties) {
      if (properties->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_PROPERTIES)
        reinterpret_cast<VkPhysicalDeviceProtectedMemoryProperties*>(properties)->protectedNoFault = no_fault;
    };
    Start();
    Use({});
  }
  VkDescriptorSet MakeProtected() {
    return SetOf(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_2D, kOne, VK_IMAGE_CREATE_PROTECTED_BIT);
  }
};

TEST_F(ProtectedImages, InUnprotectedCommandBuffers) {
  StartWith(VK_FALSE);
  ExpectRuleOfEach(MakeProtected(), "commandBuffer-02707");
  ExpectSilenceOfEach(SetOf(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_2D));
}
TEST_F(ProtectedImages, WithoutFault) {
  StartWith(VK_TRUE);
  ExpectSilenceOfEach(MakeProtected());
}

TEST_F(BoundImages, FragmentShaders) {
  Start();
  Use({.stages = VK_SHADER_STAGE_FRAGMENT_BIT});
  const VkDescriptorSet set = SetOf(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_3D);
  const ActionCall& draw = CallOf(vk::CommandId::kCmdDraw);
  const VkPipeline pipeline = MakePipeline({});
  const VkPipeline dynamic = MakePipeline({.dynamic = {VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE}});
  const VkCommandBuffer commands = BeginFor(draw);
  vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout(), 0, 1, &set, 0, nullptr);
  Bind(commands, pipeline);
  ExpectRule(draw, commands, "viewType-07752");
  Bind(commands, dynamic);
  vk.CmdSetRasterizerDiscardEnable(commands, VK_TRUE);
  ExpectSilence(draw, commands);
  vk.CmdSetRasterizerDiscardEnable(commands, VK_FALSE);
  ExpectRule(draw, commands, "viewType-07752");
  EndFor(draw, commands);
}

// Whether the shader accesses the image is known only when it runs.
TEST_F(BoundImages, BehindBranches) {
  Start();
  Use({.is_conditional = true});
  ExpectSilenceOfEach(SetOf(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_3D));
}
TEST_F(BoundImages, UpdatedAfterBinding) {
  Start();
  Use({}, VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT);
  const VkDescriptorPoolSize size = {type_, 1};
  const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                           .flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT,
                                           .maxSets = 1,
                                           .poolSizeCount = 1,
                                           .pPoolSizes = &size};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateDescriptorPool(device, &info, nullptr, &pool), VK_SUCCESS);
  Defer(pool, [this, pool] { vk.DestroyDescriptorPool(device, pool, nullptr); });
  const VkDescriptorSetAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                  .descriptorPool = pool,
                                                  .descriptorSetCount = 1,
                                                  .pSetLayouts = &set_layout_};
  VkDescriptorSet set = VK_NULL_HANDLE;
  ASSERT_EQ(vk.AllocateDescriptorSets(device, &allocation, &set), VK_SUCCESS);
  WriteImage(set, 0, type_, MakeViewOf({.type = VK_IMAGE_VIEW_TYPE_3D}), VK_IMAGE_LAYOUT_GENERAL);
  const ActionCall& dispatch = CallOf(vk::CommandId::kCmdDispatch);
  const VkCommandBuffer commands = BeginFor(dispatch);
  Bind(commands, MakeCompute(), VK_PIPELINE_BIND_POINT_COMPUTE);
  vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout(), 0, 1, &set, 0, nullptr);
  ExpectSilence(dispatch, commands);
  EndFor(dispatch, commands);
}

// A second set is looked at, and one that was found right is not looked at again.
TEST_F(BoundImages, EachSetCounts) {
  Start();
  Use({});
  const VkDescriptorSet right = SetOf(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_2D);
  const VkDescriptorSet wrong = SetOf(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_3D);
  const VkPipeline pipeline = MakeCompute();
  const auto use = [&](VkCommandBuffer c, VkDescriptorSet set) {
    vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout(), 0, 1, &set, 0, nullptr);
  };
  Record([&](VkCommandBuffer c) {
    Bind(c, pipeline, VK_PIPELINE_BIND_POINT_COMPUTE);
    use(c, right);
    vk.CmdDispatch(c, 1, 1, 1);
    use(c, wrong);
    vk.CmdDispatch(c, 0, 1, 1);
    ExpectNothing();
    vk.CmdDispatch(c, 1, 1, 1);
    const std::string text = ExpectMessage("VUID-vkCmdDispatch-viewType-07752").text;
    EXPECT_THAT(text, HasSubstr("The compute shader of VkPipeline 0x"));
    EXPECT_THAT(text, HasSubstr("accesses binding 0 of set 0 as a 2D image, but the descriptor in VkDescriptorSet 0x"));
    EXPECT_THAT(text, HasSubstr(", whose viewType is VK_IMAGE_VIEW_TYPE_3D."));
    EXPECT_THAT(text, HasSubstr("To fix: Bind a view with viewType VK_IMAGE_VIEW_TYPE_2D."));
    use(c, right);
    vk.CmdDispatch(c, 1, 1, 1);
    ExpectNothing();
  });
}

TEST_F(BoundImages, ShaderObjects) {
  Start({.has_shader_objects = true});
  Use({});
  const VkDescriptorSet set = SetOf(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_3D);
  const ActionCall& dispatch = CallOf(vk::CommandId::kCmdDispatch);
  const VkCommandBuffer commands = BeginFor(dispatch);
  BindShader(commands, VK_SHADER_STAGE_COMPUTE_BIT, true);
  vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout(), 0, 1, &set, 0, nullptr);
  ExpectRule(dispatch, commands, "viewType-07752");
  EndFor(dispatch, commands);
}

}  // namespace
}  // namespace assay::core
