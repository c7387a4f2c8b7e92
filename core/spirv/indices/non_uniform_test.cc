// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What messages about indices that are not uniform say, and what devices and pipelines add to modules. Each rule, and
// what is certain: ../cases/index_cases.cc.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/shader_stages/stage_test.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

constexpr std::string_view kRule = "VUID-RuntimeSpirv-StorageBufferArrayNonUniformIndexing-10136";

// A compute shader that reads the buffer of an array that the invocation's index chooses.
std::vector<uint32_t> Words(const std::string& mode, const std::string& decorations = "") {
  return test::AssembleSpirv(
      Text({.variables = {{"%buffers", "StorageBuffer", "%array", "DescriptorSet 0, Binding 0"},
                          {"%number", "Input", "%uint", "BuiltIn LocalInvocationIndex"}},
            .modes = mode + "\nOpName %buffers \"buffers\"\n",
            .decorations = DecorateBlock("%block") + decorations,
            .globals = "%side = OpSpecConstant %uint 1\n%block = OpTypeStruct %uint\n"
                       "%array = OpTypeArray %block %u4\n%word = OpTypePointer StorageBuffer %uint\n",
            .body = "%index = OpLoad %uint %number\n%chain = OpAccessChain %word %buffers %index %u0\n"
                    "%result = OpLoad %uint %chain\n"}));
}
std::vector<uint32_t> Four() { return Words("OpExecutionMode %main LocalSize 2 2 1"); }

class NonUniform : public StageTest {
 protected:
  void SetUp() override {}
  // On a device with subgroups of these sizes; the id is empty if nothing is reported.
  void ExpectOf(uint32_t size, uint32_t smallest, std::string_view id) {
    Set(&VkPhysicalDeviceSubgroupProperties::subgroupSize, size)(driver().config());
    Set(&VkPhysicalDeviceSubgroupSizeControlProperties::minSubgroupSize, smallest)(driver().config());
    Create();
    MakeShader(Four());
    ExpectAlone(id);
  }
};

TEST_F(NonUniform, TheMessageNamesArrayIndexAndFix) {
  Create();
  MakeShader(Four());
  const test::Message message = ExpectMessage(kRule);
  EXPECT_NE(
      message.text.find(
          "into the array \"buffers\" of storage buffers comes from LocalInvocationIndex, which differs between the "
          "4 invocations of a workgroup of the entry point \"main\". The module does not declare the capability "
          "StorageBufferArrayNonUniformIndexing. Declare it, and decorate the operand that is accessed with "
          "NonUniform; in GLSL, put the whole index into nonuniformEXT(). The instruction is OpLoad"),
      std::string::npos)
      << message.text;
  ExpectNothing();
}

// A subgroup of one is uniform. The rule for it is about workgroups.
TEST_F(NonUniform, SubgroupsOfOne) { ExpectOf(1, 1, "VUID-RuntimeSpirv-subgroupSize-10143"); }
TEST_F(NonUniform, SubgroupsThatMayBeOfOne) { ExpectOf(32, 1, ""); }

// The module alone does not say how large workgroups are.
TEST_F(NonUniform, SizesThatThePipelineChooses) {
  MakeDevice();
  const VkShaderModule module =
      MakeShader(Words("OpExecutionModeId %main LocalSizeId %side %u1 %u1", Decorate("%side", "SpecId 0")));
  ExpectNothing();
  for (const uint32_t side : {1u, 4u}) {
    MakeSpecialized(Stage("GLCompute", module), side);
    if (side != 1) ExpectMessage(kRule);
    ExpectNothing();
  }
}

}  // namespace
}  // namespace assay::core
