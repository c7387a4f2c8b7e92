// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// A shader with a variable of type %type.
StageText RuntimeArray(const std::string& storage, const std::string& types, const std::string& decorations = "",
                       const std::string& capabilities = "") {
  return {.capabilities = capabilities,
          .decorations = decorations,
          .globals = types + "%pointer = OpTypePointer " + storage + " %type\n%variable = OpVariable %pointer " +
                     storage + "\n"};
}

std::vector<SpirvCase> RuntimeArrayCases() {
  const char* const id = "OpTypeRuntimeArray-04680";
  const std::string block = DecorateBlock("%type");
  const std::string stride = "OpDecorate %array ArrayStride 4\n";
  const std::string array = "%array = OpTypeRuntimeArray %uint\n";
  const std::string bindless = Capabilities("RuntimeDescriptorArray", "SPV_EXT_descriptor_indexing");
  const std::string bound = Decorate("%variable", "DescriptorSet 0, Binding 0");
  const std::string structure = array + "%type = OpTypeStruct %array\n";
  const std::string other_member = "OpMemberDecorate %type 1 Offset 16\n";
  const StageText nested = {.globals = array + "%nested = OpTypeRuntimeArray %array\n"};
  const StageText sized = {.globals = array + "%nested = OpTypeArray %array %u2\n"};
  const StageText samplers =
      RuntimeArray("UniformConstant", "%sampler = OpTypeSampler\n%type = OpTypeRuntimeArray %sampler\n", bound);
  const StageText ordinary = RuntimeArray("Private", "%type = OpTypeRuntimeArray %uint\n", "", bindless);
  const StageText first = RuntimeArray("StorageBuffer", array + "%type = OpTypeStruct %array %uint\n",
                                       block + stride + other_member + bound);
  return {
      {id, nested, "OpTypeRuntimeArray %array", "OpTypePointer Private %uint"},
      {id, sized, "OpTypeArray %array %u2", "OpTypeArray %uint %u2"},
      {id, first, "OpTypeStruct %array %uint", "OpTypeStruct %uint %array"},
      {id, RuntimeArray("StorageBuffer", structure, "; no block\nOpMemberDecorate %type 0 Offset 0\n" + stride + bound),
       "; no block", "OpDecorate %type Block"},
      {id, samplers, "OpTypeRuntimeArray %sampler", "OpTypeArray %sampler %u2"},
      {id, ordinary, "OpTypeRuntimeArray %uint", "OpTypeArray %uint %u2"},
      {id, RuntimeArray("Uniform", structure, block + stride + bound), "Uniform", "StorageBuffer"},
      {id, RuntimeArray("PushConstant", structure, block + stride), "OpTypeRuntimeArray %uint",
       "OpTypeArray %uint %u2"}};
}

std::vector<SpirvCase> ImageTypeCases() {
  const auto image = [](const std::string& type, const std::string& operands) {
    return StageText{.capabilities = Capabilities("Float64, InputAttachment"),
                     .globals = "%double = OpTypeFloat 64\n%image = OpTypeImage " + type + " " + operands + "\n"};
  };
  StageText sampled = image("%float", "2D 0 0 0 2 Rgba32f");
  sampled.globals += "%sampled = OpTypeSampledImage %image\n";
  return {{"OpTypeImage-04656", image("%double", "2D 0 0 0 1 Unknown"), "Image %double", "Image %float"},
          {"OpTypeImage-04657", image("%float", "2D 0 0 0 0 Unknown"), "0 0 0 0", "0 0 0 1"},
          {"OpTypeSampledImage-06671", sampled, "0 0 0 2", "0 0 0 1"},
          {"OpTypeImage-06214", image("%float", "SubpassData 0 0 0 1 Unknown"), "0 0 0 1", "0 0 0 2"},
          {"OpTypeImage-06214", image("%float", "SubpassData 0 1 0 2 Unknown"), "0 1 0 2", "0 0 0 2"}};
}

std::vector<SpirvCase> OtherCases() {
  const StageText sampler = {.globals = "%sampler = OpTypeSampler\n%struct = OpTypeStruct %sampler\n"};
  const StageText forward = {.capabilities = Capabilities("PhysicalStorageBufferAddresses"),
                             .globals =
                                 "OpTypeForwardPointer %pointer StorageBuffer\n%struct = OpTypeStruct %uint\n"
                                 "%pointer = OpTypePointer StorageBuffer %struct\n"};
  const StageText bits = {.capabilities = Capabilities("Int64"),
                          .globals = "%wide = OpTypeInt 64 0\n%number = OpConstant %wide 1\n",
                          .body = "%1 = OpBitReverse %wide %number\n"};
  return {{"None-04667", sampler, "OpTypeStruct %sampler", "OpTypeStruct %uint"},
          {"OpTypeForwardPointer-04711", forward, " StorageBuffer", " PhysicalStorageBuffer"},
          {"Base-04781", bits, "OpBitReverse %wide %number", "OpBitReverse %uint %u1"}};
}

}  // namespace

std::vector<SpirvCase> TypeCases() { return Joined({RuntimeArrayCases(), ImageTypeCases(), OtherCases()}); }

}  // namespace assay::core
