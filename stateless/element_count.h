// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_ELEMENT_COUNT_H_
#define ASSAY_STATELESS_ELEMENT_COUNT_H_

#include <cstdint>

#include "vk/struct_info.h"

namespace assay::stateless {

// The number of elements behind a pointer member of the structure at base. 0 when what says it is behind a pointer that
// leads nowhere, and for text and what has no length.
uint64_t ElementCount(const vk::StructInfo& info, const vk::MemberInfo& member, const void* base);

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_ELEMENT_COUNT_H_
