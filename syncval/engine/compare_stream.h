// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_COMPARE_STREAM_H_
#define ASSAY_SYNCVAL_ENGINE_COMPARE_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "syncval/engine/access_context_impl.h"
#include "syncval/engine/engine.h"
#include "syncval/engine/fault.h"
#include "syncval/engine/random_stream.h"
#include "syncval/engine/reference_model.h"

// Runs a stream through the engine and through the model.
namespace assay::syncval {

inline std::vector<ReferenceModel::ModelBarrier> ToModel(const std::vector<StreamBarrier>& barriers) {
  std::vector<ReferenceModel::ModelBarrier> result;
  for (const StreamBarrier& barrier : barriers) {
    result.push_back({barrier.flags, barrier.global, barrier.range, barrier.layout_transition});
  }
  return result;
}

// Gives the barriers of a command to the engine by the narrowest function that takes them.
template <Fault kFault>
void ApplyStreamBarriers(const std::vector<StreamBarrier>& barriers, Tag tag, BarrierCache& cache,
                         BasicAccessContext<kFault>& context) {
  std::vector<const Barrier*> globals;
  std::vector<RangeBarrier> ranges;
  for (const StreamBarrier& barrier : barriers) {
    const Barrier& scopes = cache.Get(barrier.flags, kStreamQueue);
    if (barrier.global) {
      globals.push_back(&scopes);
    } else {
      ranges.push_back({barrier.range, &scopes, barrier.layout_transition, barrier.region});
    }
  }
  if (globals.size() == 1 && ranges.empty()) {
    context.ApplyGlobal(*globals.front());
  } else if (globals.empty() && ranges.size() == 1 && !ranges.front().layout_transition) {
    context.ApplyRange(ranges.front().range, *ranges.front().barrier, ranges.front().region);
  } else {
    context.ApplyAll(globals, ranges, tag);
  }
}

// What differs between two hazards, or nothing.
inline std::string Difference(const Hazard& engine, const Hazard& model) {
  std::ostringstream out;
  const auto compare = [&out](const char* what, auto a, auto b) {
    if (a != b) out << what << ": engine " << a << ", model " << b << "; ";
  };
  compare("kind", static_cast<int>(engine.kind), static_cast<int>(model.kind));
  if (!engine || !model) return out.str();
  compare("prior_tag", engine.prior_tag.value, model.prior_tag.value);
  compare("prior_access", static_cast<int>(engine.prior_access), static_cast<int>(model.prior_access));
  compare("range.begin", engine.range.begin, model.range.begin);
  compare("all_prior_stages", engine.all_prior_stages, model.all_prior_stages);
  if (engine.all_prior_accesses != model.all_prior_accesses) out << "all_prior_accesses differ; ";
  if (engine.visible_to != model.visible_to) out << "visible_to differs; ";
  return out.str();
}

// Where the engine disagrees with the model first, in words; empty if nowhere.
template <Fault kFault>
std::string FindDisagreement(const Stream& stream) {
  BasicAccessContext<kFault> context;
  BarrierCache cache;
  ReferenceModel model(kStreamQueue);
  for (uint32_t i = 0; i < stream.size(); ++i) {
    const StreamCommand& command = stream[i];
    const Tag tag{i};
    std::string difference;
    // What is recorded without a search has no hazard.
    if (!command.accesses.empty() && context.TryRecord(absl::MakeConstSpan(command.accesses), tag)) {
      for (const Access& access : command.accesses) difference += Difference(Hazard(), model.DetectAccess(access));
      if (!difference.empty()) return "command " + std::to_string(i) + " (tried): " + difference;
      model.RecordAccesses(command.accesses, tag);
      continue;
    }
    // A single access may go either way; several that may overlap are all compared before any is recorded.
    const bool at_once = command.accesses.size() == 1 && command.accesses.front().range.begin % 2 == 0;
    for (const Access& access : command.accesses) {
      Hazard hazard;
      const bool found =
          at_once ? context.DetectAndUpdate(access, tag, hazard) : context.DetectHazard(access, tag, hazard);
      if (found != static_cast<bool>(hazard)) difference += "result and hazard differ; ";
      difference += Difference(hazard, model.DetectAccess(access));
    }
    const std::vector<ReferenceModel::ModelBarrier> barriers = ToModel(command.barriers);
    for (size_t b = 0; b < barriers.size(); ++b) {
      const ReferenceModel::ModelBarrier& barrier = barriers[b];
      if (!barrier.layout_transition) continue;
      Hazard hazard;
      context.DetectLayoutTransition(barrier.range, cache.Get(barrier.flags, kStreamQueue), hazard,
                                     command.barriers[b].region);
      difference += Difference(hazard, model.DetectTransition(barrier));
    }
    if (!difference.empty()) return "command " + std::to_string(i) + ": " + difference;
    if (!at_once) {
      for (const Access& access : command.accesses) context.Update(access, tag);
    }
    model.RecordAccesses(command.accesses, tag);
    if (!command.barriers.empty()) ApplyStreamBarriers(command.barriers, tag, cache, context);
    model.RecordBarriers(barriers, tag);
  }
  return "";
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_COMPARE_STREAM_H_
