// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptor update templates against the set layouts that they are for.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/set_layouts/set_layout_rules.h"
#include "state/state.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DescriptorSetLayout;
using state::DeviceState;
using state::Items;
using vk::Vuid;

// The descriptors from the first one of a binding to the end of the set. Those that follow the binding's own belong to
// the bindings after it.
uint64_t CountFrom(const DescriptorSetLayout& layout, uint32_t binding) {
  uint64_t count = 0;
  for (const DescriptorSetLayout::Binding& candidate : layout.bindings()) {
    if (candidate.binding >= binding) count += candidate.count;
  }
  return count;
}

const DescriptorSetLayout::Binding* FindMutable(const DescriptorSetLayout& layout) {
  const auto found =
      std::ranges::find(layout.bindings(), VK_DESCRIPTOR_TYPE_MUTABLE_EXT, &DescriptorSetLayout::Binding::type);
  return found != layout.bindings().end() ? &*found : nullptr;
}

void CheckEntry(const VkDescriptorUpdateTemplateEntry& entry, const DescriptorSetLayout* layout, const Location& where,
                const messages::ObjectRef& object, Report& report) {
  const auto error = [&](vk::VuidIndex rule, std::string_view member, std::string text) {
    report.Error(rule, {object}, where.Dot(member), std::move(text));
  };
  if (entry.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
    constexpr std::string_view kBytes = ") is not a multiple of 4, but counts bytes of an inline uniform block.";
    if (entry.dstArrayElement % 4 != 0) {
      error(Vuid("VUID-VkDescriptorUpdateTemplateEntry-descriptor-02226"), "dstArrayElement",
            absl::StrCat("(", entry.dstArrayElement, kBytes));
    }
    if (entry.descriptorCount % 4 != 0) {
      error(Vuid("VUID-VkDescriptorUpdateTemplateEntry-descriptor-02227"), "descriptorCount",
            absl::StrCat("(", entry.descriptorCount, kBytes));
    }
  }
  if (layout == nullptr) return;
  if (layout->Find(entry.dstBinding) == nullptr) {
    return error(Vuid("VUID-VkDescriptorUpdateTemplateEntry-dstBinding-00354"), "dstBinding",
                 absl::StrCat("(", entry.dstBinding, ") is not a binding of the set layout."));
  }
  const uint64_t count = CountFrom(*layout, entry.dstBinding);
  const uint64_t end = uint64_t{entry.dstArrayElement} + entry.descriptorCount;
  if (end > count) {
    error(Vuid("VUID-VkDescriptorUpdateTemplateEntry-dstArrayElement-00355"), "descriptorCount",
          absl::StrCat("(", entry.descriptorCount, ") from dstArrayElement (", entry.dstArrayElement,
                       ") on is more than the ", count, " descriptors of binding ", entry.dstBinding,
                       " and those after it."));
  }
}

}  // namespace

void SetLayoutRules::PreCallValidate(const vk::CreateDescriptorUpdateTemplate& call, Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const VkDescriptorUpdateTemplateCreateInfo& info = *call.pCreateInfo;
  const Location command = report.location();
  const Location where = command.Dot("pCreateInfo");
  const auto error = [&](vk::VuidIndex rule, messages::ObjectRef object, std::string_view member, std::string text) {
    report.Error(rule, {object}, where.Dot(member), std::move(text));
  };
  const DescriptorSetLayout* layout = nullptr;
  messages::ObjectRef object = Object(device_.handle);
  if (info.templateType == VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET) {
    layout = DeviceState::Get<DescriptorSetLayout>(info.descriptorSetLayout);
    object = Object(info.descriptorSetLayout);
    const auto* const binding = layout != nullptr ? FindMutable(*layout) : nullptr;
    if (binding != nullptr) {
      error(Vuid("VUID-VkDescriptorUpdateTemplateCreateInfo-templateType-04615"), object, "descriptorSetLayout",
            absl::StrCat("has binding ", binding->binding, " of VK_DESCRIPTOR_TYPE_MUTABLE_EXT."));
    }
  } else if (info.templateType == VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS) {
    if (!device_.HasFeature(vk::FeatureId::kPushDescriptor) &&
        !device_.IsEnabled(vk::ExtensionId::kKhrPushDescriptor)) {
      error(Vuid("VUID-VkDescriptorUpdateTemplateCreateInfo-templateType-10355"), object, "templateType",
            "is VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS, but neither the pushDescriptor feature nor "
            "VK_KHR_push_descriptor is enabled.");
    }
    if (vk::EnumName(vk::EnumId::kPipelineBindPoint, info.pipelineBindPoint).empty()) {
      error(Vuid("VUID-VkDescriptorUpdateTemplateCreateInfo-templateType-00351"), object, "pipelineBindPoint",
            absl::StrCat("(", static_cast<int32_t>(info.pipelineBindPoint), ") is not a VkPipelineBindPoint."));
    }
    const auto* const pipeline_layout = DeviceState::Get<state::PipelineLayout>(info.pipelineLayout);
    if (pipeline_layout == nullptr) return;
    object = Object(info.pipelineLayout);
    const auto& sets = pipeline_layout->set_layouts;
    if (info.set < sets.size()) layout = sets[info.set].get();
    const bool is_known = info.set >= sets.size() || layout != nullptr;
    if (is_known && (layout == nullptr || !layout->is_push())) {
      error(Vuid("VUID-VkDescriptorUpdateTemplateCreateInfo-templateType-00353"), object, "set",
            absl::StrCat("(", info.set, ") is not the set of the pipeline layout that has push descriptors."));
      layout = nullptr;
    }
  }
  const auto entries = Items(info.pDescriptorUpdateEntries, info.descriptorUpdateEntryCount);
  for (uint32_t i = 0; i < entries.size(); ++i) {
    CheckEntry(entries[i], layout, where.Dot("pDescriptorUpdateEntries", i), object, report);
  }
}

}  // namespace assay::core
