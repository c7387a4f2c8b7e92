// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Image operations, atomic ones too, interpolation, and memory behind addresses.

#include "core/shader_stages/stage_cases_test.h"

namespace assay::core {
namespace {

// Offsets of image operations on a combined image sampler.
std::vector<StageCase> ImageCases() {
  const auto text = [](const std::string& operation) {
    return StageText{.model = "Fragment",
                     .capabilities = Capabilities("ImageGatherExtended"),
                     .variables = {{"%texture", "UniformConstant", "%sampled", "DescriptorSet 0, Binding 2"}},
                     .globals = R"(
          %low = OpConstant %int -9
          %high = OpConstant %int 9
          %below = OpConstantComposite %v2int %i0 %low
          %above = OpConstantComposite %v2int %high %i0
          %within = OpConstantComposite %v2int %i0 %i0
          %place = OpConstantComposite %v2float %f0 %f0
          %image = OpTypeImage %float 2D 0 0 0 1 Unknown
          %sampled = OpTypeSampledImage %image
        )",
                     .body = "%of = OpLoad %sampled %texture\n" + operation + "\n"};
  };
  const std::string sample = "%texel = OpImageSampleImplicitLod %v4float %of %place ";
  const std::string gather = "%texel = OpImageGather %v4float %of %place %u0 ";
  std::vector<StageCase> cases = {
      {"OpImageSample-06435", text(sample + "ConstOffset %below"), "Offset %below", "Offset %within"},
      {"OpImageSample-06436", text(sample + "ConstOffset %above"), "Offset %above", "Offset %within"},
      {"OpImage-06376", text(gather + "ConstOffset %below"), "Offset %below", "Offset %within"},
      {"OpImage-06377", text(gather + "Offset %above"), "Offset %above", "Offset %within"},
  };
  for (StageCase& row : cases) {
    row.configure = [](test::MockConfig& config) {
      config.limits.minTexelOffset = config.limits.minTexelGatherOffset = -8;
      config.limits.maxTexelOffset = config.limits.maxTexelGatherOffset = 7;
    };
  }
  cases.push_back(Without("Offset-10213", text(sample + "Offset %within"), {"maintenance8"}));
  return cases;
}

// A storage image at binding 1, and an operation on it.
StageText StorageImage(const std::string& sampled_type, const std::string& format, const std::string& body) {
  return {.variables = {{"%storage", "UniformConstant", "%image", "DescriptorSet 0, Binding 1"}},
          .globals = absl::StrCat(R"(
            %place = OpConstantComposite %v2int %i0 %i0
            %pair = OpConstantComposite %v2float %f0 %f0
            %quad = OpConstantComposite %v4float %f0 %f0 %f0 %f0
            %image = OpTypeImage )",
                                  sampled_type, " 2D 0 0 0 2 ", format, "\n%texel_pointer = OpTypePointer Image ",
                                  sampled_type, "\n"),
          .body = body};
}

std::vector<StageCase> StorageImageCases() {
  const std::string load = "%to = OpLoad %image %storage\n";
  const StageText write = StorageImage("%float", "Rgba8", load + "OpImageWrite %to %place %pair\n");
  StageText write_two = StorageImage("%float", "Rg32f", load + "OpImageWrite %to %place %f0\n");
  write_two.capabilities = Capabilities("StorageImageExtendedFormats");
  const std::string pointer = "%at = OpImageTexelPointer %texel_pointer %storage %place %u0\n";
  const StageText float32 =
      StorageImage("%float", "R32f", pointer + "%old = OpAtomicExchange %float %at %u1 %u0 %f1\n");
  StageText int64 = StorageImage("%ulong", "R64ui", pointer + "%old = OpAtomicIAdd %ulong %at %u1 %u0 %long1\n");
  int64.capabilities = Capabilities("Int64, Int64Atomics, Int64ImageEXT", "SPV_EXT_shader_image_int64");
  int64.globals = kLong + int64.globals;
  return {
      {"OpImageWrite-07112", write, "%place %pair", "%place %quad"},
      {"OpImageWrite-07112", write_two, "%place %f0", "%place %pair"},
      Without("None-06286", float32, {"shaderImageFloat32Atomics", "shaderImageFloat32AtomicAdd"}),
      Without("None-06288", int64, {"shaderImageInt64Atomics"}, {kModuleCapability}),
  };
}

