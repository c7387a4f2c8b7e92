// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/frame/run_passes.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/checks/checks.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/link/linker.h"
#include "spirv_instrument/passes/emission/check_emitter.h"
#include "spirv_instrument/passes/emission/limits.h"
#include "spirv_instrument/passes/emission/runtime_access.h"
#include "spirv_instrument/passes/emission/wrap_entry_points.h"
#include "spirv_instrument/passes/frame/emitter.h"
#include "spirv_instrument/passes/frame/module_facts.h"
#include "spirv_instrument/passes/frame/passed_pointers.h"
#include "spirv_instrument/passes/steps/function_checks.h"
#include "spirv_instrument/passes/steps/same_values.h"
#include "spirv_instrument/passes/steps/steps.h"

namespace assay::spirv_instrument {
namespace {

constexpr auto kCompute = static_cast<Linker::Variant>(spv::ExecutionModel::GLCompute);

ChecksMemory MemoryOf(const RuntimeConfig& runtime) {
  if (runtime.reach == Reach::kDescriptorSet) return ChecksMemory::kDescriptorSet;
  return runtime.has_descriptor_buffers ? ChecksMemory::kDeviceAddressAndDescriptorBuffers
                                        : ChecksMemory::kDeviceAddress;
}

// The checks of a function, in the list of all.
struct FunctionRange {
  Function function;
  size_t first;
  size_t end;
};

// Passes by opcode.
class PassTable {
 public:
  explicit PassTable(absl::Span<Pass* const> passes) {
    for (Pass* pass : passes) {
      for (spv::Op op : pass->opcodes()) passes_[static_cast<uint32_t>(op)].push_back(pass);
    }
  }

  absl::Span<Pass* const> Of(spv::Op op) const {
    const auto found = passes_.find(static_cast<uint32_t>(op));
    return found == passes_.end() ? absl::Span<Pass* const>() : absl::MakeConstSpan(found->second);
  }

 private:
  absl::flat_hash_map<uint32_t, std::vector<Pass*>> passes_;
};

// One run over one module.
class Run {
 public:
  Run(Module& module, const FrameConfig& config, absl::Span<Pass* const> passes)
      : module_(module),
        config_(config),
        passes_(passes),
        facts_(module, PassedTo(passes, module)),
        access_(facts_, config.runtime) {}

  absl::StatusOr<Instrumented> Do(absl::Span<const uint32_t> words);

 private:
  static PassedPointers PassedTo(absl::Span<Pass* const> passes, Module& module);
  void Collect();
  void Decide();
  void ApplyLimit();
  bool HasSomethingToEmit() const;
  bool ReportsAtEnd() const;
  absl::Status Emit(Instrumented& result);
  void NoteHostConditions(Instrumented& result);
  void Count(Statistics& statistics) const;

