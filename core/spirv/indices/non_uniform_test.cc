// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What messages about indices that are not uniform say, and what devices and pipelines add to modules. Each rule, and
// what is certain: ../cases/non_uniform_cases.cc.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

constexpr std::string_view kRule = "VUID-RuntimeSpirv-StorageBufferArrayNonUniformIndexing-10136";

// A compute shader that reads the buffer of an array that the invocation's index chooses.
constexpr std::string_view kShader = R"(
  OpCapability Shader
  OpMemoryModel Logical GLSL450
  OpEntryPoint GLCompute %main "main" %buffers %number
  MODE
  OpName %buffers "buffers"
  DECORATION
  OpDecorate %block Block
  OpMemberDecorate %block 0 Offset 0
  OpDecorate %buffers DescriptorSet 0
  OpDecorate %buffers Binding 0
  OpDecorate %number BuiltIn LocalInvocationIndex
  %void = OpTypeVoid
  %function = OpTypeFunction %void
  %uint = OpTypeInt 32 0
  %u0 = OpConstant %uint 0
  %u1 = OpConstant %uint 1
  %u4 = OpConstant %uint 4
  %side = OpSpecConstant %uint 1
  %block = OpTypeStruct %uint
  %array = OpTypeArray %block %u4
  %pointer = OpTypePointer StorageBuffer %array
  %word = OpTypePointer StorageBuffer %uint
  %buffers = OpVariable %pointer StorageBuffer
  %number_pointer = OpTypePointer Input %uint
  %number = OpVariable %number_pointer Input
  %main = OpFunction %void None %function
  %entry = OpLabel
  %index = OpLoad %uint %number
  %chain = OpAccessChain %word %buffers %index %u0
  %result = OpLoad %uint %chain
  OpReturn
  OpFunctionEnd
)";

std::vector<uint32_t> Words(std::string_view mode, std::string_view capability = "", std::string_view decoration = "") {
  return test::AssembleSpirv(
      absl::StrCat(capability, absl::StrReplaceAll(kShader, {{"MODE", mode}, {"DECORATION", decoration}})));
}
std::vector<uint32_t> Four() { return Words("OpExecutionMode %main LocalSize 2 2 1"); }

class NonUniform : public test::ValidationTest {
 protected:
  void SetUp() override {}

  void MakeDeviceWith(uint32_t size, uint32_t smallest) {
    driver().config().adjust_properties = [=](VkBaseOutStructure* properties) {
      if (properties->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) {
        reinterpret_cast<VkPhysicalDeviceSubgroupProperties*>(properties)->subgroupSize = size;
      } else if (properties->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES) {
        reinterpret_cast<VkPhysicalDeviceSubgroupSizeControlProperties*>(properties)->minSubgroupSize = smallest;
      }
    };
    Create();
  }
  void ExpectText(const test::Message& message, std::string_view text) {
    EXPECT_NE(message.text.find(text), std::string::npos) << message.text;
  }
};

TEST_F(NonUniform, TheMessageNamesArrayIndexAndFix) {
  Create();
  MakeShader(Four());
  ExpectText(ExpectMessage(kRule),
             "into the array \"buffers\" of storage buffers comes from LocalInvocationIndex, which differs between the "
             "4 invocations of a workgroup of the entry point \"main\". The module does not declare the capability "
             "StorageBufferArrayNonUniformIndexing. Declare it, and decorate the operand that is accessed with "
             "NonUniform; in GLSL, put the whole index into nonuniformEXT(). The instruction is OpLoad");
  ExpectNothing();
}

// A subgroup of one is uniform. The rule for it is about workgroups.
TEST_F(NonUniform, SubgroupsOfOne) {
  MakeDeviceWith(1, 1);
  MakeShader(Four());
  ExpectMessage("VUID-RuntimeSpirv-subgroupSize-10143");
  ExpectNothing();
}

TEST_F(NonUniform, SubgroupsThatMayBeOfOne) {
  MakeDeviceWith(32, 1);
  MakeShader(Four());
  ExpectNothing();
}

// The module alone does not say how large workgroups are.
TEST_F(NonUniform, SizesThatThePipelineChooses) {
  Create();
  const VkShaderModule module =
      MakeShader(Words("OpExecutionModeId %main LocalSizeId %side %u1 %u1", "", "OpDecorate %side SpecId 0"));
  ExpectNothing();
  const VkPipelineLayout layout = MakePipelineLayout({MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4}})});
  for (const uint32_t side : {1u, 4u}) {
    const VkSpecializationMapEntry entry = {.constantID = 0, .offset = 0, .size = sizeof(side)};
    const VkSpecializationInfo values = {
        .mapEntryCount = 1, .pMapEntries = &entry, .dataSize = sizeof(side), .pData = &side};
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .module = module,
                                                        .pName = "main",
                                                        .pSpecializationInfo = &values},
                                              .layout = layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
    if (side != 1) ExpectMessage(kRule);
    ExpectNothing();
  }
}

}  // namespace
}  // namespace assay::core
