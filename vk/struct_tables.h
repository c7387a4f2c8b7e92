// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_STRUCT_TABLES_H_
#define ASSAY_VK_STRUCT_TABLES_H_

#include <cstddef>
#include <cstdint>

#include "vk/command_id.h"
#include "vk/struct_info.h"
#include "vk/value_index.h"

// The generated tables behind struct_info.h.
namespace assay::vk::tables {

// Sorted by name.
extern const StructInfo kStructs[];
extern const size_t kStructCount;
// Where MemberInfo::first_selection counts from.
extern const int64_t kSelections[];
extern const ValueIndex kStructByType;

// Indexed by CommandId.
extern const StructInfo kCommandParameters[kCommandCount];

extern const HandleInfo kHandles[];
extern const size_t kHandleCount;
extern const ValueIndex kHandleByObjectType;
extern const ValueIndex kHandleByDebugReportType;

}  // namespace assay::vk::tables

#endif  // ASSAY_VK_STRUCT_TABLES_H_
