// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/log/recording_check.h"

#include <algorithm>

#include "vk/sync/sync_info.h"

namespace assay::syncval::trace {
namespace {

// More than a program submits at once, and fewer than would not fit into memory.
constexpr uint64_t kMaxSize = uint64_t{1} << 24;
// The outputs call themselves for each level.
constexpr uint32_t kMaxDepth = 256;

bool IsBefore(uint32_t index, size_t size) { return index < size; }
bool IsNoneOrBefore(uint32_t index, size_t size) { return index == kNone || index < size; }

// first is of each command and, last, of the end.
bool AreFirsts(const std::vector<uint32_t>& first, size_t commands, size_t size) {
  return first.size() == commands + 1 && std::ranges::is_sorted(first) && first.back() == size;
}

bool IsConsistent(const RecordedTrace& recording, const TracedAccess& access) {
  return IsBefore(access.resource, recording.resources.size()) && IsBefore(access.where, recording.texts.size()) &&
         access.access < vk::SyncStageAccesses().size() && access.ordering <= kLastOrderingRule &&
         access.range.begin <= access.range.end;
}

bool IsConsistent(const RecordedTrace& recording, const TracedBarrier& barrier) {
  return barrier.kind <= TracedBarrier::Kind::kSubpass &&
         IsNoneOrBefore(barrier.resource, recording.resources.size()) &&
         uint64_t{barrier.first_range} + barrier.range_count <= recording.barrier_ranges.size();
}

bool IsConsistent(const RecordedTrace& recording, const TracedRegion& region) {
  return region.kind <= TracedRegion::Kind::kSubpass && IsBefore(region.name, recording.texts.size()) &&
         region.first_command <= region.end_command && region.end_command <= recording.size();
}

bool IsConsistent(const RecordedTrace& recording, const TracedHazard& hazard) {
  const size_t texts = recording.texts.size();
  return IsBefore(hazard.id, texts) && IsBefore(hazard.text, texts) && IsBefore(hazard.fix, texts) &&
         IsBefore(hazard.command, recording.size()) && IsNoneOrBefore(hazard.prior_command, recording.size()) &&
         IsNoneOrBefore(hazard.resource, recording.resources.size());
}

}  // namespace

bool IsCommand(vk::CommandId id) { return static_cast<size_t>(id) < vk::kCommandCount; }

bool IsConsistent(const RecordedTrace& recording) {
  const auto all = [&](const auto& values) {
    return std::ranges::all_of(values, [&](const auto& value) { return IsConsistent(recording, value); });
  };
  const uint32_t size = recording.size();
  return std::ranges::all_of(recording.ids, IsCommand) && recording.positions.size() == size &&
         AreFirsts(recording.first_access, size, recording.accesses.size()) &&
         AreFirsts(recording.first_barrier, size, recording.barriers.size()) && all(recording.accesses) &&
         all(recording.barriers) && all(recording.regions) && all(recording.hazards) &&
         std::ranges::all_of(recording.unknown, [&](uint32_t command) { return command < size; }) &&
         std::ranges::all_of(recording.executed,
                             [&](const auto& part) { return part.trace != nullptr && part.command < size; }) &&
         std::ranges::is_sorted(recording.executed, {}, &RecordedTrace::Executed::command);
}

bool RecordingWeights::Add(const RecordedTrace& recording) {
  if (!IsConsistent(recording)) return false;
  Weight weight{.size = uint64_t{1} + recording.size()};
  for (const RecordedTrace::Executed& part : recording.executed) {
    const Weight& executed = weights_.at(part.trace.get());
    weight.size += executed.size;
    weight.depth = std::max(weight.depth, executed.depth + 1);
    if (weight.size > kMaxSize || weight.depth > kMaxDepth) return false;
  }
  weights_[&recording] = weight;
  return true;
}

bool RecordingWeights::Allow(const TracedBatch& batch) const {
  uint64_t size = 0;
  for (const RecordedTraceRef& recording : batch.command_buffers)
    size += recording != nullptr ? weights_.at(recording.get()).size : 1;
  return size <= kMaxSize;
}

}  // namespace assay::syncval::trace
