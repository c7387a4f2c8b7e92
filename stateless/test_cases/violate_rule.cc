// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/test_cases/violate_rule.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "vk/enum_info.h"
#include "vk/vulkan.h"
#include "vk/walk/load_store.h"

namespace assay::stateless {
namespace {

using vk::Load;
using vk::Store;

// Bits that the bitmask does not have: one, or all of them.
uint64_t UnknownBits(const MemberInfo& member) {
  const vk::EnumInfo& info = vk::GetEnumInfo(static_cast<vk::EnumId>(member.type));
  uint64_t known = 0;
  for (const vk::EnumValue& value : info.values) {
    if (std::has_single_bit(static_cast<uint64_t>(value.value))) known |= static_cast<uint64_t>(value.value);
  }
  uint64_t unknown = ~known;
  if (member.element_size == 4) unknown &= 0xffffffff;
  return std::bit_floor(unknown);
}

void SetInvalidValue(const MemberInfo& member, void* at) {
  if (member.kind == MemberKind::kEnum) return Store(at, int32_t{0x7fffffff});
  if (member.kind == MemberKind::kBool32) return Store(at, uint32_t{2});
  if (member.kind != MemberKind::kFlags) return Store(at, uint64_t{0});
  const uint64_t bits = UnknownBits(member);
  std::memcpy(at, &bits, member.element_size);
}

bool ViolateElement(MinimalCall& call, const MemberInfo& member, void* at, const ImplicitRuleInfo& rule) {
  if ((member.flags & vk::kMemberOutput) != 0) return false;
  static constexpr char kNotUtf8[] = "\xff";
  if (member.kind == MemberKind::kString) {
    static const char* const text = kNotUtf8;
    Store<const void*>(at, member.indirection == Indirection::kPointer ? text : reinterpret_cast<const char*>(&text));
    return true;
  }
  if (member.indirection == Indirection::kPointerToPointer) {
    if (member.kind != MemberKind::kStruct) return false;
    // An array of null pointers.
    Store(at, call.Allocate(sizeof(void*)));
    return true;
  }
  const bool nullable = (rule.flags & vk::kRuleNullableElements) != 0;
  const bool breakable = (member.kind == MemberKind::kHandle && !nullable) || member.kind == MemberKind::kEnum ||
                         member.kind == MemberKind::kBool32 ||
                         (member.kind == MemberKind::kFlags && member.type != vk::kNoType);
  if (!breakable) return false;
  void* elements = call.Allocate(64);
  SetInvalidValue(member, elements);
  Store(at, elements);
  return true;
}

bool ViolateParameter(MinimalCall& call, const MemberInfo& member, void* at, const ImplicitRuleInfo& rule,
                      ViolationKind violation) {
  if (member.indirection == Indirection::kInline) {
    if (violation != ViolationKind::kInvalidValue) return false;
    SetInvalidValue(member, at);
    return true;
  }
  call.GrowArray(member);
  if (violation == ViolationKind::kElement) return ViolateElement(call, member, at, rule);
  const bool optional = (rule.flags & vk::kRuleOptional) != 0;
  Store(at, optional || violation == ViolationKind::kInvalidAddress ? MinimalCall::kInvalidAddress : nullptr);
  return true;
}

void ViolateUnique(MinimalCall& call, const StructInfo& info, void* target) {
  for (vk::TypeIndex index : info.extended_by) {
    const StructInfo& link_info = vk::Structs()[index];
    if ((link_info.flags & vk::kStructAllowDuplicate) != 0) continue;
    auto* first = static_cast<VkBaseOutStructure*>(call.MakeStruct(link_info));
    auto* second = static_cast<VkBaseOutStructure*>(call.MakeStruct(link_info));
    first->pNext = second;
    static_cast<VkBaseOutStructure*>(target)->pNext = first;
    return;
  }
}

void ViolateNext(MinimalCall& call, void* target) {
  // Extends nothing.
  static_cast<VkBaseOutStructure*>(target)->pNext =
      static_cast<VkBaseOutStructure*>(call.MakeStruct(*vk::FindStruct(VK_STRUCTURE_TYPE_APPLICATION_INFO)));
}

void ViolateLength(MinimalCall& call, const StructInfo& info, const MemberInfo& member, void* target,
                   const ImplicitRuleInfo& rule) {
  if (member.length_kind == vk::LengthKind::kMemberOfPointee) {
    const MemberInfo& pointer = info.members[static_cast<size_t>(member.length_member)];
    Store(Load<char*>(target, pointer.offset) + member.length_offset, uint32_t{0});
    return;
  }
  if ((rule.flags & vk::kRuleOptional) != 0) {
    for (const MemberInfo& array : info.members) {
      const bool optional = (array.flags & vk::kMemberOptional) != 0 && array.indirection == Indirection::kPointer;
      if (optional) Store(static_cast<char*>(target) + array.offset, call.Allocate(64));
    }
  }
  const uint64_t zero = 0;
  std::memcpy(static_cast<char*>(target) + member.offset, &zero, member.element_size);
}

}  // namespace

bool ViolateRule(MinimalCall& call, const ImplicitRuleInfo& rule, ViolationKind violation) {
  if (rule.kind != ImplicitRuleKind::kParameter && violation != ViolationKind::kInvalidValue) return false;
  const StructInfo& info = call.target_info();
  void* const target = call.target();
  const MemberInfo& member = info.members[rule.member];
  char* at = static_cast<char*>(target) + member.offset;
  if (rule.kind == ImplicitRuleKind::kParameter) {
    if (rule.alternative == ImplicitRuleInfo::kNoAlternative)
      return ViolateParameter(call, member, at, rule, violation);
    const MemberInfo& alternative = vk::Structs()[member.type].members[rule.alternative];
    const MemberInfo& selector = info.members[static_cast<size_t>(member.selector)];
    Store(static_cast<char*>(target) + selector.offset, static_cast<int32_t>(vk::Selections(alternative)[0]));
    return ViolateParameter(call, alternative, at + alternative.offset, rule, violation);
  }
  if (rule.kind == ImplicitRuleKind::kStructureType) Store(at, VK_STRUCTURE_TYPE_MAX_ENUM);
  if (rule.kind == ImplicitRuleKind::kNext) ViolateNext(call, target);
  if (rule.kind == ImplicitRuleKind::kUnique) ViolateUnique(call, info, target);
  if (rule.kind == ImplicitRuleKind::kRequiredBitmask) std::memset(at, 0, member.element_size);
  if (rule.kind == ImplicitRuleKind::kZeroBitmask) Store(at, uint32_t{1});
  if (rule.kind == ImplicitRuleKind::kLength) ViolateLength(call, info, member, target, rule);
  return true;
}

void SetWrongStructureType(MinimalCall& call, const StructInfo& head) {
  constexpr int32_t kFirstOfExtensions = 1000000000, kRange = 1000;
  const auto own = static_cast<int32_t>(call.target_info().structure_type);
  const bool of_extension = own >= kFirstOfExtensions;
  const int32_t first = of_extension ? own / kRange * kRange : own - 1;
  const int32_t last = of_extension ? first + kRange - 1 : own + 1;
  const auto head_index = static_cast<vk::TypeIndex>(&head - vk::Structs().data());
  int32_t mistake = 0;
  for (int32_t type = last; type >= first; --type) {
    const StructInfo* other = vk::FindStruct(static_cast<VkStructureType>(type));
    const bool possible =
        type != own && (other == nullptr || (std::ranges::count(other->extends, head_index) == 0 &&
                                             std::ranges::count(other->extended_by, head_index) == 0));
    const bool better =
        mistake == 0 || (other != nullptr && vk::FindStruct(static_cast<VkStructureType>(mistake)) == nullptr);
    if (possible && better) mistake = type;
  }
  Store(call.target(), mistake);
}

}  // namespace assay::stateless
