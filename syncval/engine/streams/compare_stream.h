// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_STREAMS_COMPARE_STREAM_H_
#define ASSAY_SYNCVAL_ENGINE_STREAMS_COMPARE_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/contexts/access_context_bodies.h"
#include "syncval/engine/engine.h"
#include "syncval/engine/model/reference_model.h"
#include "syncval/engine/streams/random_stream.h"

// Runs a stream through the engine and through the model.
namespace assay::syncval {

inline std::vector<ReferenceModel::ModelBarrier> ToModel(const std::vector<StreamBarrier>& barriers) {
  std::vector<ReferenceModel::ModelBarrier> result;
  result.reserve(barriers.size());
  for (const StreamBarrier& barrier : barriers) {
    result.push_back({barrier.flags, barrier.global, barrier.range, barrier.layout_transition});
  }
  return result;
}

// Gives the barriers of a command to the engine by the narrowest function that takes them.
template <Mutation kMutation>
void ApplyStreamBarriers(const std::vector<StreamBarrier>& barriers, Tag tag, BarrierCache& cache,
                         BasicAccessContext<kMutation>& context) {
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

// Runs the steps of a stream's render pass instances in a context.
template <Mutation kMutation>
class StreamSubpasses {
 public:
  // Does one step of the instance. Calls detect(transition, RangeBarrier) for each layout transition at the point where
  // the test can compare it.
  template <typename Detect>
  void Step(const StreamCommand& command, Tag tag, BasicAccessContext<kMutation>& context, Detect&& detect) {
    switch (command.subpass) {
      case StreamSubpass::kNone:
        return;
      case StreamSubpass::kBegin:
        graph_.emplace(command.subpasses, command.dependencies, kStreamQueue, command.last_transitions);
        current_ = 0;
        Transition(command, 0, tag, context, detect);
        return context.EnterSubpass(graph_->AtBegin(0), tag);
      case StreamSubpass::kNext:
        context.LeaveSubpass(graph_->AtEnd(current_++), tag);
        Transition(command, current_, tag, context, detect);
        return context.EnterSubpass(graph_->AtBegin(current_), tag);
      case StreamSubpass::kEnd:
        Transition(command, SubpassGraph::kExternal, tag, context, detect);
        return context.EndRenderPass(graph_->AtEnd(current_), tag);
    }
  }

 private:
  template <typename Detect>
  void Transition(const StreamCommand& command, uint32_t subpass, Tag tag, BasicAccessContext<kMutation>& context,
                  Detect&& detect) {
    std::vector<Barrier> barriers(command.transitions.size());
    std::vector<RangeBarrier> ranges;
    for (size_t i = 0; i < command.transitions.size(); ++i) {
      const StreamTransition& transition = command.transitions[i];
      for (const uint32_t dependency : transition.after) {
        const BarrierScope scope = graph_->FirstScope(dependency, subpass);
        barriers[i].src.stages |= scope.stages;
        barriers[i].src.accesses |= scope.accesses;
      }
      for (const uint32_t dependency : transition.before) {
        const BarrierScope scope = graph_->SecondScope(dependency);
        barriers[i].dst.stages |= scope.stages;
        barriers[i].dst.accesses |= scope.accesses;
      }
      ranges.push_back({transition.range, &barriers[i], true, transition.region});
    }
    for (size_t i = 0; i < ranges.size(); ++i) detect(command.transitions[i], ranges[i]);
    context.RecordAutomaticTransitions(ranges, tag);
  }

  std::optional<SubpassGraph> graph_;
  uint32_t current_ = 0;
};

inline void StepInModel(const StreamCommand& command, Tag tag, ReferenceModel::Where where, ReferenceModel& model) {
  if (command.subpass == StreamSubpass::kBegin)
    model.BeginRenderPass(command.subpasses, command.dependencies, tag, where);
  if (command.subpass == StreamSubpass::kNext) model.NextSubpass(tag, where);
  if (command.subpass == StreamSubpass::kEnd) model.EndRenderPass(tag, where);
}
inline ReferenceModel::AutomaticTransition ToModel(const StreamTransition& transition) {
  return {transition.range, transition.after, transition.before};
}

// Describes how two hazards differ. Empty if they do not.
inline std::string Difference(const Hazard& engine, const Hazard& model, bool check_visible = true) {
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
  // Between two subpasses nothing is visible to anything.
  if (check_visible && engine.visible_to != model.visible_to) out << "visible_to differs; ";
  return out.str();
}

// Describes the first disagreement between engine and model. Empty if there is none.
template <Mutation kMutation>
std::string FindDisagreement(const Stream& stream) {
  BasicAccessContext<kMutation> context;
  BarrierCache cache;
  ReferenceModel model(kStreamQueue);
  StreamSubpasses<kMutation> subpasses;
  for (uint32_t i = 0; i < stream.size(); ++i) {
    const StreamCommand& command = stream[i];
    const Tag tag{i};
    std::string difference;
    StepInModel(command, tag, {}, model);
    subpasses.Step(command, tag, context, [&](const StreamTransition& transition, const RangeBarrier& range) {
      Hazard hazard;
      context.DetectTransitionOf(range, hazard);
      difference += Difference(hazard, model.DetectAutomaticTransition(ToModel(transition), {}), false);
    });
    if (!difference.empty()) return "command " + std::to_string(i) + ": " + difference;
    for (const StreamTransition& transition : command.transitions)
      model.RecordAutomaticTransition(ToModel(transition), tag, {});
    // TryRecord() records only accesses without a hazard.
    if (!command.accesses.empty() && context.TryRecord(absl::MakeConstSpan(command.accesses), tag)) {
      for (const Access& access : command.accesses) difference += Difference(Hazard(), model.DetectAccess(access));
      if (!difference.empty()) return "command " + std::to_string(i) + " (tried): " + difference;
      model.RecordAccesses(command.accesses, tag);
      continue;
    }
    // A single access may be compared and recorded at once, or in two steps. Several accesses may overlap, so all are
    // compared before any is recorded.
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

#endif  // ASSAY_SYNCVAL_ENGINE_STREAMS_COMPARE_STREAM_H_
