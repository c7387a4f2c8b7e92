// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/operands/components.h"

#include <cstdint>
#include <string_view>

#include "gtest/gtest.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/module_facts.h"

namespace assay::spirv_instrument {
namespace {

constexpr std::string_view kConstants = R"(
    %int = OpTypeInt 32 1
    %v2int = OpTypeVector %int 2
    %arr = OpTypeArray %int %one
    %100 = OpConstant %int -8
    %101 = OpConstant %int 7
    %102 = OpConstantComposite %v2int %100 %101
    %103 = OpConstantNull %v2int
    %104 = OpSpecConstant %int 3
    %105 = OpSpecConstantComposite %v2int %104 %101
    %106 = OpConstantComposite %arr %101
)";

class Constants : public testing::Test {
 protected:
  bool Are(uint32_t id, int64_t smallest, int64_t largest) {
    return AreConstantsFromTo(facts_, Id{id}, smallest, largest);
  }

  Module module_ = ReadAssembly(ComputeShader("%entry = OpLabel\nOpReturn\n", kConstants));
  ModuleFacts facts_{module_};
};

TEST_F(Constants, AreInRange) {
  EXPECT_TRUE(Are(100, -8, 7));
  EXPECT_TRUE(Are(101, -8, 7));
  EXPECT_FALSE(Are(100, -7, 7));
  EXPECT_FALSE(Are(101, -8, 6));
}

TEST_F(Constants, AreAllInRangeOfAVector) {
  EXPECT_EQ(ComponentCount(module_, Id{102}), 2u);
  EXPECT_EQ(ComponentCount(module_, Id{101}), 1u);
  EXPECT_TRUE(Are(102, -8, 7));
  EXPECT_FALSE(Are(102, -7, 7));
  EXPECT_FALSE(Are(102, -8, 6));
  EXPECT_TRUE(Are(103, 0, 0));
  EXPECT_FALSE(Are(103, 1, 7));
}

TEST_F(Constants, AreNoSpecializationConstantsOrOtherComposites) {
  EXPECT_FALSE(Are(104, 0, 7));
  EXPECT_FALSE(Are(105, 0, 7));
  EXPECT_FALSE(Are(106, 0, 7));
  EXPECT_FALSE(AreConstantsFromTo(facts_, kNoId, 0, 7));
}

}  // namespace
}  // namespace assay::spirv_instrument
