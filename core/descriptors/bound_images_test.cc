// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Images that are bound and what shaders take them for, for every command that runs shaders, through the whole layer.

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/descriptors/bound_test.h"

namespace assay::core {
namespace {

constexpr std::string_view kUnsigned = "OpTypeInt 32 0", kUnsigned64 = "OpTypeInt 64 0";
constexpr VkImageCreateFlags kSparse = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
constexpr ViewOptions kSparseFloat = {.format = VK_FORMAT_R32_SFLOAT, .flags = kSparse};
constexpr ViewOptions kSparse64 = {.format = VK_FORMAT_R64_UINT, .flags = kSparse};
constexpr ViewOptions k64 = {.format = VK_FORMAT_R64_UINT};

// An image of a shader, and how it is accessed.
struct ImageShader {
  std::string_view dim = "2D";
  bool is_arrayed = false;
  bool is_multisampled = false;
  std::string_view type = "OpTypeFloat 32";
  // OpAtomicExchange of a storage image; otherwise it is fetched.
  bool is_atomic = false;
  std::string_view operands = {};
  VkShaderStageFlags stages = ShaderAddition().stages;
};

ShaderAddition AdditionOf(const ImageShader& shader) {
  const bool is_64 = shader.type == kUnsigned64, is_uint = shader.type == kUnsigned;
  const std::string_view scalar = is_uint ? "%uint" : "%scalar";
  const std::string_view format = !shader.is_atomic ? "Unknown" : is_64 ? "R64ui" : is_uint ? "R32ui" : "R32f";
  const std::string type = absl::StrCat(scalar, " ", shader.dim, " 0 ", shader.is_arrayed ? 1 : 0, " ",
                                        shader.is_multisampled ? 1 : 0, " ", shader.is_atomic ? 2 : 1, " ", format);
  const std::string body = shader.is_atomic
                               ? AtomicOf(scalar, "%at")
                               : absl::StrCat("%value = OpImageFetch %v4 %loaded %at ",
                                              shader.is_multisampled ? "Sample" : "Lod", shader.operands, " %zero\n");
  ShaderAddition text =
      ShaderWith({.type = type,
                  .scalar = shader.type,
                  .body = body,
                  .capabilities = is_64 ? kCapabilitiesOf64Bits : "",
                  .coordinates = static_cast<uint32_t>(shader.dim[0] - '0') + (shader.is_arrayed ? 1 : 0)});
  text.stages = shader.stages;
  return text;
}

class BoundImages : public BoundTest {
 protected:
  void Use(const ImageShader& shader, VkDescriptorBindingFlags flags = 0) {
    type_ = shader.is_atomic ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    UseFlagged(AdditionOf(shader), flags);
  }
  VkDescriptorSet SetOf(ViewOptions options = {}) {
    if (type_ == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE) options.usage = VK_IMAGE_USAGE_STORAGE_BIT;
    return SetWith(MakeViewOf(options));
  }
  // What a view breaks, and another one does not.
  void Expect(std::string_view rule, const ImageShader& shader, const ViewOptions& wrong,
              const ViewOptions& right = {}) {
    Use(shader);
    ExpectRuleOfEach(SetOf(wrong), rule, SetOf(right));
  }
  void ExpectOfDispatch(VkDescriptorSet set, std::string_view rule) {
    ForDispatch(set, [&] { ExpectRule(rule); });
  }
};

TEST_F(BoundImages, TypesOfViews) { Expect("viewType-07752", {.dim = "2D"}, {.type = VK_IMAGE_VIEW_TYPE_2D_ARRAY}); }
TEST_F(BoundImages, OtherTypesOfViews) {
  for (const VkImageViewType right : {VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_IMAGE_VIEW_TYPE_3D}) {
    const bool is_arrayed = right == VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    Use({.dim = is_arrayed ? "2D" : "3D", .is_arrayed = is_arrayed});
    for (const VkImageViewType type :
         {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_IMAGE_VIEW_TYPE_3D, VK_IMAGE_VIEW_TYPE_CUBE})
      ExpectOfDispatch(SetOf({.type = type}), type == right ? "" : "viewType-07752");
  }
}

TEST_F(BoundImages, NumbersOfFormats) {
  constexpr ViewOptions kUint = {.format = VK_FORMAT_R8G8B8A8_UINT}, kSint = {.format = VK_FORMAT_R8G8B8A8_SINT};
  Expect("format-07753", {}, kUint, {.format = VK_FORMAT_R8G8B8A8_SRGB});
  Expect("format-07753", {.type = kUnsigned}, kSint, kUint);
  // The access says that the numbers are signed.
  Expect("format-07753", {.type = kUnsigned, .operands = "|SignExtend"}, {}, kSint);
}
TEST_F(BoundImages, WidthsOfFormats) {
  Start({.extensions = {"VK_EXT_shader_image_atomic_int64"}});
  Expect("SampledType-04470", {.type = kUnsigned}, k64, {.format = VK_FORMAT_R8G8B8A8_UINT});
  Expect("SampledType-04471", {.type = kUnsigned64}, {.format = VK_FORMAT_R32_UINT}, k64);
}

TEST_F(BoundImages, Samples) {
  constexpr ViewOptions kFour = {.samples = VK_SAMPLE_COUNT_4_BIT};
  Expect("VUID-RuntimeSpirv-samples-08725", {}, kFour);
  Expect("VUID-RuntimeSpirv-samples-08726", {.is_multisampled = true}, {}, kFour);
}

TEST_F(BoundImages, AtomicsOfSparseImages) {
  Start({.without = {"sparseImageInt64Atomics"}, .extensions = {"VK_EXT_shader_image_atomic_int64"}});
  Expect("sparseImageInt64Atomics-04474", {.type = kUnsigned64, .is_atomic = true}, kSparse64, k64);
}
TEST_F(BoundImages, FloatAtomicsOfSparseImages) {
  Start({.without = {"sparseImageFloat32Atomics", "sparseImageFloat32AtomicAdd", "sparseImageFloat32AtomicMinMax"},
         .extensions = {"VK_EXT_shader_atomic_float", "VK_EXT_shader_atomic_float2"}});
  Expect("VUID-RuntimeSpirv-None-06287", {.is_atomic = true}, kSparseFloat, {.format = VK_FORMAT_R32_SFLOAT});
}
TEST_F(BoundImages, AtomicsOfSparseImagesWithFeature) {
  Start({.extensions = {"VK_EXT_shader_image_atomic_int64", "VK_EXT_shader_atomic_float"}});
  Use({.type = kUnsigned64, .is_atomic = true});
  ExpectSilenceOfEach(SetOf(kSparse64));
  Use({.is_atomic = true});
  ExpectSilenceOfEach(SetOf(kSparseFloat));
}

TEST_F(BoundImages, AtomicsOfOtherFormats) {
  driver().config().formats[VK_FORMAT_R32_UINT] = {.optimalTilingFeatures = VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT |
                                                                            VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT};
  Expect("None-02691", {.type = kUnsigned, .is_atomic = true}, {.format = VK_FORMAT_R32_UINT},
         {.format = VK_FORMAT_R16_UINT});
}

class ProtectedImages : public BoundImages {
 protected:
  void StartWith(VkBool32 no_fault) {
    ChangeProperties<VkPhysicalDeviceProtectedMemoryProperties>(
        [=](auto& properties) { properties.protectedNoFault = no_fault; });
    Use({});
  }
  VkDescriptorSet MakeProtected() { return SetOf({.flags = VK_IMAGE_CREATE_PROTECTED_BIT}); }
};

TEST_F(ProtectedImages, InUnprotectedCommandBuffers) {
  StartWith(VK_FALSE);
  ExpectRuleOfEach(MakeProtected(), "commandBuffer-02707", SetOf());
}
TEST_F(ProtectedImages, WithoutFault) {
  StartWith(VK_TRUE);
  ExpectSilenceOfEach(MakeProtected());
}

TEST_F(BoundImages, FragmentShaders) {
  Use({.stages = VK_SHADER_STAGE_FRAGMENT_BIT});
  const VkDescriptorSet set = SetOf({.type = VK_IMAGE_VIEW_TYPE_3D});
  const VkPipeline pipeline = MakePipeline({});
  const VkPipeline dynamic = MakePipeline({.dynamic = {VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE}});
  RecordFor(vk::CommandId::kCmdDraw, [&] {
    BindSet(set);
    Bind(pipeline);
    ExpectRule("viewType-07752");
    Bind(dynamic);
    vk.CmdSetRasterizerDiscardEnable(commands_, VK_TRUE);
    ExpectSilence();
    vk.CmdSetRasterizerDiscardEnable(commands_, VK_FALSE);
    ExpectRule("viewType-07752");
  });
}

// Whether the shader accesses the image is known only when it runs.
TEST_F(BoundImages, BehindBranches) {
  UseFlagged(Conditional(AdditionOf({})), 0);
  ExpectSilenceOfEach(SetOf({.type = VK_IMAGE_VIEW_TYPE_3D}));
}
TEST_F(BoundImages, UpdatedAfterBinding) {
  Use({}, VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT);
  ExpectOfDispatch(SetOf({.type = VK_IMAGE_VIEW_TYPE_3D}), "");
}

// A second set is looked at, and one that was found right is not looked at again.
TEST_F(BoundImages, EachSetCounts) {
  Use({});
  const VkDescriptorSet right = SetOf(), wrong = SetOf({.type = VK_IMAGE_VIEW_TYPE_3D});
  ForDispatch(right, [&] {
    ExpectSilence();
    BindSet(wrong);
    vk.CmdDispatch(commands_, 0, 1, 1);
    ExpectNothing();
    ExpectTexts(
        "viewType-07752",
        {"The compute shader of VkPipeline 0x",
         "accesses binding 0 of set 0 as a 2D image, but the descriptor in VkDescriptorSet 0x",
         ", whose viewType is VK_IMAGE_VIEW_TYPE_3D.", "To fix: Bind a view with viewType VK_IMAGE_VIEW_TYPE_2D."});
    BindSet(right);
    ExpectSilence();
  });
}

TEST_F(BoundImages, ShaderObjects) {
  Start({.has_shader_objects = true});
  Use({});
  RecordFor(vk::CommandId::kCmdDispatch, [&] {
    BindShader(VK_SHADER_STAGE_COMPUTE_BIT);
    BindSet(SetOf({.type = VK_IMAGE_VIEW_TYPE_3D}));
    ExpectRule("viewType-07752");
  });
}

}  // namespace
}  // namespace assay::core
