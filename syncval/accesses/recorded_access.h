// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ACCESSES_RECORDED_ACCESS_H_
#define ASSAY_SYNCVAL_ACCESSES_RECORDED_ACCESS_H_

#include <cstdint>

#include "syncval/engine/engine.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// RecordedAccess::index for a member that is not an array.
inline constexpr uint32_t kNoIndex = ~0u;

// How a command reaches the resource of an access.
enum class Role : uint8_t {
  kParameter,
  kDescriptor,
  kVertexBuffer,
  kIndexBuffer,
  kTransformFeedbackBuffer,
  kColorAttachment,
  kDepthAttachment,
  kStencilAttachment,
  kShadingRateAttachment,
  kDensityMapAttachment,
  // An attachment by its number in the render pass, for accesses of the render pass itself.
  kRenderPassAttachment,
};

// RecordedAccess::index for Role::kRenderPassAttachment.
constexpr uint32_t AttachmentIndex(uint32_t subpass, uint32_t attachment) {
  return subpass << 16 | (attachment & 0xffff);
}

// One access of a recorded command, with what a report names.
struct RecordedAccess {
  Range range{};
  // The VkBuffer or VkImage; for accesses of the host also the VkDeviceMemory.
  uint64_t resource = 0;
  VkObjectType resource_type = VK_OBJECT_TYPE_UNKNOWN;
  // For a parameter, the index in `member`. For a descriptor, set number << 24 | binding. For a render pass attachment,
  // AttachmentIndex. For other roles, the number of the binding or attachment.
  uint32_t index = 0;
  // The parameter of the access, e.g. "pRegions", or the operation on an attachment, e.g. "storeOp". A string literal;
  // null where there is none.
  const char* member = nullptr;
  vk::SyncAccessIndex access = vk::kSyncNone;
  Role role = Role::kParameter;
  OrderingRule ordering = OrderingRule::kNone;
  // Whether it is an access to the sparse memory (state::SparseMemory) that the buffer had when it was recorded. Other
  // resources in that memory conflict with it.
  bool is_of_sparse_memory = false;
  // Whether it is the layout transition of a queue family acquire operation. The accesses before it are those of the
  // releasing queue: only races with those are hazards.
  bool is_queue_family_acquire = false;
  // Access::region.
  uint64_t region = 0;

  // Whether it is an access to memory that the resource shares with others (state::Image::SharedBytes). Then the range
  // is in that memory, not in the resource's own region.
  bool is_of_shared_memory() const {
    return is_of_sparse_memory || (region == 0 && resource_type == VK_OBJECT_TYPE_IMAGE);
  }

  // Whether the command may access something else when it is submitted.
  bool may_be_outdated() const { return is_of_sparse_memory; }

  bool is_possible_read() const { return ordering == OrderingRule::kPossible; }

  operator Access() const { return {.range = range, .index = access, .ordering = ordering, .region = region}; }
};

static_assert(sizeof(RecordedAccess) <= 56, "one is appended for each access while recording");

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ACCESSES_RECORDED_ACCESS_H_
