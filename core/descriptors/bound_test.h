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
  std::string_view capabilities = {};
  std::string_view extensions = {};
  std::string_view decorations = {};
  // Components of %at.
  uint32_t coordinates = 2;
};

// As a descriptor of set 0, and with one decoration more if there is any.
inline std::string Decorate(std::string_view variable, uint32_t binding, std::string_view more = "") {
  const std::string begin = absl::StrCat("OpDecorate ", variable, " ");
  return absl::StrCat(begin, "DescriptorSet 0\n", begin, "Binding ", binding, "\n",
                      more.empty() ? "" : absl::StrCat(begin, more, "\n"));
}

inline ShaderAddition ShaderWith(const AccessedImage& image) {
  ShaderAddition text;
  text.capabilities = image.capabilities;
  text.extensions = image.extensions;
  text.variables = "%image";
  text.decorations = absl::StrCat(Decorate("%image", 0), image.decorations);
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
                  "%pointer = OpTypePointer UniformConstant ", image.is_combined ? "%combined" : "%type",
                  "\n%image = OpVariable %pointer UniformConstant\n%texel_pointer = OpTypePointer Image ", scalar,
                  "\n%device = OpConstant %uint 1\n");
  text.body =
      absl::StrCat("%loaded = OpLoad ", image.is_combined ? "%combined" : "%type", " %image\n", image.body, "\n");
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
  // For the pipelines and shader objects that are made afterwards.
  void Use(const ShaderAddition& shader, const std::vector<test::Binding>& bindings) {
    set_layout_ = MakeSetLayout(bindings);
    Add(shader, set_layout_);
  }
  // With binding 0 alone, of type_.
  void UseFlagged(const ShaderAddition& shader, VkDescriptorBindingFlags flags) {
    const VkDescriptorSetLayoutBinding binding = {0, type_, 1, VK_SHADER_STAGE_ALL, nullptr};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo all_flags = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 1, &flags};
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
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = options.flags | (is_cube ? VkImageCreateFlags{VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT} : 0),
        .imageType = options.type == VK_IMAGE_VIEW_TYPE_3D ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
        .format = options.format,
        .extent = {16, 16, 1},
        .mipLevels = options.levels,
        .arrayLayers = is_cube ? 6u : 1u,
        .samples = options.samples,
        .usage = options.usage};
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
  // The rule alone, or silence for an empty one.
  void ExpectOf(std::string_view rule) { rule.empty() ? ExpectSilence() : ExpectRule(rule); }
  // The rule alone, with these parts of the text.
  void ExpectTexts(std::string_view rule, const std::vector<const char*>& texts) {
    Run(*call_, commands_);
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
    ForEach(set, [&] { ExpectOf(rule); });
  }
  // And nothing of a correct set.
  void ExpectRuleOfEach(VkDescriptorSet set, std::string_view rule, VkDescriptorSet correct) {
    ExpectRuleOfEach(set, rule);
    ExpectSilenceOfEach(correct);
  }
  void ExpectSilenceOfEach(VkDescriptorSet set) { ExpectRuleOfEach(set, ""); }
  void ExpectIdOfEach(VkDescriptorSet set, std::string_view id) {
    ForEach(set, [&] {
      Run(*call_, commands_);
      ExpectMessages({std::string(id)});
    });
  }
  void ExpectTextsOfDispatch(VkDescriptorSet set, std::string_view rule, const std::vector<const char*>& texts) {
    ForDispatch(set, [&] { ExpectTexts(rule, texts); });
  }

  VkDescriptorType type_ = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DESCRIPTORS_BOUND_TEST_H_
