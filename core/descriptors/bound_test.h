// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DESCRIPTORS_BOUND_TEST_H_
#define ASSAY_CORE_DESCRIPTORS_BOUND_TEST_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/draw/cases/draw_test.h"
#include "gmock/gmock.h"

// Test-only: every command that runs shaders, with a set that these access.
namespace assay::core {

// An image of a shader, at binding 0 of set 0.
struct AccessedImage {
  // Operands of OpTypeImage.
  std::string_view type = "%scalar 2D 0 0 0 1 Unknown";
  // Whether it is combined with its sampler.
  bool is_combined = false;
  std::string_view scalar = "OpTypeFloat 32";
  // Follows the load of the image as %loaded. There are %texel_pointer, vectors %v2 to %v4 of scalars with the
  // constants %null1 to %null4 of all, the vector %place of %uint and the constant %at of it.
  std::string_view body = {};
  // With their extensions.
  std::string capabilities = {};
  // More decorations of the image.
  std::string decorations = {};
  // Components of %at.
  uint32_t coordinates = 2;
};

inline const std::string kCapabilitiesOf64Bits =
    Capabilities("Int64, Int64ImageEXT, Int64Atomics", "SPV_EXT_shader_image_int64");

// A descriptor of set 0, with more decorations if there are any.
inline StageVariable Descriptor(const std::string& name, const std::string& type, uint32_t binding = 0,
                                std::string_view more = "") {
  return {name, "UniformConstant", type, absl::StrCat("DescriptorSet 0, Binding ", binding, ", ", more)};
}

inline ShaderAddition ShaderWith(const AccessedImage& image) {
  ShaderAddition text;
  text.capabilities = image.capabilities;
  const std::string loaded = image.is_combined ? "%combined" : "%type";
  text.globals = {Descriptor("%image", loaded, 0, image.decorations)};
  const bool is_uint = image.scalar == "OpTypeInt 32 0";
  const std::string_view scalar = is_uint ? "%uint" : "%scalar";
  if (!is_uint) {
    absl::StrAppend(&text.declarations, "%scalar = ", image.scalar, "\n%place = OpTypeVector %uint ", image.coordinates,
                    "\n");
  }
  absl::StrAppend(&text.declarations, "%null1 = OpConstantNull ", scalar, "\n");
  for (int i = 2; i <= 4; ++i) {
    absl::StrAppend(&text.declarations, "%v", i, " = OpTypeVector ", scalar, " ", i, "\n%null", i,
                    " = OpConstantNull %v", i, "\n");
  }
  const std::string place = is_uint ? absl::StrCat("%v", image.coordinates) : "%place";
  absl::StrAppend(&text.declarations, "%at = OpConstantNull ", place, "\n%type = OpTypeImage ", image.type, "\n",
                  image.is_combined ? "%combined = OpTypeSampledImage %type\n" : "",
                  "%texel_pointer = OpTypePointer Image ", scalar, "\n%device = OpConstant %uint 1\n");
  text.body = absl::StrCat("%loaded = OpLoad ", loaded, " %image\n", image.body, "\n");
  return text;
}

// The same behind a branch: whether it is run is known only when the shader runs.
inline ShaderAddition Conditional(ShaderAddition shader) {
  absl::StrAppend(&shader.declarations, "%bool = OpTypeBool\n%spec = OpSpecConstantTrue %bool\n");
  shader.body =
      absl::StrCat("OpSelectionMerge %behind None\nOpBranchConditional %spec %then %behind\n%then = OpLabel\n",
                   shader.body, "OpBranch %behind\n%behind = OpLabel\n");
  return shader;
}

// Exchanges a texel of %image.
inline std::string AtomicOf(std::string_view scalar, std::string_view at = "%zero") {
  return absl::StrCat("%target = OpImageTexelPointer %texel_pointer %image ", at, " %zero\n%old = OpAtomicExchange ",
                      scalar, " %target %device %zero %null1\n");
}

// With all address modes VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE.
inline VkSamplerCreateInfo Clamped(VkSamplerCreateInfo info) {
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  return info;
}

// What an image and its view are.
struct ViewOptions {
  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D;
  VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkImageCreateFlags flags = 0;
  uint32_t levels = 1;
  VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
  // Of the view.
  const void* chain = nullptr;
};

class BoundTest : public DrawTest {
 protected:
  // For the pipelines and shader objects that are made afterwards. Starts a plain device if there is none.
  void Use(const ShaderAddition& shader, const std::vector<test::Binding>& bindings) {
    if (device == VK_NULL_HANDLE) Start();
    set_layout_ = MakeSetLayout(bindings);
    Add(shader, set_layout_);
  }
  // With binding 0 alone, of type_.
  void UseFlagged(const ShaderAddition& shader, VkDescriptorBindingFlags flags) {
    if (device == VK_NULL_HANDLE) Start();
    const VkDescriptorSetLayoutBinding binding = {0, type_, 1, VK_SHADER_STAGE_ALL, nullptr};
    const auto all_flags = Of<VkDescriptorSetLayoutBindingFlagsCreateInfo>(1, &flags);
    const bool is_updated = (flags & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT) != 0;
    const VkDescriptorSetLayoutCreateInfo info = {
        .pNext = &all_flags,
        .flags = is_updated ? VkFlags{VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT} : 0,
        .bindingCount = 1,
        .pBindings = &binding};
    set_layout_ = MakeFrom(info, vk.CreateDescriptorSetLayout, vk.DestroyDescriptorSetLayout);
    Add(shader, set_layout_);
  }
  void Use(const AccessedImage& image, VkDescriptorType type, const VkSampler* immutable = nullptr) {
    type_ = type;
    Use(ShaderWith(image), {{.type = type, .immutable_samplers = immutable}});
  }

