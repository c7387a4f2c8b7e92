// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/ray_query.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/passes/frame/pass.h"
#include "spirv_instrument/passes/frame/run_passes.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint32_t kSkipTriangles = 0x100;

// A ray generation shader with a ray query and these statements.
std::vector<uint32_t> Shader(std::string_view statements) {
  std::string text = R"(
    OpCapability RayTracingKHR
    OpCapability RayQueryKHR
    OpExtension "SPV_KHR_ray_tracing"
    OpExtension "SPV_KHR_ray_query"
    OpMemoryModel Logical GLSL450
    OpEntryPoint RayGenerationKHR %main "main" %scene %payload
    OpDecorate %scene DescriptorSet 0
    OpDecorate %scene Binding 0
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %float = OpTypeFloat 32
    %v3float = OpTypeVector %float 3
    %flags = OpUndef %uint
    %vector = OpUndef %v3float
    %t = OpUndef %float
    %uint_0 = OpConstant %uint 0
    %structure = OpTypeAccelerationStructureKHR
    %structure_pointer = OpTypePointer UniformConstant %structure
    %scene = OpVariable %structure_pointer UniformConstant
    %payload_pointer = OpTypePointer RayPayloadKHR %float
    %payload = OpVariable %payload_pointer RayPayloadKHR
    %query_type = OpTypeRayQueryKHR
    %query_pointer = OpTypePointer Function %query_type
    %main = OpFunction %void None %function
    %entry = OpLabel
    %query = OpVariable %query_pointer Function
    %top = OpLoad %structure %scene
  )";
  text += statements;
  return Assemble(text + "OpReturn\nOpFunctionEnd\n", SPV_ENV_VULKAN_1_2);
}

std::vector<uint32_t> Apply(const std::vector<uint32_t>& words, const RayQueryConfig& config) {
  const std::unique_ptr<Pass> pass = MakeRayQuery(config);
  Pass* const passes[] = {pass.get()};
  absl::StatusOr<Instrumented> result = RunPasses(words, {}, passes);
  EXPECT_TRUE(result.ok()) << result.status();
  if (!result.ok()) return {};
  EXPECT_TRUE(result->is_changed);
  return result->words;
}

TEST(RayQuery, APipelineExcludesFlagsOfItsRaysAlone) {
  const std::vector<uint32_t> trace =
      Shader("OpTraceRayKHR %top %flags %uint_0 %uint_0 %uint_0 %uint_0 %vector %t %vector %t %payload\n");
  EXPECT_NE(Apply(trace, {.excluded_flags = kSkipTriangles}), Apply(trace, {}));
  const std::vector<uint32_t> query =
      Shader("OpRayQueryInitializeKHR %query %top %flags %uint_0 %vector %t %vector %t\n");
  EXPECT_EQ(Apply(query, {.excluded_flags = kSkipTriangles}), Apply(query, {}));
}

}  // namespace
}  // namespace assay::spirv_instrument
