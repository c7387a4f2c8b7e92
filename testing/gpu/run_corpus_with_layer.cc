// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// run_corpus_with_layer FOLDER I/N [PROGRAM...]: runs a part of the corpus of //spirv_instrument/corpus as an
// application would, under the layer with GPU-assisted validation and debugPrintf. On an input without faults, the
// layer must be silent and the outputs as they are to be; on one with faults, there must be a message for each, with
// its line of the source, and no other. What the shaders print comes as the description says.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "spirv_instrument/corpus/corpus.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/instrumented/isolated.h"
#include "spirv_instrument/corpus/instrumented/stage_sources.h"
#include "spirv_instrument/corpus/runner/device.h"
#include "spirv_instrument/corpus/runner/run.h"
#include "testing/message_log.h"

namespace assay {
namespace {

using spirv_instrument::corpus::BindingDescription;
using spirv_instrument::corpus::Device;
using spirv_instrument::corpus::Element;
using spirv_instrument::corpus::ExpectedFault;
using spirv_instrument::corpus::FaultKind;
using spirv_instrument::corpus::Input;
using spirv_instrument::corpus::Outputs;
using spirv_instrument::corpus::Program;
using spirv_instrument::corpus::StageSources;

// For one input.
constexpr unsigned kMaxSeconds = 60;

// What a message of the layer may be about, by its id without the command. Messages of an id that is not here are
// wrong in any case.
struct KindOfMessage {
  std::string_view id_part;
  std::string_view text_part;
  FaultKind kind;
};
constexpr KindOfMessage kKinds[] = {
    {"-None-10068", "", FaultKind::kDescriptorIndex},
    {"-None-08114", "never written", FaultKind::kDescriptorUnwritten},
    {"-None-08114", "destroyed", FaultKind::kDescriptorDestroyed},
    {"-None-08114", "is null", FaultKind::kDescriptorNull},
    {"-None-08600", "", FaultKind::kDescriptorIndex},
    {"Buffers-0693", "", FaultKind::kBufferBounds},
    {"UNASSIGNED-Descriptor Texel Buffer texel out of bounds", "", FaultKind::kBufferBounds},
    {"UNASSIGNED-Device address out of bounds", "", FaultKind::kAddressRange},
    {"PhysicalStorageBuffer64-06315", "", FaultKind::kAddressAlignment},
    {"RuntimeSpirv-Op", "not finite", FaultKind::kRayDirection},
    {"UNASSIGNED-Ray direction zero", "", FaultKind::kRayDirection},
    {"RuntimeSpirv-Op", "flags of a ray", FaultKind::kRayFlags},
    {"RuntimeSpirv-Op", "range of a ray", FaultKind::kRayTime},
    {"RuntimeSpirv-Op", "time of a ray", FaultKind::kRayTime},
    {"RuntimeSpirv-Op", "T of a hit", FaultKind::kRayTime},
    {"RuntimeSpirv-Op", "kind of a hit", FaultKind::kRayQuery},
    {"UNASSIGNED-Ray query", "", FaultKind::kRayQuery},
    {"UNASSIGNED-Hit object", "", FaultKind::kRayQuery},
    {"UNASSIGNED-Mesh output", "", FaultKind::kMeshOutput},
    {"UNASSIGNED-Mesh index", "", FaultKind::kMeshOutput},
    {"RuntimeSpirv-MeshEXT-0733", "", FaultKind::kMeshCount},
    {"RuntimeSpirv-TaskEXT-", "", FaultKind::kMeshCount},
    {"-None-02721", "", FaultKind::kVertexFetch},
    {"UNASSIGNED-Vertex", "", FaultKind::kVertexFetch},
};

std::optional<FaultKind> KindOf(const test::Message& message) {
  for (const KindOfMessage& kind : kKinds) {
    if (absl::StrContains(message.id, kind.id_part) && absl::StrContains(message.text, kind.text_part)) {
      return kind.kind;
    }
  }
  return std::nullopt;
}

// What the layer does not look for: no rule forbids these.
bool IsLookedFor(FaultKind kind) {
  return kind != FaultKind::kImageCoordinate && kind != FaultKind::kDescriptorNull && kind != FaultKind::kDivision &&
         kind != FaultKind::kShift && kind != FaultKind::kNotANumber;
}

// Whether the runner writes null descriptors where the input has some that are not written: for lavapipe, of uniform
// buffers. The layer cannot know of that.
bool HasNullInTheirPlace(const Input& input) {
  return std::ranges::any_of(input.faults, [&input](const ExpectedFault& fault) {
    return fault.kind == FaultKind::kDescriptorUnwritten &&
           std::ranges::any_of(input.setup.bindings, [](const BindingDescription& binding) {
             const bool is_uniform = binding.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
                                     binding.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
             return is_uniform && (binding.elements.size() < binding.count ||
                                   std::ranges::any_of(binding.elements, [](const Element& element) {
                                     return element.state == Element::State::kUnwritten;
                                   }));
           });
  });
}

// The fault of a message, as StageSources names it: the source is behind the command buffer.
std::optional<ExpectedFault> FaultOf(const test::Message& message) {
  const std::optional<FaultKind> kind = KindOf(message);
  if (!kind) return std::nullopt;
  ExpectedFault fault = {.kind = *kind};
  const size_t at = message.text.find(", recorded as command ");
  const size_t end = at == std::string::npos ? at : message.text.find(". ", at);
  if (end == std::string::npos) return fault;
  const std::vector<std::string> parts = absl::StrSplit(message.text.substr(end + 2), absl::MaxSplits(':', 2));
  if (parts.size() < 2 || !absl::SimpleAtoi(parts[1].substr(0, parts[1].find_first_not_of("0123456789")), &fault.line))
    return fault;
  fault.source = parts[0].substr(parts[0].rfind('/') + 1);
  return fault;
}

class InputRun {
 public:
  InputRun(Device& device, const Program& program, const Input& input)
      : device_(device), program_(program), input_(input) {}

