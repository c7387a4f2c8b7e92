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

// Transfers of resources between queue families: what one family is to acquire another must have released.
//
// A recorded barrier that names two families is a release or an acquire, whichever of them is its command buffer's; it
// is kept with the command buffer (recording_scope.h). A submission adds its releases to those of the device, and its
// acquires must be found there: for the same families, layouts and a part of the same range, since a resource may be
// released in one piece and acquired in several. Releases are kept for as long as their resource is there; each is
// there once, however often it is submitted. Transfers to and from what is not a queue family of the device are not
// looked at: their other sides are elsewhere.
namespace assay::core {

// The validator. Needs the sub-states that CommandRules attaches.
class OwnershipTransferRules {
 public:
  void PreCallRecord(const vk::CmdPipelineBarrier& call);
  void PreCallRecord(const vk::CmdPipelineBarrier2& call);
  void PreCallRecord(const vk::CmdWaitEvents2& call);

  void PreCallValidate(const vk::QueueSubmit& call, messages::Report& report) const;
  void PreCallValidate(const vk::QueueSubmit2& call, messages::Report& report) const;
  void PreCallRecord(const vk::QueueSubmit& call);
  void PreCallRecord(const vk::QueueSubmit2& call);

  void PreCallRecord(const vk::DestroyBuffer& call) { RemoveReleases(reinterpret_cast<uint64_t>(call.buffer)); }
  void PreCallRecord(const vk::DestroyImage& call) { RemoveReleases(reinterpret_cast<uint64_t>(call.image)); }

 private:
  // Calls visit(transfer) for each of a command buffer and of the secondaries that it executes.
  template <class F>
  static void ForEachTransfer(VkCommandBuffer handle, const F& visit);
  void Check(VkCommandBuffer handle, vk::VuidIndex vuid, const messages::Location& where,
             messages::Report& report) const;
  bool IsReleased(const OwnershipTransfer& acquire) const;
  void AddReleases(VkCommandBuffer handle);
  void RemoveReleases(uint64_t resource);

  mutable absl::Mutex mutex_;
  // By resource.
  absl::flat_hash_map<uint64_t, std::vector<OwnershipTransfer>> releases_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_OWNERSHIP_TRANSFERS_OWNERSHIP_TRANSFER_RULES_H_
