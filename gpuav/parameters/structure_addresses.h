// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PARAMETERS_STRUCTURE_ADDRESSES_H_
#define ASSAY_GPUAV_PARAMETERS_STRUCTURE_ADDRESSES_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// The addresses that acceleration structures have or had. What a build has read is looked at when its execution is
// complete, and the application may have destroyed the structures since. It need not ask each structure for its
// address: it may know the address from another one at the same place, or from an earlier run. Thread-safe.
class StructureAddresses {
 public:
  // `submissions` counts those that were begun.
  StructureAddresses(const state::DeviceState& state, const std::atomic<uint64_t>& submissions)
      : state_(state), submissions_(submissions) {}

  void PostCallRecord(const vk::CreateAccelerationStructureKHR& call, VkResult result);
  void PostCallRecord(const vk::GetAccelerationStructureDeviceAddressKHR& call, VkDeviceAddress address);
  void PreCallRecord(const vk::DestroyAccelerationStructureKHR& call);
  // Whether a structure with this address may have existed when the submission with this number began.
  bool Existed(VkDeviceAddress address, uint64_t submission) const;
  // The executions of all submissions up to this one were looked at.
  void ForgetUpTo(uint64_t submission);
  // Whether there is anything to forget. Takes no lock.
  bool has_destroyed() const { return has_destroyed_.load(std::memory_order_relaxed); }

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  struct Destroyed {
    VkDeviceAddress address;
    // The last submission that was begun before.
    uint64_t submission;
  };

  const state::DeviceState& state_;
  const std::atomic<uint64_t>& submissions_;
  mutable absl::Mutex mutex_;
  std::vector<Destroyed> destroyed_ ABSL_GUARDED_BY(mutex_);
  // Structures that instances may refer to, and whose addresses are not known: any address may be theirs.
  absl::flat_hash_set<VkAccelerationStructureKHR> unknown_ ABSL_GUARDED_BY(mutex_);
  // The last submission that was begun before such a structure was destroyed.
  uint64_t had_unknown_ ABSL_GUARDED_BY(mutex_) = 0;
  std::atomic<bool> has_destroyed_{false};
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PARAMETERS_STRUCTURE_ADDRESSES_H_
