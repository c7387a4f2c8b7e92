// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/instrumented/limits.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "spirv_instrument/corpus/instrumented/bound_descriptors.h"
#include "spirv_instrument/runtime/action.h"
#include "spirv_instrument/runtime/host_limit.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument::corpus {
namespace {

std::optional<LimitFacts> FactsOf(const Setup& setup, const HostLimit& limit) {
  const BindingDescription* const binding = FindBinding(setup, limit.set, limit.binding);
  const uint32_t count = binding == nullptr ? 0 : DescriptorCount(*binding);
  return spirv_instrument::FactsOf(limit, count, [&](uint32_t index) { return StateOf(setup, *binding, index); });
}

}  // namespace

std::optional<std::vector<uint32_t>> LimitsOf(const Setup& setup, const Instrumented& shader) {
  std::vector<uint32_t> limits;
  for (const HostLimit& limit : shader.limits) {
    const std::optional<LimitFacts> facts = FactsOf(setup, limit);
    if (!facts) return std::nullopt;
    limits.push_back(facts->limit);
  }
  return limits;
}

void SetLimits(const Setup& setup, const Instrumented& shader, RuntimeMemory& memory) {
  if (shader.limits.empty()) return;
  spirv_instrument::SetLimits(LimitsOf(setup, shader).value_or(std::vector<uint32_t>()),
                              absl::MakeSpan(memory.action()));
}

absl::StatusOr<std::set<RecordedFault>> ReadNotedFaults(const Setup& setup, const Instrumented& shader,
                                                        uint32_t shader_id, absl::Span<const uint32_t> causes) {
  std::set<RecordedFault> faults;
  const auto first = static_cast<uint32_t>(causes.size() - size_t{kMaxNotes} * kNoteWords);
  for (const Note& note : ReadNotes(causes, first, kMaxNotes)) {
    if (note.check >= shader.limited_checks.size()) {
      return absl::InternalError(absl::StrCat("a note of check ", note.check));
    }
    const LimitedCheck& check = shader.limited_checks[note.check];
    const std::optional<LimitFacts> facts = FactsOf(setup, check.limit);
    const std::optional<NotedFault> fault = facts ? FaultOf(check.limit, *facts, note.value) : std::nullopt;
    const std::optional<FaultKind> kind = fault ? FaultKindOf(fault->code) : std::nullopt;
    if (!kind) return absl::InternalError(absl::StrCat("a note of instruction ", check.instruction));
    faults.insert({shader_id, check.instruction, *kind});
  }
  if (faults.empty() == HasNotes(causes)) return absl::InternalError("whether there are notes");
  return faults;
}

}  // namespace assay::spirv_instrument::corpus
