// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_OPERATION_LOG_H_
#define ASSAY_SYNCVAL_RECORDING_OPERATION_LOG_H_

#include <cstddef>
#include <cstdint>
#include <deque>

#include "absl/types/span.h"
#include "syncval/engine/engine.h"

namespace assay::syncval {

// What a recording did to its context besides accesses: all that is needed, with the accesses of the CommandLog, to
// record the same commands again in another context. Late accesses need that: see LateResolution.
class OperationLog {
 public:
  enum class Kind : uint8_t {
    kBarriers,
    kOrderEverything,
    kSetEvent,
    kResetEvent,
    kWaitEvents,
    kEnterSubpass,
    kLeaveSubpass,
    kEndRenderPass,
    kAutomaticTransitions,
    // A render pass instance begins.
    kBeginInstance,
    // The accesses of the commands from its position to before its tag are not recorded.
    kLeaveOut,
  };
  struct Operation {
    Kind kind = Kind::kBarriers;
    // EventCommand::matches_by_access.
    bool matches_by_access = false;
    // It comes after the accesses of the commands before this tag.
    Tag position;
    // Of its own command, as the context has it.
    Tag tag;
    uint32_t first_barrier = 0;
    uint32_t barrier_count = 0;
    uint32_t first_range = 0;
    uint32_t range_count = 0;
    uint32_t first_event = 0;
    uint32_t event_count = 0;
  };

  // The log stays empty unless it is enabled, for devices that cannot have late accesses.
  void Enable() { is_enabled_ = true; }
  bool is_enabled() const { return is_enabled_; }

  // Adds an operation. The barriers outlive the log, except for those of subpasses, which are copied.
  void Add(Kind kind, Tag position, absl::Span<const Barrier* const> barriers = {},
           absl::Span<const RangeBarrier> ranges = {}, Tag tag = Tag(), absl::Span<const uint64_t> events = {},
           bool matches_by_access = false) {
    if (is_enabled_) AddAll(kind, position, barriers, ranges, tag, events, matches_by_access);
  }
  // The same for one global barrier.
  void Add(Tag position, const Barrier& barrier) {
    if (!is_enabled_) return;
    Begin(Kind::kBarriers, position, Tag()).barrier_count = 1;
    barriers_.push_back(&barrier);
  }
  // Appends the log of a secondary whose first command has the tag `base` in this recording.
  void Append(const OperationLog& secondary, Tag base);

  size_t size() const { return operations_.size(); }
  absl::Span<const Operation> operations() const { return absl::MakeConstSpan(operations_.data(), operations_.size()); }
  absl::Span<const RangeBarrier> RangesOf(const Operation& operation) const {
    return absl::MakeConstSpan(ranges_.data() + operation.first_range, operation.range_count);
  }
  // Does to the context what the operation did to that of the recording.
  void Apply(const Operation& operation, AccessContext& context) const;

  // Removes all operations but the first `size`.
  void ShrinkTo(size_t size);
  // The commands from this tag on are removed.
  void RemoveCommandsFrom(Tag tag) {
    for (size_t i = operations_.size(); i > 0 && operations_[i - 1].position > tag; --i)
      operations_[i - 1].position = tag;
  }
  void Reset() { ShrinkTo(0); }

 private:
  void AddAll(Kind kind, Tag position, absl::Span<const Barrier* const> barriers, absl::Span<const RangeBarrier> ranges,
              Tag tag, absl::Span<const uint64_t> events, bool matches_by_access);
  // Adds an operation, which is filled in where it stays: a copy would wait for the stores of its members. What is
  // added to barriers_, ranges_ and events_ next may become its own.
  Operation& Begin(Kind kind, Tag position, Tag tag) {
    Operation& operation = operations_.Add();
    operation.kind = kind;
    operation.matches_by_access = false;
    operation.position = position;
    operation.tag = tag;
    operation.first_barrier = static_cast<uint32_t>(barriers_.size());
    operation.barrier_count = 0;
    operation.first_range = static_cast<uint32_t>(ranges_.size());
    operation.range_count = 0;
    operation.first_event = static_cast<uint32_t>(events_.size());
    operation.event_count = 0;
    return operation;
  }
  // A copy of the barrier that lives as long as the log has the operation.
  const Barrier* Keep(const Barrier& barrier);
  absl::Span<const Barrier* const> BarriersOf(const Operation& operation) const {
    return absl::MakeConstSpan(barriers_.data() + operation.first_barrier, operation.barrier_count);
  }
  absl::Span<const uint64_t> EventsOf(const Operation& operation) const {
    return absl::MakeConstSpan(events_.data() + operation.first_event, operation.event_count);
  }

  bool is_enabled_ = false;
  GrowingArray<Operation> operations_;
  GrowingArray<const Barrier*> barriers_;
  GrowingArray<RangeBarrier> ranges_;
  GrowingArray<uint64_t> events_;
  // The first kept_count_ are copies that the log points to, the others are left for their memory.
  std::deque<Barrier> kept_;
  size_t kept_count_ = 0;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_OPERATION_LOG_H_
