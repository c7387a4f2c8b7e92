// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// How acceleration structures that shaders traverse were built, through the whole layer.

#include <array>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/descriptors/bound_test.h"
#include "gmock/gmock.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kRayArguments = " %null3 %fzero %null3 %fzero ";

// A shader that does something with the acceleration structure %loaded.
ShaderAddition TextOf(std::string_view body) {
  return {.declarations =
              "%float = OpTypeFloat 32\n%float3 = OpTypeVector %float 3\n"
              "%as = OpTypeAccelerationStructureKHR\n"
              "%null3 = OpConstantNull %float3\n%fzero = OpConstantNull %float\n",
          .globals = {Descriptor("%structure", "%as")},
          .body = absl::StrCat("%loaded = OpLoad %as %structure\n", body)};
}

// One that begins with these words, and ends with the payload.
ShaderAddition Tracing(std::string_view instruction, std::string_view time = "") {
  ShaderAddition text =
      TextOf(absl::StrCat(instruction, " %loaded %zero %zero %zero %zero %zero", kRayArguments, time, "%payload\n"));
  text.globals.push_back({"%payload", "RayPayloadKHR", "%uint"});
  return text;
}
ShaderAddition TracingInMotion(std::string_view instruction) {
  ShaderAddition text = Tracing(instruction, "%fzero ");
  text.capabilities = Capabilities("RayTracingMotionBlurNV", "SPV_NV_ray_tracing_motion_blur");
  return text;
}
ShaderAddition TracingHitObject() {
  ShaderAddition text = TracingInMotion("OpHitObjectTraceRayMotionNV %hit");
  text.capabilities += Capabilities("ShaderInvocationReorderNV", "SPV_NV_shader_invocation_reorder");
  text.declarations += "%object = OpTypeHitObjectNV\n";
  text.globals.push_back({"%hit", "Private", "%object"});
  return text;
}
ShaderAddition QueryRay(std::string_view behind = "") {
  ShaderAddition text =
      TextOf(absl::StrCat("OpRayQueryInitializeKHR %query %loaded %zero %zero", kRayArguments, "\n", behind));
  text.capabilities =
      Capabilities("RayQueryKHR, RayQueryPositionFetchKHR", "SPV_KHR_ray_query, SPV_KHR_ray_tracing_position_fetch");
  text.declarations +=
      "%query_type = OpTypeRayQueryKHR\n%int = OpTypeInt 32 1\n%committed = OpConstant %int 1\n"
      "%three = OpConstant %uint 3\n%positions = OpTypeArray %float3 %three\n";
  text.globals.push_back({"%query", "Private", "%query_type"});
  return text;
}

constexpr VkAccelerationStructureTypeKHR kTop = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR;
constexpr VkAccelerationStructureTypeKHR kBottom = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
constexpr VkBuildAccelerationStructureFlagsKHR kMotion = VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV;
constexpr VkPipelineCreateFlags kAllowsMotion = VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV;

class BoundStructures : public BoundTest {
 protected:
  void SetUp() override {
    Start({.extensions = {"VK_KHR_ray_query", "VK_KHR_ray_tracing_position_fetch", "VK_NV_ray_tracing_motion_blur",
                          "VK_NV_ray_tracing_invocation_reorder"}});
  }
  void Use(const ShaderAddition& addition) {
    type_ = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
    BoundTest::Use(addition, {{0, type_}});
  }
  // With flags of its builds.
  VkAccelerationStructureKHR MakeStructure(VkBuildAccelerationStructureFlagsKHR flags = 0) {
    constexpr VkDeviceSize kSize = 4096;
    const VkAccelerationStructureCreateInfoKHR info = {
        .createFlags = (flags & kMotion) != 0 ? VkFlags{VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV} : 0,
        .buffer = MakeBuffer(kSize, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR),
        .size = kSize,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR};
    return MakeFrom(info, vk.CreateAccelerationStructureKHR, vk.DestroyAccelerationStructureKHR);
  }
  void Build(VkAccelerationStructureKHR structure, VkAccelerationStructureTypeKHR type,
             VkBuildAccelerationStructureFlagsKHR flags = 0) {
    auto instances = Of<VkAccelerationStructureGeometryKHR>(VK_GEOMETRY_TYPE_INSTANCES_KHR);
    instances.geometry.instances = Of<VkAccelerationStructureGeometryInstancesDataKHR>();
    std::array<std::byte, 256> scratch;
    const auto info =
        Typed(VkAccelerationStructureBuildGeometryInfoKHR{.type = type,
                                                          .flags = flags,
                                                          .dstAccelerationStructure = structure,
                                                          .geometryCount = type == kTop ? 1u : 0u,
                                                          .pGeometries = &instances,
                                                          .scratchData = {.hostAddress = scratch.data()}});
    const VkAccelerationStructureBuildRangeInfoKHR range = {};
    const VkAccelerationStructureBuildRangeInfoKHR* ranges = &range;
    EXPECT_EQ(vk.BuildAccelerationStructuresKHR(device, VK_NULL_HANDLE, 1, &info, &ranges), VK_SUCCESS);
  }
  VkDescriptorSet SetWith(VkAccelerationStructureKHR structure) {
    const auto structures = Of<VkWriteDescriptorSetAccelerationStructureKHR>(1, &structure);
    return BoundTest::SetWith({.pNext = &structures});
  }
  // Commands that use the structure, with flags of the pipeline.
  VkCommandBuffer CommandsWith(VkAccelerationStructureKHR structure, vk::CommandId command,
                               VkPipelineCreateFlags flags = 0) {
    const VkDescriptorSet set = SetWith(structure);
    VkCommandBuffer recorded = VK_NULL_HANDLE;
    RecordFor(command, [&] {
      Bind(PlainPipelineOf(*call_, flags));
      BindSet(set);
      ExpectSilence();
      recorded = commands_;
    });
    return recorded;
  }
  struct BuildOptions {
    VkAccelerationStructureTypeKHR type = kTop;
    VkBuildAccelerationStructureFlagsKHR flags = 0;
  };
  // The rule is of the submission, for a shader that was added; empty for none. Returns the text of the message.
  std::string Submit(std::string_view rule, vk::CommandId command, const BuildOptions& built,
                     VkPipelineCreateFlags flags = 0) {
    SCOPED_TRACE(std::string(rule));
    const VkAccelerationStructureKHR structure = MakeStructure(built.flags);
    const VkCommandBuffer commands = CommandsWith(structure, command, flags);
    // After the commands were recorded.
    Build(structure, built.type, built.flags);
    ExpectNothing();
    DrawTest::Submit(Queue(), {commands});
    const std::string text = rule.empty() ? "" : ExpectMessage(absl::StrCat("VUID-RuntimeSpirv-", rule)).text;
    ExpectNothing();
    return text;
  }
  std::string Trace(std::string_view rule, const ShaderAddition& shader, VkPipelineCreateFlags flags,
                    const BuildOptions& built) {
    Use(shader);
    return Submit(rule, vk::CommandId::kCmdTraceRaysKHR, built, flags);
  }
  void Dispatch(std::string_view rule, const ShaderAddition& shader, const BuildOptions& built) {
    Use(shader);
    Submit(rule, vk::CommandId::kCmdDispatch, built);
  }
};

