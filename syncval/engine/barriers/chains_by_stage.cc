// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/barriers/chains_by_stage.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "syncval/engine/accesses/access_state.h"
#include "syncval/engine/barriers/access_rules.h"
#include "syncval/engine/barriers/mutation.h"
#include "vk/sync/sync_info.h"

namespace assay::syncval {
namespace {

// All stages that a second scope may have.
VkPipelineStageFlags2 AllStages() {
  constexpr BarrierFlags kAll = {.dst_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT};
  static const VkPipelineStageFlags2 stages = MakeBarrier(kAll, ~VkQueueFlags{0}).dst.stages.outside;
  return stages;
}

// Calls visit(the number of a stage, the stage).
template <typename Visit>
void ForEachStage(VkPipelineStageFlags2 stages, Visit&& visit) {
  for (uint64_t rest = stages & ~kAllEventStages; rest != 0; rest &= rest - 1) {
    visit(static_cast<size_t>(std::countr_zero(rest)), rest & (~rest + 1));
  }
}

}  // namespace

ChainsByStage ChainsByStage::OfOtherQueue(uint32_t epoch) {
  ChainsByStage chains(epoch, false, false);
  chains.is_of_other_queue_ = true;
  chains.by_stage_.resize(kAccesses + 1);
  return chains;
}

void ChainsByStage::Make() {
  if (!by_stage_.empty()) return;
  by_stage_.resize(kAccesses + 1);
  const auto where = [this](const auto& set) {
    using Set = std::remove_cvref_t<decltype(set)>;
    return std::pair(is_outside_ ? set : Set(), is_inside_ ? set : Set());
  };
  ForEachStage(AllStages(), [&](size_t number, VkPipelineStageFlags2 stage) {
    const auto [outside, inside] = where(stage);
    by_stage_[number].available_stages = StageSet(outside, inside);
  });
  const auto [outside, inside] = where(~SyncAccessMask());
  by_stage_[kAccesses].visible_to = AccessSet(outside, inside);
}

template <typename Change>
void ChainsByStage::ChangeEach(Change&& change) {
  Make();
  const auto change_one = [&](WriteVisibility& visibility) {
    if (visibility == WriteVisibility()) return;
    AccessState state;
    state.write_index = vk::kSyncImageLayoutTransition;
    state.source_index = is_of_other_queue_ ? vk::kSyncNone : vk::kSyncImageLayoutTransition;
    state.visible_to = visibility.visible_to;
    state.available_stages = visibility.available_stages;
    state.epoch = epoch_;
    change(state);
    visibility = {state.visible_to, state.available_stages};
  };
  for (WriteVisibility& visibility : by_stage_) change_one(visibility);
}

void ChainsByStage::CatchUp(const BarrierLog& log) {
  if (epoch_ >= log.epoch()) return;
  ChangeEach([&log](AccessState& state) { log.CatchUp<Mutation::kNone>(state, {}, log.epoch()); });
  epoch_ = log.epoch();
}

void ChainsByStage::Apply(absl::Span<const Barrier* const> barriers, uint32_t next_epoch) {
  ChangeEach([barriers](AccessState& state) { ApplyBarriers<Mutation::kNone>(state, {}, barriers); });
  epoch_ = next_epoch;
}

void ChainsByStage::MapStages(const EventStageMap& map) {
  for (WriteVisibility& visibility : by_stage_) visibility.available_stages = map.Map(visibility.available_stages);
}

void ChainsByStage::ReleaseStages(VkPipelineStageFlags2 stages) {
  for (WriteVisibility& visibility : by_stage_) visibility.available_stages.outside &= ~stages;
}

VkPipelineStageFlags2 ChainsByStage::StagesIn(const BarrierScope& src) const {
  VkPipelineStageFlags2 result = 0;
  ForEachStage(AllStages(), [&](size_t number, VkPipelineStageFlags2 stage) {
    const StageSet stages = by_stage_.empty() ? StageSet(is_outside_ ? stage : 0, is_inside_ ? stage : 0)
                                              : by_stage_[number].available_stages;
    if (stages.IsInFirstScope(src.stages)) result |= stage;
  });
  return result;
}

void ChainsByStage::AddWait(VkPipelineStageFlags2 stages, const BarrierScope& dst) {
  Make();
  ForEachStage(stages, [&](size_t number, VkPipelineStageFlags2 /*stage*/) {
    by_stage_[number].visible_to |= dst.accesses;
    by_stage_[number].available_stages |= dst.stages;
  });
}

WriteVisibility ChainsByStage::Of(const BarrierScope& dst) const {
  ChainsByStage made = *this;
  made.Make();
  WriteVisibility result;
  ForEachStage(dst.stages.outside, [&](size_t number, VkPipelineStageFlags2 /*stage*/) {
    result.visible_to |= made.by_stage_[number].visible_to;
    result.available_stages |= made.by_stage_[number].available_stages;
  });
  AccessSet own = {dst.accesses.outside, dst.accesses.outside};
  own &= made.by_stage_[kAccesses].visible_to;
  result.visible_to |= own;
  return result;
}

}  // namespace assay::syncval
