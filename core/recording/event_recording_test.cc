// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/recording/event_recording.h"

#include <cstdint>

#include "core/recording/event_dependency.h"
#include "gtest/gtest.h"
#include "vk/vulkan.h"

namespace assay::core {
namespace {

VkEvent Event(uint64_t value) { return reinterpret_cast<VkEvent>(value); }

TEST(EventRecording, UndoesACommand) {
  EventRecording recording;
  recording.BeginCommand();
  recording.At(Event(1)).effect.Set({.kind = EventState::Kind::kSetWithStages, .stages = 1});
  recording.NoteDependency();
  recording.BeginCommand();
  recording.At(Event(1)).effect.Reset();
  recording.At(Event(1)).waits = EventRecording::kSync2;
  recording.At(Event(2)).effect.Reset();
  recording.At(Event(2)).waits = EventRecording::kSync1;
  recording.waits.push_back({});
  recording.NoteDependency();
  recording.UndoCommand();
  ASSERT_EQ(recording.entries().size(), 1u);
  EXPECT_TRUE(recording.entries()[0].effect.sets());
  EXPECT_FALSE(recording.entries()[0].effect.is_known());
  EXPECT_EQ(recording.entries()[0].waits, 0);
  EXPECT_TRUE(recording.waits.empty());
  EXPECT_EQ(recording.dependencies(), 2u);
  // The other event is new again.
  EXPECT_FALSE(recording.At(Event(2)).effect.is_known());
  EXPECT_EQ(recording.entries().size(), 2u);
}

// A copy of a dependency with these stages in each memory barrier.
EventDependencyRef Copy(EventRecording& recording, VkPipelineStageFlags2 stages, uint32_t barriers = 1) {
  const VkMemoryBarrier2 memory[] = {{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .srcStageMask = stages},
                                     {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .srcStageMask = stages}};
  return recording.Copy(
      {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = barriers, .pMemoryBarriers = memory});
}

TEST(EventRecording, UsesDependenciesAgain) {
  EventRecording recording;
  const EventDependency* const first = Copy(recording, 1, 2).get();
  // Nothing refers to the first one anymore. The copy has nothing of it.
  EventDependencyRef kept = Copy(recording, 2);
  EXPECT_EQ(kept.get(), first);
  EXPECT_EQ(kept->src_stages(), 2u);
  EXPECT_EQ(kept->info().memoryBarrierCount, 1u);
  EventDependencyRef other = Copy(recording, 4);
  const EventDependency* const second = other.get();
  EXPECT_NE(second, first);
  other = {};
  // A later recording does not use what something outside of it, such as a queue, refers to.
  recording.Clear();
  EXPECT_EQ(Copy(recording, 8).get(), second);
  EXPECT_EQ(kept->src_stages(), 2u);
  kept = {};
  recording.Clear();
  EXPECT_EQ(Copy(recording, 16, 0).get(), first);
  EXPECT_EQ(first->src_stages(), 0u);
}

TEST(EventRecording, UndoesTheSetOfACopy) {
  EventRecording recording;
  const auto set = [&](VkPipelineStageFlags2 stages) {
    recording.BeginCommand();
    recording.At(Event(1)).effect.Reset();
    recording.At(Event(1)).effect.Set(
        {.kind = EventState::Kind::kSetWithDependency, .dependency = Copy(recording, stages)});
  };
  set(1);
  set(2);
  recording.UndoCommand();
  EXPECT_EQ(recording.entries()[0].effect.AfterUnset().dependency->src_stages(), 1u);
  set(4);
  EXPECT_EQ(recording.entries()[0].effect.AfterUnset().dependency->src_stages(), 4u);
}

TEST(EventRecording, KeepsThePartsOfWaits) {
  EventRecording recording;
  const auto wait = [&](uint64_t first, uint32_t count) {
    recording.BeginCommand();
    EventWait added = {.part_count = count, .first_part = recording.parts.size()};
    for (uint64_t i = 0; i < count; ++i) recording.parts.push_back({Event(first + i), {}});
    recording.waits.push_back(added);
  };
  for (int round = 0; round < 2; ++round) {
    wait(1, 2);
    wait(7, 3);
    recording.UndoCommand();
    wait(4, 1);
    ASSERT_EQ(recording.waits.size(), 2u);
    ASSERT_EQ(recording.PartsOf(recording.waits[0]).size(), 2u);
    EXPECT_EQ(recording.PartsOf(recording.waits[0])[1].event, Event(2));
    ASSERT_EQ(recording.PartsOf(recording.waits[1]).size(), 1u);
    EXPECT_EQ(recording.PartsOf(recording.waits[1])[0].event, Event(4));
    // A recording with waits has their events.
    recording.At(Event(1));
    recording.Clear();
    EXPECT_TRUE(recording.parts.empty());
  }
}

TEST(EventRecording, FindsEventsAgain) {
  EventRecording recording;
  for (int round = 0; round < 2; ++round) {
    for (uint64_t i = 1; i <= 100; ++i) recording.At(Event(i * 64)).dst_stages = i;
    EXPECT_EQ(recording.entries().size(), 100u);
    for (uint64_t i = 1; i <= 100; ++i) EXPECT_EQ(recording.At(Event(i * 64)).dst_stages, i);
    // Takes back some of the events that share a head with others.
    recording.BeginCommand();
    for (uint64_t i = 81; i <= 120; ++i) recording.At(Event(i * 64)).dst_stages = 7;
    recording.UndoCommand();
    EXPECT_EQ(recording.entries().size(), 100u);
    for (uint64_t i = 1; i <= 100; ++i) EXPECT_EQ(recording.At(Event(i * 64)).dst_stages, i);
    recording.Clear();
    EXPECT_TRUE(recording.is_empty());
  }
}

}  // namespace
}  // namespace assay::core
