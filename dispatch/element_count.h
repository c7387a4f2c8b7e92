// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_ELEMENT_COUNT_H_
#define ASSAY_DISPATCH_ELEMENT_COUNT_H_

#include <cstdint>

#include "vk/struct_info.h"

namespace assay::dispatch {

// The number of elements of a member of the structure at base, in line or behind its pointer: 1 for kOne; 0 for kNullTerminated, as the
// string's length is not computed.
uint64_t ElementCount(const vk::StructInfo& info, const vk::MemberInfo& member, const void* base);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_ELEMENT_COUNT_H_
