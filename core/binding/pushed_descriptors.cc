// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptors that are pushed, alone or with a template.

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/binding/bind_check.h"
#include "core/binding/binding_rules.h"
#include "vk/enum_info.h"
#include "vk/families/vuid_families.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using vk::AnyFamilyVuid;
using vk::FamilyVuid;

struct PushIds {
  vk::VuidIndex enabled;
  vk::VuidIndex in_layout;
  vk::VuidIndex is_push_set;
  // Of writes.
  vk::VuidIndex has_images;
  // Of templates.
  vk::VuidIndex has_data;
  vk::VuidIndex queue;
  vk::VuidIndex type;
  vk::VuidIndex layout;
  vk::VuidIndex set;
};
template <class C>
constexpr PushIds kIds = {
    .enabled = AnyFamilyVuid<C>("None-10356", "None-10357", "None-10358", "None-10359"),
    .in_layout = AnyFamilyVuid<C>("set-00364", "set-07304"),
    .is_push_set = AnyFamilyVuid<C>("set-00365", "set-07305"),
    .has_images = FamilyVuid<C>("pDescriptorWrites-06494"),
    // The structure of the other form has an implicit rule that says so.
    .has_data = C::kId == vk::CommandId::kCmdPushDescriptorSetWithTemplate ? FamilyVuid<C>("pData-01686") : vk::kNoVuid,
    .queue = FamilyVuid<C>("commandBuffer-00366"),
    .type = FamilyVuid<C>("descriptorUpdateTemplate-07994"),
    .layout = FamilyVuid<C>("layout-07993"),
    .set = FamilyVuid<C>("set-07995"),
};

bool IsImage(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return true;
    default:
      return false;
  }
}

bool CheckEnabled(bool may_push, const PushIds& ids, const BindCheck& check) {
  return check.Require(may_push, ids.enabled, check.command(), [] {
    return "needs the feature pushDescriptor or the extension VK_KHR_push_descriptor, of which none is enabled.";
  });
}

// Returns the layout of the set; null if there is none, or it is not known.
const state::DescriptorSetLayout* CheckSet(VkPipelineLayout handle, uint32_t set, const PushIds& ids,
                                           const BindCheck& check, const Location& where) {
  const auto* const layout = DeviceState::Get<state::PipelineLayout>(handle);
  if (layout == nullptr) return nullptr;
  if (!check.Require(set < layout->set_layouts.size(), ids.in_layout, Object(handle), where.Dot("set"), [&] {
        return absl::StrCat("(", set, ") is not less than the number of sets of the layout (",
                            layout->set_layouts.size(), ").");
      })) {
    return nullptr;
  }
  const state::DescriptorSetLayout* const found = layout->set_layouts[set].get();
  if (found == nullptr) return nullptr;
  check.Require(found->is_push(), ids.is_push_set, Object(handle), where.Dot("set"), [&] {
    return absl::StrCat("(", set, ") has a set layout that was not created with ",
                        "VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT.");
  });
  return found->is_push() ? found : nullptr;
}

void CheckWrites(absl::Span<const VkWriteDescriptorSet> writes, const state::DescriptorSetLayout* layout,
                 const PushIds& ids, const BindCheck& check, const Location& where) {
  for (uint32_t i = 0; i < writes.size(); ++i) {
    const VkWriteDescriptorSet& write = writes[i];
    if (!IsImage(write.descriptorType) || write.descriptorCount == 0) continue;
    // A push of immutable samplers names them, and reads nothing.
    const auto* const binding = layout != nullptr ? layout->Find(write.dstBinding) : nullptr;
    const bool is_read =
        binding == nullptr || !binding->has_immutable_samplers || write.descriptorType != VK_DESCRIPTOR_TYPE_SAMPLER;
    const Location element = where.Dot("pDescriptorWrites", i);
    check.Require(write.pImageInfo != nullptr || !is_read, ids.has_images, element.Dot("pImageInfo"), [&] {
      return absl::StrCat("is NULL, but descriptorType is ",
                          vk::EnumName(vk::EnumId::kDescriptorType, write.descriptorType), ".");
    });
  }
}

// What the forms of the command have in common.
struct PushedTemplate {
  VkDescriptorUpdateTemplate handle;
  VkPipelineLayout layout;
  uint32_t set;
  const void* data;
};

