// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/handles/handle_check.h"

#include <algorithm>

#include "dispatch/translation/call_handles.h"
#include "object_lifetimes/handles/origins.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::object_lifetimes {
namespace {

using dispatch::DispatchableTable;
using dispatch::ElementsOf;
using dispatch::FindSlot;
using dispatch::HandleTable;
using dispatch::Slot;
using messages::Location;
using vk::ElementCount;
using vk::Indirection;
using vk::Load;
using vk::MemberInfo;
using vk::MemberKind;
using vk::StructInfo;

// The type of a handle in a uint64_t, by another member of the structure; VK_OBJECT_TYPE_UNKNOWN if it does not decide
// it.
VkObjectType TypeOfTypedHandle(const StructInfo& info, const MemberInfo& member, const void* base) {
  if (member.selector < 0) return VK_OBJECT_TYPE_UNKNOWN;
  const MemberInfo& selector = info.members[static_cast<size_t>(member.selector)];
  const auto value = Load<int32_t>(base, selector.offset);
  const vk::HandleInfo* handle = selector.type_name == "VkObjectType"
                                     ? vk::FindHandle(static_cast<VkObjectType>(value))
                                     : vk::FindHandle(static_cast<VkDebugReportObjectTypeEXT>(value));
  // The loader gives applications its own handles for these, and does not translate them everywhere.
  if (handle == nullptr || handle->object_type == VK_OBJECT_TYPE_PHYSICAL_DEVICE ||
      handle->object_type == VK_OBJECT_TYPE_INSTANCE) {
    return VK_OBJECT_TYPE_UNKNOWN;
  }
  return handle->object_type;
}

}  // namespace

void HandleCheck::Run() {
  const StructRules& rules = rules_.Of(report_.command()).parameters;
  Common common{rules, call_, nullptr, rules.info->members[0].name};
  common.ancestor = AncestorNamed(rules.common_kind, common);
  CheckMembers(rules, call_, report_.location(), common);
}

void HandleCheck::CheckStruct(const StructRules& rules, const void* base, const Location& where) {
  Common common{rules, base};
  CheckMembers(rules, base, where, common);
}

void HandleCheck::CheckMembers(const StructRules& rules, const void* base, const Location& where, Common& common) {
  for (const Step& step : rules.steps) {
    switch (step.member->kind) {
      case MemberKind::kNext:
        CheckChain(Load<const void*>(base, step.member->offset), where);
        break;
      case MemberKind::kStruct:
        CheckStructMember(rules, step, base, where);
        break;
      default:
        CheckHandles(step, base, where, common);
        break;
    }
  }
}

void HandleCheck::CheckChain(const void* head, const Location& where) {
  for (auto* link = static_cast<const VkBaseInStructure*>(head); link != nullptr; link = link->pNext) {
    const StructInfo* info = vk::FindStruct(link->sType);
    if (info == nullptr || (info->flags & vk::kStructReturnedOnly) != 0) continue;
    const StructRules& rules = rules_.Of(*info);
    const Location at = where.Next(*info);
    Common common{rules, link};
    for (const Step& step : rules.steps) {
      if (step.member->kind == MemberKind::kStruct) {
        CheckStructMember(rules, step, link, at);
      } else if (step.member->kind != MemberKind::kNext) {
        CheckHandles(step, link, at, common);
      }
    }
  }
}

void HandleCheck::CheckStructMember(const StructRules& rules, const Step& step, const void* base,
                                    const Location& where) {
  const MemberInfo& member = *step.member;
  const char* elements = ElementsOf(*rules.info, member, base);
  if (elements == nullptr || (member.flags & vk::kMemberOuterLengthOnly) != 0) return;
  const uint64_t count = ElementCount(*rules.info, member, base);
  const StructRules& inner = *step.inner;
  const bool is_image_info = inner.info->structure_type == VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  for (uint64_t i = 0; i < count; ++i) {
    const char* element = member.indirection == Indirection::kPointerToPointer
                              ? Load<const char*>(elements, i * sizeof(void*))
                              : elements + i * member.element_size;
    if (element == nullptr) continue;
    const Location at = step.is_array ? where.Dot(member.name, static_cast<uint32_t>(i)) : where.Dot(member.name);
    if ((inner.info->flags & vk::kStructUnion) != 0) {
      CheckUnion(*rules.info, member, base, inner, element, at);
    } else {
      CheckStruct(inner, element, at);
    }
    if (is_image_info) CheckImageInfos(element, at);
  }
}

void HandleCheck::CheckUnion(const StructInfo& parent, const MemberInfo& member, const void* parent_base,
                             const StructRules& rules, const void* base, const Location& where) {
  if (member.selector < 0) return;
  const auto selected =
      int64_t{Load<int32_t>(parent_base, parent.members[static_cast<size_t>(member.selector)].offset)};
  Common common{rules, base};
  for (const Step& step : rules.steps) {
    const auto selections = vk::Selections(*step.member);
    if (std::find(selections.begin(), selections.end(), selected) == selections.end()) continue;
    if (step.member->kind == MemberKind::kStruct) {
      CheckStructMember(rules, step, base, where);
    } else if (step.member->kind != MemberKind::kNext) {
      CheckHandles(step, base, where, common);
    }
  }
}

