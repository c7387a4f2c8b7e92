// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PARAMETERS_PARAMETER_BUFFERS_H_
#define ASSAY_GPUAV_PARAMETERS_PARAMETER_BUFFERS_H_

#include <atomic>
#include <cstddef>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "dispatch/dispatch.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// Makes buffers that commands may read parameters or instances from (VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
// VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR) such that we can copy from them. Thread-safe.
class ParameterBuffers {
 public:
  void Rewrite(const vk::CreateBuffer& call, vk::CreateBuffer& down, dispatch::Rewriter& rewriter);
  // So that the driver says the same of a buffer before it is made.
  void Rewrite(const vk::GetDeviceBufferMemoryRequirements& call, vk::GetDeviceBufferMemoryRequirements& down,
               dispatch::Rewriter& rewriter);
  void PostCallRecord(const vk::CreateBuffer& call, VkResult result);
  void PreCallRecord(const vk::DestroyBuffer& call);

  // Whether we may copy from the buffer.
  bool MayCopy(const state::Buffer& buffer) const;

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  // Buffers that are as the application made them, since something outside of this device knows how they were made.
  // There are few, if any.
  mutable absl::Mutex mutex_;
  absl::flat_hash_set<VkBuffer> untouched_ ABSL_GUARDED_BY(mutex_);
  std::atomic<size_t> untouched_count_{0};
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PARAMETERS_PARAMETER_BUFFERS_H_
