// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ACCESSES_ORDERING_H_
#define ASSAY_SYNCVAL_ENGINE_ACCESSES_ORDERING_H_

#include <cstdint>

#include "syncval/engine/accesses/access_mask.h"

namespace assay::syncval {

// What an access needs no barrier for. The specification orders attachment accesses of a render
// pass instance per sample ("Rasterization Order", "Load Operations", "Store Operations"); the caller gives kNone to an
// access that has no such guarantee, such as the load operation of an attachment against what came before the render
// pass.
enum class OrderingRule : uint8_t {
  kNone,
  // Color attachment reads and writes, and input attachment reads.
  kColorAttachment,
  // Depth and stencil attachment reads and writes, and input attachment reads.
  kDepthStencilAttachment,
  // Both of these.
  kRaster,
  // An atomic access whose scope has all of the queue's work. It has no order with others, but it does not race with an
  // access that has this rule too ("Memory Model", "mutually-ordered atomics").
  kAtomic,
  // A possible read: it reads at least one byte of its range, but not necessarily all. A conflict with a part of the
  // range is uncertain; see Hazard::is_prior_possible. What it may have read counts as read for dependency chains.
  kPossible,
};
inline constexpr OrderingRule kLastOrderingRule = OrderingRule::kPossible;

// Reads with different kinds of rule are kept apart: a later one does not stand for an earlier one.
constexpr OrderingRule KindOf(OrderingRule rule) {
  return rule == OrderingRule::kAtomic || rule == OrderingRule::kPossible ? rule : OrderingRule::kNone;
}

constexpr bool AreAtomic(OrderingRule a, OrderingRule b) {
  return a == OrderingRule::kAtomic && b == OrderingRule::kAtomic;
}

// The accesses that the rule puts in order: two accesses in submission order that both are members need no barrier
// between them.
const SyncAccessMask& OrderedAccesses(OrderingRule rule);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_ACCESSES_ORDERING_H_
