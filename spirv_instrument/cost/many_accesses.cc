// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/cost/many_accesses.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <set>

#include "absl/log/check.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/passes/frame/statistics.h"
#include "testing/shaders.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint32_t kPerBlock = 10;
constexpr uint32_t kBlocksPerLoop = 10;

constexpr char kHeader[] = R"(
               OpCapability Shader
               OpCapability PhysicalStorageBufferAddresses
               OpCapability StorageImageArrayDynamicIndexing
               OpCapability StorageImageReadWithoutFormat
               OpMemoryModel PhysicalStorageBuffer64 GLSL450
               OpEntryPoint GLCompute %main "main" %id %buffer %push %image %images
               OpExecutionMode %main LocalSize 64 1 1
               OpDecorate %id BuiltIn LocalInvocationIndex
               OpDecorate %array ArrayStride 4
               OpDecorate %Block Block
               OpMemberDecorate %Block 0 Offset 0
               OpDecorate %Push Block
               OpMemberDecorate %Push 0 Offset 0
               OpDecorate %buffer DescriptorSet 0
               OpDecorate %buffer Binding 0
               OpDecorate %image DescriptorSet 0
               OpDecorate %image Binding 1
               OpDecorate %images DescriptorSet 0
               OpDecorate %images Binding 2
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %bool = OpTypeBool
       %uint = OpTypeInt 32 0
      %uvec2 = OpTypeVector %uint 2
      %uvec4 = OpTypeVector %uint 4
      %array = OpTypeRuntimeArray %uint
      %Block = OpTypeStruct %array
  %ptr_Block = OpTypePointer StorageBuffer %Block
   %ptr_uint = OpTypePointer StorageBuffer %uint
%address_Block = OpTypePointer PhysicalStorageBuffer %Block
%address_uint = OpTypePointer PhysicalStorageBuffer %uint
       %Push = OpTypeStruct %address_Block
   %ptr_Push = OpTypePointer PushConstant %Push
%ptr_address = OpTypePointer PushConstant %address_Block
  %ptr_input = OpTypePointer Input %uint
      %texel = OpTypeImage %uint 2D 0 0 0 2 R32ui
  %ptr_texel = OpTypePointer UniformConstant %texel
          %8 = OpConstant %uint 8
     %texels = OpTypeArray %texel %8
 %ptr_texels = OpTypePointer UniformConstant %texels
     %buffer = OpVariable %ptr_Block StorageBuffer
       %push = OpVariable %ptr_Push PushConstant
         %id = OpVariable %ptr_input Input
      %image = OpVariable %ptr_texel UniformConstant
     %images = OpVariable %ptr_texels UniformConstant
)";

// $0 is the number of the access, $1 that of its constant.
constexpr const char* kAccesses[] = {
    R"(
    %index$0 = OpIAdd %uint %i %c$1
  %element$0 = OpAccessChain %ptr_uint %buffer %c0 %index$0
               OpStore %element$0 %i
)",
    R"(
    %index$0 = OpIMul %uint %i %c$1
  %element$0 = OpAccessChain %ptr_uint %buffer %c0 %index$0
    %value$0 = OpLoad %uint %element$0
)",
    R"(
    %index$0 = OpIAdd %uint %i %c$1
  %element$0 = OpAccessChain %address_uint %address %c0 %index$0
    %value$0 = OpLoad %uint %element$0 Aligned 4
)",
    R"(
    %index$0 = OpIAdd %uint %i %c$1
     %view$0 = OpLoad %texel %image
       %at$0 = OpCompositeConstruct %uvec2 %index$0 %i
    %value$0 = OpImageRead %uvec4 %view$0 %at$0
)",
    R"(
    %index$0 = OpIAdd %uint %i %c$1
 %quotient$0 = OpUDiv %uint %c$1 %index$0
     %slot$0 = OpAccessChain %ptr_texel %images %quotient$0
     %view$0 = OpLoad %texel %slot$0
       %at$0 = OpCompositeConstruct %uvec2 %i %i
    %value$0 = OpImageRead %uvec4 %view$0 %at$0
)"};

std::string AccessText(uint32_t number) {
  return absl::Substitute(kAccesses[number % std::size(kAccesses)], number, number + 1);
}

std::string BlockText(uint32_t block, uint32_t first, uint32_t last) {
  const bool is_loop = block % kBlocksPerLoop == kBlocksPerLoop - 1;
  std::string accesses;
  for (uint32_t i = first; i < last; ++i) absl::StrAppend(&accesses, AccessText(i));
  if (!is_loop) {
    return absl::StrCat(absl::Substitute(R"(
               OpSelectionMerge %end$0 None
               OpBranchConditional %is_odd %body$0 %end$0
     %body$0 = OpLabel
)",
                                         block),
                        accesses,
                        absl::Substitute(R"(
               OpBranch %end$0
      %end$0 = OpLabel
)",
                                         block));
  }
  return absl::StrCat(absl::Substitute(R"(
               OpBranch %loop$0
     %loop$0 = OpLabel
               OpLoopMerge %end$0 %next$0 None
               OpBranch %body$0
     %body$0 = OpLabel
)",
                                       block),
                      accesses,
                      absl::Substitute(R"(
               OpBranch %next$0
     %next$0 = OpLabel
               OpBranchConditional %is_odd %end$0 %loop$0
      %end$0 = OpLabel
)",
                                       block));
}

}  // namespace

std::vector<uint32_t> ManyAccesses(uint32_t count) {
  std::string text = kHeader;
  for (uint32_t i = 0; i <= count; ++i) absl::StrAppend(&text, "%c", i, " = OpConstant %uint ", i, "\n");
  absl::StrAppend(&text, R"(
       %main = OpFunction %void None %fn
      %entry = OpLabel
          %i = OpLoad %uint %id
    %p_block = OpAccessChain %ptr_address %push %c0
    %address = OpLoad %address_Block %p_block
        %low = OpBitwiseAnd %uint %i %c1
     %is_odd = OpIEqual %bool %low %c1
)");
  for (uint32_t first = 0, block = 0; first < count; first += kPerBlock, ++block) {
    absl::StrAppend(&text, BlockText(block, first, std::min(first + kPerBlock, count)));
  }
  absl::StrAppend(&text, R"(
               OpReturn
               OpFunctionEnd
)");
  return test::AssembleSpirv(text);
}

spirv_instrument::InstrumentConfig AllPasses(bool has_steps) {
  InstrumentConfig config;
  EnableAllPasses(config.passes);
  if (!has_steps) {
    config.frame.steps = StepsConfig::None();
  }
  return config;
}

Cost Measure(const std::vector<uint32_t>& words, const InstrumentConfig& config, int runs) {
  Cost cost = {.words_before = words.size(), .milliseconds = std::numeric_limits<double>::max()};
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    absl::StatusOr<Instrumented> instrumented = Instrument(words, config);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    CHECK_OK(instrumented.status());
    cost.milliseconds = std::min(cost.milliseconds, time.count());
    cost.words_after = instrumented->words.size();
    cost.accesses = 0;
    cost.emitted = 0;
    for (const PassStatistics& pass : instrumented->statistics.passes) {
      // Blocks are counted, and not accessed.
      if (pass.pass == "block_counts") continue;
      for (const uint32_t number : pass.counts) cost.accesses += number;
      cost.emitted += pass.Count(Outcome::kEmitted);
    }
  }
  return cost;
}

}  // namespace assay::spirv_instrument
