// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

const char* const kBinding = "OpDecorate %variable DescriptorSet 0\nOpDecorate %variable Binding 0\n";

std::vector<SpirvCase> ImageTypeCases() {
  const auto image = [](const std::string& operands) {
    return StageText{
        .capabilities =
            "OpCapability Int64\nOpCapability Int64ImageEXT\n"
            "OpExtension \"SPV_EXT_shader_image_int64\"\n",
        .globals = "%wide = OpTypeInt 64 0\n%wide_int = OpTypeInt 64 1\n%image = OpTypeImage " + operands + "\n"};
  };
  const char* const id = "StandaloneSpirv-Image-04965";
  return {{id, image("%uint 2D 0 0 0 2 Rgba8"), "%uint 2D", "%float 2D"},
          {id, image("%int 2D 0 0 0 2 R32ui"), "%int 2D", "%uint 2D"},
          {id, image("%uint 2D 0 0 0 2 Rgba8i"), "%uint 2D", "%int 2D"},
          {id, image("%uint 2D 0 0 0 2 R64ui"), "%uint 2D", "%wide 2D"},
          {id, image("%wide 2D 0 0 0 2 R64i"), "%wide 2D", "%wide_int 2D"}};
}

std::vector<SpirvCase> AttachmentCases() {
  const StageText text = {.model = "Fragment",
                          .capabilities = "OpCapability InputAttachment\n",
                          .interface = "%variable",
                          .decorations = kBinding + std::string("OpDecorate %variable InputAttachmentIndex 0\n"),
                          .globals = R"(
                            %v2int = OpTypeVector %int 2
                            %i0 = OpConstant %int 0
                            %i1 = OpConstant %int 1
                            %point = OpConstantComposite %v2int %i0 %i1
                            %image = OpTypeImage %float SubpassData 0 0 0 2 Unknown
                            %pointer = OpTypePointer UniformConstant %image
                            %variable = OpVariable %pointer UniformConstant
                          )",
                          .body = "%1 = OpLoad %image %variable\n%2 = OpImageRead %v4float %1 %point\n"};
  return {{"StandaloneSpirv-SubpassData-04660", text, "%v2int %i0 %i1", "%v2int %i0 %i0"}};
}

// A shader that reads two tile images.
StageText TileImages(const std::string& decorations, const std::string& interface) {
  return {.model = "Fragment",
          .capabilities = "OpCapability TileImageColorReadAccessEXT\nOpExtension \"SPV_EXT_shader_tile_image\"\n",
          .interface = interface,
          .decorations = decorations,
          .globals = R"(
            %image = OpTypeImage %float TileImageDataEXT 0 0 0 2 Unknown
            %pointer = OpTypePointer TileImageEXT %image
            %first = OpVariable %pointer TileImageEXT
            %second = OpVariable %pointer TileImageEXT
          )",
          .body = "%1 = OpLoad %image %first\n%2 = OpLoad %image %second\n"};
}

std::vector<SpirvCase> TileImageCases() {
  const std::string first = "OpDecorate %first Location 0\n";
  StageText compute = TileImages(first + "OpDecorate %second Location 1\n", "%first %second");
  compute.model = "Vertex";
  compute.body = "%1 = OpLoad %image %first\n";
  const StageText number = {
      .capabilities = "OpCapability TileImageColorReadAccessEXT\nOpExtension \"SPV_EXT_shader_tile_image\"\n",
      .globals =
          "%image = OpTypeImage %float TileImageDataEXT 0 0 0 2 Unknown\n"
          "%pointer = OpTypePointer TileImageEXT %uint\n%variable = OpVariable %pointer TileImageEXT\n"};
  return {
      {"StandaloneSpirv-TileImageEXT-08723", TileImages(first + "OpDecorate %second Location 0\n", "%first %second"),
       "%second Location 0", "%second Location 1"},
      {"StandaloneSpirv-None-08720", compute, "%1 = OpLoad %image %first", ""},
      {"StandaloneSpirv-None-08724", number, "TileImageEXT %uint", "TileImageEXT %image"},
  };
}

