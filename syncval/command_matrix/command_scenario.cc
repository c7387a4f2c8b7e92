// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/command_matrix/command_scenario.h"

#include <bit>

namespace assay::syncval::command_matrix {
namespace {

constexpr uint64_t kSync1Bits = ~uint32_t{0};

// Each bit that sync1 does not have, as the flag that includes it and the fewest others.
template <class Flag>
uint64_t Widen(uint64_t bits, const std::vector<Flag>& flags, uint64_t everything) {
  uint64_t wide = bits & kSync1Bits;
  for (uint64_t rest = bits & ~kSync1Bits; rest != 0; rest &= rest - 1) {
    const uint64_t bit = rest & (~rest + 1);
    const Flag* best = nullptr;
    for (const Flag& flag : flags) {
      if ((flag.bit & kSync1Bits) == 0 || (flag.parts & bit) == 0) continue;
      if (best == nullptr || std::popcount(flag.parts) < std::popcount(best->parts)) best = &flag;
    }
    wide |= best != nullptr ? best->bit : everything;
  }
  return wide;
}

}  // namespace

HazardKind CommandScenario::DetectHazard(const Case& c) {
  absl::Span<const Dependency> rest = c.dependencies;
  uint32_t place = c.first_place;
  VkCommandBuffer commands = Start();
  if (c.first->is_transition) {
    matrix_.RecordDependencies(commands, rest.first(1), true, barrier_command_);
    rest.remove_prefix(1);
  } else {
    first_->record(commands);
  }
  if (const VkCommandBuffer next = AfterFirst()) commands = next;
  const absl::Span<const Dependency> between = rest.first(rest.size() - (c.second->is_transition ? 1 : 0));
  if (c.are_side_by_side) {
    matrix_.RecordDependencies(commands, between, false, barrier_command_);
  } else {
    for (const Dependency& dependency : between) {
      if (dependency.is_semaphore) {
        commands = AtPlace(&dependency);
        place = dependency.to;
      } else {
        matrix_.RecordDependencies(commands, {&dependency, 1}, false, barrier_command_);
      }
    }
  }
  if (place != c.second_place) commands = AtPlace(nullptr);
  if (c.second->is_transition) {
    matrix_.RecordDependencies(commands, rest.last(1), true, barrier_command_);
  } else {
    second_->record(commands);
  }
  Finish();
  return matrix_.TakeHazard();
}

Case Sync1::MinimalCase(const Kind& first, const Kind& second) const {
  Case c = OneCommandBuffer::MinimalCase(first, second);
  const matrix::RegistrySync& registry = CommandMatrix::Registry();
  for (Dependency& dependency : c.dependencies) {
    for (uint64_t BarrierFlags::* stages : {&BarrierFlags::src_stages, &BarrierFlags::dst_stages})
      dependency.flags.*stages = Widen(dependency.flags.*stages, registry.stages, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    for (uint64_t BarrierFlags::* access : {&BarrierFlags::src_access, &BarrierFlags::dst_access})
      dependency.flags.*access =
          Widen(dependency.flags.*access, registry.accesses, VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
  }
  return c;
}

VkCommandBuffer TwoCommandBuffers::Start() {
  matrix_.Begin(commands_[0]);
  return commands_[0];
}

VkCommandBuffer TwoCommandBuffers::AfterFirst() {
  matrix_.End(commands_[0]);
  if (!of_one_) matrix_.Submit(matrix_.Queue(), {commands_[0]});
  matrix_.Begin(commands_[1]);
  return commands_[1];
}

void TwoCommandBuffers::Finish() {
  matrix_.End(commands_[1]);
  if (of_one_) {
    matrix_.Submit(matrix_.Queue(), {commands_[0], commands_[1]});
  } else {
    matrix_.Submit(matrix_.Queue(), {commands_[1]});
  }
  matrix_.vk.DeviceWaitIdle(matrix_.device);
}

VkCommandBuffer TwoQueues::Start() {
  waits_.clear();
  matrix_.Begin(commands_[0]);
  return commands_[0];
}

VkCommandBuffer TwoQueues::AtPlace(const Dependency* semaphore) {
  matrix_.End(commands_[0]);
  VkSemaphoreSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = semaphore_};
  std::vector<VkSemaphoreSubmitInfo> signals;
  if (semaphore != nullptr) {
    info.stageMask = semaphore->flags.src_stages;
    signals.push_back(info);
    info.stageMask = semaphore->flags.dst_stages;
    waits_.push_back(info);
  }
  matrix_.Submit(matrix_.Queue(0, 0), {commands_[0]}, {.signals = signals});
  matrix_.Begin(commands_[1]);
  return commands_[1];
}

void TwoQueues::Finish() {
  matrix_.End(commands_[1]);
  matrix_.Submit(matrix_.Queue(0, 1), {commands_[1]}, {.waits = waits_});
  matrix_.vk.DeviceWaitIdle(matrix_.device);
}

}  // namespace assay::syncval::command_matrix
