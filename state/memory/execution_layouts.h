// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_MEMORY_EXECUTION_LAYOUTS_H_
#define ASSAY_STATE_MEMORY_EXECUTION_LAYOUTS_H_

#include <cstdint>
#include <optional>

#include "state/memory/image.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

namespace assay::state {

// The layouts that images have in one execution of a command buffer. Who tracks layouts makes it when the order of
// batches is known, for those who find out later what was accessed. Immutable, so thread-safe.
class ExecutionLayouts {
 public:
  struct Mismatch {
    // The subresource; the aspect is the stencil, or the other one.
    bool is_stencil = false;
    uint32_t level = 0;
    uint32_t layer = 0;
    VkImageLayout actual = VK_IMAGE_LAYOUT_UNDEFINED;
    // The command that left that layout.
    vk::CommandId left_by{};
  };

  virtual ~ExecutionLayouts() = default;

  // The first subresource of the view that is certainly not in the layout `expected` when the command at this position
  // of the command buffer (CommandBuffer::command_count) is executed. Nothing where layouts are not known.
  virtual std::optional<Mismatch> FindMismatch(const ImageView& view, VkImageLayout expected,
                                               uint32_t position) const = 0;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_MEMORY_EXECUTION_LAYOUTS_H_
