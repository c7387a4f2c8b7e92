// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Each limit of pipeline layouts: as many descriptors as it allows, and one more.

#include "core/set_layouts/descriptor_limits.h"

#include <string>
#include <vector>

#include "core/set_layouts/set_layout_test.h"
#include "gtest/gtest.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

// Of the last kinds. The others are in the order of VkDescriptorType, up to input attachments.
constexpr VkDescriptorType kLastTypes[] = {
    VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK,       VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK,
    VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV,
    VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM,     VK_DESCRIPTOR_TYPE_SAMPLER};
VkDescriptorType TypeOf(DescriptorKind kind) {
  const auto i = static_cast<size_t>(kind);
  constexpr size_t kFirst = kDescriptorKinds - std::size(kLastTypes);
  static_assert(kFirst == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT + 1);
  return i < kFirst ? static_cast<VkDescriptorType>(i) : kLastTypes[i - kFirst];
}

constexpr VkShaderStageFlags kFragment = VK_SHADER_STAGE_FRAGMENT_BIT;

class LimitTest : public SetLayoutTest, public ::testing::WithParamInterface<size_t> {
 protected:
  const DescriptorLimit& rule() const { return DescriptorLimits()[GetParam()]; }
  bool Counts(DescriptorKind kind) const { return (rule().kinds & BitOf(kind)) != 0; }

  void SetUp() override {
    const uint32_t most = Counts(DescriptorKind::kInlineUniformByte) ? 12 : 3;
    if (rule().limit.structure == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2) {
      rule().limit.in(&driver().config().limits) = most;
    } else {
      driver().config().adjust_properties = [this, most](VkBaseOutStructure* properties) {
        if (properties->sType == rule().limit.structure) rule().limit.in(properties) = most;
      };
    }
    MakeDevice(rule().when == WhenChecked::kWithoutMaintenance7 ? "maintenance7" : "");
    sampler_ = MakeSamplerWith(VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT, VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK);
  }

  // A pipeline layout with that many set layouts, of which each has one binding of the rule's kinds, in turn. The flags
  // are those of the first one, or of all.
  void Make(uint32_t count, VkDescriptorSetLayoutCreateFlags flags, bool is_for_all,
            VkShaderStageFlags odd_stage = kFragment) {
    std::vector<DescriptorKind> kinds;
    for (size_t i = 0; i < kDescriptorKinds; ++i) {
      if (const auto kind = static_cast<DescriptorKind>(i); Counts(kind)) kinds.push_back(kind);
    }
    std::vector<VkDescriptorSetLayout> sets;
    for (uint32_t i = 0; i < count; ++i) {
      const DescriptorKind kind = kinds[i % kinds.size()];
      const VkDescriptorType type = TypeOf(kind);
      sets.push_back(MakeLayout({.flags = is_for_all || i == 0 ? flags : 0,
                                 .bindings = {{0, type, type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? 4u : 1u,
                                               i % 2 == 0 ? kFragment : odd_stage,
                                               kind == DescriptorKind::kSubsampledSampler ? &sampler_ : nullptr}}}));
    }
    MakePipelineLayout(sets);
  }

  VkSampler sampler_ = VK_NULL_HANDLE;
};

TEST_P(LimitTest, AsManyAndOneMore) {
  constexpr auto kLater = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
  const bool needs_later = rule().layouts == CountedLayouts::kAllIfOneHasLaterUpdates;
  const VkDescriptorSetLayoutCreateFlags flags = needs_later ? kLater : 0;
  Make(3, flags, false);
  ExpectNothing();
  Make(4, flags, false);
  ExpectMessage(vk::GetVuid(rule().vuid).id);
  ExpectNothing();
  // Layouts that do not count.
  if (rule().layouts == CountedLayouts::kWithoutLaterUpdates) Make(4, kLater, true);
  if (needs_later) Make(4, 0, false);
  if (rule().per_stage && !Counts(DescriptorKind::kInputAttachment)) Make(4, flags, false, VK_SHADER_STAGE_VERTEX_BIT);
  ExpectNothing();
}

INSTANTIATE_TEST_SUITE_P(EachLimit, LimitTest, ::testing::Range<size_t>(0, DescriptorLimits().size()),
                         [](const auto& rule) {
                           const std::string_view id = vk::GetVuid(DescriptorLimits()[rule.param].vuid).id;
                           return std::string(id.substr(id.size() - 5));
                         });

}  // namespace
}  // namespace assay::core
