// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/comparison/compare.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "spirv_instrument/model/interpreter/interpreter.h"
#include "spirv_instrument/model/random/make_program.h"

namespace assay::spirv_instrument::model {
namespace {

constexpr std::string_view kPasses[] = {"descriptor_index", "buffer_bounds", "device_address", "image_coordinate",
                                        "undefined_arithmetic"};

PassConfigs AllPasses() {
  PassConfigs passes;
  // One that does not exist is left out.
  for (const std::string_view name : kPasses) EnablePass(passes, name).IgnoreError();
  return passes;
}

bool HasPass(const PassConfigs& passes, std::string_view name) {
  const std::vector<std::unique_ptr<Pass>> made = MakePasses(passes);
  return std::ranges::any_of(made, [name](const std::unique_ptr<Pass>& pass) { return pass->name() == name; });
}

std::string ToText(const Fault& fault) {
  return absl::StrCat("fault of kind ", static_cast<uint32_t>(fault.kind), " at instruction ", fault.instruction);
}

std::string CompareContents(const std::vector<Interpretation::Contents>& expected,
                            const std::vector<Interpretation::Contents>& actual) {
  if (expected.size() != actual.size()) return "there are not as many outputs";
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].name != actual[i].name) return absl::StrCat(actual[i].name, " instead of ", expected[i].name);
    const std::vector<uint8_t>& bytes = actual[i].bytes;
    const auto [at, unused] = std::ranges::mismatch(bytes, expected[i].bytes);
    if (at == bytes.end() && bytes.size() == expected[i].bytes.size()) continue;
    const auto offset = static_cast<size_t>(at - bytes.begin());
    if (offset >= expected[i].bytes.size() || offset >= bytes.size()) return absl::StrCat(actual[i].name, "'s size");
    return absl::StrCat(actual[i].name, " differs at byte ", offset, ": ", absl::Hex(bytes[offset]), " instead of ",
                        absl::Hex(expected[i].bytes[offset]));
  }
  return "";
}

// As Run does for Outputs: addresses that were put into buffers at first and are there still are zero.
void ForgetAddresses(const corpus::Setup& setup, const Addresses& addresses,
                     std::vector<Interpretation::Contents>& buffers) {
  for (Interpretation::Contents& buffer : buffers) {
    const auto description = std::ranges::find(setup.buffers, buffer.name, &corpus::BufferDescription::name);
    if (description == setup.buffers.end()) continue;
    for (const corpus::AddressInContents& address : description->contents.addresses) {
      const auto target = addresses.find(address.buffer);
      if (target == addresses.end()) continue;
      const uint64_t before = target->second + static_cast<uint64_t>(address.addend);
      uint8_t* const bytes = buffer.bytes.data() + address.offset;
      if (std::memcmp(bytes, &before, sizeof(before)) == 0) std::memset(bytes, 0, sizeof(before));
    }
  }
}

std::string CompareFaults(const Interpretation& model, const std::set<Fault>& actual, const FrameConfig& frame) {
  for (const Fault& fault : actual) {
    if (!model.faults.contains(fault)) return absl::StrCat("unexpected ", ToText(fault));
  }
  for (const Fault& fault : model.faults) {
    if (actual.contains(fault)) continue;
    // Each invocation that has a fault reports one.
    if (frame.reports_at_end && !actual.empty()) continue;
    const auto earlier = model.earlier.find(fault);
    const bool is_explained =
        frame.steps.dominated && earlier != model.earlier.end() &&
        std::ranges::any_of(earlier->second, [&actual](const Fault& other) { return actual.contains(other); });
    if (!is_explained) return absl::StrCat("missing ", ToText(fault));
  }
  return "";
}

}  // namespace

