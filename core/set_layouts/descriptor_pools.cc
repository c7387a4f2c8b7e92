// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pools of descriptors, and the sets that are allocated from them.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/set_layouts/set_layout_rules.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using state::Items;
using vk::Vuid;

struct PoolFacts {
  const dispatch::Device& device;
  const VkDescriptorPoolCreateInfo& info;

  bool Has(VkDescriptorType type) const {
    const auto sizes = Items(info.pPoolSizes, info.poolSizeCount);
    return std::ranges::count(sizes, type, &VkDescriptorPoolSize::type) != 0;
  }
  bool HasFlag(VkDescriptorPoolCreateFlags flag) const { return (info.flags & flag) != 0; }
  // The types of one mutable element; empty for all types.
  std::vector<VkDescriptorType> TypesOf(uint32_t i) const {
    const auto* const lists = vk::FindInChain<VkMutableDescriptorTypeCreateInfoEXT>(info.pNext);
    if (lists == nullptr) return {};
    const auto all = Items(lists->pMutableDescriptorTypeLists, lists->mutableDescriptorTypeListCount);
    if (i >= all.size()) return {};
    std::vector<VkDescriptorType> types = state::ItemList(all[i].pDescriptorTypes, all[i].descriptorTypeCount);
    std::ranges::sort(types);
    return types;
  }
  bool HasPartialOverlap() const {
    std::vector<std::vector<VkDescriptorType>> lists;
    const auto sizes = Items(info.pPoolSizes, info.poolSizeCount);
    for (uint32_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i].type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT) lists.push_back(TypesOf(i));
    }
    for (const auto& a : lists) {
      const auto overlaps = [&](const auto& b) { return a != b && std::ranges::find_first_of(a, b) != a.end(); };
      if (std::ranges::any_of(lists, overlaps)) return true;
    }
    return false;
  }
};
using P = const PoolFacts&;

struct PoolRule {
  vk::VuidIndex id;
  std::string_view member;
  std::string_view text;
  bool (*is_broken)(P);
};
constexpr PoolRule kRules[] = {
    {Vuid("VUID-VkDescriptorPoolCreateInfo-descriptorPoolOverallocation-09227"), "maxSets", "is 0.",
     [](P p) {
       return p.info.maxSets == 0 && (!p.device.HasFeature(vk::FeatureId::kDescriptorPoolOverallocation) ||
                                      !p.HasFlag(VK_DESCRIPTOR_POOL_CREATE_ALLOW_OVERALLOCATION_SETS_BIT_NV));
     }},
    {Vuid("VUID-VkDescriptorPoolCreateInfo-flags-04607"), "flags",
     "has both VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT and VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT.",
     [](P p) {
       return p.HasFlag(VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT) &&
              p.HasFlag(VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT);
     }},
    {Vuid("VUID-VkDescriptorPoolCreateInfo-mutableDescriptorType-04608"), "pPoolSizes",
     "has VK_DESCRIPTOR_TYPE_MUTABLE_EXT, but the feature mutableDescriptorType is not enabled.",
     [](P p) {
       return p.Has(VK_DESCRIPTOR_TYPE_MUTABLE_EXT) && !p.device.HasFeature(vk::FeatureId::kMutableDescriptorType);
     }},
    {Vuid("VUID-VkDescriptorPoolCreateInfo-pPoolSizes-04787"), "pPoolSizes",
     "has elements with VK_DESCRIPTOR_TYPE_MUTABLE_EXT whose types overlap, but are not the same.",
     [](P p) { return p.HasPartialOverlap(); }},
    {Vuid("VUID-VkDescriptorPoolCreateInfo-pPoolSizes-09424"), "pPoolSizes",
     "has VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, but no "
     "VkDescriptorPoolInlineUniformBlockCreateInfo says for how many bindings.",
     [](P p) {
       const auto* const blocks = vk::FindInChain<VkDescriptorPoolInlineUniformBlockCreateInfo>(p.info.pNext);
       return p.Has(VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) &&
              (blocks == nullptr || blocks->maxInlineUniformBlockBindings == 0);
     }},
};