  VkImageView MakeViewOf(const ViewOptions& options) {
    const bool is_cube = options.type == VK_IMAGE_VIEW_TYPE_CUBE;
    VkImageCreateInfo info = test::ImageInfo(options.format, 16, options.usage);
    info.flags = options.flags | (is_cube ? VkImageCreateFlags{VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT} : 0);
    if (options.type == VK_IMAGE_VIEW_TYPE_3D) info.imageType = VK_IMAGE_TYPE_3D;
    info.mipLevels = options.levels;
    info.arrayLayers = is_cube ? 6 : 1;
    info.samples = options.samples;
    const bool is_sparse = (options.flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT) != 0;
    const VkImage image = is_sparse ? MakeUnboundImage(info) : static_cast<VkImage>(MakeImage(info));
    return MakeView(image, options.format, {options.aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS},
                    options.type, options.chain);
  }
  // With binding 0 written: to what that points.
  VkDescriptorSet SetWith(VkWriteDescriptorSet write) {
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = MakeSet(set_layout_);
    write.descriptorCount = 1;
    write.descriptorType = type_;
    vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
    ExpectNothing();
    return write.dstSet;
  }
  VkDescriptorSet SetWith(VkImageView view, VkSampler sampler = VK_NULL_HANDLE) {
    const VkDescriptorImageInfo image = {sampler, view, VK_IMAGE_LAYOUT_GENERAL};
    return SetWith({.pImageInfo = &image});
  }

  // Of what is recorded: RecordFor().
  void BindSet(VkDescriptorSet set) {
    vk.CmdBindDescriptorSets(commands_, PointOf(*call_), layout(), 0, 1, &set, 0, nullptr);
  }
  // The rule alone, with these parts of the text.
  void ExpectTexts(std::string_view rule, const std::vector<const char*>& texts) {
    Run();
    const std::string text = ExpectMessage(absl::StrCat("VUID-", call_->name, "-", rule)).text;
    for (const char* part : texts) EXPECT_THAT(text, ::testing::HasSubstr(part));
  }
  // Runs test() for the command, or for each, with the pipeline and the set bound.
  template <class F>
  void ForCall(const ActionCall& call, VkDescriptorSet set, const F& test) {
    RecordFor(call, [&] {
      BindPlain();
      if (set != VK_NULL_HANDLE) BindSet(set);
      test();
    });
  }
  template <class F>
  void ForDispatch(VkDescriptorSet set, const F& test) {
    ForCall(CallOf(vk::CommandId::kCmdDispatch), set, test);
  }
  template <class F>
  void ForEach(VkDescriptorSet set, const F& test) {
    for (const ActionCall& call : ActionCalls()) ForCall(call, set, test);
  }
  void ExpectRuleOfEach(VkDescriptorSet set, std::string_view rule) {
    SCOPED_TRACE(std::string(rule));
    ForEach(set, [&] { ExpectRule(rule); });
  }
  // And nothing of a correct set.
  void ExpectRuleOfEach(VkDescriptorSet set, std::string_view rule, VkDescriptorSet correct) {
    ExpectRuleOfEach(set, rule);
    ExpectSilenceOfEach(correct);
  }
  void ExpectSilenceOfEach(VkDescriptorSet set) { ExpectRuleOfEach(set, ""); }
  void ExpectTextsOfDispatch(VkDescriptorSet set, std::string_view rule, const std::vector<const char*>& texts) {
    ForDispatch(set, [&] { ExpectTexts(rule, texts); });
  }

  VkDescriptorType type_ = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DESCRIPTORS_BOUND_TEST_H_
