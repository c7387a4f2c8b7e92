// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/checks/checks.h"

#include <algorithm>
#include <string_view>

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/link/library.h"
#include "spirv_instrument/link/requirements.h"

namespace assay::spirv_instrument {
namespace {

class ChecksTest : public testing::TestWithParam<ChecksMemory> {};

TEST_P(ChecksTest, CanBeRead) {
  ASSERT_TRUE(Library::Read(ChecksWords(GetParam())).ok());
  EXPECT_TRUE(Checks(GetParam()).Find("BufferHolds"));
  EXPECT_TRUE(Checks(GetParam()).Find("AddressIsGood"));
  EXPECT_FALSE(Checks(GetParam()).Find("NoSuchFunction"));
}

TEST_P(ChecksTest, HasWhatShadersProvide) {
  for (std::string_view name : kImportedNames) {
    const bool is_needed = name != "ActionAddress" || GetParam() != ChecksMemory::kDescriptorSet;
    EXPECT_EQ(static_cast<bool>(Checks(GetParam()).Find(name)), is_needed) << name;
  }
}

TEST_P(ChecksTest, NeedsNothingThatTheLinkerDoesNotKnow) {
  const auto known = RequirableCapabilities();
  for (Instruction capability : Checks(GetParam()).module().section(Section::kCapabilities)) {
    EXPECT_NE(std::find(known.begin(), known.end(), capability.enumerant<spv::Capability>(0)), known.end())
        << capability.literal(0);
  }
}

TEST_P(ChecksTest, ParametersArePassedByValue) {
  const Module& module = Checks(GetParam()).module();
  for (Function function : module.functions()) {
    for (Instruction parameter : function.parameters()) {
      EXPECT_NE(module.Find(parameter.type_id()).op(), spv::Op::OpTypePointer) << Checks(GetParam()).NameOf(function);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Memory, ChecksTest,
                         testing::Values(ChecksMemory::kDescriptorSet, ChecksMemory::kDeviceAddress,
                                         ChecksMemory::kDeviceAddressAndDescriptorBuffers));

}  // namespace
}  // namespace assay::spirv_instrument
