// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_MATRIX_SCENARIO_H_
#define ASSAY_SYNCVAL_ENGINE_MATRIX_SCENARIO_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/contexts/access_context_bodies.h"
#include "syncval/engine/engine.h"
#include "syncval/engine/matrix/expectation.h"

// Where the two accesses of a case are, and what the engine finds there.
namespace assay::syncval::matrix {

class Scenario {
 public:
  virtual ~Scenario() = default;
  virtual std::string_view name() const = 0;
  // Whether there are such accesses.
  virtual bool Has(const Kind&) const { return true; }

  // The smallest dependencies with which the accesses are in order; the layout transitions among the accesses are
  // theirs. There are none for what happens in no stage and is no layout transition.
  virtual Case MinimalCase(const Kind& first, const Kind& second) const = 0;
  // The accesses with no more than the dependencies of layout transitions, which order nothing.
  virtual Case UnsynchronizedCase(const Kind& first, const Kind& second) const = 0;
  // Two dependencies, or more for layout transitions, the first up to stage `middle` and the next from stage `from` on.
  virtual Case ChainCase(const Kind& first, const Kind& second, VkPipelineStageFlags2 middle,
                         VkPipelineStageFlags2 from) const = 0;
  // Of what kind the second access is in hazard with the first.
  virtual HazardKind DetectHazard(const Case& c) = 0;
};

// A queue that has every stage.
inline constexpr VkQueueFlags kMatrixQueue = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT |
                                             VK_QUEUE_VIDEO_DECODE_BIT_KHR | VK_QUEUE_VIDEO_ENCODE_BIT_KHR |
                                             VK_QUEUE_OPTICAL_FLOW_BIT_NV;
inline constexpr Range kMatrixRange = {16, 32};
// Of a dependency that does not cover all of the bytes.
inline constexpr Range kPartRange = {24, 40};

// The engine's index of each kind; kSyncNone for one that it does not have.
inline std::vector<vk::SyncAccessIndex> IndicesOf(const std::vector<Kind>& kinds) {
  std::vector<vk::SyncAccessIndex> indices(kinds.size(), vk::kSyncNone);
  const auto pairs = vk::SyncStageAccesses();
  for (const Kind& kind : kinds) {
    for (size_t i = 1; i < pairs.size(); ++i) {
      const bool is_same =
          kind.stage == 0 ? pairs[i].name == kind.name : pairs[i].stage == kind.stage && pairs[i].access == kind.access;
      if (is_same && pairs[i].is_write == kind.is_write) indices[kind.number] = static_cast<vk::SyncAccessIndex>(i);
    }
  }
  return indices;
}

// What a dependency of two accesses at one place has to say of them: of reads, no access.
inline BarrierFlags ExactFlags(const Kind& first, const Kind& second) {
  BarrierFlags flags{first.stage, first.access, second.stage, second.access};
  if (first.is_transition || !first.is_write) flags.src_access = 0;
  if (second.is_transition || !first.is_write) flags.dst_access = 0;
  if (first.is_transition) flags.dst_access = second.access;
  return flags;
}

// The cases of a scenario in which both accesses are at one place.
inline Case CaseAtOnePlace(const Kind& first, const Kind& second, std::initializer_list<BarrierFlags> dependencies) {
  Case c{.first = &first, .second = &second};
  for (const BarrierFlags& flags : dependencies) c.dependencies.push_back({.flags = flags});
  return c;
}
inline bool NeedsNoDependency(const Kind& first, const Kind& second) {
  return (!first.is_write && !second.is_write) || (first.is_transition && second.is_transition);
}
inline Case MinimalCaseAtOnePlace(const Kind& first, const Kind& second) {
  if (first.is_transition && second.is_transition) return CaseAtOnePlace(first, second, {{}, {}});
  if (NeedsNoDependency(first, second)) return CaseAtOnePlace(first, second, {});
  return CaseAtOnePlace(first, second, {ExactFlags(first, second)});
}
inline Case UnsynchronizedCaseAtOnePlace(const Kind& first, const Kind& second) {
  if (first.is_transition && second.is_transition) return CaseAtOnePlace(first, second, {{}, {}});
  if (first.is_transition || second.is_transition) return CaseAtOnePlace(first, second, {{}});
  return CaseAtOnePlace(first, second, {});
}
inline Case ChainCaseAtOnePlace(const Kind& first, const Kind& second, VkPipelineStageFlags2 middle,
                                VkPipelineStageFlags2 from) {
  const BarrierFlags flags{first.stage, first.access, second.stage, second.access};
  return CaseAtOnePlace(
      first, second, {{flags.src_stages, flags.src_access, middle, 0}, {from, 0, flags.dst_stages, flags.dst_access}});
}

// Records the commands of cases in a context, each with a tag of its own.
template <Mutation kMutation>
class Recorder {
 public:
  Recorder(const std::vector<vk::SyncAccessIndex>& indices, uint64_t region) : indices_(indices), region_(region) {}

