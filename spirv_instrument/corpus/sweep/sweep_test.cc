// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/sweep/sweep.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/passes/instrument.h"
#include "testing/shaders.h"

namespace assay::spirv_instrument::corpus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<uint32_t>& StoreModule() {
  static const std::vector<uint32_t>* const kModule = new std::vector<uint32_t>(test::AssembleSpirv(R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %buffer
               OpExecutionMode %main LocalSize 1 1 1
               OpDecorate %array ArrayStride 4
               OpDecorate %Block Block
               OpMemberDecorate %Block 0 Offset 0
               OpDecorate %buffer DescriptorSet 0
               OpDecorate %buffer Binding 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %uint = OpTypeInt 32 0
      %seven = OpConstant %uint 7
       %zero = OpConstant %uint 0
      %array = OpTypeRuntimeArray %uint
      %Block = OpTypeStruct %array
  %ptr_Block = OpTypePointer StorageBuffer %Block
   %ptr_uint = OpTypePointer StorageBuffer %uint
     %buffer = OpVariable %ptr_Block StorageBuffer
       %main = OpFunction %void None %fn
      %entry = OpLabel
    %element = OpAccessChain %ptr_uint %buffer %zero %seven
               OpStore %element %seven
               OpReturn
               OpFunctionEnd)"));
  return *kModule;
}

TEST(Sweep, AcceptsWhatIsGood) {
  const std::vector<NamedModule> modules = {{"store", StoreModule()}};
  for (const SweepConfig& config : SweepConfigs()) {
    const SweepResult result = Sweep(modules, config);
    EXPECT_EQ(result.runs, 1U) << config.name;
    EXPECT_THAT(result.failures, IsEmpty()) << config.name;
  }
}

TEST(Sweep, HasEveryPassAloneAndAllAtOnce) {
  std::set<std::string> names;
  for (const SweepConfig& config : SweepConfigs()) names.insert(config.name);
  for (const std::string_view pass : PassNames()) EXPECT_TRUE(names.contains(std::string(pass))) << pass;
  EXPECT_TRUE(names.contains("all"));
}

TEST(Sweep, SaysWhatWasNotAccepted) {
  std::vector<uint32_t> cut = StoreModule();
  cut.pop_back();
  const std::vector<NamedModule> modules = {{"cut", cut}};
  EXPECT_THAT(Sweep(modules, SweepConfigs().front()).failures, ElementsAre(HasSubstr("cut: ")));
}

TEST(Sweep, SaysWhatIsNotValid) {
  std::vector<uint32_t> wrong = StoreModule();
  const std::vector<NamedModule> good = {{"store", wrong}};
  SweepConfig config = SweepConfigs()[1];
  ASSERT_EQ(config.name, "buffer_bounds");
  config.config.frame.steps.host = HostDecides::kNothing;
  EXPECT_THAT(Sweep(good, config).failures, IsEmpty());
  // LocalSize 0 0 0 is for the validator alone to mind.
  for (size_t i = 5; i + 5 < wrong.size(); i += wrong[i] >> 16U) {
    if ((wrong[i] & 0xffffU) == 16) wrong[i + 3] = 0;
  }
  const std::vector<NamedModule> bad = {{"store", wrong}};
  EXPECT_THAT(Sweep(bad, config).failures, ElementsAre(HasSubstr("store: ")));
}

TEST(ReadModules, NeedsModules) {
  EXPECT_FALSE(ReadModules("/no/such/folder").ok());
  EXPECT_FALSE(ReadModules(::testing::TempDir()).ok());
}

}  // namespace
}  // namespace assay::spirv_instrument::corpus
