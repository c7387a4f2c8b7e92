// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_EVENT_DEPENDENCY_H_
#define ASSAY_CORE_RECORDING_EVENT_DEPENDENCY_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "vk/vulkan.h"

namespace assay::core {

// A copy of the VkDependencyInfo of vkCmdSetEvent2, or of one element of vkCmdWaitEvents2; without the pNext chains of
// its barriers. EventDependencyRef holds it.
class EventDependency {
 public:
  EventDependency(const EventDependency&) = delete;
  EventDependency& operator=(const EventDependency&) = delete;

  const VkDependencyInfo& info() const { return info_; }
  // The stages of the first and second synchronization scopes of all barriers together.
  VkPipelineStageFlags2 src_stages() const { return src_stages_; }
  VkPipelineStageFlags2 dst_stages() const { return dst_stages_; }

 private:
  friend class EventDependencyRef;

  EventDependency() = default;
  void Assign(const VkDependencyInfo& info);
  template <class Barrier>
  void Keep(const Barrier* barriers, uint32_t count, std::vector<Barrier>& to);

  std::atomic<uint32_t> references_{0};
  VkDependencyInfo info_ = {};
  VkPipelineStageFlags2 src_stages_ = 0;
  VkPipelineStageFlags2 dst_stages_ = 0;
  std::vector<VkMemoryBarrier2> memory_;
  std::vector<VkBufferMemoryBarrier2> buffers_;
  std::vector<VkImageMemoryBarrier2> images_;
};

// A counted reference to a dependency. Threads may have references to one dependency.
class EventDependencyRef {
 public:
  EventDependencyRef() = default;
  // To a copy.
  explicit EventDependencyRef(const VkDependencyInfo& info);
  EventDependencyRef(const EventDependencyRef& other) : dependency_(other.dependency_) {
    if (dependency_ != nullptr) dependency_->references_.fetch_add(1, std::memory_order_relaxed);
  }
  EventDependencyRef(EventDependencyRef&& other) noexcept : dependency_(std::exchange(other.dependency_, nullptr)) {}
  EventDependencyRef& operator=(EventDependencyRef other) noexcept {
    std::swap(dependency_, other.dependency_);
    return *this;
  }
  ~EventDependencyRef();

  const EventDependency* get() const { return dependency_; }
  const EventDependency* operator->() const { return dependency_; }
  explicit operator bool() const { return dependency_ != nullptr; }
  bool operator==(const EventDependencyRef&) const = default;

  // Makes the dependency a copy of info, in the memory that it has, if this is the only reference to it. Otherwise
  // returns false.
  bool Reuse(const VkDependencyInfo& info);

 private:
  EventDependency* dependency_ = nullptr;
};

// The dependencies of a recording. Those that nothing refers to anymore are used again by later recordings.
class EventDependencyPool {
 public:
  // A copy.
  EventDependencyRef Add(const VkDependencyInfo& info);
  // A recording begins.
  void Clear() { used_ = 0; }

 private:
  std::vector<EventDependencyRef> all_;
  // The recording has used, or found in use, so many of them.
  size_t used_ = 0;
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
