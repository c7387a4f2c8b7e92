// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/chain/intercept_table.h"

#include <cstddef>

namespace assay::dispatch {
namespace {

const InterceptTable& Table() {
  static const InterceptTable* const table = [] {
    static InterceptTable entries;
    FillShard0(entries);
    FillShard1(entries);
    FillShard2(entries);
    FillShard3(entries);
    FillShard4(entries);
    FillShard5(entries);
    FillShard6(entries);
    FillShard7(entries);
    return &entries;
  }();
  return *table;
}

}  // namespace

PFN_vkVoidFunction EntryPointOf(vk::CommandId id) { return Table()[static_cast<size_t>(id)].function; }

bool MustIntercept(vk::CommandId id, bool wraps_handles) {
  const InterceptEntry& entry = Table()[static_cast<size_t>(id)];
  return entry.always || (wraps_handles && entry.reaches_handle);
}

}  // namespace assay::dispatch
