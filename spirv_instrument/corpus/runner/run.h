// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_RUN_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_RUN_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/runner/device.h"
#include "spirv_instrument/corpus/runner/resources.h"
#include "spirv_instrument/corpus/vulkan.h"

// Runs programs. A run makes the resources, descriptor sets and pipeline of an input, executes its one command, reads
// everything back and destroys everything.
//
//   absl::StatusOr<std::unique_ptr<Device>> device = Device::Create();
//   absl::StatusOr<Outputs> original = Run(**device, program, program.inputs[0]);
//
// What instruments shaders takes part through Instrumentation: it sees the resources as they are bound, replaces words,
// and adds descriptor sets, push constants and specialization constants.
namespace assay::spirv_instrument::corpus {

// What all buffers and images hold after a run, bit for bit. Addresses that a buffer got from its description are zero,
// since they differ from run to run.
struct Outputs {
  struct Resource {
    std::string name;
    // As in BufferDescription::contents and ImageDescription::contents, but whole.
    std::vector<uint8_t> bytes;
    friend bool operator==(const Resource&, const Resource&) = default;
  };
  // In the order of the description.
  std::vector<Resource> buffers;
  // Those with one sample.
  std::vector<Resource> images;

  // Null if there is none of that name.
  const Resource* Find(std::string_view name) const;
  friend bool operator==(const Outputs&, const Outputs&) = default;
};

// The first difference, in words: "out differs at byte 16: 04 instead of 00". Empty if there is none.
std::string FirstDifference(const Outputs& expected, const Outputs& actual);

// What an instrumented program has that the original does not.
struct Additions {
  // For each stage of the program, in its order, the words to run in place of its own. Empty means the program's own.
  std::vector<std::vector<uint32_t>> words;
  struct Set {
    // No set that the program uses. Where there is none between, the layout has an empty set.
    uint32_t number = 0;
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    VkDescriptorSet set = VK_NULL_HANDLE;
  };
  std::vector<Set> sets;
  // Push constants of all stages at `push_constant_offset`, a multiple of 4 behind the program's own.
  uint32_t push_constant_offset = 0;
  std::vector<uint8_t> push_constants;
  // Of all stages.
  std::vector<SpecializationConstant> specialization;
};

// What is around a run. It may make objects of the device in Prepare, and must destroy them itself.
class Instrumentation {
 public:
  virtual ~Instrumentation() = default;

  // Called when all resources exist and all descriptors are written, before there is a pipeline layout.
  virtual absl::StatusOr<Additions> Prepare(const Device& device, const Program& program, const Input& input,
                                            const Resources& resources) = 0;
  // Called when the work is complete and what it wrote is visible to the host, before anything is destroyed. Where the
  // device is lost, `work` is VK_ERROR_DEVICE_LOST, and Run returns an error after it.
  virtual absl::Status Finish(const Device& device, VkResult work) = 0;
};

// Runs a program on an input. An input with faults must not be run without instrumentation that keeps bad accesses from
// being executed. Fails if Vulkan or the instrumentation does, with the command that did.
absl::StatusOr<Outputs> Run(const Device& device, const Program& program, const Input& input,
                            Instrumentation* instrumentation = nullptr);

// Where the outputs are not as `input.expected` says, in words; one for each.
std::vector<std::string> Unexpected(const Input& input, const Outputs& outputs);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_RUN_H_
