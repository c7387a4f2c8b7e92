// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/records.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "spirv_instrument/runtime/error_codes.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

// A memory for so many records, without any.
std::vector<uint32_t> Errors(size_t records) {
  std::vector<uint32_t> words(kStreamHeaderWords + records * kErrorRecordWords);
  const auto header = MakeStreamHeader(words.size());
  std::copy(header.begin(), header.end(), words.begin());
  return words;
}

// What checks/faults.glsl does.
void Write(std::vector<uint32_t>& words, uint32_t instruction, bool is_finished = true) {
  const uint32_t first = words[kReservedWord];
  words[kReservedWord] += kErrorRecordWords;
  if (first + kErrorRecordWords > words[kCapacityWord]) {
    ++words[kLostRecordsWord];
    return;
  }
  uint32_t* record = words.data() + kStreamHeaderWords + first;
  record[kRecordCodeWord] = static_cast<uint32_t>(ErrorCode::kBufferOutOfBounds);
  record[kRecordShaderWord] = 7;
  record[kRecordInstructionWord] = instruction;
  record[kRecordActionWord] = 3;
  record[kRecordCauseWord] = 12;
  record[kRecordStageWord] = 5;
  for (uint32_t i = 0; i < 4; ++i) record[kRecordStageWordsWord + i] = 100 + i;
  for (uint32_t i = 0; i < kRecordDataWords; ++i) record[kRecordDataWord + i] = 200 + i;
  if (is_finished) record[kRecordSizeWord] = kErrorRecordWords;
}

TEST(Records, AreReadInOrder) {
  std::vector<uint32_t> words = Errors(4);
  Write(words, 20);
  Write(words, 10);
  const ErrorStream stream = ReadErrors(words);
  ASSERT_EQ(stream.records.size(), 2u);
  const ErrorRecord& record = stream.records[0];
  EXPECT_EQ(record.code, ErrorCode::kBufferOutOfBounds);
  EXPECT_EQ(record.shader_id, 7u);
  EXPECT_EQ(record.instruction, 20u);
  EXPECT_EQ(record.action, 3u);
  EXPECT_EQ(record.cause, 12u);
  EXPECT_EQ(record.stage, 5u);
  EXPECT_EQ(record.stage_words, (std::array<uint32_t, 4>{100, 101, 102, 103}));
  ASSERT_EQ(record.data.size(), kRecordDataWords);
  EXPECT_EQ(record.data[4], 204u);
  EXPECT_EQ(stream.records[1].instruction, 10u);
  EXPECT_FALSE(stream.is_cut);
}

TEST(Records, OfAFullMemoryAreCounted) {
  std::vector<uint32_t> words = Errors(1);
  for (uint32_t i = 1; i <= 3; ++i) Write(words, i);
  const ErrorStream stream = ReadErrors(words);
  EXPECT_EQ(stream.records.size(), 1u);
  EXPECT_EQ(stream.lost_records, 2u);
  EXPECT_FALSE(stream.is_cut);
}

TEST(Records, ThatWereNotFinishedEndTheStream) {
  std::vector<uint32_t> words = Errors(4);
  Write(words, 1);
  Write(words, 2, false);
  Write(words, 3);
  const ErrorStream stream = ReadErrors(words);
  ASSERT_EQ(stream.records.size(), 1u);
  EXPECT_TRUE(stream.is_cut);
}

TEST(Records, AreNotReadPastTheMemory) {
  std::vector<uint32_t> words = Errors(2);
  words[kCapacityWord] = 0xffffffff;
  words[kReservedWord] = 0xffffffff;
  words[kStreamHeaderWords] = 0xfffffff0;
  EXPECT_TRUE(ReadErrors(words).records.empty());
  EXPECT_TRUE(ReadErrors(words).is_cut);
  words.resize(2);
  EXPECT_TRUE(ReadErrors(words).records.empty());
}

TEST(Records, LostFaultsAreKnown) {
  std::vector<uint32_t> words = Errors(1);
  words[kLostFaultsWord] = 5;
  EXPECT_EQ(ReadErrors(words).lost_faults, 5u);
}

TEST(Causes, CountFaults) {
  std::vector<uint32_t> words(CausesWords(4));
  const auto header = MakeCausesHeader(4);
  std::copy(header.begin(), header.end(), words.begin());
  EXPECT_EQ(words[kCauseSlotBitsWord], 4u);
  words[kCausesHeaderWords + 3 * kCauseSlotWords + kCauseCountWord] = 1000;
  EXPECT_EQ(FaultsOf(words, 3), 1000u);
  EXPECT_EQ(FaultsOf(words, 4), 0u);
  EXPECT_EQ(FaultsOf(words, 1u << 30), 0u);
}

}  // namespace
}  // namespace assay::spirv_instrument
