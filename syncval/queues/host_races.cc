// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Races of the host's own accesses with the queues.

#include <algorithm>
#include <utility>

#include "syncval/queues/queue_sync.h"

namespace assay::syncval {

void QueueSync::AddHostRaces(const RecordedAccess& access, std::vector<SubmissionHazard>& races, AcceptsRace accepts) {
  // A batch that waits for the host to set an event may still be waiting.
  if (!host_event_waits_.empty()) return;
  device_.DetectHostRaces(access, [&](const ReplayHazard& found) {
    SubmissionHazard race{.source = {}, .access = access, .hazard = found.hazard};
    race.access.range = found.access.range;
    race.prior = FindSource(found.hazard.prior_tag, &race.prior_tag);
    if (!race.prior.has_value() || race.prior->kind != UsageSource::Kind::kCommandBuffer) return;
    if (found.hazard.is_prior_possible && !CoversPossibleRead(access, found.hazard)) return;
    if (access.is_of_shared_memory() && IsOfSameResource(access, found.hazard)) return;
    if (IsOutdated(found.hazard) || !accepts(race)) return;
    const bool is_known = std::ranges::any_of(races, [&](const SubmissionHazard& known) {
      return known.access.resource == race.access.resource && known.hazard.prior_tag == race.hazard.prior_tag;
    });
    if (!is_known) races.push_back(std::move(race));
  });
}

}  // namespace assay::syncval
