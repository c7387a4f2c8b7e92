// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_DRIVER_TEST_H_
#define ASSAY_GPUAV_DRIVER_TEST_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "testing/fixture.h"
#include "testing/shaders.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// Writes word gl_GlobalInvocationID.x of binding 0 of set 0. The index is known to the shader alone.
inline constexpr std::string_view kIndexedWriter = R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %id
               OpExecutionMode %main LocalSize 1 1 1
               OpDecorate %id BuiltIn GlobalInvocationId
               OpMemberDecorate %block 0 Offset 0
               OpDecorate %words ArrayStride 4
               OpDecorate %block Block
               OpDecorate %buffer DescriptorSet 0
               OpDecorate %buffer Binding 0
       %void = OpTypeVoid
   %function = OpTypeFunction %void
       %uint = OpTypeInt 32 0
     %v3uint = OpTypeVector %uint 3
       %zero = OpConstant %uint 0
      %words = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %words
    %ptr_ids = OpTypePointer Input %v3uint
     %ptr_id = OpTypePointer Input %uint
  %ptr_block = OpTypePointer StorageBuffer %block
   %ptr_word = OpTypePointer StorageBuffer %uint
         %id = OpVariable %ptr_ids Input
     %buffer = OpVariable %ptr_block StorageBuffer
       %main = OpFunction %void None %function
      %entry = OpLabel
       %at_x = OpAccessChain %ptr_id %id %zero
          %x = OpLoad %uint %at_x
         %at = OpAccessChain %ptr_word %buffer %zero %x
               OpStore %at %x
               OpReturn
               OpFunctionEnd
)";

// GPU-assisted validation over the mock driver. Shaders do not run there.
class GpuavDriverTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"gpuav_enable", true}, {"validate_sync", false}}}; }

  // A pipeline whose shader writes binding 0 of set 0.
  VkPipeline MakePipeline() { return MakeComputePipeline(MakeLayout(), MakeWriter()); }
  // SPIR-V 1.3, for devices of all versions that have it.
  VkShaderModule MakeWriter() {
    std::vector<uint32_t> words = test::AssembleSpirv(kIndexedWriter);
    words[1] = 0x00010300;
    return MakeShader(words);
  }
  VkPipelineLayout MakeLayout() {
    set_layout_ = MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}});
    return layout_ = MakePipelineLayout({set_layout_});
  }
  VkDescriptorSet MakeWrittenSet() {
    const VkDescriptorSet set = MakeSet(set_layout_);
    WriteBuffer(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MakeBuffer(64));
    return set;
  }
  VkCommandBuffer RecordDispatch(VkPipeline pipeline) {
    const VkDescriptorSet set = MakeWrittenSet();
    return Record([&](VkCommandBuffer commands) {
      vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set, 0, nullptr);
      vk.CmdDispatch(commands, 1, 1, 1);
    });
  }
  uint32_t DeviceSets() const { return driver().config().limits.maxBoundDescriptorSets; }

  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_DRIVER_TEST_H_
