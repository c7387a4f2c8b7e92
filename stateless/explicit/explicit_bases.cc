// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/explicit/explicit_bases.h"

#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::stateless {

using vk::IsAddress;
using vk::Load;
using vk::MemberInfo;

ExplicitNumber NumberAt(const vk::ExplicitPlace& place, const vk::ExplicitTarget& target) {
  const MemberInfo& member = *target.member;
  const bool is_element = place.path[0] == vk::ExplicitPlace::kNoMember;
  const bool is_inline = is_element || member.indirection == vk::Indirection::kInline;
  const size_t size = is_inline && member.kind != vk::MemberKind::kOpaquePointer ? member.element_size : sizeof(void*);
  return {target.offset, place.base, static_cast<uint8_t>(size),
          member.kind == vk::MemberKind::kEnum || member.type_name.starts_with("int")};
}

uint64_t LoadAt(const ExplicitNumber& number, const ExplicitBases& bases) {
  const uint64_t value = vk::LoadUnsigned(static_cast<const char*>(bases.at[number.base]) + number.offset, number.size);
  return number.is_signed && number.size == 4 ? static_cast<uint64_t>(int64_t{static_cast<int32_t>(value)}) : value;
}

const void* FindLink(const void* structure, VkStructureType type) {
  for (auto* link = static_cast<const VkBaseInStructure*>(structure)->pNext; link != nullptr; link = link->pNext) {
    if (link->sType == type) return link;
  }
  return nullptr;
}

bool FollowHops(const vk::StructInfo& owner, const vk::ExplicitRuleInfo& rule, size_t hop, ExplicitBases& bases,
                VisitBases visit) {
  if (hop == rule.hop_count) return visit(bases);
  const vk::ExplicitHop& next = vk::Hops(rule)[hop];
  const void* const origin = bases.at[next.origin];
  const vk::StructInfo& info = vk::StructAt(owner, rule, next.origin);
  const auto go_to = [&](const void* structure, uint64_t index) {
    bases.at[hop + 1] = structure;
    bases.index[hop + 1] = static_cast<uint32_t>(index);
    return structure == nullptr || FollowHops(owner, rule, hop + 1, bases, visit);
  };
  if (next.link != VkStructureType{}) return go_to(FindLink(origin, next.link), 0);
  const MemberInfo& member = info.members[next.member];
  const auto* const elements = Load<const char*>(origin, member.offset);
  if (!IsAddress(elements)) return true;
  const bool to_pointers = member.indirection == vk::Indirection::kPointerToPointer;
  const bool is_each = next.element == vk::ExplicitHop::kEach;
  const uint64_t count = vk::ElementCount(info, member, origin);
  for (uint64_t i = is_each ? 0 : static_cast<uint64_t>(next.element); i < count; ++i) {
    const char* const element =
        to_pointers ? Load<const char*>(elements, i * sizeof(void*)) : elements + i * member.element_size;
    if (!go_to(IsAddress(element) ? element : nullptr, i)) return false;
    if (!is_each) break;
  }
  return true;
}

void WithPathTo(uint8_t base, const vk::StructInfo& owner, const vk::ExplicitRuleInfo& rule, const ExplicitBases& bases,
                const Step* where, absl::FunctionRef<void(const Step*)> f) {
  if (base == 0) return f(where);
  const vk::ExplicitHop& hop = vk::Hops(rule)[base - 1];
  const vk::StructInfo& origin = vk::StructAt(owner, rule, hop.origin);
  const MemberInfo& member = origin.members[hop.member];
  const bool is_array = member.length_kind != vk::LengthKind::kOne;
  WithPathTo(hop.origin, owner, rule, bases, where, [&](const Step* before) {
    Step step{before, member.name, {}, is_array ? bases.index[base] : Step::kNoIndex};
    if (hop.link != VkStructureType{}) step = {before, {}, vk::FindStruct(hop.link)->name, Step::kNoIndex};
    f(&step);
  });
}

}  // namespace assay::stateless
