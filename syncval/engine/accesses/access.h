// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ACCESSES_ACCESS_H_
#define ASSAY_SYNCVAL_ENGINE_ACCESSES_ACCESS_H_

#include <utility>

#include "syncval/engine/accesses/ordering.h"
#include "syncval/engine/ranges/types.h"
#include "vk/sync/sync_info.h"

namespace assay::syncval {

// One access to bytes by one command.
struct Access {
  Range range;
  vk::SyncAccessIndex index = vk::kSyncNone;
  OrderingRule ordering = OrderingRule::kNone;
  // Names the resource whose bytes no other resource shares, by where it begins; 0 when others may share them. The
  // range lies within it.
  uint64_t region = 0;

  friend constexpr bool operator==(const Access&, const Access&) = default;
  template <typename H>
  friend H AbslHashValue(H hash, const Access& access) {
    return H::combine(std::move(hash), access.range.begin, access.range.end, access.index, access.ordering,
                      access.region);
  }
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_ACCESSES_ACCESS_H_