// What a layout needs of the pool.
constexpr struct {
  VkDescriptorSetLayoutCreateFlags layout;
  VkDescriptorPoolCreateFlags pool;
  vk::VuidIndex id;
  std::string_view text;
} kPoolFlags[] = {
    {VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT,
     Vuid("VUID-VkDescriptorSetAllocateInfo-pSetLayouts-03044"),
     "has VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, but the pool does not have "
     "VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT."},
    {VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT, VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT,
     Vuid("VUID-VkDescriptorSetAllocateInfo-pSetLayouts-04610"),
     "has VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT, but the pool does not have "
     "VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT."}};

}  // namespace

void SetLayoutRules::PreCallValidate(const vk::CreateDescriptorPool& call, Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const PoolFacts facts = {device_, *call.pCreateInfo};
  const Location command = report.location();
  const Location where = command.Dot("pCreateInfo");
  for (const PoolRule& rule : kRules) {
    if (rule.is_broken(facts))
      report.Error(rule.id, {Object(call.device)}, where.Dot(rule.member), std::string(rule.text));
  }
}

void SetLayoutRules::PreCallValidate(const vk::AllocateDescriptorSets& call, Report& report) const {
  if (call.pAllocateInfo == nullptr) return;
  const VkDescriptorSetAllocateInfo& allocation = *call.pAllocateInfo;
  const auto* const counts = vk::FindInChain<VkDescriptorSetVariableDescriptorCountAllocateInfo>(allocation.pNext);
  const messages::Location command = report.location();
  const messages::Location info = command.Dot("pAllocateInfo");
  const bool has_counts = counts != nullptr && counts->descriptorSetCount == allocation.descriptorSetCount;
  if (counts != nullptr && counts->descriptorSetCount != 0 && !has_counts) {
    report.Error(Vuid("VUID-VkDescriptorSetVariableDescriptorCountAllocateInfo-descriptorSetCount-03045"),
                 {Object(allocation.descriptorPool)},
                 info.Next("VkDescriptorSetVariableDescriptorCountAllocateInfo", "descriptorSetCount"),
                 absl::StrCat("(", counts->descriptorSetCount, ") is neither 0 nor the number of sets (",
                              allocation.descriptorSetCount, ")."));
  }
  const auto* const pool = DeviceState::Get<state::DescriptorPool>(allocation.descriptorPool);
  const auto layouts = Items(allocation.pSetLayouts, allocation.descriptorSetCount);
  for (uint32_t i = 0; i < layouts.size(); ++i) {
    const auto* const layout = DeviceState::Get<state::DescriptorSetLayout>(layouts[i]);
    if (layout == nullptr) continue;
    for (const auto& rule : kPoolFlags) {
      if (pool == nullptr || (layout->create_flags() & rule.layout) == 0 || (pool->flags & rule.pool) != 0) continue;
      report.Error(rule.id, {Object(layouts[i])}, info.Dot("pSetLayouts", i), std::string(rule.text));
    }
    if (!has_counts || counts->pDescriptorCounts == nullptr || layout->bindings().empty()) continue;
    const state::DescriptorSetLayout::Binding& last = layout->bindings().back();
    const bool is_variable = (last.flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT) != 0;
    const messages::Location next = info.Next("VkDescriptorSetVariableDescriptorCountAllocateInfo");
    if (!is_variable || counts->pDescriptorCounts[i] <= last.count) continue;
    report.Error(Vuid("VUID-VkDescriptorSetAllocateInfo-pSetLayouts-09380"), {Object(layouts[i])},
                 next.Dot("pDescriptorCounts", i),
                 absl::StrCat("(", counts->pDescriptorCounts[i], ") is greater than the descriptorCount of binding ",
                              last.binding, " (", last.count, ")."));
  }
}

}  // namespace assay::core
