// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/walk/element_count.h"

#include <algorithm>
#include <cstddef>

#include "vk/walk/load_store.h"

namespace assay::vk {

uint64_t ElementCount(const StructInfo& info, const MemberInfo& member, const void* base) {
  if (member.indirection == Indirection::kInline) {
    // An inline array of which only the first few elements are valid:
    // VkPhysicalDeviceGroupProperties::physicalDevices.
    if (member.length_kind != LengthKind::kMember || member.length_member < 0) return member.fixed_count;
    const MemberInfo& length = info.members[static_cast<size_t>(member.length_member)];
    return std::min<uint64_t>(LoadUnsigned(static_cast<const char*>(base) + length.offset, length.element_size),
                              member.fixed_count);
  }
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
  const MemberInfo& length = info.members[static_cast<size_t>(member.length_member)];
  const char* at = static_cast<const char*>(base) + length.offset;
  if (length.indirection == Indirection::kPointer) {
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

}  // namespace assay::vk
