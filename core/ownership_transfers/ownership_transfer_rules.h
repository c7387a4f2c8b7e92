// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_OWNERSHIP_TRANSFERS_OWNERSHIP_TRANSFER_RULES_H_
#define ASSAY_CORE_OWNERSHIP_TRANSFERS_OWNERSHIP_TRANSFER_RULES_H_

#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/recording/recording_scope.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

// Queue family ownership transfers: a resource that one family acquires must have been released by the other.
//
// A recorded barrier that names two families is a release if the source family is its command buffer's, and an acquire
// if the destination family is. Both are kept with the command buffer (recording_scope.h). A submission adds its
// releases to those of the device. Each of its acquires must find a release there for the same families and layouts and
// an overlapping range: a resource may be released in one piece and acquired in several.
//
// A release is kept, once, for as long as its resource exists. Transfers to and from VK_QUEUE_FAMILY_EXTERNAL and
// VK_QUEUE_FAMILY_FOREIGN_EXT are not checked: their other side is outside of the device.
namespace assay::core {

// The validator. Needs the sub-states that CommandRules attaches.
class OwnershipTransferRules {
 public:
  void PreCallRecord(const vk::CmdPipelineBarrier& call);
  void PreCallRecord(const vk::CmdPipelineBarrier2& call);
  void PreCallRecord(const vk::CmdWaitEvents2& call);

  void PreCallValidate(const vk::QueueSubmit& call, messages::Report& report) const;
  void PreCallValidate(const vk::QueueSubmit2& call, messages::Report& report) const;
  // Before the call goes down, since another thread may learn of the release before it returns.
  void PreCallRecord(const vk::QueueSubmit& call);
  void PreCallRecord(const vk::QueueSubmit2& call);
  // Withdraws the releases of a call that failed.
  void PostCallRecord(const vk::QueueSubmit& call, VkResult result);
  void PostCallRecord(const vk::QueueSubmit2& call, VkResult result);

  void PreCallRecord(const vk::DestroyBuffer& call) { RemoveReleases(reinterpret_cast<uint64_t>(call.buffer)); }
  void PreCallRecord(const vk::DestroyImage& call) { RemoveReleases(reinterpret_cast<uint64_t>(call.image)); }
  void PreCallRecord(const vk::DestroySwapchainKHR& call);

  // For tests: all that it knows, as text (core_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  // Calls visit(transfer) for each transfer of a command buffer and of the secondary command buffers that it executes.
  template <class F>
  static void ForEachTransfer(VkCommandBuffer handle, const F& visit);
  void Check(VkCommandBuffer handle, vk::VuidIndex vuid, const messages::Location& where,
             messages::Report& report) const;
  bool IsReleased(const OwnershipTransfer& acquire) const;
  void AddReleases(VkCommandBuffer handle);
  void WithdrawReleases(VkCommandBuffer handle);
  void RemoveReleases(uint64_t resource);

  struct Release {
    OwnershipTransfer transfer;
    // How often it was submitted.
    uint64_t count = 0;
  };

  mutable absl::Mutex mutex_;
  // By the resource's handle.
  absl::flat_hash_map<uint64_t, std::vector<Release>> releases_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_OWNERSHIP_TRANSFERS_OWNERSHIP_TRANSFER_RULES_H_