void HandleCheck::CheckHandles(const Step& step, const void* base, const Location& where, Common& common) {
  const MemberInfo& member = *step.member;
  const StructInfo& info = *common.rules.info;
  const VkObjectType type = member.kind == MemberKind::kHandle ? step.type : TypeOfTypedHandle(info, member, base);
  const char* elements = ElementsOf(info, member, base);
  if (type == VK_OBJECT_TYPE_UNKNOWN || elements == nullptr) return;
  const bool single = member.indirection == Indirection::kInline && !step.is_array;
  const uint64_t count = single ? 1 : ElementCount(info, member, base);
  for (uint64_t i = 0; i < count; ++i) {
    const auto handle = Load<uint64_t>(elements, i * sizeof(uint64_t));
    const bool null_matters = step.explicit_rule != nullptr && step.explicit_rule->forbids_null;
    if (handle == 0 && !null_matters) continue;
    const Location at = step.is_array ? where.Dot(member.name, static_cast<uint32_t>(i)) : where.Dot(member.name);
    CheckHandle(step, type, handle, at, common);
  }
}

void HandleCheck::CheckHandle(const Step& step, VkObjectType type, uint64_t handle, const Location& where,
                              Common& common) {
  const ExplicitHandleRule* explicit_rule = step.explicit_rule;
  if (explicit_rule != nullptr && explicit_rule->applies != nullptr &&
      !explicit_rule->applies(report_.command(), common.base)) {
    return;
  }
  const Slot* const slot = FindSlot(type, handle);
  if (slot == nullptr) {
    const vk::VuidIndex rule = rules_.ValidRule(step, report_.command());
    if (rule != vk::kNoVuid) ReportInvalid(rule, type, handle, where);
    return;
  }
  if (recording_ != nullptr) recording_->Note(*slot, report_.command());
  if (step.parent != vk::kNoVuid) {
    const void* expected = AncestorNamed(step.parent_kind, common);
    const void* actual = AncestorOf(*slot, step.parent_kind);
    if (expected != nullptr && actual != nullptr && expected != actual) {
      ReportForeign(step.parent, *slot, step.parent_kind, where, {});
      return;
    }
  }
  if (!step.in_common) return;
  const void* ancestor = AncestorOf(*slot, common.rules.common_kind);
  if (common.ancestor == nullptr) {
    common.ancestor = ancestor;
    common.first_member = step.member->name;
  } else if (ancestor != nullptr && ancestor != common.ancestor && !common.reported) {
    common.reported = true;
    ReportForeign(common.rules.common_parent, *slot, common.rules.common_kind, where, common.first_member);
  }
}

// The rules for imageView depend on the write that pImageInfo is in. sampler may be ignored in favor of the set's
// immutable samplers, so it is not checked.
void HandleCheck::CheckImageInfos(const void* structure, const Location& where) {
  const auto& write = *static_cast<const VkWriteDescriptorSet*>(structure);
  if (write.pImageInfo == nullptr || (write.descriptorType != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER &&
                                      write.descriptorType != VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE &&
                                      write.descriptorType != VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)) {
    return;
  }
  for (uint32_t i = 0; i < write.descriptorCount; ++i) {
    const auto view = reinterpret_cast<uint64_t>(write.pImageInfo[i].imageView);
    if (view == 0) continue;
    if (const Slot* slot = FindSlot(VK_OBJECT_TYPE_IMAGE_VIEW, view)) {
      if (recording_ != nullptr) recording_->Note(*slot, report_.command());
      continue;
    }
    const Location info = where.Dot("pImageInfo", i);
    ReportInvalid(vk::Vuid("VUID-VkWriteDescriptorSet-descriptorType-02996"), VK_OBJECT_TYPE_IMAGE_VIEW, view,
                  info.Dot("imageView"));
  }
}

const void* HandleCheck::AncestorOf(const Slot& slot, Ancestor kind) const {
  switch (kind) {
    case Ancestor::kInstance:
      return slot.instance;
    case Ancestor::kDevice:
      return slot.device;
    case Ancestor::kPhysicalDevice:
    case Ancestor::kCommandPool:
    case Ancestor::kDescriptorPool:
      // A display may be of several physical devices.
      if (slot.has_several_physical_devices && kind == Ancestor::kPhysicalDevice) return nullptr;
      return slot.parent != HandleTable::kNone ? HandleTable::Get().AtIndex(slot.parent) : nullptr;
    case Ancestor::kVideoSession:
      return reinterpret_cast<const void*>(Origins::OfVideoSessionParameters().Of(slot.application_handle));
    case Ancestor::kNone:
      break;
  }
  return nullptr;
}

const void* HandleCheck::AncestorNamed(Ancestor kind, const Common& common) const {
  const auto member_value = [&](std::string_view name) -> uint64_t {
    for (const MemberInfo& member : common.rules.info->members) {
      if (member.name == name && member.indirection == Indirection::kInline)
        return Load<uint64_t>(common.base, member.offset);
    }
    return 0;
  };
  switch (kind) {
    case Ancestor::kInstance:
      return &instance_;
    case Ancestor::kDevice:
      return device_;
    case Ancestor::kPhysicalDevice:
      return DispatchableTable::Get().Find(device_ != nullptr ? device_->physical_device->handle
                                                              : Load<const void*>(call_));
    case Ancestor::kCommandPool:
      return FindSlot(VK_OBJECT_TYPE_COMMAND_POOL, member_value("commandPool"));
    case Ancestor::kDescriptorPool:
      return FindSlot(VK_OBJECT_TYPE_DESCRIPTOR_POOL, member_value("descriptorPool"));
    case Ancestor::kVideoSession:
      return reinterpret_cast<const void*>(member_value("videoSession"));
    case Ancestor::kNone:
      break;
  }
  return nullptr;
}

}  // namespace assay::object_lifetimes
