// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_FORMAT_TABLES_H_
#define ASSAY_VK_FORMAT_TABLES_H_

#include <cstddef>

#include "vk/format_info.h"
#include "vk/value_index.h"

// The generated tables behind format_info.h.
namespace assay::vk::tables {

extern const FormatInfo kFormats[];
extern const size_t kFormatCount;
extern const ValueIndex kFormatByValue;

}  // namespace assay::vk::tables

#endif  // ASSAY_VK_FORMAT_TABLES_H_
