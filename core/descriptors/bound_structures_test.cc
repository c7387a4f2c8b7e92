// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// How acceleration structures that shaders traverse were built, through the whole layer.

#include <array>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/draw/cases/draw_test.h"
#include "gmock/gmock.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kRayArguments = " %null3 %fzero %null3 %fzero ";

// A shader that does something with the acceleration structure %loaded.
ShaderAddition TextOf(std::string_view body) {
  ShaderAddition text;
  text.variables = "%structure";
  text.decorations = "OpDecorate %structure DescriptorSet 0\nOpDecorate %structure Binding 0\n";
  text.declarations =
      "%float = OpTypeFloat 32\n%float3 = OpTypeVector %float 3\n%as = OpTypeAccelerationStructureKHR\n"
      "%as_pointer = OpTypePointer UniformConstant %as\n%structure = OpVariable %as_pointer UniformConstant\n"
      "%null3 = OpConstantNull %float3\n%fzero = OpConstantNull %float\n";
  text.body = absl::StrCat("%loaded = OpLoad %as %structure\n", body);
  return text;
}

ShaderAddition Trace(std::string_view body) {
  ShaderAddition text = TextOf(body);
  absl::StrAppend(&text.variables, " %payload");
  absl::StrAppend(&text.declarations,
                  "%payload_pointer = OpTypePointer RayPayloadKHR %uint\n"
                  "%payload = OpVariable %payload_pointer RayPayloadKHR\n");
  return text;
}
ShaderAddition TraceRay() {
  return Trace(absl::StrCat("OpTraceRayKHR %loaded %zero %zero %zero %zero %zero", kRayArguments, "%payload\n"));
}
ShaderAddition TraceRayMotion() {
  ShaderAddition text = Trace(
      absl::StrCat("OpTraceRayMotionNV %loaded %zero %zero %zero %zero %zero", kRayArguments, "%fzero %payload\n"));
  text.capabilities = "OpCapability RayTracingMotionBlurNV\n";
  text.extensions = "OpExtension \"SPV_NV_ray_tracing_motion_blur\"\n";
  return text;
}
ShaderAddition TraceHitObjectMotion() {
  ShaderAddition text = Trace(absl::StrCat("OpHitObjectTraceRayMotionNV %hit %loaded %zero %zero %zero %zero %zero",
                                           kRayArguments, "%fzero %payload\n"));
  text.capabilities = "OpCapability RayTracingMotionBlurNV\nOpCapability ShaderInvocationReorderNV\n";
  text.extensions =
      "OpExtension \"SPV_NV_ray_tracing_motion_blur\"\nOpExtension \"SPV_NV_shader_invocation_reorder\"\n";
  absl::StrAppend(&text.declarations,
                  "%object = OpTypeHitObjectNV\n%object_pointer = OpTypePointer Private %object\n"
                  "%hit = OpVariable %object_pointer Private\n");
  absl::StrAppend(&text.variables, " %hit");
  return text;
}
ShaderAddition QueryRay(std::string_view behind = "") {
  ShaderAddition text =
      TextOf(absl::StrCat("OpRayQueryInitializeKHR %query %loaded %zero %zero", kRayArguments, "\n", behind));
  text.capabilities = "OpCapability RayQueryKHR\nOpCapability RayQueryPositionFetchKHR\n";
  text.extensions = "OpExtension \"SPV_KHR_ray_query\"\nOpExtension \"SPV_KHR_ray_tracing_position_fetch\"\n";
  absl::StrAppend(&text.declarations,
                  "%query_type = OpTypeRayQueryKHR\n%query_pointer = OpTypePointer Private %query_type\n"
                  "%query = OpVariable %query_pointer Private\n%int = OpTypeInt 32 1\n%committed = OpConstant %int 1\n"
                  "%three = OpConstant %uint 3\n%positions = OpTypeArray %float3 %three\n");
  absl::StrAppend(&text.variables, " %query");
  return text;
}

constexpr VkAccelerationStructureTypeKHR kTop = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR;
constexpr VkAccelerationStructureTypeKHR kBottom = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
constexpr VkBuildAccelerationStructureFlagsKHR kMotion = VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV;
constexpr VkPipelineCreateFlags kAllowsMotion = VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV;

