// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_EVENT_DEPENDENCY_H_
#define ASSAY_CORE_RECORDING_EVENT_DEPENDENCY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "vk/vulkan.h"

namespace assay::core {

// A copy of the VkDependencyInfo of vkCmdSetEvent2, or of one element of vkCmdWaitEvents2; without the pNext chains of
// its barriers.
class EventDependency {
 public:
  explicit EventDependency(const VkDependencyInfo& info);
  EventDependency(const EventDependency&) = delete;
  EventDependency& operator=(const EventDependency&) = delete;

  const VkDependencyInfo& info() const { return info_; }
  // The stages of the first and second synchronization scopes of all barriers together.
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

// A member in which two dependencies differ.
struct DependencyDifference {
  // "pMemoryBarriers[0].srcStageMask"; empty when they are equal.
  std::string member;
  std::string set;
  std::string waited;
};
// The first member that differs; for arrays of different lengths, their count. pNext chains are ignored.
DependencyDifference DifferenceOf(const VkDependencyInfo& set, const VkDependencyInfo& waited);

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_EVENT_DEPENDENCY_H_
