// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_WALK_ELEMENT_COUNT_H_
#define ASSAY_VK_WALK_ELEMENT_COUNT_H_

#include <cstdint>

#include "vk/struct_info.h"

// How many elements a member of any structure has; what every walker over the registry's descriptions stands on.
namespace assay::vk {

// The number of elements of a member of the structure at base, in line or behind its pointer: 1 for kOne; 0 for
// kNullTerminated and kUnknown, as the string's length is not computed; 0 when what says it is behind a pointer that
// leads nowhere (IsAddress). The member's own pointer is not looked at.
uint64_t ElementCount(const StructInfo& info, const MemberInfo& member, const void* base);

}  // namespace assay::vk

#endif  // ASSAY_VK_WALK_ELEMENT_COUNT_H_