class BoundStructures : public DrawTest {
 protected:
  void SetUp() override {
    Start({.extensions = {"VK_KHR_ray_query", "VK_KHR_ray_tracing_position_fetch", "VK_NV_ray_tracing_motion_blur",
                          "VK_NV_ray_tracing_invocation_reorder"}});
  }
  void Use(const ShaderAddition& addition) {
    set_layout_ = MakeSetLayout({{.binding = 0, .type = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR}});
    Add(addition, set_layout_);
  }
  // With flags of its builds.
  VkAccelerationStructureKHR MakeStructure(VkBuildAccelerationStructureFlagsKHR flags = 0) {
    constexpr VkDeviceSize kSize = 4096;
    const VkAccelerationStructureCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .createFlags = (flags & kMotion) != 0 ? VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV
                                              : VkAccelerationStructureCreateFlagBitsKHR{},
        .buffer = MakeBuffer(kSize, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR),
        .size = kSize,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR};
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateAccelerationStructureKHR(device, &info, nullptr, &structure), VK_SUCCESS);
    Defer(structure, [=, this] { vk.DestroyAccelerationStructureKHR(device, structure, nullptr); });
    return structure;
  }
  void Build(VkAccelerationStructureKHR structure, VkAccelerationStructureTypeKHR type,
             VkBuildAccelerationStructureFlagsKHR flags = 0) {
    VkAccelerationStructureGeometryKHR instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
                                                    .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR};
    instances.geometry.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR};
    VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = type,
        .flags = flags,
        .dstAccelerationStructure = structure,
        .geometryCount = type == kTop ? 1u : 0u,
        .pGeometries = &instances};
    std::array<std::byte, 256> scratch;
    info.scratchData.hostAddress = scratch.data();
    const VkAccelerationStructureBuildRangeInfoKHR range = {};
    const VkAccelerationStructureBuildRangeInfoKHR* ranges = &range;
    EXPECT_EQ(vk.BuildAccelerationStructuresKHR(device, VK_NULL_HANDLE, 1, &info, &ranges), VK_SUCCESS);
  }
  VkDescriptorSet SetWith(VkAccelerationStructureKHR structure) {
    const VkDescriptorSet set = MakeSet(set_layout_);
    const VkWriteDescriptorSetAccelerationStructureKHR structures = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &structure};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .pNext = &structures,
                                        .dstSet = set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR};
    vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
    return set;
  }
  // Commands that use the structure through the pipeline.
  VkCommandBuffer CommandsWith(VkAccelerationStructureKHR structure, vk::CommandId command, VkPipeline pipeline) {
    const VkDescriptorSet set = SetWith(structure);
    const ActionCall& call = CallOf(command);
    const VkCommandBuffer commands = BeginFor(call);
    Bind(commands, pipeline, PointOf(call));
    vk.CmdBindDescriptorSets(commands, PointOf(call), layout(), 0, 1, &set, 0, nullptr);
    Run(call, commands);
    EndFor(call, commands);
    ExpectNothing();
    return commands;
  }
  struct BuildOptions {
    VkAccelerationStructureTypeKHR type = kTop;
    VkBuildAccelerationStructureFlagsKHR flags = 0;
  };
  void Submit(vk::CommandId command, VkPipeline pipeline, const BuildOptions& built) {
    const VkAccelerationStructureKHR structure = MakeStructure(built.flags);
    const VkCommandBuffer commands = CommandsWith(structure, command, pipeline);
    // After the commands were recorded.
    Build(structure, built.type, built.flags);
    ExpectNothing();
    DrawTest::Submit(Queue(), {commands});
  }
  void Trace(VkPipelineCreateFlags flags, const BuildOptions& built) {
    Submit(vk::CommandId::kCmdTraceRaysKHR, MakeRayTracing({}, flags), built);
  }
  void Dispatch(const BuildOptions& built) { Submit(vk::CommandId::kCmdDispatch, MakeCompute(), built); }

  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
};
class NegativeBoundStructures : public BoundStructures {};
class PositiveBoundStructures : public BoundStructures {
 protected:
  void TearDown() override {
    ExpectNothing();
    BoundStructures::TearDown();
  }
};

TEST_F(NegativeBoundStructures, TracesBottomLevel) {
  Use(TraceRay());
  Trace(0, {.type = kBottom});
  const std::string text = ExpectMessage("VUID-RuntimeSpirv-OpTraceRayKHR-06359").text;
  EXPECT_THAT(text, HasSubstr("executes vkCmdTraceRaysKHR() in VkCommandBuffer 0x"));
  EXPECT_THAT(text, HasSubstr(", which no build makes a top-level acceleration structure."));
}
TEST_F(NegativeBoundStructures, TracesMotionWithoutFlag) {
  Use(TraceRay());
  Trace(0, {.flags = kMotion});
  ExpectMessage("VUID-RuntimeSpirv-OpTraceRayKHR-06360");
}
TEST_F(PositiveBoundStructures, Traces) {
  Use(TraceRay());
  Trace(0, {});
  Trace(kAllowsMotion, {.flags = kMotion});
}
// Nothing was built, which is no matter of how.
TEST_F(PositiveBoundStructures, IsNotBuilt) {
  Use(TraceRay());
  DrawTest::Submit(Queue(), {CommandsWith(MakeStructure(), vk::CommandId::kCmdTraceRaysKHR, MakeRayTracing())});
}
// One of two builds fits: which is the last is not known.
TEST_F(PositiveBoundStructures, IsBuiltTwice) {
  Use(TraceRay());
  const VkAccelerationStructureKHR structure = MakeStructure();
  const VkCommandBuffer commands = CommandsWith(structure, vk::CommandId::kCmdTraceRaysKHR, MakeRayTracing());
  Build(structure, kBottom);
  Build(structure, kTop);
  DrawTest::Submit(Queue(), {commands});
}
// The counts are on the device.
TEST_F(PositiveBoundStructures, TracesIndirectly) {
  Use(TraceRay());
  Submit(vk::CommandId::kCmdTraceRaysIndirectKHR, MakeRayTracing(), {.type = kBottom});
}

