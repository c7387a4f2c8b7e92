// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_FUZZ_SHADER_TEST_H_
#define ASSAY_SPIRV_INSTRUMENT_FUZZ_SHADER_TEST_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "spirv_instrument/fuzz/fuzz.h"
#include "spirv_instrument/fuzz/seed.h"

namespace assay::spirv_instrument::fuzz {

// A valid shader that every pass over buffers changes: data.values[id.x] += 1, if that is below 8.
inline constexpr std::string_view kShader = R"(; target: vulkan1.1
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %id
               OpExecutionMode %main LocalSize 8 1 1
               OpName %main "main"
               OpDecorate %id BuiltIn GlobalInvocationId
               OpDecorate %values ArrayStride 4
               OpDecorate %Data Block
               OpMemberDecorate %Data 0 Offset 0
               OpDecorate %data DescriptorSet 0
               OpDecorate %data Binding 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %bool = OpTypeBool
       %uint = OpTypeInt 32 0
      %uint3 = OpTypeVector %uint 3
     %uint_0 = OpConstant %uint 0
     %uint_1 = OpConstant %uint 1
     %uint_8 = OpConstant %uint 8
     %values = OpTypeRuntimeArray %uint
       %Data = OpTypeStruct %values
   %ptr_Data = OpTypePointer StorageBuffer %Data
   %ptr_uint = OpTypePointer StorageBuffer %uint
     %ptr_id = OpTypePointer Input %uint3
       %data = OpVariable %ptr_Data StorageBuffer
         %id = OpVariable %ptr_id Input
       %main = OpFunction %void None %fn
      %entry = OpLabel
        %xyz = OpLoad %uint3 %id
          %x = OpCompositeExtract %uint %xyz 0
    %element = OpAccessChain %ptr_uint %data %uint_0 %x
      %value = OpLoad %uint %element
        %sum = OpIAdd %uint %value %uint_1
   %is_below = OpULessThan %bool %sum %uint_8
               OpSelectionMerge %end None
               OpBranchConditional %is_below %store %end
      %store = OpLabel
               OpStore %element %sum
               OpBranch %end
        %end = OpLabel
               OpReturn
               OpFunctionEnd
)";

inline Input Shader(std::string_view text = kShader) {
  const absl::StatusOr<Input> input = InputOfAssembly(text);
  EXPECT_TRUE(input.ok()) << input.status();
  return input.ok() ? *input : Input();
}

}  // namespace assay::spirv_instrument::fuzz

#endif  // ASSAY_SPIRV_INSTRUMENT_FUZZ_SHADER_TEST_H_
