// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ACCESSES_ORDERING_H_
#define ASSAY_SYNCVAL_ENGINE_ACCESSES_ORDERING_H_

#include <cstdint>

#include "syncval/engine/accesses/access_mask.h"

namespace assay::syncval {

// Which implicit order an access has with those before it. The specification orders attachment accesses of a render
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
};

// The accesses that the rule puts in order: two accesses in submission order that both are members need no barrier
// between them.
const SyncAccessMask& OrderedAccesses(OrderingRule rule);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_ACCESSES_ORDERING_H_
