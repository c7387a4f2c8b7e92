// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/comparison/device_executor.h"

#include <set>
#include <utility>
#include <vector>

#include "spirv_instrument/corpus/instrumented/runtime_instrumentation.h"
#include "spirv_instrument/corpus/runner/run.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument::model {
namespace {

std::vector<Interpretation::Contents> ToContents(std::vector<corpus::Outputs::Resource> resources) {
  std::vector<Interpretation::Contents> contents;
  contents.reserve(resources.size());
  for (corpus::Outputs::Resource& resource : resources) {
    contents.push_back({std::move(resource.name), std::move(resource.bytes)});
  }
  return contents;
}

}  // namespace

absl::StatusOr<Execution> DeviceExecutor::Execute(const corpus::Program& program, const Instrumented& shader,
                                                  const RuntimeConfig& runtime) {
  corpus::RuntimeInstrumentation instrumentation(device_, {shader.words}, runtime);
  if (!shader.limits.empty()) instrumentation.SetLimited(shader);
  absl::StatusOr<corpus::Outputs> outputs = corpus::Run(device_, program, program.inputs[0], &instrumentation);
  if (!outputs.ok()) return outputs.status();
  absl::StatusOr<std::set<Fault>> faults = ReadFaults(
      program.inputs[0].setup, shader, instrumentation.Part(kErrorsBinding), instrumentation.Part(kCausesBinding));
  if (!faults.ok()) return faults.status();
  return Execution{.buffers = ToContents(std::move(outputs->buffers)),
                   .images = ToContents(std::move(outputs->images)),
                   .faults = *std::move(faults),
                   .addresses = instrumentation.addresses()};
}

}  // namespace assay::spirv_instrument::model
