// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_EVENT_LOG_H_
#define ASSAY_SYNCVAL_RECORDING_EVENT_LOG_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/engine.h"

namespace assay::syncval {

// What a command did with an event.
struct EventOperation {
  enum class Kind : uint8_t { kSet, kReset, kWait };
  Kind kind;
  Tag tag;
  uint64_t event;
};

// The event commands of a recording, in order; for reports.
class EventLog {
 public:
  void Add(const EventOperation& operation) { operations_.push_back(operation); }
  absl::Span<const EventOperation> operations() const { return operations_; }
  // Removes the operations of the command with this tag and of later ones.
  void RemoveFrom(Tag tag) {
    while (!operations_.empty() && operations_.back().tag >= tag) operations_.pop_back();
  }

  // A command waits for an event that the host sets.
  void NoteHostWait() { waits_for_host_ = true; }
  bool waits_for_host() const { return waits_for_host_; }
  void SetWaitsForHost(bool waits) { waits_for_host_ = waits; }

  // Appends the log of a secondary whose first command has the tag `base` in this recording.
  void Append(const EventLog& secondary, Tag base) {
    for (EventOperation operation : secondary.operations_) {
      operation.tag.value += base.value;
      operations_.push_back(operation);
    }
    waits_for_host_ |= secondary.waits_for_host_;
  }
  void Reset() {
    operations_.clear();
    waits_for_host_ = false;
  }

 private:
  std::vector<EventOperation> operations_;
  bool waits_for_host_ = false;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_EVENT_LOG_H_
