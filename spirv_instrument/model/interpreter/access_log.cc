// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/interpreter/access_log.h"

namespace assay::spirv_instrument::model {

bool AccessLog::Note(Entries& entries, const Access& access) {
  ComparePairs(entries, access);
  ++counts_[SiteOf(access)];
  entries[SiteOf(access)] = access;
  const FaultKinds faults = access.faults & checked_;
  for (uint32_t i = 0; i <= static_cast<uint32_t>(corpus::FaultKind::kNotANumber); ++i) {
    const auto kind = static_cast<corpus::FaultKind>(i);
    if (faults.Has(kind)) faults_.insert({kind, access.instruction});
  }
  const bool is_executed = faults.empty();
  if (is_executed && !access.faults.IsWithin({corpus::FaultKind::kDescriptorNull})) is_undefined_ = true;
  return is_executed;
}

void AccessLog::ComparePairs(const Entries& entries, const Access& access) {
  for (const auto& [site, earlier] : entries) {
    if (site == SiteOf(access)) continue;
    Pair& pair = pairs_[{SiteOf(access), site}];
    ++pair.count;
    const bool has_same_descriptor = access.is_address == earlier.is_address && access.set == earlier.set &&
                                     access.binding == earlier.binding && access.index == earlier.index;
    pair.has_same_descriptor &= has_same_descriptor;
    pair.is_aligned_alike &= access.is_address && earlier.is_address && access.alignment == earlier.alignment &&
                             access.alignment != 0 && (access.begin - earlier.begin) % access.alignment == 0;
    pair.has_same_bytes &= has_same_descriptor && access.begin == earlier.begin && access.end == earlier.end;
  }
}

std::map<Fault, std::set<Fault>> AccessLog::Earlier() const {
  std::map<Fault, std::set<Fault>> result;
  for (const Fault& fault : faults_) {
    for (const auto& [sites, pair] : pairs_) {
      const auto& [site, earlier_site] = sites;
      if (InstructionOf(site) != fault.instruction || pair.count != counts_.at(site)) continue;
      if (!pair.IsAlike(fault.kind)) continue;
      const Fault earlier = {fault.kind, InstructionOf(earlier_site)};
      if (faults_.contains(earlier)) result[fault].insert(earlier);
    }
  }
  return result;
}

}  // namespace assay::spirv_instrument::model
