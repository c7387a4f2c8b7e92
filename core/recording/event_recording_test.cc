// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/recording/event_recording.h"

#include <cstdint>

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
