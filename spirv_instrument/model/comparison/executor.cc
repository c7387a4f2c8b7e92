// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/comparison/executor.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/corpus/instrumented/faults.h"
#include "spirv_instrument/corpus/instrumented/limits.h"
#include "spirv_instrument/corpus/instrumented/runtime_memory.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument::model {
namespace {

std::string NameOfPart(size_t part) { return absl::StrCat("runtime", part); }

std::vector<uint8_t> ToBytes(absl::Span<const uint32_t> words) {
  std::vector<uint8_t> bytes(words.size() * sizeof(uint32_t));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

std::vector<uint32_t> ToWords(absl::Span<const uint8_t> bytes) {
  std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
  return words;
}

// Addresses of the buffers of a setup, and of the parts behind them; far from one another.
uint64_t AddressOf(size_t buffer) { return (uint64_t{1} << 32) + (uint64_t{buffer} << 24); }

void AddPushConstants(corpus::Setup& setup, uint32_t offset, uint64_t address) {
  setup.push_constants.bytes.resize(offset + sizeof(address));
  std::memcpy(setup.push_constants.bytes.data() + offset, &address, sizeof(address));
}

void AddSpecialization(corpus::Setup& setup, uint32_t id, uint64_t address) {
  for (uint32_t i = 0; i < 2; ++i) {
    const auto word = static_cast<uint32_t>(address >> (32 * i));
    setup.specialization.push_back({id + i, ToBytes({&word, 1})});
  }
}

}  // namespace

absl::StatusOr<std::set<Fault>> ReadFaults(const corpus::Setup& setup, const Instrumented& shader,
                                           absl::Span<const uint32_t> errors, absl::Span<const uint32_t> causes) {
  absl::StatusOr<std::set<corpus::RecordedFault>> recorded = corpus::ReadFaults(errors);
  if (!recorded.ok()) return recorded.status();
  if (!shader.limits.empty()) {
    absl::StatusOr<std::set<corpus::RecordedFault>> noted = corpus::ReadNotedFaults(setup, shader, 0, causes);
    if (!noted.ok()) return noted.status();
    recorded->merge(*std::move(noted));
  }
  std::set<Fault> faults;
  for (const corpus::RecordedFault& fault : *recorded) faults.insert({fault.kind, fault.instruction});
  return faults;
}

absl::StatusOr<Execution> InterpretingExecutor::Execute(const corpus::Program& program, const Instrumented& shader,
                                                        const RuntimeConfig& runtime) {
  corpus::Setup setup = program.inputs[0].setup;
  Execution execution;
  for (size_t i = 0; i < setup.buffers.size(); ++i) execution.addresses[setup.buffers[i].name] = AddressOf(i);
  absl::StatusOr<corpus::RuntimeMemory> memory = corpus::MakeRuntimeMemory(setup, execution.addresses);
  if (!memory.ok()) return memory.status();
  corpus::SetLimits(setup, shader, *memory);
  InterpretOptions options = {.checked = {}, .addresses = execution.addresses};
  const size_t own_buffers = setup.buffers.size();
  std::array<uint64_t, kBindingsOfReservedSet> addresses = {};
  for (size_t i = 0; i < addresses.size(); ++i) {
    addresses[i] = AddressOf(own_buffers + i);
    options.addresses[NameOfPart(i)] = addresses[i];
  }
  SetAddresses(*memory, addresses);
  for (uint32_t i = 0; i < addresses.size(); ++i) {
    const std::vector<uint8_t> bytes = ToBytes(memory->parts[i]);
    setup.buffers.push_back({NameOfPart(i), bytes.size(), {bytes, {}}});
    if (runtime.reach != Reach::kDescriptorSet) continue;
    setup.bindings.push_back({.set = runtime.descriptor_set, .binding = i, .elements = {{.resource = NameOfPart(i)}}});
  }
  if (runtime.reach == Reach::kPushConstant) {
    AddPushConstants(setup, runtime.push_constant_offset, addresses[kActionBinding]);
  }
  if (runtime.reach == Reach::kSpecializationConstant) {
    AddSpecialization(setup, runtime.specialization_id, addresses[kActionBinding]);
  }
  absl::StatusOr<Interpretation> run = Interpret(shader.words, setup, options);
  if (!run.ok()) return run.status();
  const auto part = [&run](uint32_t binding) {
    const auto found = std::ranges::find(run->buffers, NameOfPart(binding), &Interpretation::Contents::name);
    return ToWords(found->bytes);
  };
  absl::StatusOr<std::set<Fault>> faults =
      ReadFaults(program.inputs[0].setup, shader, part(kErrorsBinding), part(kCausesBinding));
  if (!faults.ok()) return faults.status();
  execution.faults = *std::move(faults);
  for (Interpretation::Contents& contents : run->buffers) {
    // The other parts are the instrumentation's own.
    if (!execution.addresses.contains(contents.name)) continue;
    execution.buffers.push_back(std::move(contents));
  }
  execution.images = std::move(run->images);
  return execution;
}

}  // namespace assay::spirv_instrument::model