  // What is wrong, in words; empty if nothing is.
  std::string Check() {
    absl::StatusOr<StageSources> sources = StageSources::Read(program_);
    if (!sources.ok()) return sources.status().ToString();
    device_.messages().Take();
    absl::StatusOr<Outputs> outputs = Run(device_, program_, input_);
    const std::vector<test::Message> messages = device_.messages().Take();
    // The device is lost: another process goes on with another one.
    if (absl::IsUnavailable(outputs.status())) std::abort();
    if (!outputs.ok()) return outputs.status().ToString();
    std::set<std::string> actual;
    std::multiset<std::string> prints;
    for (const test::Message& message : messages) {
      // Mesa's, of SPIR-V that it does not know all of.
      if (absl::StrContains(message.text, "SPIR-V WARNING")) continue;
      if (message.id == "WARNING-DEBUG-PRINTF") {
        prints.insert(message.text.substr(message.text.find("(): ") + 4));
        continue;
      }
      const std::optional<ExpectedFault> fault = FaultOf(message);
      if (!fault) return absl::StrCat("unexpected message: ", message.text);
      actual.insert(sources->Name(*fault));
    }
    std::set<std::string> expected;
    for (const ExpectedFault& fault : input_.faults) {
      const std::string name = sources->Name(fault);
      expected.insert(name);
      if (fault.is_dominated) actual.insert(name);
    }
    if (actual != expected) {
      std::string texts;
      for (const test::Message& message : messages) absl::StrAppend(&texts, "\n    ", message.id, ": ", message.text);
      return absl::StrCat("faults are ", absl::StrJoin(actual, "; "), "\n  instead of ", absl::StrJoin(expected, "; "),
                          texts);
    }
    if (prints != std::multiset<std::string>(input_.prints.begin(), input_.prints.end())) {
      return absl::StrCat("prints ", absl::StrJoin(prints, " | "), "\n  instead of ",
                          absl::StrJoin(input_.prints, " | "));
    }
    const std::vector<std::string> unexpected = Unexpected(input_, *outputs);
    return unexpected.empty() ? "" : unexpected.front();
  }

