// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

const char* const kBound = "DescriptorSet 0, Binding 0";

std::vector<SpirvCase> ImageTypeCases() {
  const auto image = [](const std::string& operands) {
    return StageText{
        .capabilities = Capabilities("Int64, Int64ImageEXT", "SPV_EXT_shader_image_int64"),
        .globals = "%wide = OpTypeInt 64 0\n%wide_int = OpTypeInt 64 1\n%image = OpTypeImage " + operands + "\n"};
  };
  const char* const id = "Image-04965";
  return {{id, image("%uint 2D 0 0 0 2 Rgba8"), "%uint 2D", "%float 2D"},
          {id, image("%int 2D 0 0 0 2 R32ui"), "%int 2D", "%uint 2D"},
          {id, image("%uint 2D 0 0 0 2 Rgba8i"), "%uint 2D", "%int 2D"},
          {id, image("%uint 2D 0 0 0 2 R64ui"), "%uint 2D", "%wide 2D"},
          {id, image("%wide 2D 0 0 0 2 R64i"), "%wide 2D", "%wide_int 2D"}};
}

std::vector<SpirvCase> AttachmentCases() {
  const StageText text = ReadingInput("Binding 0, InputAttachmentIndex 0", "%i0 %i1");
  return {{"SubpassData-04660", text, "%v2int %i0 %i1", "%v2int %i0 %i0"}};
}

std::vector<SpirvCase> TileImageCases() {
  const std::string capabilities = Capabilities("TileImageColorReadAccessEXT", "SPV_EXT_shader_tile_image");
  const std::string image = "%image = OpTypeImage %float TileImageDataEXT 0 0 0 2 Unknown\n";
  const StageText fragment = {.model = "Fragment",
                              .capabilities = capabilities,
                              .variables = {{"%first", "TileImageEXT", "%image", "Location 0"},
                                            {"%second", "TileImageEXT", "%image", "Location 0"}},
                              .globals = image,
                              .body = "%1 = OpLoad %image %first\n%2 = OpLoad %image %second\n"};
  StageText vertex = fragment;
  vertex.model = "Vertex";
  vertex.variables[1].decorations = "Location 1";
  vertex.body = "%1 = OpLoad %image %first\n";
  const StageText number = {.capabilities = capabilities,
                            .globals = image +
                                       "%pointer = OpTypePointer TileImageEXT %uint\n"
                                       "%variable = OpVariable %pointer TileImageEXT\n"};
  return {{"TileImageEXT-08723", fragment, "%second Location 0", "%second Location 1"},
          {"None-08720", vertex, "%1 = OpLoad %image %first", ""},
          {"None-08724", number, "TileImageEXT %uint", "TileImageEXT %image"}};
}

std::vector<SpirvCase> SpecializedArrayCases() {
  const auto block = [](const std::string& storage, const std::string& type) {
    return StageText{
        .variables = {{"%variable", storage, type, kBound}},
        .decorations = DecorateBlock("%block") + Decorate("%length", "SpecId 0") + Decorate("%array", "ArrayStride 16"),
        .globals =
            "%length = OpSpecConstant %uint 4\n%array = OpTypeArray %v4float %length\n%block = OpTypeStruct %array\n"};
  };
  // An interface may have such an array, and an array of such.
  const auto output = [](const std::string& model, const std::string& types) {
    return StageText{.model = model,
                     .variables = {{"%variable", "Output", "%type", "Location 0"}},
                     .decorations = Decorate("%length", "SpecId 0"),
                     .globals =
                         "%length = OpSpecConstant %uint 2\n%array = OpTypeArray %float %length\n"
                         "%struct = OpTypeStruct %array\n" +
                         types};
  };
  const char* const id = "Function-04681";
  std::vector<SpirvCase> cases = {
      {id, block("Uniform", "%block"), "%v4float %length", "%v4float %u4"},
      {id, block("StorageBuffer", "%block"), "%v4float %length", "%v4float %u4"},
      {id, output("Vertex", "%type = OpTypeStruct %array\n"), "OpTypeStruct %array", "OpTypeArray %float %length"},
      {id, output("TessellationControl", "%type = OpTypeArray %struct %u3\n"), "OpTypeArray %struct %u3",
       "OpTypeArray %array %u3"}};
  for (SpirvCase& row : cases) row.is_strict = true;
  return cases;
}

std::vector<SpirvCase> RowMajorCases() {
  const StageText text = WithBuffer(
      "%matrix",
      {.capabilities = Capabilities("PhysicalStorageBufferAddresses") + kAddressModel,
       .decorations = DecorateMember("%Block 0", "RowMajor, MatrixStride 16"),
       .globals = "%matrix = OpTypeMatrix %v4float 4\n%column_pointer = OpTypePointer StorageBuffer %v4float\n"
                  "%local_pointer = OpTypePointer Function %v4float\n",
       .body = "%local = OpVariable %local_pointer Function\n"
               "%column = OpAccessChain %column_pointer %buffer %u0 %u1\nOpCopyMemory %local %column\n"});
  return {{"PhysicalStorageBuffer64-04709", text, "OpCopyMemory %local %column",
           "%1 = OpLoad %v4float %column\nOpStore %local %1"}};
}

}  // namespace

std::vector<SpirvCase> ResourceCases() {
  return Joined({ImageTypeCases(), AttachmentCases(), TileImageCases(), SpecializedArrayCases(), RowMajorCases()});
}

}  // namespace assay::core