std::vector<SpirvCase> SpecializedArrayCases() {
  const auto block = [](const std::string& storage, const std::string& type) {
    return StageText{
        .interface = "%variable",
        .decorations = kBinding + std::string("OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
                                              "OpDecorate %length SpecId 0\nOpDecorate %array ArrayStride 16\n"),
        .globals =
            "%length = OpSpecConstant %uint 4\n%array = OpTypeArray %v4float %length\n"
            "%block = OpTypeStruct %array\n%pointer = OpTypePointer " +
            storage + " " + type + "\n%variable = OpVariable %pointer " + storage + "\n"};
  };
  // An interface may have such an array, and an array of such.
  const auto output = [](const std::string& model, const std::string& types) {
    return StageText{.model = model,
                     .interface = "%variable",
                     .decorations = "OpDecorate %variable Location 0\nOpDecorate %length SpecId 0\n",
                     .globals =
                         "%length = OpSpecConstant %uint 2\n%array = OpTypeArray %float %length\n"
                         "%struct = OpTypeStruct %array\n" +
                         types + "%pointer = OpTypePointer Output %type\n%variable = OpVariable %pointer Output\n"};
  };
  const char* const id = "StandaloneSpirv-Function-04681";
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
  const StageText text = {.capabilities =
                              "OpCapability PhysicalStorageBufferAddresses\n"
                              "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n",
                          .interface = "%variable",
                          .decorations = kBinding + std::string(R"(
                            OpDecorate %block Block
                            OpMemberDecorate %block 0 Offset 0
                            OpMemberDecorate %block 0 RowMajor
                            OpMemberDecorate %block 0 MatrixStride 16
                          )"),
                          .globals = R"(
                            %matrix = OpTypeMatrix %v4float 4
                            %block = OpTypeStruct %matrix
                            %pointer = OpTypePointer StorageBuffer %block
                            %column_pointer = OpTypePointer StorageBuffer %v4float
                            %local_pointer = OpTypePointer Function %v4float
                            %variable = OpVariable %pointer StorageBuffer
                          )",
                          .body =
                              "%local = OpVariable %local_pointer Function\n"
                              "%column = OpAccessChain %column_pointer %variable %u0 %u1\n"
                              "OpCopyMemory %local %column\n"};
  return {{"StandaloneSpirv-PhysicalStorageBuffer64-04709", text, "OpCopyMemory %local %column",
           "%1 = OpLoad %v4float %column\nOpStore %local %1"}};
}

// A fragment shader that reads a descriptor of an array; on a device without the feature for an index that is no
// constant.
SpirvCase DescriptorIndex(const char* id, const char* feature, const std::string& storage, const std::string& element,
                          const std::string& access, const std::string& decorations = "") {
  return {id,
          {.model = "Fragment",
           .capabilities = "OpCapability InputAttachment\nOpCapability SampledBuffer\nOpCapability ImageBuffer\n",
           .interface = "%variable %number",
           .decorations = kBinding + decorations,
           .globals = "%v2int = OpTypeVector %int 2\n%i0 = OpConstant %int 0\n"
                      "%point = OpConstantComposite %v2int %i0 %i0\n"
                      "%place = OpConstantComposite %v2float %f0 %f0\n" +
                      element + "%array = OpTypeArray %type %u2\n%pointer = OpTypePointer " + storage +
                      " %array\n%element = OpTypePointer " + storage + " %type\n%word = OpTypePointer " + storage +
                      " %uint\n%variable = OpVariable %pointer " + storage +
                      "\n%number_pointer = OpTypePointer Private %uint\n"
                      "%number = OpVariable %number_pointer Private\n",
           .body = "%index = OpLoad %uint %number\n" + access},
          "%variable %index",
          "%variable %u1",
          {feature},
          0,
          0,
          true};
}

