// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_RUNTIME_INSTRUMENTATION_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_RUNTIME_INSTRUMENTATION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/corpus/instrumented/runtime_memory.h"
#include "spirv_instrument/corpus/runner/device.h"
#include "spirv_instrument/corpus/runner/objects.h"
#include "spirv_instrument/corpus/runner/run.h"
#include "spirv_instrument/corpus/vulkan.h"
#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/passes/frame/run_passes.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument::corpus {

// What is around a run of shaders that were instrumented: gives them the memory of runtime.h, in one of the three ways,
// and keeps what they wrote there. For one run.
class RuntimeInstrumentation : public Instrumentation {
 public:
  // The words of each stage, made with this configuration, and the counters of blocks that all stages have. `device`
  // must outlive this.
  RuntimeInstrumentation(const Device& device, std::vector<std::vector<uint32_t>> words, const RuntimeConfig& runtime,
                         size_t counters = 0);

  // A stage that compares with limits. It must outlive the run.
  void SetLimited(const Instrumented& shader) { limited_ = &shader; }
  // Nothing is to be known of the action.
  void SetUnchecked() { is_unchecked_ = true; }

  absl::StatusOr<Additions> Prepare(const Device& device, const Program& program, const Input& input,
                                    const Resources& resources) override;
  absl::Status Finish(const Device& device, VkResult work) override;

  // After a run: what a part of the memory holds, by its binding in the reserved set.
  absl::Span<const uint32_t> Part(uint32_t binding) const { return memory_.parts[binding]; }
  // Of the program's buffers that are not destroyed.
  const Addresses& addresses() const { return addresses_; }

 private:
  absl::Status MakeBuffers();
  absl::StatusOr<Additions::Set> MakeSet();

  Objects objects_;
  std::vector<std::vector<uint32_t>> words_;
  RuntimeConfig runtime_;
  size_t counters_;
  const Instrumented* limited_ = nullptr;
  bool is_unchecked_ = false;
  RuntimeMemory memory_;
  std::array<MappedBuffer, kBindingsOfReservedSet> buffers_;
  Addresses addresses_;
};

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_RUNTIME_INSTRUMENTATION_H_
