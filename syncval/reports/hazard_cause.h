// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_HAZARD_CAUSE_H_
#define ASSAY_SYNCVAL_REPORTS_HAZARD_CAUSE_H_

#include <cstdint>
#include <string_view>

#include "absl/hash/hash.h"
#include "messages/messages.h"
#include "syncval/queues/usage_source.h"
#include "syncval/recording/recording.h"

namespace assay::syncval {

// Computes the Message::cause of a hazard: a hash of everything that is equal each time that a program makes the same
// mistake. That is the resources, the commands, their positions and labels, and the synchronization between them. It is
// not what differs from frame to frame: handles of command buffers, numbers of batches, and ranges of ring buffers.
class HazardCause {
 public:
  HazardCause(std::string_view id, const Hazard& hazard, const messages::Reporter& reporter);

  template <class... Ts>
  void Add(const Ts&... values) {
    hash_ = absl::HashOf(hash_, values...);
  }
  // A resource, by its name, or by its handle if it has none.
  void AddResource(VkObjectType type, uint64_t handle);
  // A command buffer, by its name; nothing if it has none.
  void AddCommandBuffer(const state::CommandBuffer& buffer);
  // A command, with its command buffer, and the command that executes that if it is a secondary.
  void AddCommand(const SyncRecording& recording, Tag tag);
  // A usage source: its queue, its place in the submitting call and, where known, its command.
  void AddSource(const UsageSource& source, Tag tag);
  // An access as it was logged; null where it is unknown.
  void AddAccess(const RecordedAccess* access);

  // Never 0.
  uint64_t Get() const { return hash_ | 1; }

 private:
  const messages::Reporter& reporter_;
  uint64_t hash_ = 0;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_HAZARD_CAUSE_H_
