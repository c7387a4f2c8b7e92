// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Image operations, atomic ones too, interpolation, and memory behind addresses.

#include "core/shader_stages/stage_cases_test.h"

namespace assay::core {
namespace {

class ImageCaseTest : public StageCaseTest {};

TEST_P(ImageCaseTest, IsReported) { ExpectReported(); }
TEST_P(ImageCaseTest, TwinIsSilent) { ExpectTwinSilent(); }

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

// Storage images at binding 1, and what operations on them need.
StageText StorageImage(const std::string& sampled_type, const std::string& format) {
  return {.interface = "%storage",
          .decorations = "OpDecorate %storage DescriptorSet 0\nOpDecorate %storage Binding 1\n",
          .globals = absl::StrCat(R"(
            %v2int = OpTypeVector %int 2
            %i0 = OpConstant %int 0
            %place = OpConstantComposite %v2int %i0 %i0
            %pair = OpConstantComposite %v2float %f0 %f0
            %quad = OpConstantComposite %v4float %f0 %f0 %f0 %f0
            %image = OpTypeImage )",
                                  sampled_type, " 2D 0 0 0 2 ", format, R"(
            %storage_pointer = OpTypePointer UniformConstant %image
            %texel_pointer = OpTypePointer Image )",
                                  sampled_type, "\n%storage = OpVariable %storage_pointer UniformConstant\n")};
}

std::vector<StageCase> StorageImageCases() {
  StageText write = StorageImage("%float", "Rgba8");
  write.body = "%to = OpLoad %image %storage\nOpImageWrite %to %place %pair\n";
  StageText write_two = StorageImage("%float", "Rg32f");
  write_two.capabilities = "OpCapability StorageImageExtendedFormats\n";
  write_two.body = "%to = OpLoad %image %storage\nOpImageWrite %to %place %f0\n";
  const std::string pointer = "%at = OpImageTexelPointer %texel_pointer %storage %place %u0\n";
  StageText float32 = StorageImage("%float", "R32f");
  float32.body = pointer + "%old = OpAtomicExchange %float %at %u1 %u0 %f1\n";
  StageText int64 = StorageImage("%ulong", "R64ui");
  int64.capabilities =
      "OpCapability Int64\nOpCapability Int64Atomics\nOpCapability Int64ImageEXT\n"
      "OpExtension \"SPV_EXT_shader_image_int64\"\n";
  int64.globals = kLong + int64.globals;
  int64.body = pointer + "%old = OpAtomicIAdd %ulong %at %u1 %u0 %long1\n";
  return {
      {.id = "RuntimeSpirv-OpImageWrite-07112", .shader = write, .from = "%place %pair", .to = "%place %quad"},
      {.id = "RuntimeSpirv-OpImageWrite-07112", .shader = write_two, .from = "%place %f0", .to = "%place %pair"},
      {.id = "RuntimeSpirv-None-06286",
       .shader = float32,
       .disabled = {"shaderImageFloat32Atomics", "shaderImageFloat32AtomicAdd"}},
      {.id = "RuntimeSpirv-None-06288",
       .shader = int64,
       .disabled = {"shaderImageInt64Atomics"},
       .also = {"VUID-VkShaderModuleCreateInfo-pCode-08740"}},
  };
}

std::vector<StageCase> HalfAtomicCases() {
  const std::vector<const char*> float2 = {VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME};
  return {
      {.id = "RuntimeSpirv-None-06337",
       .shader = {.capabilities = "OpCapability Float16\n",
                  .interface = "%shared",
                  .globals = "%half = OpTypeFloat 16\n%h1 = OpConstant %half 1\n" + Shared("%half"),
                  .body = "%old = OpAtomicExchange %half %shared %u2 %u0 %h1\n"},
       .disabled = {"shaderBufferFloat16Atomics", "shaderBufferFloat16AtomicAdd", "shaderBufferFloat16AtomicMinMax",
                    "shaderSharedFloat16Atomics", "shaderSharedFloat16AtomicAdd", "shaderSharedFloat16AtomicMinMax"},
       .extensions = float2,
       .feature_structs = {"VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT"}},
      {.id = "RuntimeSpirv-shaderFloat16VectorAtomics-09581",
       .shader = {.capabilities = "OpCapability Float16\nOpCapability AtomicFloat16VectorNV\n"
                                  "OpExtension \"SPV_NV_shader_atomic_fp16_vector\"\n",
                  .interface = "%shared",
                  .globals = "%half = OpTypeFloat 16\n%v2half = OpTypeVector %half 2\n%h1 = OpConstant %half 1\n"
                             "%halves = OpConstantComposite %v2half %h1 %h1\n" +
                             Shared("%v2half"),
                  .body = "%old = OpAtomicFAddEXT %v2half %shared %u2 %u0 %halves\n"},
       .disabled = {"shaderFloat16VectorAtomics"},
       .also = {"VUID-VkShaderModuleCreateInfo-pCode-08740"},
       .extensions = {VK_NV_SHADER_ATOMIC_FLOAT16_VECTOR_EXTENSION_NAME},
       .feature_structs = {"VkPhysicalDeviceShaderAtomicFloat16VectorFeaturesNV"}},
  };
}

