// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Entry points against features: a shader for each rule, and its correct twin.

#include "core/shader_stages/stage_test.h"
#include "vk/struct_traits.h"

namespace assay::core {
namespace {

class FeatureCases : public StageTest, public ::testing::WithParamInterface<StageCase> {};

TEST_P(FeatureCases, IsReported) {
  const StageCase& row = GetParam();
  for (const char* feature : row.disabled) driver().config().disabled_features.insert(feature);
  if (row.configure) row.configure(driver().config());
  MakeDevice();
  Make(row.shader.model, Text(row.shader));
  std::vector<std::string> ids = {absl::StrCat("VUID-", row.id)};
  ids.insert(ids.end(), row.also.begin(), row.also.end());
  ExpectMessages(ids);
}

TEST_P(FeatureCases, TwinIsSilent) {
  const StageCase& row = GetParam();
  MakeDevice();
  const std::string text = Text(row.shader);
  const std::string twin = row.from.empty() ? text : absl::StrReplaceAll(text, {{row.from, row.to}});
  EXPECT_EQ(row.from.empty(), twin == text);
  EXPECT_TRUE(!row.from.empty() || row.configure || !row.disabled.empty());
  Make(row.shader.model, twin);
  ExpectNothing();
}

std::string NameOfCase(const ::testing::TestParamInfo<StageCase>& info) {
  return absl::StrCat(info.index, "_", absl::StrReplaceAll(info.param.id, {{"-", "_"}}));
}

template <class T>
std::function<void(test::MockConfig&)> With(std::function<void(T&)> change) {
  return [change](test::MockConfig& config) {
    config.adjust_properties = [change](VkBaseOutStructure* properties) {
      if (properties->sType == vk::kStructureTypeOf<T>) change(*reinterpret_cast<T*>(properties));
    };
  };
}

// A variable of the type in Workgroup storage.
std::string Shared(const std::string& type) {
  return absl::StrCat("%pointer = OpTypePointer Workgroup ", type, "\n%shared = OpVariable %pointer Workgroup\n");
}

// A storage buffer at set 0, binding 0, with one member of the type.
const char* const kBufferDecorations =
    "OpDecorate %Block Block\nOpMemberDecorate %Block 0 Offset 0\nOpDecorate %buffer DescriptorSet 0\n"
    "OpDecorate %buffer Binding 0\n";
std::string Buffer(const std::string& type) {
  return absl::StrCat("%Block = OpTypeStruct ", type,
                      "\n%block_pointer = OpTypePointer StorageBuffer %Block\n"
                      "%member_pointer = OpTypePointer StorageBuffer ",
                      type, "\n%buffer = OpVariable %block_pointer StorageBuffer\n");
}
const char* const kLong = "%ulong = OpTypeInt 64 0\n%long1 = OpConstant %ulong 1\n";

std::vector<StageCase> AtomicCases() {
  const char* const int64 = "OpCapability Int64\nOpCapability Int64Atomics\n";
  const char* const add32 = "OpCapability AtomicFloat32AddEXT\nOpExtension \"SPV_EXT_shader_atomic_float_add\"\n";
  const std::string chain = "%at = OpAccessChain %member_pointer %buffer %u0\n";
  return {
      {.id = "RuntimeSpirv-None-06278",
       .shader = {.capabilities = int64,
                  .interface = "%buffer",
                  .decorations = kBufferDecorations,
                  .globals = kLong + Buffer("%ulong"),
                  .body = chain + "%old = OpAtomicIAdd %ulong %at %u1 %u0 %long1\n"},
       .disabled = {"shaderBufferInt64Atomics"}},
      {.id = "RuntimeSpirv-None-06279",
       .shader = {.capabilities = int64,
                  .interface = "%shared",
                  .globals = kLong + Shared("%ulong"),
                  .body = "%old = OpAtomicIAdd %ulong %shared %u2 %u0 %long1\n"},
       .disabled = {"shaderSharedInt64Atomics"}},
      {.id = "RuntimeSpirv-None-06284",
       .shader = {.capabilities = "",
                  .interface = "%buffer",
                  .decorations = kBufferDecorations,
                  .globals = Buffer("%float"),
                  .body = chain + "%old = OpAtomicExchange %float %at %u1 %u0 %f1\n"},
       .disabled = {"VkPhysicalDeviceShaderAtomicFloatFeaturesEXT.shaderBufferFloat32Atomics",
                    "shaderBufferFloat32AtomicAdd", "shaderBufferFloat64Atomics", "shaderBufferFloat64AtomicAdd"}},
      {.id = "RuntimeSpirv-None-06285",
       .shader = {.capabilities = add32,
                  .interface = "%shared",
                  .globals = Shared("%float"),
                  .body = "%old = OpAtomicFAddEXT %float %shared %u2 %u0 %f1\n"},
       .disabled = {"shaderSharedFloat32Atomics", "shaderSharedFloat32AtomicAdd", "shaderSharedFloat64Atomics",
                    "shaderSharedFloat64AtomicAdd"}},
      {.id = "RuntimeSpirv-None-06338",
       .shader = {.interface = "%shared",
                  .globals = Shared("%float"),
                  .body = "%old = OpAtomicExchange %float %shared %u2 %u0 %f1\n"},
       .disabled = {"shaderBufferFloat32Atomics", "shaderBufferFloat32AtomicAdd", "shaderSharedFloat32Atomics",
                    "shaderSharedFloat32AtomicAdd", "shaderImageFloat32Atomics", "shaderImageFloat32AtomicAdd"}},
      {.id = "RuntimeSpirv-None-06339",
       .shader = {.capabilities = "OpCapability Float64\n",
                  .interface = "%shared",
                  .globals = "%double = OpTypeFloat 64\n%d1 = OpConstant %double 1\n" + Shared("%double"),
                  .body = "%old = OpAtomicExchange %double %shared %u2 %u0 %d1\n"},
       .disabled = {"shaderBufferFloat64Atomics", "shaderBufferFloat64AtomicAdd", "shaderSharedFloat64Atomics",
                    "shaderSharedFloat64AtomicAdd"}},
      {.id = "RuntimeSpirv-vulkanMemoryModel-06266",
       .shader = {.interface = "%shared",
                  .globals = Shared("%uint"),
                  .body = "%old = OpAtomicIAdd %uint %shared %u5 %u0 %u1\n"},
       .disabled = {"vulkanMemoryModel", "vulkanMemoryModelDeviceScope"}},
      {.id = "RuntimeSpirv-vulkanMemoryModel-06265",
       .shader = {.interface = "%shared",
                  .globals = Shared("%uint"),
                  .body = "%old = OpAtomicIAdd %uint %shared %u1 %u0 %u1\n"},
       .disabled = {"vulkanMemoryModelDeviceScope"}},
      {.id = "RuntimeSpirv-shaderZeroInitializeWorkgroupMemory-06372",
       .shader = {.interface = "%shared",
                  .globals = "%pointer = OpTypePointer Workgroup %uint\n%zero = OpConstantNull %uint\n"
                             "%shared = OpVariable %pointer Workgroup %zero\n",
                  .body = "%value = OpLoad %uint %shared\n"},
       .disabled = {"shaderZeroInitializeWorkgroupMemory"}},
  };
}

std::vector<StageCase> GroupCases() {
  using Subgroup = VkPhysicalDeviceSubgroupProperties;
  const char* const arithmetic = "OpCapability GroupNonUniform\nOpCapability GroupNonUniformArithmetic\n";
  const char* const ballot = "OpCapability GroupNonUniform\nOpCapability GroupNonUniformBallot\n";
  const char* const quad = "OpCapability GroupNonUniform\nOpCapability GroupNonUniformQuad\n";
  const std::string input =
      "%input_pointer = OpTypePointer Private %uint\n%input = OpVariable %input_pointer Private\n";
  return {
      {.id = "RuntimeSpirv-None-06275",
       .shader = {.capabilities = std::string("OpCapability Int64\n") + arithmetic,
                  .globals = kLong,
                  .body = "%sum = OpGroupNonUniformIAdd %ulong %u3 Reduce %long1\n"},
       .disabled = {"shaderSubgroupExtendedTypes"}},
      {.id = "RuntimeSpirv-subgroupBroadcastDynamicId-06277",
       .shader = {.capabilities = ballot,
                  .interface = "%input",
                  .globals = input,
                  .body = "%id = OpLoad %uint %input\n%sum = OpGroupNonUniformBroadcast %uint %u3 %u1 %id\n"},
       .disabled = {"subgroupBroadcastDynamicId"}},
      {.id = "RuntimeSpirv-subgroupBroadcastDynamicId-06276",
       .shader = {.capabilities = quad,
                  .interface = "%input",
                  .globals = input,
                  .body = "%id = OpLoad %uint %input\n%sum = OpGroupNonUniformQuadBroadcast %uint %u3 %u1 %id\n"},
       .disabled = {"subgroupBroadcastDynamicId"}},
      {.id = "RuntimeSpirv-None-06342",
       .shader = {.model = "Vertex",
                  .capabilities = quad,
                  .body = "%sum = OpGroupNonUniformQuadBroadcast %uint %u3 %u1 %u1\n"},
       .configure = With<Subgroup>([](Subgroup& subgroup) { subgroup.quadOperationsInAllStages = VK_FALSE; })},
      {.id = "RuntimeSpirv-None-06343",
       .shader = {.model = "Vertex",
                  .capabilities = arithmetic,
                  .body = "%sum = OpGroupNonUniformIAdd %uint %u3 Reduce %u1\n"},
       .configure = With<Subgroup>([](Subgroup& subgroup) { subgroup.supportedStages = VK_SHADER_STAGE_COMPUTE_BIT; })},
      {.id = "RuntimeSpirv-shaderSubgroupRotateClustered-09566",
       .shader = {.capabilities = "OpCapability GroupNonUniform\nOpCapability GroupNonUniformRotateKHR\n"
                                  "OpExtension \"SPV_KHR_subgroup_rotate\"\n",
                  .body = "%turned = OpGroupNonUniformRotateKHR %uint %u3 %u1 %u1 %u4\n"},
       .disabled = {"shaderSubgroupRotateClustered"}},
      {.id = "RuntimeSpirv-shaderSubgroupClock-06267",
       .shader = {.capabilities = "OpCapability Int64\nOpCapability ShaderClockKHR\n"
                                  "OpExtension \"SPV_KHR_shader_clock\"\n",
                  .globals = kLong,
                  .body = "%time = OpReadClockKHR %ulong %u3\n"},
       .disabled = {"shaderSubgroupClock"}},
      {.id = "RuntimeSpirv-shaderDeviceClock-06268",
       .shader = {.capabilities = "OpCapability Int64\nOpCapability ShaderClockKHR\n"
                                  "OpExtension \"SPV_KHR_shader_clock\"\n",
                  .globals = kLong,
                  .body = "%time = OpReadClockKHR %ulong %u1\n"},
       .disabled = {"shaderDeviceClock"}},
  };
}

std::vector<StageCase> ModeCases() {
  const char* const early =
      "OpExtension \"SPV_AMD_shader_early_and_late_fragment_tests\"\nOpExtension \"SPV_EXT_shader_stencil_export\"\n";
  std::vector<StageCase> cases = {
      {.id = "RuntimeSpirv-LocalSizeId-06434",
       .shader = {.modes = "OpExecutionModeId %main LocalSizeId %u1 %u1 %u1\n"},
       .disabled = {"maintenance4"}},
      {.id = "RuntimeSpirv-SubgroupUniformControlFlowKHR-06379",
       .shader = {.capabilities = "OpExtension \"SPV_KHR_subgroup_uniform_control_flow\"\n",
                  .modes = "OpExecutionMode %main LocalSize 1 1 1\n"
                           "OpExecutionMode %main SubgroupUniformControlFlowKHR\n"},
       .disabled = {"shaderSubgroupUniformControlFlow"}},
  };
  constexpr const char* kModes[][2] = {
      {"RuntimeSpirv-shaderEarlyAndLateFragmentTests-06767", "EarlyAndLateFragmentTestsAMD"},
      {"RuntimeSpirv-shaderEarlyAndLateFragmentTests-06768", "StencilRefUnchangedFrontAMD"},
      {"RuntimeSpirv-shaderEarlyAndLateFragmentTests-06769", "StencilRefUnchangedBackAMD"},
      {"RuntimeSpirv-shaderEarlyAndLateFragmentTests-06770", "StencilRefGreaterFrontAMD"},
      {"RuntimeSpirv-shaderEarlyAndLateFragmentTests-06771", "StencilRefGreaterBackAMD"},
      {"RuntimeSpirv-shaderEarlyAndLateFragmentTests-06772", "StencilRefLessFrontAMD"},
      {"RuntimeSpirv-shaderEarlyAndLateFragmentTests-06773", "StencilRefLessBackAMD"},
  };
  for (const auto& [id, mode] : kModes) {
    cases.push_back({.id = id,
                     .shader = {.model = "Fragment",
                                .capabilities = std::string("OpCapability StencilExportEXT\n") + early,
                                .modes = absl::StrCat("OpExecutionMode %main ", mode, "\n")},
                     .disabled = {"shaderEarlyAndLateFragmentTests"}});
  }
  return cases;
}

std::vector<StageCase> VariableCases() {
  const std::string load = "%at = OpAccessChain %member_pointer %buffer %u0\n%value = OpLoad %uint %at\n";
  const StageText buffer = {.model = "Fragment",
                            .interface = "%buffer",
                            .decorations = kBufferDecorations,
                            .globals = Buffer("%uint"),
                            .body = load};
  StageText vertex = buffer;
  vertex.model = "Vertex";
  const std::string input_decorations = "OpDecorate %input DescriptorSet 0\nOpDecorate %input Binding 4\n";
  const std::string image = "%image = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n";
  const StageText attachment = {.model = "Fragment",
                                .capabilities = "OpCapability InputAttachment\n",
                                .interface = "%input",
                                .decorations = input_decorations,
                                .globals = image +
                                           "%input_pointer = OpTypePointer UniformConstant %image\n"
                                           "%input = OpVariable %input_pointer UniformConstant\n",
                                .body = "%value = OpLoad %image %input\n"};
  return {
      {.id = "RuntimeSpirv-NonWritable-06340", .shader = buffer, .disabled = {"fragmentStoresAndAtomics"}},
      {.id = "RuntimeSpirv-NonWritable-06341", .shader = vertex, .disabled = {"vertexPipelineStoresAndAtomics"}},
      {.id = "RuntimeSpirv-None-09558", .shader = attachment, .disabled = {"dynamicRenderingLocalRead"}},
  };
}

// Constant operands of rays. The text of a ray query or trace has its operands in order.
std::vector<StageCase> RayCases() {
  const std::string globals = R"(
    %flags = OpConstant %uint 1
    %wrong_flags = OpConstant %uint FLAGS
    %vector = OpConstantComposite %v3float %f0 %f0 %f1
    %infinity = OpConstant %float 0x1p+128
    %nan = OpConstant %float 0x1.8p+128
    %minus = OpConstant %float -1
    %infinite = OpConstantComposite %v3float %f0 %infinity %f1
    %structure_type = OpTypeAccelerationStructureKHR
    %structure_pointer = OpTypePointer UniformConstant %structure_type
    %structure = OpVariable %structure_pointer UniformConstant
  )";
  const std::string decorations = "OpDecorate %structure DescriptorSet 0\nOpDecorate %structure Binding 3\n";
  struct Operation {
    StageText shader;
    // Not finite, negative, order, NaN, both skips, cullings, opacities.
    std::vector<const char*> ids;
  };
  const std::string ray = "ORIGIN MIN DIRECTION MAX";
  std::vector<Operation> operations = {
      {{.capabilities = "OpCapability RayQueryKHR\nOpExtension \"SPV_KHR_ray_query\"\n",
        .interface = "%structure",
        .decorations = decorations,
        .globals = globals + "%query_type = OpTypeRayQueryKHR\n%query_pointer = OpTypePointer Private %query_type\n"
                             "%query = OpVariable %query_pointer Private\n",
        .body = "%of = OpLoad %structure_type %structure\n"
                "OpRayQueryInitializeKHR %query %of FLAGVALUE %u1 " +
                ray + "\n"},
       {"RuntimeSpirv-OpRayQueryInitializeKHR-06348", "RuntimeSpirv-OpRayQueryInitializeKHR-06349",
        "RuntimeSpirv-OpRayQueryInitializeKHR-06350", "RuntimeSpirv-OpRayQueryInitializeKHR-06351",
        "RuntimeSpirv-OpRayQueryInitializeKHR-06889", "RuntimeSpirv-OpRayQueryInitializeKHR-06890",
        "RuntimeSpirv-OpRayQueryInitializeKHR-06891"}},
      {{.model = "RayGenerationKHR",
        .interface = "%structure %payload",
        .decorations = decorations,
        .globals = globals + "%payload_pointer = OpTypePointer RayPayloadKHR %v4float\n"
                             "%payload = OpVariable %payload_pointer RayPayloadKHR\n",
        .body = "%of = OpLoad %structure_type %structure\n"
                "OpTraceRayKHR %of FLAGVALUE %u1 %u0 %u0 %u0 " +
                ray + " %payload\n"},
       {"RuntimeSpirv-OpTraceRayKHR-06355", "RuntimeSpirv-OpTraceRayKHR-06356", "RuntimeSpirv-OpTraceRayKHR-06357",
        "RuntimeSpirv-OpTraceRayKHR-06358", "RuntimeSpirv-OpTraceRayKHR-06552", "RuntimeSpirv-OpTraceRayKHR-06892",
        "RuntimeSpirv-OpTraceRayKHR-06893"}},
  };
  operations[0].shader.interface += " %query";
  // What differs from a correct ray, for each of the ids.
  constexpr const char* kWrong[][4] = {
      {"%infinite %f0 %vector %f1", "%flags", "768", ""},     {"%vector %minus %vector %f1", "%flags", "768", ""},
      {"%vector %f1 %vector %f0", "%flags", "768", ""},       {"%vector %nan %vector %f1", "%flags", "768", ""},
      {"%vector %f0 %vector %f1", "%wrong_flags", "768", ""}, {"%vector %f0 %vector %f1", "%wrong_flags", "48", ""},
      {"%vector %f0 %vector %f1", "%wrong_flags", "3", ""}};
  std::vector<StageCase> cases;
  for (const Operation& operation : operations) {
    for (size_t i = 0; i < operation.ids.size(); ++i) {
      StageText text = operation.shader;
      text.globals = absl::StrReplaceAll(text.globals, {{"FLAGS", kWrong[i][2]}});
      const std::string wrong = absl::StrReplaceAll(text.body, {{ray, kWrong[i][0]}, {"FLAGVALUE", kWrong[i][1]}});
      const std::string right =
          absl::StrReplaceAll(text.body, {{ray, "%vector %f0 %vector %f1"}, {"FLAGVALUE", "%flags"}});
      text.body = wrong;
      cases.push_back({.id = operation.ids[i], .shader = text, .from = wrong, .to = right});
    }
  }
  return cases;
}

// Offsets of image operations on a combined image sampler.
std::vector<StageCase> ImageCases() {
  const auto text = [](const std::string& operation) {
    return StageText{.model = "Fragment",
                     .capabilities = "OpCapability ImageGatherExtended\n",
                     .interface = "%texture",
                     .decorations = "OpDecorate %texture DescriptorSet 0\nOpDecorate %texture Binding 2\n",
                     .globals = R"(
          %v2int = OpTypeVector %int 2
          %low = OpConstant %int -9
          %high = OpConstant %int 9
          %zero = OpConstant %int 0
          %below = OpConstantComposite %v2int %zero %low
          %above = OpConstantComposite %v2int %high %zero
          %within = OpConstantComposite %v2int %zero %zero
          %place = OpConstantComposite %v2float %f0 %f0
          %image = OpTypeImage %float 2D 0 0 0 1 Unknown
          %sampled = OpTypeSampledImage %image
          %texture_pointer = OpTypePointer UniformConstant %sampled
          %texture = OpVariable %texture_pointer UniformConstant
        )",
                     .body = "%of = OpLoad %sampled %texture\n" + operation};
  };
  const std::string sample = "%texel = OpImageSampleImplicitLod %v4float %of %place ";
  const std::string gather = "%texel = OpImageGather %v4float %of %place %u0 ";
  const auto set = [](test::MockConfig& config) {
    config.limits.minTexelOffset = config.limits.minTexelGatherOffset = -8;
    config.limits.maxTexelOffset = config.limits.maxTexelGatherOffset = 7;
  };
  return {
      {.id = "RuntimeSpirv-OpImageSample-06435",
       .shader = text(sample + "ConstOffset %below\n"),
       .from = "ConstOffset %below",
       .to = "ConstOffset %within",
       .configure = set},
      {.id = "RuntimeSpirv-OpImageSample-06436",
       .shader = text(sample + "ConstOffset %above\n"),
       .from = "ConstOffset %above",
       .to = "ConstOffset %within",
       .configure = set},
      {.id = "RuntimeSpirv-OpImage-06376",
       .shader = text(gather + "ConstOffset %below\n"),
       .from = "ConstOffset %below",
       .to = "ConstOffset %within",
       .configure = set},
      {.id = "RuntimeSpirv-OpImage-06377",
       .shader = text(gather + "Offset %above\n"),
       .from = "Offset %above",
       .to = "Offset %within",
       .configure = set},
      {.id = "RuntimeSpirv-Offset-10213", .shader = text(sample + "Offset %within\n"), .disabled = {"maintenance8"}},
  };
}

INSTANTIATE_TEST_SUITE_P(Images, FeatureCases, ::testing::ValuesIn(ImageCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Atomics, FeatureCases, ::testing::ValuesIn(AtomicCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Groups, FeatureCases, ::testing::ValuesIn(GroupCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Modes, FeatureCases, ::testing::ValuesIn(ModeCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Variables, FeatureCases, ::testing::ValuesIn(VariableCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Rays, FeatureCases, ::testing::ValuesIn(RayCases()), NameOfCase);

}  // namespace
}  // namespace assay::core
