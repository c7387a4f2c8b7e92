// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/element_count.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace assay::dispatch {
namespace {

using vk::Indirection;
using vk::LengthKind;
using vk::MemberInfo;
using vk::StructInfo;

template <class T>
T Load(const void* base, size_t offset = 0) {
  T value;
  std::memcpy(&value, static_cast<const char*>(base) + offset, sizeof(T));
  return value;
}

uint64_t LoadUnsigned(const void* base, const MemberInfo& member) {
  switch (member.element_size) {
    case 1:
      return Load<uint8_t>(base, member.offset);
    case 2:
      return Load<uint16_t>(base, member.offset);
    case 4:
      return Load<uint32_t>(base, member.offset);
    default:
      return Load<uint64_t>(base, member.offset);
  }
}

}  // namespace

uint64_t ElementCount(const StructInfo& info, const MemberInfo& member, const void* base) {
  if (member.indirection == Indirection::kInline) {
    // An array in line of which the first few elements mean something: VkPhysicalDeviceGroupProperties::physicalDevices.
    if (member.length_kind != LengthKind::kMember || member.length_member < 0) return member.fixed_count;
    const MemberInfo& length = info.members[static_cast<size_t>(member.length_member)];
    return std::min<uint64_t>(LoadUnsigned(base, length), member.fixed_count);
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
  if (length.indirection == Indirection::kPointer) {
    const void* pointee = Load<const void*>(base, length.offset);
    if (pointee == nullptr) return 0;
    if (member.length_kind == LengthKind::kMemberOfPointee) return Load<uint32_t>(pointee, member.length_offset);
    return length.element_size == 8 ? Load<uint64_t>(pointee) : Load<uint32_t>(pointee);
  }
  const uint64_t value = LoadUnsigned(base, length);
  switch (member.length_kind) {
    case LengthKind::kMemberDivided:
      return value / member.length_offset;
    case LengthKind::kMemberDividedUp:
      return (value + member.length_offset - 1) / member.length_offset;
    default:
      return value;
  }
}

}  // namespace assay::dispatch
