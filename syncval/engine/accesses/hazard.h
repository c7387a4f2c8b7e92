// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ACCESSES_HAZARD_H_
#define ASSAY_SYNCVAL_ENGINE_ACCESSES_HAZARD_H_

#include <cstdint>

#include "syncval/engine/accesses/access_mask.h"
#include "syncval/engine/ranges/types.h"
#include "vk/vulkan.h"

namespace assay::syncval {

enum class HazardKind : uint8_t {
  kNone,
  kReadAfterWrite,
  kWriteAfterRead,
  kWriteAfterWrite,
  // Nothing orders the two at all: they are of different queues, or of subpasses without a dependency between them.
  kReadRacingWrite,
  kWriteRacingRead,
  kWriteRacingWrite,
};

// What an access conflicts with. kind to chain describe the conflict at the lowest conflicting address; the last two
// members are united over everything that the access conflicts with.
struct Hazard {
  HazardKind kind = HazardKind::kNone;
  // The earlier access: the last write, or the latest of the reads without synchronization.
  vk::SyncAccessIndex prior_access = {};
  Tag prior_tag;
  QueueIndex prior_queue = {};
  // Where, within what was asked for; the state is the same all over it.
  Range range;
  // Of an earlier write: the accesses that barriers have made it visible to. Empty for an earlier read.
  SyncAccessMask visible_to;
  // The stages that are ordered after the earlier access (of a write: after it was made available) by barriers.
  VkPipelineStageFlags2 ordered_stages = 0;

  // Every access that lacks synchronization, with its stages.
  SyncAccessMask all_prior_accesses;
  VkPipelineStageFlags2 all_prior_stages = 0;

  // Whether the earlier access is a possible read (OrderingRule::kPossible), and nothing else conflicts. It is certain
  // only if the later access writes all of that read's range.
  bool is_prior_possible = false;

  explicit operator bool() const { return kind != HazardKind::kNone; }
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_ACCESSES_HAZARD_H_
