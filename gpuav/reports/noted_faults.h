// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_REPORTS_NOTED_FAULTS_H_
#define ASSAY_GPUAV_REPORTS_NOTED_FAULTS_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "absl/types/span.h"
#include "gpuav/completion/completion.h"
#include "gpuav/shaders/shader_registry.h"
#include "spirv_instrument/runtime/host_limit.h"
#include "spirv_instrument/runtime/records.h"

namespace assay::gpuav {

// A fault, and how many of its cause there were.
struct WrittenFault {
  spirv_instrument::ErrorRecord record;
  uint32_t count = 0;
};

// The records that shaders would have written which left notes instead (runtime/host_limit.h).
class NotedFaults {
 public:
  NotedFaults(const ShaderRegistry& shaders, const Written& written);
  NotedFaults(const NotedFaults&) = delete;
  NotedFaults& operator=(const NotedFaults&) = delete;

  // They refer to this.
  absl::Span<const WrittenFault> faults() const { return faults_; }

 private:
  std::deque<spirv_instrument::NotedFault> kept_;
  std::vector<WrittenFault> faults_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_REPORTS_NOTED_FAULTS_H_
