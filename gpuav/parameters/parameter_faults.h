// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PARAMETERS_PARAMETER_FAULTS_H_
#define ASSAY_GPUAV_PARAMETERS_PARAMETER_FAULTS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "vk/vuid.h"

// What is wrong with what a command has read from a buffer.
namespace assay::gpuav {

// One rule that is violated.
struct ParameterFault {
  vk::VuidIndex vuid = vk::kNoVuid;
  // The first of the structures that violate the rule, and how many do. For the number of structures itself, 0 and 1.
  uint32_t first = 0;
  uint32_t count = 0;
  // Where the first of them is, in bytes from where the command begins to read.
  uint64_t byte = 0;
  // Full sentences, which continue the command.
  std::string text;
};

// Each rule once.
class FaultList {
 public:
  // The structure with this index, at this byte, violates the rule.
  void Add(vk::VuidIndex vuid, uint32_t index, uint64_t byte, absl::FunctionRef<std::string()> text);
  std::vector<ParameterFault> Take() { return std::move(faults_); }

 private:
  std::vector<ParameterFault> faults_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PARAMETERS_PARAMETER_FAULTS_H_
