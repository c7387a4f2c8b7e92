// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_COMMAND_TABLES_H_
#define ASSAY_VK_COMMAND_TABLES_H_

#include <cstddef>

#include "vk/command_info.h"

// The generated tables behind command_info.h.
namespace assay::vk::tables {

// Indexed by CommandId.
extern const CommandInfo kCommands[];
// Sorted by name.
extern const CommandAlias kCommandAliases[];
extern const size_t kCommandAliasCount;

}  // namespace assay::vk::tables

#endif  // ASSAY_VK_COMMAND_TABLES_H_
