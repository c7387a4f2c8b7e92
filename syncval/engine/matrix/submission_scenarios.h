// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_MATRIX_SUBMISSION_SCENARIOS_H_
#define ASSAY_SYNCVAL_ENGINE_MATRIX_SUBMISSION_SCENARIOS_H_

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "syncval/engine/contexts/device_context_bodies.h"
#include "syncval/engine/matrix/scenario.h"

// Scenarios whose accesses are in different command buffers. These are submitted and replayed.
namespace assay::syncval::matrix {

// Submits the commands of a case to the queues of a device. The queues are the places of the case.
template <Mutation kMutation>
class Submitter {
 public:
  Submitter(const Expectation& expectation, uint64_t region)
      : indices_(IndicesOf(expectation.kinds())), recorder_(indices_, region) {
    for (QueueIndex& queue : queues_) queue = device_.AddQueue(kMatrixQueue);
  }

  // `ends_after` has one bit for each gap between two commands of the case. If it is set, one command buffer ends there
  // and the next begins.
  HazardKind DetectHazard(const Case& c, uint32_t ends_after) {
    found_ = HazardKind::kNone;
    place_ = c.first_place;
    gap_ = 1;
    recorder_.Begin(context_);
    absl::Span<const Dependency> rest = c.dependencies;
    if (c.first->is_transition) {
      recorder_.RecordDependencies(rest.first(1), true);
      rest.remove_prefix(1);
    } else {
      recorder_.RecordKind(*c.first);
    }
    EndCommand(ends_after);
    const size_t before = rest.size() - (c.second->is_transition ? 1 : 0);
    if (c.are_side_by_side) {
      recorder_.RecordDependencies(rest.first(before));
      EndCommand(ends_after);
    } else {
      for (const Dependency& dependency : rest.first(before)) {
        RecordDependencies(dependency);
        EndCommand(ends_after);
      }
    }
    if (place_ != c.second_place) {
      Submit();
      place_ = c.second_place;
    }
    if (c.second->is_transition) {
      recorder_.RecordDependencies(rest.last(1), true);
    } else {
      recorder_.RecordKind(*c.second);
    }
    Submit();
    for (const QueueIndex queue : queues_) device_.HostWait(device_.PointOf(queue));
    return found_;
  }

 private:
  void RecordDependencies(const Dependency& dependency) {
    if (!dependency.is_semaphore) return recorder_.RecordDependencies({&dependency, 1});
    Submit();
    const auto signal = device_.Signal(queues_[dependency.from], dependency.flags.src_stages);
    device_.Wait(queues_[dependency.to], *signal, dependency.flags.dst_stages);
    place_ = dependency.to;
  }
  void EndCommand(uint32_t ends_after) {
    if ((ends_after & gap_) != 0) Submit();
    gap_ <<= 1;
  }
  void Submit() {
    if (recorder_.tags() != 0) {
      device_.Replay(context_, {.tag_count = recorder_.tags(), .queue = queues_[place_]},
                     [this](const ReplayHazard& hazard) { found_ = hazard.hazard.kind; });
    }
    recorder_.Begin(context_);
  }

  const std::vector<vk::SyncAccessIndex> indices_;
  Recorder<kMutation> recorder_;
  BasicAccessContext<kMutation> context_;
  BasicDeviceContext<kMutation> device_;
  QueueIndex queues_[2];
  uint32_t place_ = 0;
  uint32_t gap_ = 1;
  HazardKind found_ = HazardKind::kNone;
};

// Scenarios across two command buffers of a queue.

// Where the first command buffer ends.
enum class End : uint32_t {
  kAfterFirstAccess = 1,
  kAfterFirstDependency = 2,
  // Every command has a command buffer of its own.
  kAfterEach = ~0u,
};

template <Mutation kMutation = Mutation::kNone>
class TwoCommandBuffers final : public Scenario {
 public:
  TwoCommandBuffers(const Expectation& expectation, End end, uint64_t region = 0)
      : end_(end), submitter_(expectation, region) {}

  std::string_view name() const override { return "two command buffers"; }
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
    // The dependency of a layout transition is not a separate command, so there is only the first gap.
    const bool has_one_gap = c.dependencies.empty() || c.first->is_transition || c.second->is_transition;
    const auto end = static_cast<uint32_t>(has_one_gap ? End::kAfterEach : end_);
    return submitter_.DetectHazard(c, end);
  }

 private:
  const End end_;
  Submitter<kMutation> submitter_;
};

// Scenarios across two queues.

// The exact dependency is a semaphore, limited to the stages of its signal and of its wait.
template <Mutation kMutation = Mutation::kNone>
class TwoQueues final : public Scenario {
 public:
  explicit TwoQueues(const Expectation& expectation, uint64_t region = 0) : submitter_(expectation, region) {}

  std::string_view name() const override { return "two queues"; }
  Case MinimalCase(const Kind& first, const Kind& second) const override {
    Case c = UnsynchronizedCase(first, second);
    if (!first.is_write && !second.is_write) return c;
    // Only a signal with ALL_COMMANDS has an access in no stage in its first scope. A layout transition as second
    // access is ordered after the wait by a stage that both name.
    Dependency semaphore =
        Semaphore(first.stage != 0 ? first.stage : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, second.stage);
    if (second.is_transition) {
      semaphore.flags.dst_stages = VK_PIPELINE_STAGE_2_COPY_BIT;
      c.dependencies.back().flags.src_stages = VK_PIPELINE_STAGE_2_COPY_BIT;
    }
    c.dependencies.insert(c.dependencies.begin() + (first.is_transition ? 1 : 0), semaphore);
    return c;
  }
  Case UnsynchronizedCase(const Kind& first, const Kind& second) const override {
    Case c{.first = &first, .second = &second, .first_place = 0, .second_place = 1};
    if (first.is_transition) c.dependencies.push_back(Barrier(0, {}));
    if (second.is_transition) c.dependencies.push_back(Barrier(1, {}));
    return c;
  }
  // The barrier is before the signal if the bit number of `middle` is even, else after the wait.
  Case ChainCase(const Kind& first, const Kind& second, VkPipelineStageFlags2 middle,
                 VkPipelineStageFlags2 from) const override {
    Case c{.first = &first, .second = &second, .first_place = 0, .second_place = 1};
    const bool is_before = first.is_transition || (!second.is_transition && std::countr_zero(middle) % 2 == 0);
    if (is_before) c.dependencies.push_back(Barrier(0, {first.stage, first.access, middle, 0}));
    c.dependencies.push_back(is_before ? Semaphore(from, second.stage) : Semaphore(first.stage, middle));
    if (!is_before) c.dependencies.push_back(Barrier(1, {from, 0, second.stage, second.access}));
    if (is_before && second.is_transition) c.dependencies.push_back(Barrier(1, {middle, 0, 0, 0}));
    return c;
  }

  HazardKind DetectHazard(const Case& c) override { return submitter_.DetectHazard(c, 0); }

 private:
  static Dependency Semaphore(VkPipelineStageFlags2 signal, VkPipelineStageFlags2 wait) {
    return {.flags = {signal, 0, wait, 0}, .from = 0, .to = 1, .is_semaphore = true};
  }
  static Dependency Barrier(uint32_t place, const BarrierFlags& flags) {
    return {.flags = flags, .from = place, .to = place};
  }

  Submitter<kMutation> submitter_;
};

}  // namespace assay::syncval::matrix

#endif  // ASSAY_SYNCVAL_ENGINE_MATRIX_SUBMISSION_SCENARIOS_H_