  Module& module_;
  const FrameConfig& config_;
  absl::Span<Pass* const> passes_;
  ModuleFacts facts_;
  RuntimeAccess access_;
  WantedChecks checks_;
  std::vector<FunctionRange> ranges_;
  bool reports_at_end_ = false;
  bool has_limits_ = false;
};

absl::StatusOr<Instrumented> Run::Do(absl::Span<const uint32_t> words) {
  Instrumented result;
  for (Pass* pass : passes_) pass->Begin(facts_);
  Collect();
  Decide();
  reports_at_end_ = ReportsAtEnd();
  has_limits_ = reports_at_end_ && Limits::SufficeFor(checks_);
  NoteHostConditions(result);
  Count(result.statistics);
  if (!HasSomethingToEmit()) {
    result.words.assign(words.begin(), words.end());
    return result;
  }
  if (absl::Status status = access_.Check(); !status.ok()) return status;
  if (absl::Status status = Emit(result); !status.ok()) return status;
  absl::StatusOr<std::vector<uint32_t>> written = module_.Write();
  if (!written.ok()) return written.status();
  result.words = *std::move(written);
  result.is_changed = true;
  result.reports_at_end = reports_at_end_;
  result.shader_id_word = access_.ShaderIdWord();
  return result;
}

// Comes first, so that everything else sees one module.
PassedPointers Run::PassedTo(absl::Span<Pass* const> passes, Module& module) {
  const bool is_needed =
      std::any_of(passes.begin(), passes.end(), [](const Pass* pass) { return pass->FollowsDescriptors(); });
  return is_needed ? PassIndices(module) : PassedPointers();
}

void Run::Collect() {
  const PassTable table(passes_);
  for (Function function : facts_.functions()) {
    const size_t first = checks_.size();
    for (Block block : function.blocks()) {
      for (Instruction instruction : block.instructions()) {
        for (Pass* pass : table.Of(instruction.op())) pass->Process(instruction, checks_);
      }
    }
    if (checks_.size() != first) ranges_.push_back({function, first, checks_.size()});
  }
}

void Run::Decide() {
  SameValues values(module_);
  for (const FunctionRange& range : ranges_) {
    FunctionChecks checks(facts_, range.function, checks_, range.first, range.end);
    RunSteps(checks, values, config_.steps);
  }
  ApplyLimit();
}

// Those that come first stay. What later ones refer to comes before them, and stays too. So does what has no condition:
// without the stores that keep track of an object, its checks would be wrong.
void Run::ApplyLimit() {
  if (config_.max_checks == 0) return;
  uint32_t count = 0;
  for (size_t i = 0; i < checks_.size(); ++i) {
    if (!checks_[i].IsInShader() || !checks_[i].HasCondition()) continue;
    if (++count > config_.max_checks) checks_[i].outcome = Outcome::kLimit;
  }
}

bool Run::HasSomethingToEmit() const {
  for (size_t i = 0; i < checks_.size(); ++i) {
    if (checks_[i].IsInShader()) return true;
  }
  return false;
}

bool Run::ReportsAtEnd() const {
  if (!config_.reports_at_end) return false;
  for (EntryPoint entry_point : facts_.entry_points()) {
    if (entry_point.model() != spv::ExecutionModel::GLCompute) return false;
  }
  for (size_t i = 0; i < checks_.size(); ++i) {
    if (checks_[i].IsInShader() && !checks_[i].pass->FollowsDescriptors()) return false;
  }
  return true;
}

absl::Status Run::Emit(Instrumented& result) {
  Linker linker(
      module_, Checks(MemoryOf(config_.runtime)),
      {.descriptor_set = config_.runtime.descriptor_set,
       .import = [this](std::string_view name, Linker::Variant variant) { return access_.Import(name, variant); },
       .imported_names = kImportedNames,
       .reports_at_end = reports_at_end_});
  Emitter emitter(facts_, linker, checks_);
  Limits limits(linker, config_.runtime.reach);
  CheckEmitter check_emitter(module_, emitter, checks_, config_.is_report_only, has_limits_ ? &limits : nullptr);
  for (const FunctionRange& range : ranges_) {
    const auto variant = static_cast<Linker::Variant>(facts_.ModelOf(range.function));
    for (size_t i = range.first; i < range.end;) {
      size_t end = i + 1;
      while (end < range.end && checks_[end].access == checks_[i].access) ++end;
      check_emitter.EmitAccess(i, end, variant);
      i = end;
    }
  }
  const Id begin = reports_at_end_ ? linker.Link(has_limits_ ? "BeginChecks" : "BeginNotes") : kNoId;
  const Id end = reports_at_end_ ? linker.Link(has_limits_ ? "EndChecks" : "EndNotes", kCompute) : kNoId;
  for (Id variable : linker.variables()) AddToInterfaces(module_, variable);
  for (Id variable : access_.variables()) AddToInterfaces(module_, variable);
  access_.Finish();
  if (reports_at_end_) WrapEntryPoints(module_, begin, end);
  result.limits = limits.TakeLimits();
  result.limited_checks = limits.TakeChecks();
  return emitter.status();
}

void Run::NoteHostConditions(Instrumented& result) {
  absl::flat_hash_map<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>, size_t> known;
  for (size_t i = 0; i < checks_.size(); ++i) {
    if (!checks_[i].is_left_to_host) continue;
    if (has_limits_ && checks_[i].IsInShader() && checks_.LimitHasCondition(checks_[i])) continue;
    const HostCondition& condition = *checks_.Host(checks_[i]);
    const auto kind = static_cast<uint32_t>(condition.kind);
    const auto [place, is_new] =
        known.try_emplace({kind, condition.set, condition.binding, condition.index, condition.bytes, condition.types},
                          result.host_conditions.size());
    if (is_new) {
      result.host_conditions.push_back(condition);
    } else if (condition.is_certain && !result.host_conditions[place->second].is_certain) {
      // The one that is an error is the one to report.
      result.host_conditions[place->second] = condition;
    }
  }
}

void Run::Count(Statistics& statistics) const {
  absl::flat_hash_map<const Pass*, size_t> places;
  for (Pass* pass : passes_) {
    places[pass] = statistics.passes.size();
    statistics.passes.push_back({.pass = pass->name()});
  }
  const auto count = [&](const Pass* pass, Outcome outcome) {
    ++statistics.passes[places[pass]].counts[static_cast<size_t>(outcome)];
  };
  for (size_t i = 0; i < checks_.size(); ++i) count(checks_[i].pass, checks_[i].outcome);
  for (const WantedChecks::Unchecked& unchecked : checks_.unchecked()) count(unchecked.pass, unchecked.reason);
}

}  // namespace

absl::StatusOr<Instrumented> RunPasses(absl::Span<const uint32_t> words, const FrameConfig& config,
                                       absl::Span<Pass* const> passes) {
  const auto begin = std::chrono::steady_clock::now();
  absl::StatusOr<Module> module = Module::Read(words);
  if (!module.ok()) return module.status();
  absl::StatusOr<Instrumented> result = Run(*module, config, passes).Do(words);
  if (!result.ok()) return result;
  result->statistics.words_before = words.size();
  result->statistics.words_after = result->words.size();
  result->statistics.nanoseconds =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace assay::spirv_instrument
