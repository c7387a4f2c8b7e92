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
void GrowArrays(MinimalCall& call, const StructInfo& info, void* base, const MemberInfo& length, uint64_t value) {
  constexpr uint64_t kMost = 1 << 16;
  if (value == 0 || value > kMost) return;
  for (const MemberInfo& array : info.members) {
    if (array.length_member < 0 || &info.members[static_cast<size_t>(array.length_member)] != &length) continue;
    const bool is_optional = (array.flags & vk::kMemberOptional) != 0;
    if (!is_optional) call.Make({&info, &array}, base);
    char* const at = static_cast<char*>(base) + array.offset;
    const auto* const first = Load<const char*>(at);
    if (first == nullptr) continue;
    const bool to_pointers = array.indirection == vk::Indirection::kPointerToPointer;
    const size_t size = to_pointers ? sizeof(void*) : std::max<size_t>(array.element_size, 1);
    char* const elements = static_cast<char*>(call.Allocate((value + 1) * size));
    for (uint64_t i = 0; i < value; ++i) std::memcpy(elements + i * size, first, size);
    std::memcpy(at, &elements, sizeof(elements));
  }
}

const VkBaseInStructure* FindLink(const void* structure, VkStructureType type) {
  const auto* link = static_cast<const VkBaseInStructure*>(structure)->pNext;
  while (link != nullptr && link->sType != type) link = link->pNext;
  return link;
}

// The first structure or element to which the hop leads; made if there is none.
void* Follow(MinimalCall& call, const StructInfo& info, void* origin, const vk::ExplicitHop& hop) {
  const MemberInfo& member = info.members[hop.member];
  char* const at = static_cast<char*>(origin) + member.offset;
  if (hop.link == VkStructureType{}) {
    char* const elements = static_cast<char*>(call.Make({&info, &member}, origin));
    return elements + (hop.element > 0 ? size_t{member.element_size} * static_cast<size_t>(hop.element) : 0);
  }
  if (FindLink(origin, hop.link) == nullptr) AddLink(call, at, hop.link);
  return const_cast<VkBaseInStructure*>(FindLink(origin, hop.link));
}

void SetSubject(MinimalCall& call, const Subject& subject, void* base, uint64_t value) {
  char* const at = static_cast<char*>(base) + subject.offset;
  if (subject.member->kind == MemberKind::kNext) {
    const auto type = static_cast<VkStructureType>(value);
    if (value > 1 && FindLink(base, type) == nullptr) AddLink(call, at, type);
    return;
  }
  if (subject.member->type_name == "VkPipelineDynamicStateCreateInfo") {
    SetDynamicState(call, at, value);
    return;
  }
  if (subject.member->indirection != vk::Indirection::kInline && !subject.is_element) {
    // Any pointer that is not null will do.
    const void* pointer = value == 0 ? nullptr : Load<const void*>(at);
    if (value != 0 && pointer == nullptr) pointer = MakePointee(call, *subject.member);
    std::memcpy(at, &pointer, sizeof(pointer));
    return;
  }
  const bool is_live = subject.member->kind == MemberKind::kHandle && Load<uint64_t>(at) != 0;
  if (is_live && value != 0) return;
  if (!subject.is_element) GrowArrays(call, *subject.info, at - subject.member->offset, *subject.member, value);
  std::memcpy(at, &value, subject.member->element_size);
}

}  // namespace

void SetSubjects(MinimalCall& call, const vk::ExplicitRuleInfo& rule, const std::vector<Subject>& subjects,
                 const std::vector<uint64_t>& values) {
  const auto set = [&](uint8_t base, void* structure) {
    for (size_t i = 0; i < subjects.size(); ++i) {
      if (subjects[i].base == base) SetSubject(call, subjects[i], structure, values[i]);
    }
  };
  std::vector<void*> bases = {call.target()};
  const auto follow_hops = [&] {
    bases.resize(1);
    for (const vk::ExplicitHop& hop : vk::Hops(rule))
      bases.push_back(Follow(call, vk::StructAt(call.target_info(), rule, hop.origin), bases[hop.origin], hop));
  };
  follow_hops();
  for (uint8_t base = static_cast<uint8_t>(bases.size() - 1); base > 0; --base) set(base, bases[base]);
  // Makes arrays longer, of copies of the first elements, or takes them away.
  set(0, call.target());
}

}  // namespace assay::stateless
