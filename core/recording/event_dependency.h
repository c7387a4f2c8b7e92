// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_EVENT_DEPENDENCY_H_
#define ASSAY_CORE_RECORDING_EVENT_DEPENDENCY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "vk/vulkan.h"

namespace assay::core {

// A copy of what vkCmdSetEvent2 sets an event with, or of an element of what vkCmdWaitEvents2 waits with; without what
// is in the chains of its barriers.
class EventDependency {
 public:
  explicit EventDependency(const VkDependencyInfo& info);
  EventDependency(const EventDependency&) = delete;
  EventDependency& operator=(const EventDependency&) = delete;

  const VkDependencyInfo& info() const { return info_; }
  // The synchronization scopes of all barriers together.
  VkPipelineStageFlags2 src_stages() const { return src_stages_; }
  VkPipelineStageFlags2 dst_stages() const { return dst_stages_; }

 private:
  template <class Barrier>
  void Keep(const Barrier* barriers, uint32_t count, std::vector<Barrier>& to);

  VkDependencyInfo info_;
  VkPipelineStageFlags2 src_stages_ = 0;
  VkPipelineStageFlags2 dst_stages_ = 0;
  std::vector<VkMemoryBarrier2> memory_;
  std::vector<VkBufferMemoryBarrier2> buffers_;
  std::vector<VkImageMemoryBarrier2> images_;
};

// A member in which two of them differ.
struct DependencyDifference {
  // "pMemoryBarriers[0].srcStageMask"; empty when they are equal.
  std::string member;
  std::string set;
  std::string waited;
};
// The first; that of an array is how long it is. Chains are not looked at.
DependencyDifference DifferenceOf(const VkDependencyInfo& set, const VkDependencyInfo& waited);

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_EVENT_DEPENDENCY_H_
