// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/image_notes.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

TEST(ImageNotes, AreReadByNumber) {
  std::vector<uint32_t> causes(5 + 3 * kImageNoteWords);
  EXPECT_TRUE(ReadImageNotes(causes, 5, 3).empty());
  uint32_t* const second = &causes[5 + kImageNoteWords];
  second[kImageNoteActionWord] = 8;
  second[kImageNoteShaderWord] = 21;
  second[kImageNoteInstructionWord] = 22;
  second[kImageNoteStageWord] = 5;
  const std::vector<ImageNote> notes = ReadImageNotes(causes, 5, 3);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].number, 2u);
  EXPECT_EQ(notes[0].action, 7u);
  EXPECT_EQ(notes[0].shader_id, 21u);
  EXPECT_EQ(notes[0].instruction, 22u);
  EXPECT_EQ(notes[0].stage, 5u);
}

TEST(ImageNotes, NothingBehindTheCausesIsRead) {
  const std::vector<uint32_t> causes(2 * kImageNoteWords + 3, 1);
  EXPECT_EQ(ReadImageNotes(causes, 0, 100).size(), 2u);
  EXPECT_TRUE(ReadImageNotes(causes, 1000, 100).empty());
}

}  // namespace
}  // namespace assay::spirv_instrument