 private:
  Device& device_;
  const Program& program_;
  const Input& input_;
};

struct Item {
  const Program* program;
  const Input* input;
};

enum Number : uint8_t { kRuns, kFaults, kFailures, kNumbers };

int RunAll(const std::string& folder, size_t shard, size_t shards, const std::set<std::string>& names) {
  absl::StatusOr<std::vector<Program>> programs = spirv_instrument::corpus::ReadCorpus(folder);
  size_t* const numbers = spirv_instrument::corpus::MakeSharedNumbers(kNumbers);
  if (!programs.ok() || numbers == nullptr) {
    std::printf("%s\n", programs.status().ToString().c_str());
    return 1;
  }
  std::vector<Item> items;
  size_t left_out = 0;
  for (size_t i = 0; i < programs->size(); ++i) {
    const Program& program = (*programs)[i];
    if (i % shards != shard || (!names.empty() && !names.contains(program.name))) continue;
    for (const Input& input : program.inputs) {
      bool is_looked_for = !HasNullInTheirPlace(input);
      for (const ExpectedFault& fault : input.faults) is_looked_for = is_looked_for && IsLookedFor(fault.kind);
      if (is_looked_for) {
        items.push_back({&program, &input});
      } else {
        ++left_out;
      }
    }
  }
  std::unique_ptr<Device> device;
  const auto start = [&device] {
    absl::StatusOr<std::unique_ptr<Device>> made = Device::Create();
    if (!made.ok()) std::printf("%s\n", made.status().ToString().c_str());
    if (!made.ok()) return false;
    device = *std::move(made);
    // What shaders print is information.
    VkDebugUtilsMessengerCreateInfoEXT info = device->messages().CreateInfo();
    info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    return device->vk().CreateDebugUtilsMessengerEXT(device->instance(), &info, nullptr, &messenger) == VK_SUCCESS;
  };
  const auto fail = [&](size_t i, const std::string& what) {
    ++numbers[kFailures];
    std::printf("%s, %s: %s\n", items[i].program->name.c_str(), items[i].input->name.c_str(), what.c_str());
    std::fflush(stdout);
  };
  const auto run = [&](size_t i) {
    ++numbers[kRuns];
    numbers[kFaults] += items[i].input->faults.size();
    const std::string wrong = InputRun(*device, *items[i].program, *items[i].input).Check();
    if (!wrong.empty()) fail(i, wrong);
  };
  if (!spirv_instrument::corpus::RunIsolated(items.size(), kMaxSeconds, start, run, fail)) return 1;
  std::printf("%zu runs, %zu faults, %zu inputs left out, %zu failures\n", numbers[kRuns], numbers[kFaults], left_out,
              numbers[kFailures]);
  return numbers[kFailures] == 0 && numbers[kRuns] != 0 ? 0 : 1;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  size_t shard = 0;
  size_t shards = 0;
  const std::vector<std::string> part = absl::StrSplit(argc < 3 ? "" : argv[2], '/');
  if (part.size() != 2 || !absl::SimpleAtoi(part[0], &shard) || !absl::SimpleAtoi(part[1], &shards) ||
      shard >= shards) {
    std::fprintf(stderr, "usage: %s FOLDER I/N [PROGRAM...]\n", argv[0]);
    return 2;
  }
  // Nearly all the time goes into what lavapipe's compiler makes of shaders.
  setenv("GALLIVM_PERF", "nopt", 0);
  setenv("LP_NATIVE_VECTOR_WIDTH", "128", 0);
  return assay::RunAll(argv[1], shard, shards, {argv + 3, argv + argc});
}
