// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/fuzz/shrink.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/fuzz/fuzz.h"
#include "spirv_instrument/fuzz/instruction_list.h"
#include "spirv_instrument/fuzz/shader_test.h"
#include "spirv_instrument/tool/validate_module.h"

namespace assay::spirv_instrument::fuzz {
namespace {

size_t CountOf(const Input& input, spv::Op op) {
  const InstructionList list(input.words);
  return static_cast<size_t>(std::count_if(list.instructions.begin(), list.instructions.end(),
                                           [op](const Words& instruction) { return OpOf(instruction) == op; }));
}

// Of a valid shader with an addition, one block that adds constants is left.
TEST(Shrink, LeavesWhatIsNeeded) {
  const auto is_wanted = [](const Input& input) {
    return CountOf(input, spv::Op::OpIAdd) != 0 && ValidateModule(input.words).ok();
  };
  Input input = Shader();
  ASSERT_TRUE(is_wanted(input));
  input.configuration = 1u << 20;
  const Input small = Shrink(input, 10000, is_wanted);
  EXPECT_TRUE(is_wanted(small));
  // All passes are left out, and nothing else is set.
  EXPECT_EQ(small.configuration, 0x3ffu);
  for (spv::Op op : {spv::Op::OpVariable, spv::Op::OpStore, spv::Op::OpLoad, spv::Op::OpSelectionMerge,
                     spv::Op::OpDecorate, spv::Op::OpTypeStruct, spv::Op::OpName}) {
    EXPECT_EQ(CountOf(small, op), 0u) << static_cast<uint32_t>(op);
  }
  EXPECT_EQ(CountOf(small, spv::Op::OpLabel), 1u);
  EXPECT_EQ(CountOf(small, spv::Op::OpConstant), 1u);
}

TEST(Shrink, AsksNoMoreOftenThanItMay) {
  size_t asked = 0;
  const Input small = Shrink(Shader(), 7, [&](const Input&) {
    ++asked;
    return false;
  });
  EXPECT_EQ(asked, 7u);
  EXPECT_EQ(small.words, Shader().words);
}

}  // namespace
}  // namespace assay::spirv_instrument::fuzz