std::vector<StageCase> InterpolationCases() {
  constexpr const char* kCases[][2] = {{"RuntimeSpirv-Offset-06344", "%low %f0"},
                                       {"RuntimeSpirv-Offset-06345", "%high %f0"},
                                       {"RuntimeSpirv-Offset-06346", "%f0 %low"},
                                       {"RuntimeSpirv-Offset-06347", "%f0 %high"}};
  std::vector<StageCase> cases;
  for (const auto& [id, offset] : kCases) {
    cases.push_back(
        {.id = id,
         .shader = {.model = "Fragment",
                    .capabilities =
                        "OpCapability InterpolationFunction\n%instructions = OpExtInstImport \"GLSL.std.450\"\n",
                    .interface = "%in",
                    .decorations = "OpDecorate %in Location 0\n",
                    .globals = absl::StrCat("%low = OpConstant %float -0.75\n%high = OpConstant %float 0.5\n"
                                            "%offset = OpConstantComposite %v2float ",
                                            offset,
                                            "\n%in_pointer = OpTypePointer Input %v4float\n"
                                            "%in = OpVariable %in_pointer Input\n"),
                    .body = "%value = OpExtInst %v4float %instructions InterpolateAtOffset %in %offset\n"},
         .from = absl::StrCat("%v2float ", offset),
         .to = "%v2float %f0 %f0"});
  }
  return cases;
}

std::vector<StageCase> AddressCases() {
  const StageText load = {.capabilities =
                              "OpCapability Int64\nOpCapability PhysicalStorageBufferAddresses\n"
                              "OpExtension \"SPV_KHR_physical_storage_buffer\"\n"
                              "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n",
                          .globals =
                              "%ulong = OpTypeInt 64 0\n%number = OpConstant %ulong 256\n"
                              "%address = OpTypePointer PhysicalStorageBuffer %uint\n",
                          .body = "%at = OpConvertUToPtr %address %number\n%value = OpLoad %uint %at Aligned 2\n"};
  StageText odd = load;
  odd.globals = absl::StrReplaceAll(load.globals, {{"256", "260"}});
  odd.body = absl::StrReplaceAll(load.body, {{"Aligned 2", "Aligned 8"}});
  return {
      {.id = "RuntimeSpirv-PhysicalStorageBuffer64-06314", .shader = load, .from = "Aligned 2", .to = "Aligned 4"},
      {.id = "RuntimeSpirv-PhysicalStorageBuffer64-06315", .shader = odd, .from = "Aligned 8", .to = "Aligned 4"},
  };
}

