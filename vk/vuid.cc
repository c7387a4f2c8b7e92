// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/vuid.h"

#include "vk/vuid_tables.h"

namespace assay::vk {

VuidInfo GetVuid(VuidIndex index) {
  const tables::VuidEntry& entry = tables::kVuidEntries[static_cast<uint32_t>(index)];
  const char* id = tables::kVuidText + entry.begin;
  return {{id, entry.id_length}, {id + entry.id_length, entry.text_length}, tables::kVuidPages[entry.page]};
}

bool FindVuid(std::string_view id, VuidIndex* index) {
  const uint64_t hash = VuidHash(id);
  const auto* end = kVuidHashes + kVuidCount;
  const auto* found = std::lower_bound(kVuidHashes + 0, end, hash);
  if (found == end || *found != hash) return false;
  const VuidIndex candidate{static_cast<uint32_t>(found - kVuidHashes)};
  // Another text may have an id's hash.
  if (GetVuid(candidate).id != id) return false;
  *index = candidate;
  return true;
}

}  // namespace assay::vk
