// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/element_count.h"

#include <cstddef>

#include "stateless/address.h"

namespace assay::stateless {

uint64_t ElementCount(const vk::StructInfo& info, const vk::MemberInfo& member, const void* base) {
  using vk::LengthKind;
  switch (member.length_kind) {
    case LengthKind::kOne:
      return 1;
    case LengthKind::kConstant:
      return member.length_offset;
    case LengthKind::kNullTerminated:
    case LengthKind::kUnknown:
      return 0;
    default:
      break;
  }
  const vk::MemberInfo& length = info.members[static_cast<size_t>(member.length_member)];
  const char* at = static_cast<const char*>(base) + length.offset;
  if (length.indirection == vk::Indirection::kPointer) {
    at = Load<const char*>(at);
    if (!IsAddress(at)) return 0;
    if (member.length_kind == LengthKind::kMemberOfPointee) return Load<uint32_t>(at, member.length_offset);
  }
  const uint64_t value = LoadUnsigned(at, length.element_size);
  switch (member.length_kind) {
    case LengthKind::kMemberDivided:
      return value / member.length_offset;
    case LengthKind::kMemberDividedUp:
      return (value + member.length_offset - 1) / member.length_offset;
    default:
      return value;
  }
}

}  // namespace assay::stateless
