// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PARAMETERS_STRUCTURE_ADDRESSES_H_
#define ASSAY_GPUAV_PARAMETERS_STRUCTURE_ADDRESSES_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "gpuav/builds/reference_table.h"
#include "gpuav/device/context.h"
#include "gpuav/device/memory.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// The addresses that acceleration structures have or had. What a build has read is looked at when its execution is
// complete, and the application may have destroyed the structures since. It need not ask each structure for its
// address: it may know the address from another one at the same place, or from an earlier run. So the driver is asked,
// as soon as the structure's buffer has memory. Where references are replaced, the device knows the addresses, too.
// Thread-safe.
class StructureAddresses {
 public:
  // `submissions` counts those that were begun. `memory` is for what the device knows.
  StructureAddresses(const Context& context, const std::atomic<uint64_t>& submissions, Memory& memory);

  void PostCallRecord(const vk::CreateAccelerationStructureKHR& call, VkResult result);
  void PostCallRecord(const vk::GetAccelerationStructureDeviceAddressKHR& call, VkDeviceAddress address);
  void PreCallRecord(const vk::DestroyAccelerationStructureKHR& call);
  // The buffer has memory from here on.
  void OnBind(VkBuffer buffer) {
    if (has_unknown_.load(std::memory_order_relaxed)) [[unlikely]]
      AskIn(buffer);
  }
  // Whether a structure with this address may have existed when the submission with this number began.
  bool Existed(VkDeviceAddress address, uint64_t submission) const;
  // The executions of all submissions up to this one were looked at.
  void ForgetUpTo(uint64_t submission);
  // Whether there is anything to forget. Takes no lock.
  bool has_destroyed() const { return has_destroyed_.load(std::memory_order_relaxed); }
  // The table of references of the device, which is made when it is first needed; 0 if there is no memory. It says that
  // anything may be live while there are structures whose addresses are not known.
  VkDeviceAddress Table();

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  struct Destroyed {
    VkDeviceAddress address;
    // The last submission that was begun before.
    uint64_t submission;
  };

  // For the addresses of the structures in the buffer.
  void AskIn(VkBuffer buffer);
  // 0 if the driver may not be asked now.
  VkDeviceAddress Ask(VkAccelerationStructureKHR handle) const;
  void Add(VkAccelerationStructureKHR handle, VkDeviceAddress address) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The structure is destroyed, or its address is known from here on.
  void RemoveUnknown(VkAccelerationStructureKHR handle) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Context& context_;
  const std::atomic<uint64_t>& submissions_;
  // Whether structures may be at addresses of which nobody knows: those of clusters.
  const bool has_hidden_;
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<VkAccelerationStructureKHR, VkDeviceAddress> live_ ABSL_GUARDED_BY(mutex_);
  // How many live structures have an address.
  absl::flat_hash_map<VkDeviceAddress, uint32_t> counts_ ABSL_GUARDED_BY(mutex_);
  ReferenceTable table_ ABSL_GUARDED_BY(mutex_);
  std::vector<Destroyed> destroyed_ ABSL_GUARDED_BY(mutex_);
  // Structures that instances may refer to, and whose addresses are not known: any address may be theirs.
  absl::flat_hash_set<VkAccelerationStructureKHR> unknown_ ABSL_GUARDED_BY(mutex_);
  // The last submission that was begun while there was such a structure.
  uint64_t had_unknown_ ABSL_GUARDED_BY(mutex_) = 0;
  std::atomic<bool> has_destroyed_{false};
  std::atomic<bool> has_unknown_{false};
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PARAMETERS_STRUCTURE_ADDRESSES_H_
