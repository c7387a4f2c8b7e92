// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/barriers/barrier.h"

#include <atomic>
#include <bit>
#include <cstddef>

namespace assay::syncval {
namespace {

constexpr VkPipelineStageFlags2 kTop = VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;
constexpr VkPipelineStageFlags2 kBottom = VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT;

// The pairs that each stage bit, and each access bit, takes part in.
struct PairTables {
  std::array<SyncAccessMask, 64> of_stage;
  std::array<SyncAccessMask, 64> of_access;
};

PairTables MakePairTables() {
  PairTables tables;
  const auto pairs = vk::SyncStageAccesses();
  for (size_t i = 1; i < pairs.size(); ++i) {
    // Layout transitions and the like happen in no stage: no barrier names them.
    if (pairs[i].stage == 0 || pairs[i].access == 0) continue;
    const auto index = static_cast<vk::SyncAccessIndex>(i);
    tables.of_stage[static_cast<size_t>(std::countr_zero(pairs[i].stage))].Set(index);
    tables.of_access[static_cast<size_t>(std::countr_zero(pairs[i].access))].Set(index);
  }
  return tables;
}

SyncAccessMask UniteBits(const std::array<SyncAccessMask, 64>& table, uint64_t bits) {
  SyncAccessMask result;
  for (; bits != 0; bits &= bits - 1) result |= table[static_cast<size_t>(std::countr_zero(bits))];
  return result;
}

SyncAccessMask PairsOf(VkPipelineStageFlags2 single_stages, VkAccessFlags2 accesses) {
  static const PairTables tables = MakePairTables();
  if (accesses == 0 || single_stages == 0) return {};
  return UniteBits(tables.of_stage, single_stages) & UniteBits(tables.of_access, vk::ExpandAccesses(accesses));
}

// The single stages that stages represents, without the two that no work is done in. Copies of acceleration structures
// are in the stage of builds, too: the stage of their own came later (VK_KHR_ray_tracing_maintenance1). The registry
// shows it by VUID-VkMemoryBarrier2-srcAccessMask-03914 and -03915, and by the <syncsupport> of the same accesses: they
// have transfer accesses in the stage of builds, which no build makes, but copies to and from memory do.
VkPipelineStageFlags2 SingleStages(VkPipelineStageFlags2 stages, VkQueueFlags queue_flags) {
  if ((stages & VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR) != 0) {
    stages |= VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR;
  }
  return vk::ExpandStages(stages & ~(kTop | kBottom), queue_flags) & ~(kTop | kBottom);
}

uint64_t Mix(uint64_t value) { return value * 0x9E3779B97F4A7C15u; }

uint64_t NewBarrierId() {
  static std::atomic<uint64_t> next = Barrier::kFirstId;
  return next.fetch_add(Barrier::kFirstId, std::memory_order_relaxed);
}

size_t HashOf(const BarrierFlags& flags) {
  const uint64_t src = Mix(flags.src_stages) ^ std::rotl(Mix(flags.src_access), 21);
  const uint64_t dst = Mix(flags.dst_stages) ^ std::rotl(Mix(flags.dst_access), 43);
  return static_cast<size_t>(Mix(src ^ std::rotl(dst, 11)) >> 32);
}

}  // namespace

Barrier MakeBarrier(const BarrierFlags& flags, VkQueueFlags queue_flags) {
  const VkPipelineStageFlags2 src = SingleStages(flags.src_stages, queue_flags);
  const VkPipelineStageFlags2 dst = SingleStages(flags.dst_stages, queue_flags);
  const VkPipelineStageFlags2 everything = SingleStages(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queue_flags);
  Barrier barrier;
  if (src != 0) barrier.src.stages = vk::LogicallyEarlierStages(src) & ~(kTop | kBottom);
  if (dst != 0) barrier.dst.stages = vk::LogicallyLaterStages(dst) & ~(kTop | kBottom);
  if (flags.src_stages & kBottom) barrier.src.stages |= everything;
  if (flags.dst_stages & kTop) barrier.dst.stages |= everything;
  barrier.src.accesses = PairsOf(src, flags.src_access);
  barrier.dst.accesses = PairsOf(dst, flags.dst_access);
  barrier.flags = flags;
  return barrier;
}

BarrierScope MakeWaitScope(VkPipelineStageFlags2 stages, VkQueueFlags queue_flags) {
  constexpr VkAccessFlags2 kAllAccesses = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  BarrierScope scope = MakeBarrier({0, 0, stages, kAllAccesses}, queue_flags).dst;
  if ((stages & (VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | kTop)) != 0) scope.stages.outside |= kEverythingLater;
  return scope;
}

const Barrier& BarrierCache::Find(const BarrierFlags& flags, VkQueueFlags queue_flags) {
  const size_t number = HashOf(flags) % slots_.size();
  last_slot_ = number;
  Slot& slot = slots_[number];
  if (slot.barrier == nullptr || slot.flags != flags || slot.queue_flags != queue_flags) [[unlikely]] {
    slot = {.flags = flags, .queue_flags = queue_flags, .barrier = &FindOrAdd(number, flags, queue_flags)};
  }
  return *slot.barrier;
}

const Barrier& BarrierCache::FindOrAdd(size_t slot, const BarrierFlags& flags, VkQueueFlags queue_flags) {
  for (const Entry* entry = chains_[slot]; entry != nullptr; entry = entry->next) {
    if (entry->barrier.flags == flags && entry->queue_flags == queue_flags) return entry->barrier;
  }
  if (size_ == entries_.size()) entries_.emplace_back();
  Entry& added = entries_[size_++];
  added = {.barrier = MakeBarrier(flags, queue_flags), .queue_flags = queue_flags, .next = chains_[slot]};
  added.barrier.id = NewBarrierId();
  chains_[slot] = &added;
  return added.barrier;
}

void BarrierCache::Clear() {
  slots_ = {};
  chains_ = {};
  size_ = 0;
}

}  // namespace assay::syncval
