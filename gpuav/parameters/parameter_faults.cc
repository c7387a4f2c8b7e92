// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/parameters/parameter_faults.h"

#include <algorithm>

namespace assay::gpuav {

void FaultList::Add(vk::VuidIndex vuid, uint32_t index, uint64_t byte, absl::FunctionRef<std::string()> text) {
  const auto found = std::ranges::find(faults_, vuid, &ParameterFault::vuid);
  if (found != faults_.end()) {
    ++found->count;
  } else {
    faults_.push_back({.vuid = vuid, .first = index, .count = 1, .byte = byte, .text = text()});
  }
}

}  // namespace assay::gpuav