TEST_F(NegativeBoundStructures, TracesMotionOfStructureWithout) {
  Use(TraceRayMotion());
  Trace(kAllowsMotion, {});
  ExpectMessage("VUID-RuntimeSpirv-OpTraceRayMotionNV-06365");
}
TEST_F(NegativeBoundStructures, TracesMotionOfBottomLevel) {
  Use(TraceRayMotion());
  Trace(kAllowsMotion, {.type = kBottom, .flags = kMotion});
  ExpectMessage("VUID-RuntimeSpirv-OpTraceRayMotionNV-06365");
}
TEST_F(PositiveBoundStructures, TracesMotion) {
  Use(TraceRayMotion());
  Trace(kAllowsMotion, {.flags = kMotion});
}

TEST_F(NegativeBoundStructures, TracesHitObjectOfStructureWithoutMotion) {
  Use(TraceHitObjectMotion());
  Trace(kAllowsMotion, {});
  ExpectMessage("VUID-RuntimeSpirv-OpHitObjectTraceRayMotionNV-07709");
}
TEST_F(PositiveBoundStructures, TracesHitObjectInMotion) {
  Use(TraceHitObjectMotion());
  Trace(kAllowsMotion, {.flags = kMotion});
}

TEST_F(NegativeBoundStructures, QueriesBottomLevel) {
  Use(QueryRay());
  Dispatch({.type = kBottom});
  ExpectMessage("VUID-RuntimeSpirv-OpRayQueryInitializeKHR-06352");
}
TEST_F(PositiveBoundStructures, Queries) {
  Use(QueryRay());
  Dispatch({.flags = kMotion});
}
TEST_F(NegativeBoundStructures, GeneratesIntersectionInMotion) {
  Use(QueryRay("OpRayQueryGenerateIntersectionKHR %query %fzero\n"));
  Dispatch({.flags = kMotion});
  ExpectMessage("VUID-RuntimeSpirv-OpRayQueryGenerateIntersectionKHR-06354");
}
TEST_F(PositiveBoundStructures, GeneratesIntersection) {
  Use(QueryRay("OpRayQueryGenerateIntersectionKHR %query %fzero\n"));
  Dispatch({});
}
constexpr std::string_view kPositions =
    "%read = OpRayQueryGetIntersectionTriangleVertexPositionsKHR %positions %query %committed\n";
TEST_F(NegativeBoundStructures, ReadsPositions) {
  Use(QueryRay(kPositions));
  Dispatch({});
  ExpectMessage("VUID-RuntimeSpirv-flags-08761");
}
TEST_F(PositiveBoundStructures, ReadsPositions) {
  Use(QueryRay(kPositions));
  Dispatch({.flags = VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_DATA_ACCESS_KHR});
}
// The query may have another structure by then.
TEST_F(PositiveBoundStructures, QueriesTwice) {
  Use(QueryRay(absl::StrCat("OpRayQueryInitializeKHR %query %loaded %zero %zero", kRayArguments, "\n", kPositions)));
  Dispatch({});
}
TEST_F(PositiveBoundStructures, DispatchesIndirectly) {
  Use(QueryRay());
  Submit(vk::CommandId::kCmdDispatchIndirect, MakeCompute(), {.type = kBottom});
}
TEST_F(PositiveBoundStructures, DispatchesNothing) {
  Use(QueryRay());
  const VkAccelerationStructureKHR structure = MakeStructure();
  const VkPipeline pipeline = MakeCompute();
  const VkDescriptorSet set = SetWith(structure);
  const VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    Bind(c, pipeline, VK_PIPELINE_BIND_POINT_COMPUTE);
    vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout(), 0, 1, &set, 0, nullptr);
    vk.CmdDispatch(c, 0, 1, 1);
  });
  Build(structure, kBottom);
  DrawTest::Submit(Queue(), {commands});
}

}  // namespace
}  // namespace assay::core
