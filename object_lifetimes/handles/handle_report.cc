// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The reports of HandleCheck.

#include <string>

#include "absl/strings/str_cat.h"
#include "object_lifetimes/handles/handle_check.h"

namespace assay::object_lifetimes {
namespace {

using dispatch::HandleTable;
using dispatch::Slot;

std::string_view TypeName(VkObjectType type) {
  const vk::HandleInfo* info = vk::FindHandle(type);
  return info != nullptr ? info->name : "object";
}

// Why a handle is not one of the type.
std::string Reason(VkObjectType type, uint64_t handle) {
  const HandleTable& handles = HandleTable::Get();
  dispatch::DestroyedObject destroyed;
  if (handles.FindDestroyed(handle, &destroyed)) {
    const std::string by = absl::StrCat("destroyed by ", vk::GetCommandInfo(destroyed.destroyed_by).name, ".");
    if (destroyed.type == type) return absl::StrCat("has been ", by);
    return absl::StrCat("is not a ", TypeName(type), " but was a ", TypeName(destroyed.type), ", which has been ", by);
  }
  const Slot* slot = handles.FindWrapped(handle);
  if (slot == nullptr) slot = dispatch::DispatchableTable::Get().Find(reinterpret_cast<const void*>(handle));
  if (slot != nullptr) return absl::StrCat("is not a ", TypeName(type), " but a ", TypeName(slot->type), ".");
  if (HandleTable::LooksWrapped(handle)) return "has been destroyed long ago.";
  return absl::StrCat("is not a handle that the application was given for a ", TypeName(type), ".");
}

std::string DescribeInvalid(messages::Reporter& reporter, const messages::ObjectRef& object) {
  dispatch::DestroyedObject destroyed;
  if (HandleTable::Get().FindDestroyed(object.handle, &destroyed) && destroyed.type == object.type) {
    return messages::DescribeObject(object, destroyed.name);
  }
  return reporter.Describe(object);
}

std::string Describe(messages::Reporter& reporter, const Slot& slot) {
  return reporter.Describe({slot.type, slot.application_handle});
}

// The object of that kind that a slot's object is from.
std::string DescribeAncestor(messages::Reporter& reporter, const Slot& slot, Ancestor kind) {
  switch (kind) {
    case Ancestor::kInstance:
      return reporter.Describe(messages::Object(slot.instance->handle));
    case Ancestor::kDevice:
      return slot.device != nullptr ? reporter.Describe(messages::Object(slot.device->handle)) : "no device";
    case Ancestor::kVideoSession:
      return "another VkVideoSessionKHR";
    default:
      return slot.parent != HandleTable::kNone ? Describe(reporter, *HandleTable::Get().AtIndex(slot.parent))
                                               : "another";
  }
}

}  // namespace

void HandleCheck::ReportInvalid(vk::VuidIndex rule, VkObjectType type, uint64_t handle,
                                const messages::Location& where) {
  const messages::ObjectRef object = {type, handle};
  report_.Error(rule, {object}, where,
                absl::StrCat("(", DescribeInvalid(report_.reporter(), object), ") ", Reason(type, handle)));
}

void HandleCheck::ReportForeign(vk::VuidIndex rule, const Slot& slot, Ancestor kind, const messages::Location& where,
                                std::string_view other) {
  messages::Reporter& reporter = report_.reporter();
  std::string text = absl::StrCat("(", Describe(reporter, slot), ") is from ", DescribeAncestor(reporter, slot, kind));
  if (kind == Ancestor::kDevice && other.empty() && device_ != nullptr) {
    absl::StrAppend(&text, " and not from ", reporter.Describe(messages::Object(device_->handle)), ".");
  } else if (!other.empty()) {
    absl::StrAppend(&text, " and ", other, " is not.");
  } else {
    absl::StrAppend(&text, " and not from the one that the call names.");
  }
  report_.Error(rule, {{slot.type, slot.application_handle}}, where, std::move(text));
}

}  // namespace assay::object_lifetimes
