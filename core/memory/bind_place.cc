// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/memory/bind_place.h"

#include "absl/strings/str_cat.h"

namespace assay::core {

void CheckRequirements(const Place& at, const RequirementIds& ids, const VkMemoryRequirements& required) {
  const uint32_t allowed = required.memoryTypeBits;
  const uint32_t type = at.memory.memory_type;
  at.Require(allowed == 0 || type >= VK_MAX_MEMORY_TYPES || (allowed >> type & 1) != 0, ids.type, "memory", [&] {
    return absl::StrCat("is of memory type ", type, ". ", at.resource(), " needs one of memoryTypeBits (0x",
                        absl::Hex(allowed), ").");
  });
  at.Require(required.alignment == 0 || at.offset % required.alignment == 0, ids.alignment, "memoryOffset", [&] {
    return absl::StrCat("(", at.offset, ") is not a multiple of the alignment (", required.alignment, ") that ",
                        at.resource(), " needs.");
  });
  const VkDeviceSize size = at.memory.size;
  at.Require(at.offset >= size || required.size <= size - at.offset, ids.size, "memoryOffset", [&] {
    return absl::StrCat("(", at.offset, ") leaves fewer of the ", size, " bytes of memory than the ", required.size,
                        " that ", at.resource(), " needs.");
  });
}

}  // namespace assay::core