  void Begin(BasicAccessContext<kMutation>& context) {
    context_ = &context;
    context.Reset();
    tags_ = 0;
  }
  Tag NextTag() { return Tag{tags_++}; }
  uint32_t tags() const { return tags_; }

  // A kind in no stage that is no layout transition is given as an access.
  Access AccessOf(const Kind& kind, OrderingRule rule) const {
    return {.range = kMatrixRange, .index = indices_[kind.number], .ordering = rule, .region = region_};
  }
  void RecordKind(const Kind& kind, OrderingRule rule = OrderingRule::kNone) {
    context_->Update(AccessOf(kind, rule), NextTag());
  }
  HazardKind Detect(const Kind& kind, OrderingRule rule = OrderingRule::kNone) {
    Hazard hazard;
    context_->DetectHazard(AccessOf(kind, rule), NextTag(), hazard);
    return hazard.kind;
  }
  // Barriers of one command; transitions says whether they do the layout transition of the case.
  void RecordDependencies(absl::Span<const Dependency> dependencies, bool transitions = false) {
    barriers_.clear();
    globals_.clear();
    ranges_.clear();
    for (const Dependency& dependency : dependencies) barriers_.push_back(MakeBarrier(dependency.flags, kMatrixQueue));
    for (size_t i = 0; i < dependencies.size(); ++i) {
      if (!transitions && !dependencies[i].is_of_range) {
        globals_.push_back(&barriers_[i]);
      } else {
        ranges_.push_back({dependencies[i].covers ? kMatrixRange : kPartRange, &barriers_[i], transitions, region_});
      }
    }
    context_->ApplyAll(globals_, ranges_, NextTag());
  }
  HazardKind DetectTransition(const Dependency& dependency) {
    Hazard hazard;
    context_->DetectLayoutTransition(kMatrixRange, MakeBarrier(dependency.flags, kMatrixQueue), hazard, region_);
    return hazard.kind;
  }

 private:
  const std::vector<vk::SyncAccessIndex>& indices_;
  const uint64_t region_;
  BasicAccessContext<kMutation>* context_ = nullptr;
  uint32_t tags_ = 0;
  std::vector<Barrier> barriers_;
  std::vector<const Barrier*> globals_;
  std::vector<RangeBarrier> ranges_;
};

// Scenarios within one command buffer.

template <Mutation kMutation = Mutation::kNone>
class OneCommandBuffer final : public Scenario {
 public:
  explicit OneCommandBuffer(const Expectation& expectation, uint64_t region = 0)
      : indices_(IndicesOf(expectation.kinds())), recorder_(indices_, region) {}

  std::string_view name() const override { return "one command buffer"; }
  Case MinimalCase(const Kind& first, const Kind& second) const override {
    return MinimalCaseAtOnePlace(first, second);
  }
  Case UnsynchronizedCase(const Kind& first, const Kind& second) const override {
    return UnsynchronizedCaseAtOnePlace(first, second);
  }
  Case ChainCase(const Kind& first, const Kind& second, VkPipelineStageFlags2 middle,
                 VkPipelineStageFlags2 from) const override {
    return ChainCaseAtOnePlace(first, second, middle, from);
  }

  HazardKind DetectHazard(const Case& c) override {
    recorder_.Begin(context_);
    absl::Span<const Dependency> rest = c.dependencies;
    if (c.first->is_transition) {
      recorder_.RecordDependencies(rest.first(1), true);
      rest.remove_prefix(1);
    } else {
      recorder_.RecordKind(*c.first);
    }
    if (c.second->is_transition) {
      for (const Dependency& dependency : rest.first(rest.size() - 1)) recorder_.RecordDependencies({&dependency, 1});
      return recorder_.DetectTransition(rest.back());
    }
    if (c.are_side_by_side) {
      recorder_.RecordDependencies(rest);
    } else {
      for (const Dependency& dependency : rest) recorder_.RecordDependencies({&dependency, 1});
    }
    return recorder_.Detect(*c.second);
  }

  // As Find, of accesses that the rule may put in order.
  HazardKind DetectHazardByRule(const Case& c, OrderingRule rule) { return DetectHazardByRules(c, rule, rule); }
  HazardKind DetectHazardByRules(const Case& c, OrderingRule first, OrderingRule second) {
    recorder_.Begin(context_);
    recorder_.RecordKind(*c.first, first);
    return recorder_.Detect(*c.second, second);
  }
  // The dependency of the case does a layout transition: how that is in hazard with the first access, and the second
  // with it.
  std::pair<HazardKind, HazardKind> DetectTransitionBetween(const Case& c) {
    recorder_.Begin(context_);
    recorder_.RecordKind(*c.first);
    const HazardKind before = recorder_.DetectTransition(c.dependencies.front());
    recorder_.RecordDependencies(c.dependencies, true);
    return {before, recorder_.Detect(*c.second)};
  }

 private:
  const std::vector<vk::SyncAccessIndex> indices_;
  Recorder<kMutation> recorder_;
  BasicAccessContext<kMutation> context_;
};

}  // namespace assay::syncval::matrix

#endif  // ASSAY_SYNCVAL_ENGINE_MATRIX_SCENARIO_H_
