// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/recording/operation_log.h"

namespace assay::syncval {
namespace {

// The barriers of subpasses are those of a RenderPassPlan, which the recording may drop.
bool CopiesBarriers(OperationLog::Kind kind) {
  using enum OperationLog::Kind;
  return kind == kEnterSubpass || kind == kLeaveSubpass || kind == kEndRenderPass || kind == kAutomaticTransitions;
}

}  // namespace

void OperationLog::AddAll(Kind kind, Tag position, absl::Span<const Barrier* const> barriers,
                          absl::Span<const RangeBarrier> ranges, Tag tag, absl::Span<const uint64_t> events,
                          bool matches_by_access) {
  Operation& operation = Begin(kind, position, tag);
  operation.matches_by_access = matches_by_access;
  operation.barrier_count = static_cast<uint32_t>(barriers.size());
  operation.range_count = static_cast<uint32_t>(ranges.size());
  operation.event_count = static_cast<uint32_t>(events.size());
  const bool copies = CopiesBarriers(kind);
  for (const Barrier* barrier : barriers) barriers_.push_back(copies ? Keep(*barrier) : barrier);
  for (const RangeBarrier& range : ranges) {
    RangeBarrier& added = ranges_.Add();
    added = range;
    if (copies) added.barrier = Keep(*range.barrier);
  }
  for (const uint64_t event : events) events_.push_back(event);
}

const Barrier* OperationLog::Keep(const Barrier& barrier) {
  // The parts of an image have one barrier.
  if (kept_count_ != 0 && kept_[kept_count_ - 1] == barrier && kept_[kept_count_ - 1].flags == barrier.flags)
    return &kept_[kept_count_ - 1];
  if (kept_count_ == kept_.size()) kept_.emplace_back();
  kept_[kept_count_] = barrier;
  return &kept_[kept_count_++];
}

// The barriers of the secondary end with its recording.
void OperationLog::Append(const OperationLog& secondary, Tag base) {
  if (!is_enabled_) return;
  for (Operation operation : secondary.operations()) {
    const uint32_t first_barrier = static_cast<uint32_t>(barriers_.size());
    const uint32_t first_range = static_cast<uint32_t>(ranges_.size());
    const uint32_t first_event = static_cast<uint32_t>(events_.size());
    for (const Barrier* barrier : secondary.BarriersOf(operation)) barriers_.push_back(Keep(*barrier));
    for (RangeBarrier range : secondary.RangesOf(operation)) {
      range.barrier = Keep(*range.barrier);
      ranges_.push_back(range);
    }
    for (const uint64_t event : secondary.EventsOf(operation)) events_.push_back(event);
    operation.first_barrier = first_barrier;
    operation.first_range = first_range;
    operation.first_event = first_event;
    operation.position.value += base.value;
    if (operation.tag != Tag()) operation.tag.value += base.value;
    operations_.push_back(operation);
  }
}

void OperationLog::Apply(const Operation& operation, AccessContext& context) const {
  const absl::Span<const Barrier* const> barriers = BarriersOf(operation);
  const absl::Span<const RangeBarrier> ranges = RangesOf(operation);
  const absl::Span<const uint64_t> events = EventsOf(operation);
  switch (operation.kind) {
    case Kind::kBarriers:
      return context.ApplyAll(barriers, ranges, operation.tag);
    case Kind::kOrderEverything:
      return context.OrderEverything();
    case Kind::kSetEvent:
      return context.SetEvent(events.front(), {barriers, ranges, operation.matches_by_access}, operation.tag);
    case Kind::kResetEvent:
      return context.ResetEvent(events.front());
    case Kind::kWaitEvents:
      return context.WaitEvents(events, {barriers, ranges, operation.matches_by_access}, operation.tag);
    case Kind::kEnterSubpass:
      return context.EnterSubpass(barriers, operation.tag);
    case Kind::kLeaveSubpass:
      return context.LeaveSubpass(barriers, operation.tag);
    case Kind::kEndRenderPass:
      return context.EndRenderPass(barriers, operation.tag);
    case Kind::kAutomaticTransitions:
      return context.RecordAutomaticTransitions(ranges, operation.tag);
    case Kind::kBeginInstance:
    case Kind::kLeaveOut:
      return;
  }
}

void OperationLog::ShrinkTo(size_t size) {
  if (size >= operations_.size()) return;
  const Operation first = operations_[size];
  operations_.shrink(size);
  barriers_.shrink(first.first_barrier);
  ranges_.shrink(first.first_range);
  events_.shrink(first.first_event);
  // The copies of removed operations are dropped with the recording.
  if (size == 0) kept_count_ = 0;
}

}  // namespace assay::syncval
