// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/translation/call_handles.h"

#include "dispatch/handles/dispatchable_table.h"
#include "dispatch/handles/handle_table.h"
#include "dispatch/translation/ignored_members.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::dispatch {

Slot* FindSlot(VkObjectType type, uint64_t handle) {
  if (Slot* slot = HandleTable::Get().Find(type, handle)) return slot;
  const vk::HandleInfo* info = vk::FindHandle(type);
  if (info == nullptr || !info->dispatchable) return nullptr;
  Slot* slot = DispatchableTable::Get().Find(reinterpret_cast<const void*>(handle));
  return slot != nullptr && slot->type == type ? slot : nullptr;
}

const char* ElementsOf(const vk::StructInfo& info, const vk::MemberInfo& member, const void* base) {
  const char* const field = static_cast<const char*>(base) + member.offset;
  if (member.indirection == vk::Indirection::kInline) return field;
  if (IsIgnored(info, member, base)) return nullptr;
  return vk::Load<const char*>(field);
}

void ForEachHandle(vk::CommandId command, const vk::MemberInfo& parameter, const void* call,
                   absl::FunctionRef<void(messages::ObjectRef object, uint32_t i)> visit) {
  const vk::StructInfo& info = *vk::GetCommandInfo(command).parameters;
  const char* elements = ElementsOf(info, parameter, call);
  if (elements == nullptr) return;
  const uint64_t count = vk::ElementCount(info, parameter, call);
  for (uint32_t i = 0; i < count; ++i) {
    const auto handle = vk::Load<uint64_t>(elements, i * sizeof(uint64_t));
    if (handle != 0) visit({vk::Handles()[parameter.type].object_type, handle}, i);
  }
}

}  // namespace assay::dispatch
