// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_IMPLICIT_CONDITIONAL_POINTERS_H_
#define ASSAY_STATELESS_IMPLICIT_CONDITIONAL_POINTERS_H_

#include "vk/struct_info.h"

// Pointers to structures for which the registry has no rule of the pointer itself, because the implementation ignores
// it in some cases, and that may then be garbage: the states of a graphics pipeline, the inheritance information of a
// command buffer.
namespace assay::stateless {

// Whether the member is such a pointer that is sometimes known to be meant.
bool IsConditionalPointer(const vk::StructInfo& info, const vk::MemberInfo& member);

// Whether it is known to be meant in this structure. parameters are those of the command. False where what decides is
// state (whether a subpass has a depth attachment), since a pointer that might be garbage is never followed.
bool IsKnownToBeRead(const vk::MemberInfo& member, const void* structure, const void* parameters);

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_IMPLICIT_CONDITIONAL_POINTERS_H_