TEST_F(BoundStructures, Traces) {
  const ShaderAddition ray = Tracing("OpTraceRayKHR");
  Trace("", ray, 0, {});
  Trace("", ray, kAllowsMotion, {.flags = kMotion});
  Trace("OpTraceRayKHR-06360", ray, 0, {.flags = kMotion});
  const std::string text = Trace("OpTraceRayKHR-06359", ray, 0, {.type = kBottom});
  EXPECT_THAT(text, HasSubstr("executes vkCmdTraceRaysKHR() in VkCommandBuffer 0x"));
  EXPECT_THAT(text, HasSubstr(", which no build makes a top-level acceleration structure."));
  // The counts are on the device.
  Submit("", vk::CommandId::kCmdTraceRaysIndirectKHR, {.type = kBottom});
}
TEST_F(BoundStructures, TracesMotion) {
  const ShaderAddition ray = TracingInMotion("OpTraceRayMotionNV"), hit = TracingHitObject();
  Trace("", ray, kAllowsMotion, {.flags = kMotion});
  Trace("OpTraceRayMotionNV-06365", ray, kAllowsMotion, {});
  Trace("OpTraceRayMotionNV-06365", ray, kAllowsMotion, {.type = kBottom, .flags = kMotion});
  Trace("", hit, kAllowsMotion, {.flags = kMotion});
  Trace("OpHitObjectTraceRayMotionNV-07709", hit, kAllowsMotion, {});
}
// Nothing was built, which is no matter of how. Then one of two builds fits: which is the last is not known.
TEST_F(BoundStructures, IsNotBuiltOrBuiltTwice) {
  Use(Tracing("OpTraceRayKHR"));
  for (const bool is_built : {false, true}) {
    const VkAccelerationStructureKHR structure = MakeStructure();
    const VkCommandBuffer commands = CommandsWith(structure, vk::CommandId::kCmdTraceRaysKHR);
    for (const auto type : {kBottom, kTop}) {
      if (is_built) Build(structure, type);
    }
    DrawTest::Submit(Queue(), {commands});
    ExpectNothing();
  }
}

TEST_F(BoundStructures, Queries) {
  const ShaderAddition generates = QueryRay("OpRayQueryGenerateIntersectionKHR %query %fzero\n");
  const std::string positions =
      "%read = OpRayQueryGetIntersectionTriangleVertexPositionsKHR %positions %query %committed\n";
  const ShaderAddition reads = QueryRay(positions);
  Dispatch("", QueryRay(), {.flags = kMotion});
  Dispatch("OpRayQueryInitializeKHR-06352", QueryRay(), {.type = kBottom});
  Submit("", vk::CommandId::kCmdDispatchIndirect, {.type = kBottom});
  Dispatch("", generates, {});
  Dispatch("OpRayQueryGenerateIntersectionKHR-06354", generates, {.flags = kMotion});
  Dispatch("", reads, {.flags = VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_DATA_ACCESS_KHR});
  Dispatch("flags-08761", reads, {});
  // The query may have another structure by then.
  const std::string again = absl::StrCat("OpRayQueryInitializeKHR %query %loaded %zero %zero", kRayArguments, "\n");
  Dispatch("", QueryRay(again + positions), {});
}
TEST_F(BoundStructures, DispatchesNothing) {
  Use(QueryRay());
  const VkAccelerationStructureKHR structure = MakeStructure();
  VkCommandBuffer commands = VK_NULL_HANDLE;
  ForDispatch(SetWith(structure), [&] {
    commands = commands_;
    vk.CmdDispatch(commands, 0, 1, 1);
  });
  Build(structure, kBottom);
  DrawTest::Submit(Queue(), {commands});
  ExpectNothing();
}

}  // namespace
}  // namespace assay::core
