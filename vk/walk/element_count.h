// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_WALK_ELEMENT_COUNT_H_
#define ASSAY_VK_WALK_ELEMENT_COUNT_H_

#include <cstdint>

#include "vk/struct_info.h"

// The number of elements of a member of any structure. Every walk over the registry's descriptions needs it.
namespace assay::vk {

// The number of elements of a member of the structure at base, inline or behind its pointer. 1 for kOne. 0 for
// kNullTerminated and kUnknown; the length of a string is not computed. 0 if the count is behind an invalid address
// (IsAddress). The member's own pointer is not read.
uint64_t ElementCount(const StructInfo& info, const MemberInfo& member, const void* base);

}  // namespace assay::vk

#endif  // ASSAY_VK_WALK_ELEMENT_COUNT_H_