std::vector<SpirvCase> DescriptorIndexCases() {
  const std::string block = "%type = OpTypeStruct %uint\n";
  const std::string layout = "OpDecorate %type Block\nOpMemberDecorate %type 0 Offset 0\n";
  const std::string word = "%1 = OpAccessChain %word %variable %index %u0\n%2 = OpLoad %uint %1\n";
  const std::string image = "%1 = OpAccessChain %element %variable %index\n%2 = OpLoad %type %1\n";
  const std::string fetch = image + "%3 = OpImageFetch %v4float %2 %i0\n";
  const std::string texel = image + "%3 = OpImageRead %v4float %2 %i0\n";
  const std::string read = image + "%3 = OpImageRead %v4float %2 %point\n";
  const std::string sample = image + "%3 = OpImageSampleImplicitLod %v4float %2 %place\n";
  const auto type = [](const std::string& operands) { return "%type = OpTypeImage %float " + operands + "\n"; };
  std::vector<SpirvCase> cases = {
      DescriptorIndex("StandaloneSpirv-UniformBufferArrayDynamicIndexing-10127",
                      "shaderUniformBufferArrayDynamicIndexing", "Uniform", block, word, layout),
      DescriptorIndex("StandaloneSpirv-StorageBufferArrayDynamicIndexing-10129",
                      "shaderStorageBufferArrayDynamicIndexing", "StorageBuffer", block, word, layout),
      DescriptorIndex("StandaloneSpirv-SampledImageArrayDynamicIndexing-10128",
                      "shaderSampledImageArrayDynamicIndexing", "UniformConstant",
                      "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%type = OpTypeSampledImage %image\n", sample),
      DescriptorIndex("StandaloneSpirv-StorageImageArrayDynamicIndexing-10130",
                      "shaderStorageImageArrayDynamicIndexing", "UniformConstant", type("2D 0 0 0 2 Rgba8"), read),
      DescriptorIndex("StandaloneSpirv-InputAttachmentArrayDynamicIndexing-10131",
                      "shaderInputAttachmentArrayDynamicIndexing", "UniformConstant",
                      type("SubpassData 0 0 0 2 Unknown"), read, "OpDecorate %variable InputAttachmentIndex 0\n"),
      DescriptorIndex("StandaloneSpirv-UniformTexelBufferArrayDynamicIndexing-10132",
                      "shaderUniformTexelBufferArrayDynamicIndexing", "UniformConstant", type("Buffer 0 0 0 1 Unknown"),
                      fetch),
      DescriptorIndex("StandaloneSpirv-StorageTexelBufferArrayDynamicIndexing-10133",
                      "shaderStorageTexelBufferArrayDynamicIndexing", "UniformConstant", type("Buffer 0 0 0 2 Rgba8"),
                      texel),
  };

  // A sampler of an array, with an image that is none.
  SpirvCase sampler =
      DescriptorIndex("StandaloneSpirv-SampledImageArrayDynamicIndexing-10128",
                      "shaderSampledImageArrayDynamicIndexing", "UniformConstant",
                      "%type = OpTypeSampler\n%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n"
                      "%both = OpTypeSampledImage %image\n%image_pointer = OpTypePointer UniformConstant %image\n"
                      "%picture = OpVariable %image_pointer UniformConstant\n",
                      image +
                          "%3 = OpLoad %image %picture\n%4 = OpSampledImage %both %3 %2\n"
                          "%5 = OpImageSampleImplicitLod %v4float %4 %place\n",
                      "OpDecorate %picture DescriptorSet 0\nOpDecorate %picture Binding 1\n");
  sampler.shader.interface += " %picture";
  cases.push_back(sampler);

  const auto fetched = [&] {
    return DescriptorIndex("StandaloneSpirv-UniformTexelBufferArrayDynamicIndexing-10132",
                           "shaderUniformTexelBufferArrayDynamicIndexing", "UniformConstant",
                           type("Buffer 0 0 0 1 Unknown"), fetch);
  };
  // A query is no access.
  SpirvCase query = fetched();
  query.shader.capabilities += "OpCapability ImageQuery\n";
  query.from = "OpImageFetch %v4float %2 %i0";
  query.to = "OpImageQuerySize %int %2";
  cases.push_back(query);
  // Who may index as an invocation likes may index dynamically.
  SpirvCase non_uniform = fetched();
  non_uniform.from = "OpCapability ImageBuffer";
  non_uniform.to =
      "OpCapability ImageBuffer\nOpCapability ShaderNonUniform\n"
      "OpCapability UniformTexelBufferArrayNonUniformIndexing";
  cases.push_back(non_uniform);
  return cases;
}

}  // namespace

std::vector<SpirvCase> ResourceCases() {
  std::vector<SpirvCase> cases = ImageTypeCases();
  for (const auto& group :
       {AttachmentCases(), TileImageCases(), SpecializedArrayCases(), RowMajorCases(), DescriptorIndexCases()}) {
    cases.insert(cases.end(), group.begin(), group.end());
  }
  return cases;
}

}  // namespace assay::core
