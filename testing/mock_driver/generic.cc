// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/mock_driver/generic.h"

#include <cstddef>
#include <cstring>
#include <string>

#include "testing/mock_driver/mock_driver.h"
#include "testing/mock_driver/objects.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::test {
namespace {

using vk::ElementCount;
using vk::Indirection;
using vk::LengthKind;
using vk::Load;
using vk::MemberInfo;
using vk::MemberKind;
using vk::StructInfo;

std::byte* At(void* base, uint32_t offset) { return static_cast<std::byte*>(base) + offset; }

VkObjectType TypeOf(const MemberInfo& member) { return vk::Handles()[member.type].object_type; }

bool IsDispatchableHandle(const MemberInfo& member) { return vk::Handles()[member.type].dispatchable; }

void CreateHandles(const MemberInfo& member, uint64_t* handles, uint64_t count) {
  VkObjectType type = TypeOf(member);
  for (uint64_t i = 0; i < count; ++i) {
    handles[i] = IsDispatchableHandle(member) ? ToInteger(CreateDispatchable(type, static_cast<uint32_t>(i), 0))
                                              : ObjectTable::Get().Create(type);
  }
}

// Whether the member is a number that a command returns: a count of something.
bool IsOutputCount(const StructInfo& info, const MemberInfo& member) {
  for (const MemberInfo& other : info.members) {
    if (other.length_kind == LengthKind::kMember && other.length_member >= 0 &&
        &info.members[other.length_member] == &member) {
      return true;
    }
  }
  return false;
}

void FillOutput(const StructInfo& info, const MemberInfo& member, void* base) {
  void* target = Load<void*>(base, member.offset);
  if (target == nullptr || member.indirection != Indirection::kPointer) return;
  uint64_t count = ElementCount(info, member, base);
  if (member.kind == MemberKind::kHandle) return CreateHandles(member, static_cast<uint64_t*>(target), count);
  // Memory behind platform types and void* is not Vulkan's, unless a member has its size.
  if (member.kind == MemberKind::kOpaquePointer && member.length_kind != LengthKind::kMember) {
    std::memset(target, 0, sizeof(void*));
    return;
  }
  if (member.kind == MemberKind::kStruct) {
    const StructInfo& pointee = vk::Structs()[member.type];
    for (uint64_t i = 0; i < count; ++i) ClearOutput(pointee, At(target, static_cast<uint32_t>(i * pointee.size)));
    return;
  }
  std::memset(target, 0, count * (member.element_size != 0 ? member.element_size : 1));
}

void FillOutputs(const StructInfo& info, void* parameters) {
  // Counts come first. An array whose count is zero is then left alone.
  for (const MemberInfo& member : info.members) {
    if ((member.flags & vk::kMemberOutput) == 0 || !IsOutputCount(info, member)) continue;
    void* target = Load<void*>(parameters, member.offset);
    if (target != nullptr) std::memset(target, 0, member.element_size);
  }
  for (const MemberInfo& member : info.members) {
    if ((member.flags & vk::kMemberOutput) != 0 && !IsOutputCount(info, member)) FillOutput(info, member, parameters);
  }
}

void DestroyHandles(const vk::CommandInfo& command, void* parameters) {
  const StructInfo& info = *command.parameters;
  const MemberInfo* last = nullptr;
  for (const MemberInfo& member : info.members) {
    if (member.kind == MemberKind::kHandle) last = &member;
  }
  if (last == nullptr) return;
  const void* handles = At(parameters, last->offset);
  uint64_t count = 1;
  if (last->indirection == Indirection::kPointer) {
    handles = Load<const void*>(parameters, last->offset);
    count = handles != nullptr ? ElementCount(info, *last, parameters) : 0;
  }
  for (uint64_t i = 0; i < count; ++i) {
    ObjectTable::Get().Destroy(Load<uint64_t>(handles, static_cast<uint32_t>(8 * i)), TypeOf(*last), command.name);
  }
}

bool IsAlive(const MemberInfo& member, uint64_t handle) {
  if (IsDispatchableHandle(member)) return IsDispatchable(reinterpret_cast<const void*>(handle), TypeOf(member));
  const Object* object = ObjectTable::Get().Find(handle);
  return object != nullptr && object->type == TypeOf(member);
}

}  // namespace

void ClearOutput(const StructInfo& info, void* output) {
  for (const MemberInfo& member : info.members) {
    bool keeps = member.kind == MemberKind::kStructureType || member.kind == MemberKind::kNext ||
                 member.indirection != Indirection::kInline || (member.flags & vk::kMemberBitField) != 0;
    if (member.kind == MemberKind::kNext) ClearOutputChain(Load<void*>(output, member.offset));
    if (keeps) continue;
    if (member.kind != MemberKind::kStruct) {
      std::memset(At(output, member.offset), 0, size_t{member.element_size} * member.fixed_count);
      continue;
    }
    for (uint32_t i = 0; i < member.fixed_count; ++i) {
      ClearOutput(vk::Structs()[member.type], At(output, member.offset + i * member.element_size));
    }
  }
}

void ClearOutputChain(void* output) {
  if (output == nullptr) return;
  auto* head = static_cast<VkBaseOutStructure*>(output);
  if (const StructInfo* info = vk::FindStruct(head->sType)) return ClearOutput(*info, output);
  ClearOutputChain(static_cast<void*>(head->pNext));
}

void CheckParameterHandles(const vk::CommandInfo& command, const void* parameters) {
  const StructInfo& info = *command.parameters;
  for (const MemberInfo& member : info.members) {
    if (member.kind != MemberKind::kHandle || (member.flags & vk::kMemberOutput) != 0) continue;
    const void* handles = static_cast<const std::byte*>(parameters) + member.offset;
    if (member.indirection == Indirection::kPointer) handles = Load<const void*>(handles, 0);
    if (handles == nullptr) continue;
    uint64_t count = ElementCount(info, member, parameters);
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t handle = Load<uint64_t>(handles, static_cast<uint32_t>(8 * i));
      if (handle == 0 || IsAlive(member, handle)) continue;
      MockDriver::Get().AddMisuse(std::string(command.name) + "(): " + std::string(member.name) + "[" +
                                  std::to_string(i) + "] is not a live " + std::string(member.type_name) + ".");
    }
  }
}

uint64_t GenericCall(vk::CommandId id, void* parameters) {
  const vk::CommandInfo& command = vk::GetCommandInfo(id);
  if (command.lifetime == vk::LifetimeEffect::kDestroy) {
    DestroyHandles(command, parameters);
  } else {
    FillOutputs(*command.parameters, parameters);
  }
  return 0;
}

}  // namespace assay::test
