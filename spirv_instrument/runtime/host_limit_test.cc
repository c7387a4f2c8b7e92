// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/host_limit.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "spirv_instrument/runtime/descriptor_table.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint32_t kImages = 1u << static_cast<uint32_t>(DescriptorType::kSampledImage);

DescriptorState Buffer(uint64_t size) {
  return {.type = DescriptorType::kStorageBuffer, .is_written = true, .size = size};
}

DescriptorState Image() { return {.type = DescriptorType::kSampledImage, .is_written = true}; }

std::optional<uint32_t> LimitFrom(const std::optional<LimitFacts>& facts) {
  return facts ? std::optional<uint32_t>(facts->limit) : std::nullopt;
}

// Of a binding with one buffer.
std::optional<uint32_t> LimitFor(const HostLimit& limit, const DescriptorState& state) {
  return LimitFrom(FactsOf(limit, 1, [&state](uint32_t) { return state; }));
}

std::optional<uint32_t> LimitFor(const std::vector<DescriptorState>& states, uint32_t first = 0) {
  const HostLimit limit = {.kind = HostLimit::Kind::kDescriptors, .index = first, .types = kImages};
  return LimitFrom(
      FactsOf(limit, static_cast<uint32_t>(states.size()), [&states](uint32_t index) { return states[index]; }));
}

TEST(HostLimit, IsExactForEachSize) {
  for (uint32_t size = 0; size < 200; ++size) {
    for (const uint32_t stride : {1u, 4u, 12u, 64u}) {
      for (const uint32_t end : {1u, 4u, 20u, 100u}) {
        const std::optional<uint32_t> limit = LimitFor({.end = end, .stride = stride}, Buffer(size));
        ASSERT_TRUE(limit.has_value());
        for (uint32_t value = 0; value < 220; ++value) {
          EXPECT_EQ(value < *limit, end + value * stride <= size) << size << " " << stride << " " << end;
        }
      }
    }
  }
}

TEST(HostLimit, HugeBuffersHaveOne) {
  EXPECT_EQ(LimitFor({.end = 1, .stride = 1}, Buffer(uint64_t{1} << 40)), 0xfffffffe);
}

TEST(HostLimit, BuffersThatAreNotThereHaveNone) {
  const HostLimit limit = {.end = 4, .stride = 4};
  EXPECT_FALSE(LimitFor(limit, {.type = DescriptorType::kStorageBuffer}).has_value());
  EXPECT_FALSE(LimitFor(limit, {.is_written = true, .is_destroyed = true, .size = 64}).has_value());
  EXPECT_FALSE(FactsOf(limit, 0, [](uint32_t) { return Buffer(64); }).has_value());
}

TEST(HostLimit, NullBuffersHaveAll) {
  const HostLimit limit = {.end = 4, .stride = 4};
  const DescriptorState null = {.is_written = true, .is_null = true};
  const std::optional<LimitFacts> facts = FactsOf(limit, 1, [&null](uint32_t) { return null; });
  ASSERT_TRUE(facts.has_value());
  EXPECT_EQ(facts->limit, 0xffffffff);
  // Which is not below the limit.
  EXPECT_FALSE(FaultOf(limit, *facts, 0xffffffff).has_value());
}

TEST(HostLimit, GoodDescriptorsComeFirst) {
  EXPECT_EQ(LimitFor({Image(), Image(), Image()}), 3u);
  EXPECT_EQ(LimitFor({Image(), Image(), {}}), 2u);
  EXPECT_EQ(LimitFor({Image(), Buffer(4), {}}), 1u);
  EXPECT_EQ(LimitFor({{}, Image(), Image(), {}}, 1), 2u);
  EXPECT_EQ(LimitFor({Image()}, 1), 0u);
  // No comparison would do.
  EXPECT_FALSE(LimitFor({Image(), {}, Image()}).has_value());
  EXPECT_TRUE(LimitFor(std::vector<DescriptorState>(kMaxLimitedDescriptors, Image())).has_value());
  EXPECT_FALSE(LimitFor(std::vector<DescriptorState>(kMaxLimitedDescriptors + 1, Image())).has_value());
}

TEST(HostLimit, FaultsSayWhatRecordsSay) {
  const HostLimit buffer = {.set = 1, .binding = 2, .index = 3, .end = 20, .stride = 16};
  const LimitFacts small = {.limit = 3, .size = 64, .bad_states = {}};
  std::optional<NotedFault> fault = FaultOf(buffer, small, 5);
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->code, ErrorCode::kBufferOutOfBounds);
  EXPECT_EQ(fault->data, (std::array<uint32_t, kRecordDataWords>{1, 2, 3, 100, 64}));
  EXPECT_EQ(FaultOf(buffer, small, 0xffffffff)->data[3], 0xffffffff);

  const HostLimit images = {
      .kind = HostLimit::Kind::kDescriptors, .set = 1, .binding = 2, .index = 1, .types = kImages};
  const std::vector<DescriptorState> states = {
      Image(), Image(), Buffer(64), {}, {.is_written = true, .is_destroyed = true}};
  const std::optional<LimitFacts> facts = FactsOf(images, 5, [&states](uint32_t index) { return states[index]; });
  ASSERT_TRUE(facts.has_value());
  EXPECT_EQ(facts->limit, 1u);
  EXPECT_EQ(FaultOf(images, *facts, 1)->code, ErrorCode::kDescriptorTypeMismatch);
  EXPECT_EQ(FaultOf(images, *facts, 2)->code, ErrorCode::kDescriptorNotWritten);
  EXPECT_EQ(FaultOf(images, *facts, 3)->code, ErrorCode::kDescriptorDestroyed);
  EXPECT_EQ(FaultOf(images, *facts, 3)->data[4] & kDescriptorIsDestroyed, kDescriptorIsDestroyed);
  fault = FaultOf(images, *facts, 4);
  EXPECT_EQ(fault->code, ErrorCode::kDescriptorIndexOutOfBounds);
  EXPECT_EQ(fault->data, (std::array<uint32_t, kRecordDataWords>{1, 2, 5, 5, 0}));
}

TEST(Notes, AreReadWithinTheWords) {
  std::vector<uint32_t> words(kCausesHeaderWords + 2 * kNoteWords);
  EXPECT_FALSE(HasNotes(words));
  words[kHasNotesWord] = 1;
  EXPECT_TRUE(HasNotes(words));
  const uint32_t second = kCausesHeaderWords + kNoteWords;
  words[second + kNoteCountWord] = 7;
  words[second + kNoteValueWord] = 8;
  words[second + kNoteStageWordsWord + 2] = 9;
  // Another execution may be writing it.
  EXPECT_TRUE(ReadNotes(words, kCausesHeaderWords, 3).empty());
  EXPECT_EQ(ReadNotes(words, kCausesHeaderWords, 3, true).size(), 1u);
  words[second + kNoteIsCompleteWord] = 1;
  const std::vector<Note> notes = ReadNotes(words, kCausesHeaderWords, 3);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].check, 1u);
  EXPECT_EQ(notes[0].count, 7u);
  EXPECT_EQ(notes[0].value, 8u);
  EXPECT_EQ(notes[0].stage_words[2], 9u);
  EXPECT_TRUE(ReadNotes(words, 0xffffffff, 3).empty());
}

}  // namespace
}  // namespace assay::spirv_instrument