std::vector<StageCase> HalfAtomicCases() {
  const std::string half = "%half = OpTypeFloat 16\n%h1 = OpConstant %half 1\n";
  const StageText exchange = {.capabilities = Capabilities("Float16"),
                              .variables = {{"%shared", "Workgroup", "%half"}},
                              .globals = half,
                              .body = "%old = OpAtomicExchange %half %shared %u2 %u0 %h1\n"};
  const StageText add = {
      .capabilities = Capabilities("Float16, AtomicFloat16VectorNV", "SPV_NV_shader_atomic_fp16_vector"),
      .variables = {{"%shared", "Workgroup", "%v2half"}},
      .globals = half + "%v2half = OpTypeVector %half 2\n%halves = OpConstantComposite %v2half %h1 %h1\n",
      .body = "%old = OpAtomicFAddEXT %v2half %shared %u2 %u0 %halves\n"};
  return Extended(
      {VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME, VK_NV_SHADER_ATOMIC_FLOAT16_VECTOR_EXTENSION_NAME},
      {Without("None-06337", exchange,
               {"shaderBufferFloat16Atomics", "shaderBufferFloat16AtomicAdd", "shaderBufferFloat16AtomicMinMax",
                "shaderSharedFloat16Atomics", "shaderSharedFloat16AtomicAdd", "shaderSharedFloat16AtomicMinMax"}),
       Without("shaderFloat16VectorAtomics-09581", add, {"shaderFloat16VectorAtomics"}, {kModuleCapability})});
}

std::vector<StageCase> InterpolationCases() {
  const auto row = [](const char* id, const char* offset) {
    const StageText shader = {
        .model = "Fragment",
        .capabilities = Capabilities("InterpolationFunction") + "%instructions = OpExtInstImport \"GLSL.std.450\"\n",
        .variables = {{"%in", "Input", "%v4float", "Location 0"}},
        .globals = absl::StrCat("%low = OpConstant %float -0.75\n%high = OpConstant %float 0.5\n"
                                "%offset = OpConstantComposite %v2float ",
                                offset, "\n"),
        .body = "%value = OpExtInst %v4float %instructions InterpolateAtOffset %in %offset\n"};
    return StageCase{id, shader, absl::StrCat("%v2float ", offset), "%v2float %f0 %f0"};
  };
  return {row("Offset-06344", "%low %f0"), row("Offset-06345", "%high %f0"), row("Offset-06346", "%f0 %low"),
          row("Offset-06347", "%f0 %high")};
}

std::vector<StageCase> AddressCases() {
  const auto load = [](const char* address, const char* alignment) {
    return StageText{
        .capabilities =
            Capabilities("Int64, PhysicalStorageBufferAddresses", "SPV_KHR_physical_storage_buffer") + kAddressModel,
        .globals = absl::StrCat("%ulong = OpTypeInt 64 0\n%number = OpConstant %ulong ", address,
                                "\n%address = OpTypePointer PhysicalStorageBuffer %uint\n"),
        .body = absl::StrCat("%at = OpConvertUToPtr %address %number\n%value = OpLoad %uint %at Aligned ", alignment)};
  };
  return {
      {"PhysicalStorageBuffer64-06314", load("256", "2"), "Aligned 2", "Aligned 4"},
      {"PhysicalStorageBuffer64-06315", load("260", "8"), "Aligned 8", "Aligned 4"},
  };
}

// VK_QCOM_image_processing.
std::vector<StageCase> ProcessingCases() {
  const std::string match = "TextureBlockMatchQCOM", match2 = "TextureBlockMatch2QCOM";
  const std::string matched = DecorateTextures("BlockMatchTextureQCOM");
  const std::string sampled = matched + DecorateTextures("BlockMatchSamplerQCOM");
  const std::string by = "%corner %by %corner %block", of = "%corner %of %corner %block";
  const Change limit = Set(&VkPhysicalDeviceImageProcessingPropertiesQCOM::maxBlockMatchRegion, {3, 3});
  return Extended(
      {VK_QCOM_IMAGE_PROCESSING_EXTENSION_NAME, VK_QCOM_IMAGE_PROCESSING_2_EXTENSION_NAME},
      {{"OpImageWeightedSampleQCOM-06980",
        Processing("TextureSampleWeightedQCOM", Decorate("%other", "WeightTextureQCOM"), "OpImageSampleWeightedQCOM",
                   "%place %by", "%sampled3d"),
        "%float 3D 0 0 0 1 Unknown", "%float 2D 0 1 0 1 Unknown"},
       {"OpImageBlockMatchSSDQCOM-06983", Processing(match, matched, "OpImageBlockMatchSSDQCOM", by, "%sampled3d"),
        "%by %corner", "%of %corner"},
       {"OpImageBlockMatchWindow-09220",
        Processing(match2, sampled, "OpImageBlockMatchWindowSSDQCOM", by, "%sampled3d"), "%by %corner", "%of %corner"},
       OnDevice("OpImageBlockMatchSSDQCOM-06988", Processing(match, matched, "OpImageBlockMatchSSDQCOM", of), limit),
       OnDevice("maxBlockMatchRegion-09225", Processing(match2, sampled, "OpImageBlockMatchGatherSADQCOM", of), limit),
       {"OpImageBoxFilterQCOM-06989", Processing("TextureBoxFilterQCOM", "", "OpImageBoxFilterQCOM", "%place %box"),
        "%f1 %half", "%f1 %f1"}});
}

INSTANTIATE_TEST_SUITE_P(All, StageCaseTest,
                         CasesOf({ImageCases(), StorageImageCases(), HalfAtomicCases(), InterpolationCases(),
                                  AddressCases(), ProcessingCases()}),
                         kNameOfCase);

}  // namespace
}  // namespace assay::core
