// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ACCESSES_RECORDED_ACCESS_H_
#define ASSAY_SYNCVAL_ACCESSES_RECORDED_ACCESS_H_

#include <cstdint>

#include "syncval/engine/engine.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// RecordedAccess::index of a member that is no array.
inline constexpr uint32_t kNoIndex = ~0u;

// What an access goes through.
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
  // By number in the render pass, for what the render pass itself does.
  kRenderPassAttachment,
};

// RecordedAccess::index of Role::kRenderPassAttachment.
constexpr uint32_t AttachmentIndex(uint32_t subpass, uint32_t attachment) {
  return subpass << 16 | (attachment & 0xffff);
}

// One access of a recorded command, in words a report can use.
struct RecordedAccess {
  Range range{};
  // The VkBuffer or VkImage; of the host also the VkDeviceMemory.
  uint64_t resource = 0;
  VkObjectType resource_type = VK_OBJECT_TYPE_UNKNOWN;
  // The index of member for a parameter, set number << 24 | binding for a descriptor, AttachmentIndex, else a number
  // of what role says.
  uint32_t index = 0;
  // The parameter that the access comes from, e.g. "pRegions", or the operation of an attachment, e.g. "storeOp"; a
  // string literal. Null where there is none.
  const char* member = nullptr;
  vk::SyncAccessIndex access = vk::kSyncNone;
  Role role = Role::kParameter;
  OrderingRule ordering = OrderingRule::kNone;
  // Whether it is what an access to a sparse buffer comes to for others, by what memory that has at the time
  // (state::SparseMemory).
  bool is_of_sparse_memory = false;
  // As Access::region.
  uint64_t region = 0;

  // Whether it is what an access comes to for other resources in the same memory (state::Image::SharedBytes): the range
  // is there, and not in the resource's own region.
  bool is_of_shared_memory() const {
    return is_of_sparse_memory || (region == 0 && resource_type == VK_OBJECT_TYPE_IMAGE);
  }

  operator Access() const { return {.range = range, .index = access, .ordering = ordering, .region = region}; }
};

static_assert(sizeof(RecordedAccess) <= 56, "one is appended for each access while recording");

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ACCESSES_RECORDED_ACCESS_H_
