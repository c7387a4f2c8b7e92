// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/test_cases/subject.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "vk/walk/load_store.h"

namespace assay::stateless {
namespace {

using vk::Load;
using vk::MemberInfo;
using vk::MemberKind;
using vk::StructInfo;

// Adds the structure at the beginning of the chain.
void AddLink(MinimalCall& call, char* at, VkStructureType type) {
  auto* const link = static_cast<VkBaseInStructure*>(call.MakeStruct(*vk::FindStruct(type)));
  link->pNext = Load<const VkBaseInStructure*>(at);
  std::memcpy(at, &link, sizeof(link));
}

void* MakePointee(MinimalCall& call, const MemberInfo& member) {
  constexpr size_t kEnough = 4096;
  return member.kind == MemberKind::kStruct ? call.MakeStruct(vk::Structs()[member.type]) : call.Allocate(kEnough);
}

void SetDynamicState(MinimalCall& call, char* at, uint64_t value) {
  auto* const info = static_cast<VkPipelineDynamicStateCreateInfo*>(
      call.MakeStruct(*vk::FindStruct(VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO)));
  auto* const state = static_cast<VkDynamicState*>(call.Allocate(sizeof(VkDynamicState)));
  *state = static_cast<VkDynamicState>(value);
  info->dynamicStateCount = 1;
  info->pDynamicStates = state;
  std::memcpy(at, &info, sizeof(info));
}

// Gives the arrays whose length is this member as many elements as its new value.
void GrowArrays(MinimalCall& call, const MemberInfo& length, uint64_t value) {
  constexpr uint64_t kMost = 1 << 16;
  if (value == 0 || value > kMost) return;
  const StructInfo& info = call.target_info();
  for (const MemberInfo& array : info.members) {
    if (array.length_member < 0 || &info.members[static_cast<size_t>(array.length_member)] != &length) continue;
    const bool is_optional = (array.flags & vk::kMemberOptional) != 0;
    if (!is_optional) call.GrowArray(array);
    char* const at = static_cast<char*>(call.target()) + array.offset;
    const auto* const first = Load<const char*>(at);
    if (first == nullptr) continue;
    const bool to_pointers = array.indirection == vk::Indirection::kPointerToPointer;
    const size_t size = to_pointers ? sizeof(void*) : std::max<size_t>(array.element_size, 1);
    char* const elements = static_cast<char*>(call.Allocate((value + 1) * size));
    for (uint64_t i = 0; i < value; ++i) std::memcpy(elements + i * size, first, size);
    std::memcpy(at, &elements, sizeof(elements));
  }
}

}  // namespace

void SetSubject(MinimalCall& call, const Subject& subject, uint64_t value) {
  char* const at = static_cast<char*>(call.target()) + subject.offset;
  if (subject.member->kind == MemberKind::kNext) {
    if (value > 1) AddLink(call, at, static_cast<VkStructureType>(value));
    return;
  }
  if (subject.member->type_name == "VkPipelineDynamicStateCreateInfo") {
    SetDynamicState(call, at, value);
    return;
  }
  if (subject.member->indirection != vk::Indirection::kInline) {
    // Any pointer that is not null will do.
    const void* pointer = value == 0 ? nullptr : Load<const void*>(at);
    if (value != 0 && pointer == nullptr) pointer = MakePointee(call, *subject.member);
    std::memcpy(at, &pointer, sizeof(pointer));
    return;
  }
  const bool is_live = subject.member->kind == MemberKind::kHandle && Load<uint64_t>(at) != 0;
  if (is_live && value != 0) return;
  if (subject.outer == subject.member) GrowArrays(call, *subject.member, value);
  std::memcpy(at, &value, subject.member->element_size);
}

void SetSubjects(MinimalCall& call, const std::vector<Subject>& subjects, const std::vector<uint64_t>& values) {
  for (size_t i = 0; i < subjects.size(); ++i) SetSubject(call, subjects[i], values[i]);
}

}  // namespace assay::stateless
