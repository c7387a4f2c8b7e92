// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/vuid.h"

#include <algorithm>
#include <cstddef>

#include "vk/vuid_tables.h"

namespace assay::vk {
namespace {

constexpr std::string_view kPrefix = "VUID-";

// Hashes are spread evenly, so the place of one can be guessed. The search begins there and doubles its step.
VuidIndex FindHash(uint64_t hash) {
  const auto guess = static_cast<size_t>((hash >> 32) * kVuidCount >> 32);
  size_t begin = guess;
  size_t end = guess;
  for (size_t step = 16; begin != 0 && kVuidHashes[begin] > hash; step *= 2) begin -= std::min(step, begin);
  for (size_t step = 16; end != kVuidCount && kVuidHashes[end] < hash; step *= 2)
    end += std::min<size_t>(step, kVuidCount - end);
  const uint64_t* const last = kVuidHashes + std::min<size_t>(end + 1, kVuidCount);
  const uint64_t* const found = std::lower_bound(kVuidHashes + begin, last, hash);
  return found != last && *found == hash ? VuidIndex{static_cast<uint32_t>(found - kVuidHashes)} : kNoVuid;
}

// Whether the id begins with "VUID-owner-".
bool IsOf(std::string_view id, std::string_view owner) {
  const std::string_view rest = id.substr(kPrefix.size());
  return rest.starts_with(owner) && rest.substr(owner.size()).starts_with('-');
}

}  // namespace

VuidInfo GetVuid(VuidIndex index) {
  const tables::VuidEntry& entry = tables::kVuidEntries[static_cast<uint32_t>(index)];
  const char* id = tables::kVuidText + entry.begin;
  return {{id, entry.id_length}, {id + entry.id_length, entry.text_length}, tables::kVuidPages[entry.page]};
}

bool FindVuid(std::string_view id, VuidIndex* index) {
  const VuidIndex candidate = FindHash(VuidHash(id));
  // Another text may have an id's hash.
  if (candidate == kNoVuid || GetVuid(candidate).id != id) return false;
  *index = candidate;
  return true;
}

VuidIndex FindVuidOf(std::string_view owner, std::string_view rule) {
  const VuidIndex candidate = FindHash(VuidHash(rule, VuidHash("-", VuidHash(owner, VuidHash(kPrefix)))));
  return candidate != kNoVuid && IsOf(GetVuid(candidate).id, owner) && GetVuid(candidate).id.ends_with(rule) ? candidate
                                                                                                             : kNoVuid;
}

std::span<const VuidIndex> VuidsOf(std::string_view owner) {
  const VuidIndex* const begin = tables::kVuidsById;
  const VuidIndex* const end = begin + kVuidCount;
  const VuidIndex* const first = std::partition_point(
      begin, end, [&](VuidIndex index) { return GetVuid(index).id.substr(kPrefix.size(), owner.size()) < owner; });
  // The ids of a longer name that begins alike come behind: '-' is smaller than what names are made of.
  const VuidIndex* last = first;
  while (last != end && IsOf(GetVuid(*last).id, owner)) ++last;
  return {first, last};
}

}  // namespace assay::vk