void CheckTemplate(const PushedTemplate& pushed, const PushIds& ids, const BindCheck& check, const Location& where) {
  check.Require(pushed.data != nullptr, ids.has_data, where.Dot("pData"), [] { return "is NULL."; });
  const bool has_set = CheckSet(pushed.layout, pushed.set, ids, check, where) != nullptr;
  const auto* const created = DeviceState::Get<state::DescriptorUpdateTemplate>(pushed.handle);
  if (created == nullptr) return;
  const Location named = where.Dot("descriptorUpdateTemplate");
  if (!check.Require(created->type == VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS, ids.type,
                     Object(pushed.handle), named, [&] {
                       return absl::StrCat("was created with ",
                                           vk::EnumName(vk::EnumId::kDescriptorUpdateTemplateType, created->type),
                                           ". It does not push descriptors.");
                     })) {
    return;
  }
  check.RequirePoint(created->bind_point, ids.queue, named);
  if (!check.Require(created->set == pushed.set, ids.set, Object(pushed.handle), where.Dot("set"), [&] {
        return absl::StrCat("(", pushed.set, ") is not the set that the template was created for (", created->set,
                            ").");
      })) {
    return;
  }
  const auto* const layout = DeviceState::Get<state::PipelineLayout>(pushed.layout);
  if (!has_set || !created->layout || created->layout.get() == layout) return;
  // Compatible for the set: the sets up to it, and all push constants, are the same.
  const auto first = [&](const state::PipelineLayout& of) {
    return absl::MakeConstSpan(of.set_layouts).subspan(0, size_t{pushed.set} + 1);
  };
  const bool has_same_constants = state::AreAlike(layout->push_constants, created->layout->push_constants);
  const bool has_same_sets = state::AreDefinedAlike(first(*layout), first(*created->layout));
  check.Require(has_same_constants && has_same_sets, ids.layout, Object(pushed.layout), where.Dot("layout"), [&] {
    return absl::StrCat("is not compatible with the layout that the template was created with: ",
                        has_same_sets ? "their push constant ranges differ."
                                      : absl::StrCat("their sets up to set ", pushed.set, " differ."));
  });
}

}  // namespace

void BindingRules::PreCallValidate(const vk::CmdPushDescriptorSet& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  const BindCheck check(*buffer, report);
  const Location command = check.command();
  const PushIds& ids = kIds<vk::CmdPushDescriptorSet>;
  if (!CheckEnabled(may_push_, ids, check)) return;
  check.RequirePoint(call.pipelineBindPoint, FamilyVuid<vk::CmdPushDescriptorSet>("pipelineBindPoint-00363"),
                     command.Dot("pipelineBindPoint"));
  const auto* const layout = CheckSet(call.layout, call.set, ids, check, command);
  CheckWrites(state::Items(call.pDescriptorWrites, call.descriptorWriteCount), layout, ids, check, command);
}

void BindingRules::PreCallValidate(const vk::CmdPushDescriptorSet2& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pPushDescriptorSetInfo == nullptr) return;
  const VkPushDescriptorSetInfo& info = *call.pPushDescriptorSetInfo;
  const BindCheck check(*buffer, report);
  const Location command = check.command();
  const Location where = command.Dot("pPushDescriptorSetInfo");
  const PushIds& ids = kIds<vk::CmdPushDescriptorSet2>;
  if (!CheckEnabled(may_push_, ids, check)) return;
  check.RequireStages(info.stageFlags, FamilyVuid<vk::CmdPushDescriptorSet2>("pPushDescriptorSetInfo-09468"),
                      where.Dot("stageFlags"));
  const auto* const layout = CheckSet(info.layout, info.set, ids, check, where);
  CheckWrites(state::Items(info.pDescriptorWrites, info.descriptorWriteCount), layout, ids, check, where);
}

void BindingRules::PreCallValidate(const vk::CmdPushDescriptorSetWithTemplate& call, dispatch::Slot& slot,
                                   Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  const BindCheck check(*buffer, report);
  const PushIds& ids = kIds<vk::CmdPushDescriptorSetWithTemplate>;
  if (!CheckEnabled(may_push_, ids, check)) return;
  CheckTemplate({call.descriptorUpdateTemplate, call.layout, call.set, call.pData}, ids, check, check.command());
}

void BindingRules::PreCallValidate(const vk::CmdPushDescriptorSetWithTemplate2& call, dispatch::Slot& slot,
                                   Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pPushDescriptorSetWithTemplateInfo == nullptr) return;
  const VkPushDescriptorSetWithTemplateInfo& info = *call.pPushDescriptorSetWithTemplateInfo;
  const BindCheck check(*buffer, report);
  const PushIds& ids = kIds<vk::CmdPushDescriptorSetWithTemplate2>;
  if (!CheckEnabled(may_push_, ids, check)) return;
  const Location command = check.command();
  CheckTemplate({info.descriptorUpdateTemplate, info.layout, info.set, info.pData}, ids, check,
                command.Dot("pPushDescriptorSetWithTemplateInfo"));
}

}  // namespace assay::core