std::vector<NamedConfig> ConfigsToCompare() {
  const StepsConfig none = StepsConfig::None();
  const PassConfigs passes = AllPasses();
  std::vector<NamedConfig> configs;
  const auto add = [&](std::string name, const StepsConfig& steps, Reach reach) {
    configs.push_back({std::move(name), {.frame = {.runtime = {.reach = reach}, .steps = steps}, .passes = passes}});
  };
  const auto with = [&none](auto member, auto value) {
    StepsConfig steps = none;
    steps.*member = value;
    return steps;
  };
  add("no step", none, Reach::kDescriptorSet);
  add("dominated", with(&StepsConfig::dominated, true), Reach::kDescriptorSet);
  StepsConfig same_values = with(&StepsConfig::dominated, true);
  same_values.same_values = true;
  add("dominated, same values", same_values, Reach::kDescriptorSet);
  add("spans", with(&StepsConfig::spans, true), Reach::kDescriptorSet);
  add("hoisted", with(&StepsConfig::hoisted, true), Reach::kDescriptorSet);
  add("host, certain", with(&StepsConfig::host, HostDecides::kCertain), Reach::kDescriptorSet);
  add("host, all", with(&StepsConfig::host, HostDecides::kAll), Reach::kDescriptorSet);
  add("all steps", {}, Reach::kDescriptorSet);
  add("all steps by push constant", {}, Reach::kPushConstant);
  add("all steps by specialization constant", {}, Reach::kSpecializationConstant);
  add("all steps, reports at the end", {}, Reach::kDescriptorSet);
  // No others may report at the end.
  configs.back().config.frame.reports_at_end = true;
  configs.back().config.passes = {.descriptor_index = passes.descriptor_index,
                                  .buffer_bounds = passes.buffer_bounds,
                                  .device_address = passes.device_address};
  return configs;
}

FaultKinds KindsOf(const PassConfigs& passes) {
  using enum corpus::FaultKind;
  FaultKinds kinds = {kDescriptorIndex, kDescriptorUnwritten, kDescriptorDestroyed,
                      kBufferBounds,    kAddressRange,        kAddressAlignment};
  if (HasPass(passes, "image_coordinate")) kinds.Add(kImageCoordinate);
  if (HasPass(passes, "undefined_arithmetic")) kinds = kinds | FaultKinds{kDivision, kShift};
  return kinds;
}

RecipeOptions OptionsFor(const PassConfigs& passes) {
  const FaultKinds kinds = KindsOf(passes);
  return {.has_wild_images = kinds.Has(corpus::FaultKind::kImageCoordinate),
          .has_wild_arithmetic = kinds.Has(corpus::FaultKind::kDivision),
          .has_null_descriptors = true};
}

std::string FindDisagreement(const corpus::Program& program, const InstrumentConfig& config, Executor& executor,
                             Instrumenter instrument) {
  const corpus::Setup& setup = program.inputs[0].setup;
  absl::StatusOr<corpus::InstrumentedProgram> instrumented =
      corpus::InstrumentProgram(program, setup, config, instrument);
  if (!instrumented.ok()) return absl::StrCat("instrumentation: ", instrumented.status().message());
  absl::StatusOr<Execution> execution = executor.Execute(program, instrumented->stages[0], instrumented->runtime);
  if (!execution.ok()) return absl::StrCat("the instrumented shader: ", execution.status().message());
  absl::StatusOr<Interpretation> model =
      Interpret(program.stages[0].words, setup, {.checked = KindsOf(config.passes), .addresses = execution->addresses});
  if (!model.ok()) return absl::StrCat("the model: ", model.status().message());
  for (const auto& [stage, instruction] : instrumented->host_faults) {
    const bool is_found = std::ranges::any_of(
        model->faults, [instruction = instruction](const Fault& fault) { return fault.instruction == instruction; });
    if (!is_found) return absl::StrCat("the host finds a fault at instruction ", instruction);
  }
  ForgetAddresses(setup, execution->addresses, model->buffers);
  ForgetAddresses(setup, execution->addresses, execution->buffers);
  std::string difference = CompareFaults(*model, execution->faults, config.frame);
  if (difference.empty()) difference = CompareContents(model->buffers, execution->buffers);
  if (difference.empty()) difference = CompareContents(model->images, execution->images);
  return difference;
}

std::string FindDisagreement(const Recipe& recipe, const InstrumentConfig& config, Executor& executor,
                             Instrumenter instrument) {
  absl::StatusOr<corpus::Program> program = MakeProgram(recipe);
  if (!program.ok()) return absl::StrCat("no program: ", program.status().message());
  return FindDisagreement(*program, config, executor, instrument);
}

std::string FindDisagreementOfOriginal(const corpus::Program& program, Executor& executor) {
  const InstrumentConfig config = ConfigsToCompare()[0].config;
  // The addresses that the interpreter makes up are as far apart as real ones.
  InterpretingExecutor interpreter;
  const auto original = [](absl::Span<const uint32_t> words, const InstrumentConfig&) {
    return absl::StatusOr<Instrumented>(Instrumented{.words = {words.begin(), words.end()}});
  };
  if (!FindDisagreement(program, config, interpreter, original).empty()) return "";
  return FindDisagreement(program, config, executor, original);
}

}  // namespace assay::spirv_instrument::model
