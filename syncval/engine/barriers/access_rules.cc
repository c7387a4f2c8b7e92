// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/barriers/access_rules.h"

#include "syncval/engine/events/event.h"

namespace assay::syncval {

void AddWriteHazard(HazardKind kind, const AccessState& state, bool is_inside, const Range& range, Hazard& hazard) {
  hazard.all_prior_accesses.Set(state.write_index);
  hazard.all_prior_stages |= vk::SyncStageAccesses()[static_cast<size_t>(state.write_index)].stage;
  if (hazard && !hazard.is_prior_possible) return;
  hazard.is_prior_possible = false;
  hazard.kind = kind;
  hazard.prior_access = state.write_index;
  hazard.prior_tag = state.write_tag;
  hazard.prior_queue = state.write_queue;
  hazard.range = range;
  hazard.visible_to = state.visible_to.Where(is_inside);
  hazard.ordered_stages = CommandStages(state.available_stages, is_inside);
}

void AddAccessHazard(const AccessState& state, absl::Span<const ReadRecord> reads, const CurrentAccess& current,
                     const Range& range, Hazard& hazard) {
  // What is certain comes first.
  const bool has_certain_read = current.is_write && std::ranges::any_of(reads, [&](const ReadRecord& read) {
                                  return IsCertain(read) && ConflictsWithRead(read, current);
                                });
  if (has_certain_read || IsVisible(state, reads, current)) {
    AddReadHazard(reads, current.is_inside, range, hazard,
                  [&current](const ReadRecord& read) { return ConflictsWithRead(read, current); });
  } else {
    AddWriteHazard(current.is_write ? HazardKind::kWriteAfterWrite : HazardKind::kReadAfterWrite, state,
                   current.is_inside, range, hazard);
  }
}

}  // namespace assay::syncval
