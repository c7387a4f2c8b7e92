// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/emission/limits.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/passes/frame/pass.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint32_t kQuadWords = 4;

// The index of a limit in the list, to which it is added if it is not there.
uint32_t NumberOf(const HostLimit& limit, std::vector<HostLimit>& limits) {
  const auto found = std::ranges::find(limits, limit);
  const auto number = static_cast<uint32_t>(found - limits.begin());
  if (found == limits.end()) limits.push_back(limit);
  return number;
}

}  // namespace

bool Limits::SufficeFor(const WantedChecks& checks) {
  std::vector<HostLimit> limits;
  size_t count = 0;
  for (size_t i = 0; i < checks.size(); ++i) {
    const WantedCheck& check = checks[i];
    if (!check.IsInShader()) continue;
    if (!check.is_limited || !check.HasCondition()) return false;
    NumberOf(checks.LimitOf(check, check.span), limits);
    NumberOf(checks.LimitOf(check, check.widened), limits);
    if (++count > kMaxNotes || limits.size() > kMaxLimits) return false;
  }
  return count != 0;
}

Id Limits::EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) {
  const Id limit = EmitLimit(NumberOf(emitter.LimitOf(check, span), limits_), emitter);
  const Id is_below = emitter.builder().Binary(spv::Op::OpULessThan, emitter.globals().Bool(),
                                               check.pass->EmitLimitedValue(check, emitter), limit);
  if (emitter.LimitHasCondition(check) || span != check.span) return is_below;
  // The buffer has the whole array. Where the driver knows the index, as in a loop that it unrolls, nothing is left.
  const Id is_in_array = check.pass->EmitFastCondition(check, span, emitter);
  if (is_in_array == kNoId) return is_below;
  return emitter.builder().Binary(spv::Op::OpLogicalOr, emitter.globals().Bool(), is_in_array, is_below);
}

// The word itself, rather than a function that returns it: drivers compile that faster.
Id Limits::EmitLimit(uint32_t number, Emitter& emitter) {
  if (reach_ != Reach::kDescriptorSet) return emitter.Call("Limit", {emitter.Uint(number)});
  const Id action = linker_.LinkVariable("action");
  if (action == kNoId) return emitter.Call("Limit", {emitter.Uint(number)});
  const Id word = emitter.globals().Uint32();
  const Id pointer = emitter.builder().AccessChain(
      emitter.globals().Pointer(spv::StorageClass::Uniform, word), action,
      {emitter.Uint(0), emitter.Uint(kFirstLimitQuad + number / kQuadWords), emitter.Uint(number % kQuadWords)});
  return emitter.builder().Load(word, pointer);
}

void Limits::EmitNote(const WantedCheck& check, Id holds, Emitter& emitter) {
  const HostLimit limit = emitter.LimitOf(check, check.span);
  checks_.push_back({.limit = limit, .limit_number = NumberOf(limit, limits_), .instruction = check.access.index()});
  const Id number = emitter.Uint(static_cast<uint32_t>(checks_.size()));
  const Id value = check.pass->EmitLimitedValue(check, emitter);
  if (holds == kNoId) {
    emitter.Call("NoteCheck", {number, value});
  } else {
    emitter.Call("NoteCheckUnless", {holds, number, value});
  }
}

}  // namespace assay::spirv_instrument
