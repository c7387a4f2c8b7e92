// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_ENUM_TABLES_H_
#define ASSAY_VK_ENUM_TABLES_H_

#include "vk/enum_info.h"

// The generated tables behind enum_info.h.
namespace assay::vk::tables {

// Indexed by EnumId.
extern const EnumInfo kEnums[];

}  // namespace assay::vk::tables

#endif  // ASSAY_VK_ENUM_TABLES_H_
