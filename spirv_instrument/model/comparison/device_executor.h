// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_COMPARISON_DEVICE_EXECUTOR_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_COMPARISON_DEVICE_EXECUTOR_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/corpus/runner/device.h"
#include "spirv_instrument/model/comparison/executor.h"

namespace assay::spirv_instrument::model {

// Runs instrumented compute shaders on a device.
class DeviceExecutor : public Executor {
 public:
  // `device` must outlive this.
  explicit DeviceExecutor(const corpus::Device& device) : device_(device) {}

  absl::StatusOr<Execution> Execute(const corpus::Program& program, const Instrumented& shader,
                                    const RuntimeConfig& runtime) override;

 private:
  const corpus::Device& device_;
};

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_COMPARISON_DEVICE_EXECUTOR_H_
