// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_HAZARD_CAUSE_H_
#define ASSAY_SYNCVAL_REPORTS_HAZARD_CAUSE_H_

#include <cstdint>
#include <string_view>

#include "absl/hash/hash.h"
#include "messages/messages.h"
#include "syncval/recording/recording.h"

namespace assay::syncval {

// Makes the Message::cause of a hazard out of what is the same each time that a program makes the same mistake: what
// conflicts, by which commands, where those are in their command buffers and under which labels, with which
// synchronization in between. Not what is different in every frame: handles of command buffers, numbers of batches, and
// the ranges of ring buffers.
class HazardCause {
 public:
  HazardCause(std::string_view id, const Hazard& hazard, const messages::Reporter& reporter);

  template <class... Ts>
  void Add(const Ts&... values) {
    hash_ = absl::HashOf(hash_, values...);
  }
  // By its name, or else by its handle.
  void AddResource(VkObjectType type, uint64_t handle);
  // By its name, if it has one.
  void AddCommandBuffer(const state::CommandBuffer& buffer);
  // With the command buffers that it is of.
  void AddCommand(const SyncRecording& recording, Tag tag);
  // Null where it is not known.
  void AddAccess(const RecordedAccess* access);

  // Never 0.
  uint64_t Get() const { return hash_ | 1; }

 private:
  const messages::Reporter& reporter_;
  uint64_t hash_ = 0;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_HAZARD_CAUSE_H_