// VK_QCOM_image_processing.
std::vector<StageCase> ProcessingCases() {
  using Properties = VkPhysicalDeviceImageProcessingPropertiesQCOM;
  const auto text = [](const std::string& capability, const std::string& decorations, const std::string& body) {
    return StageText{.model = "Fragment",
                     .capabilities = capability,
                     .interface = "%texture %other",
                     .decorations =
                         "OpDecorate %texture DescriptorSet 0\nOpDecorate %texture Binding 2\n"
                         "OpDecorate %other DescriptorSet 0\nOpDecorate %other Binding 2\n" +
                         decorations,
                     .globals = R"(
            %half = OpConstant %float 0.5
            %place = OpConstantComposite %v2float %f0 %f0
            %box = OpConstantComposite %v2float %f1 %half
            %v2uint = OpTypeVector %uint 2
            %corner = OpConstantComposite %v2uint %u1 %u1
            %block = OpConstantComposite %v2uint %u4 %u4
            %image = OpTypeImage %float 2D 0 0 0 1 Unknown
            %sampled = OpTypeSampledImage %image
            %texture_pointer = OpTypePointer UniformConstant %sampled
            %texture = OpVariable %texture_pointer UniformConstant
            %other_image = OpTypeImage %float 3D 0 0 0 1 Unknown
            %other_sampled = OpTypeSampledImage %other_image
            %other_pointer = OpTypePointer UniformConstant %other_sampled
            %other = OpVariable %other_pointer UniformConstant
          )",
                     .body = "%of = OpLoad %sampled %texture\n%by = OpLoad %other_sampled %other\n" + body};
  };
  const std::string extension = "OpExtension \"SPV_QCOM_image_processing\"\n";
  const std::string extension2 = extension + "OpExtension \"SPV_QCOM_image_processing2\"\n";
  const std::string matched = "OpDecorate %texture BlockMatchTextureQCOM\nOpDecorate %other BlockMatchTextureQCOM\n";
  const std::string samplers = "OpDecorate %texture BlockMatchSamplerQCOM\nOpDecorate %other BlockMatchSamplerQCOM\n";
  const std::string match = "OpCapability TextureBlockMatchQCOM\n" + extension;
  const std::string match2 = "OpCapability TextureBlockMatch2QCOM\n" + extension2;
  const std::string target = " %v4float %of %corner ";
  const auto limit = With<Properties>([](Properties& properties) { properties.maxBlockMatchRegion = {3, 3}; });
  std::vector<StageCase> cases = {
      {.id = "RuntimeSpirv-OpImageWeightedSampleQCOM-06980",
       .shader = text("OpCapability TextureSampleWeightedQCOM\n" + extension, "OpDecorate %other WeightTextureQCOM\n",
                      "%texel = OpImageSampleWeightedQCOM %v4float %of %place %by\n"),
       .from = "%float 3D 0 0 0 1 Unknown",
       .to = "%float 2D 0 1 0 1 Unknown"},
      {.id = "RuntimeSpirv-OpImageBlockMatchSSDQCOM-06983",
       .shader = text(match, matched, "%texel = OpImageBlockMatchSSDQCOM" + target + "%by %corner %block\n"),
       .from = "%by %corner",
       .to = "%of %corner"},
      {.id = "RuntimeSpirv-OpImageBlockMatchWindow-09220",
       .shader = text(match2, matched + samplers,
                      "%texel = OpImageBlockMatchWindowSSDQCOM" + target + "%by %corner %block\n"),
       .from = "%by %corner",
       .to = "%of %corner"},
      {.id = "RuntimeSpirv-OpImageBlockMatchSSDQCOM-06988",
       .shader = text(match, matched, "%texel = OpImageBlockMatchSSDQCOM" + target + "%of %corner %block\n"),
       .configure = limit},
      {.id = "RuntimeSpirv-maxBlockMatchRegion-09225",
       .shader = text(match2, matched + samplers,
                      "%texel = OpImageBlockMatchGatherSADQCOM" + target + "%of %corner %block\n"),
       .configure = limit},
      {.id = "RuntimeSpirv-OpImageBoxFilterQCOM-06989",
       .shader = text("OpCapability TextureBoxFilterQCOM\n" + extension, "",
                      "%texel = OpImageBoxFilterQCOM %v4float %of %place %box\n"),
       .from = "%f1 %half",
       .to = "%f1 %f1"},
  };
  for (StageCase& row : cases) {
    row.extensions = {VK_QCOM_IMAGE_PROCESSING_EXTENSION_NAME, VK_QCOM_IMAGE_PROCESSING_2_EXTENSION_NAME};
    row.feature_structs = {"VkPhysicalDeviceImageProcessingFeaturesQCOM",
                           "VkPhysicalDeviceImageProcessing2FeaturesQCOM"};
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Offsets, ImageCaseTest, ::testing::ValuesIn(ImageCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Storage, ImageCaseTest, ::testing::ValuesIn(StorageImageCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Halves, ImageCaseTest, ::testing::ValuesIn(HalfAtomicCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Interpolation, ImageCaseTest, ::testing::ValuesIn(InterpolationCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Addresses, ImageCaseTest, ::testing::ValuesIn(AddressCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Processing, ImageCaseTest, ::testing::ValuesIn(ProcessingCases()), NameOfCase);

}  // namespace
}  // namespace assay::core
