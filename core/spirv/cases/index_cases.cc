// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

const char* const kLoadIndex = "%index = OpLoad %uint %number\n";
const char* const kBlock = "%type = OpTypeStruct %uint\n";
const std::string kBlockLayout = DecorateBlock("%type");
const std::string kWord = "%chain = OpAccessChain %word %variable %index %u0\n";
const char* const kLoadWord = "%2 = OpLoad %uint %chain\n";
const std::string kImage = "%chain = OpAccessChain %element %variable %index\n%2 = OpLoad %type %chain\n";
const std::string kImage2d = "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n";
const StageVariable kNumber = {"%number", "Input", "%uint", "BuiltIn LocalInvocationIndex"};

// A compute shader with workgroups of four, which accesses the descriptor of an array of four that the invocation's
// index chooses.
StageText Chosen(const std::string& storage, const std::string& element, const std::string& access,
                 const std::string& decorations = "") {
  return {.capabilities =
              Capabilities("SampledBuffer, ImageBuffer, RuntimeDescriptorArray, ShaderNonUniform, GroupNonUniform"),
          .variables = {{"%variable", storage, "%array", "DescriptorSet 0, Binding 0"},
                        kNumber,
                        {"%id", "Input", "%v3uint", "BuiltIn LocalInvocationId"}},
          .modes = Modes("LocalSize 4 1 1"),
          .decorations = decorations,
          .globals = "%point = OpConstantComposite %v2int %i0 %i0\n%place = OpConstantComposite %v2float %f0 %f0\n" +
                     element + "%array = OpTypeArray %type %u4\n%element = OpTypePointer " + storage +
                     " %type\n%word = OpTypePointer " + storage +
                     " %uint\n%local_pointer = OpTypePointer Function %uint\n",
          .body = kLoadIndex + access};
}

StageText ChosenBuffer(const std::string& access = kWord + kLoadWord) {
  return Chosen("StorageBuffer", kBlock, access, kBlockLayout);
}

// An image or a sampler, and what is done with it.
StageText ChosenImage(const std::string& types, const std::string& operation, const std::string& decorations = "") {
  return Chosen("UniformConstant", types, kImage + "%3 = " + operation + "\n", decorations);
}

// A sampler of an array, with an image that is none.
StageText ChosenSampler() {
  return With(ChosenImage("%type = OpTypeSampler\n" + kImage2d + "%both = OpTypeSampledImage %image\n",
                          "OpLoad %image %picture\n%4 = OpSampledImage %both %3 %2\n"
                          "%5 = OpImageSampleExplicitLod %v4float %4 %place Lod %f0",
                          "; decorated\n"),
              {.variables = {{"%picture", "UniformConstant", "%image", "DescriptorSet 0, Binding 1"}}});
}

// A shader with an array of storage buffers. It is correct with a uniform index.
SpirvCase Row(const StageText& shader, const std::string& from = "%variable %index",
              const std::string& to = "%variable %u1") {
  return {"RuntimeSpirv-StorageBufferArrayNonUniformIndexing-10136", shader, from, to};
}

// What each kind of descriptor is accessed by.
struct Kind {
  // The capabilities and the rules begin with it.
  std::string name;
  // Of the rules of indices that are no constants, and that are not uniform; of the latter for subgroups of one.
  const char* of_dynamic;
  const char* of_non_uniform;
  const char* of_one;
  StageText shader;
};
std::vector<Kind> Kinds() {
  const auto type = [](const std::string& operands) { return "%type = OpTypeImage %float " + operands + "\n"; };
  const std::string read = "OpImageRead %v4float %2 %point";
  return {{"UniformBufferArray", "10127", "10134", "10141", Chosen("Uniform", kBlock, kWord + kLoadWord, kBlockLayout)},
          {"SampledImageArray", "10128", "10135", "10142",
           ChosenImage(kImage2d + "%type = OpTypeSampledImage %image\n",
                       "OpImageSampleExplicitLod %v4float %2 %place Lod %f0")},
          {"StorageBufferArray", "10129", "10136", "10143", ChosenBuffer()},
          {"StorageImageArray", "10130", "10137", "10144", ChosenImage(type("2D 0 0 0 2 Rgba8"), read)},
          // Only fragment shaders have these, so that nothing says whether an index is uniform.
          {"InputAttachmentArray", "10131", nullptr, nullptr,
           ChosenImage(type("SubpassData 0 0 0 2 Unknown"), read, Decorate("%variable", "InputAttachmentIndex 0"))},
          {"UniformTexelBufferArray", "10132", "10139", "10146",
           ChosenImage(type("Buffer 0 0 0 1 Unknown"), "OpImageFetch %v4float %2 %i0")},
          {"StorageTexelBufferArray", "10133", "10140", "10147",
           ChosenImage(type("Buffer 0 0 0 2 Rgba8"), "OpImageRead %v4float %2 %i0")}};
}

std::vector<SpirvCase> KindCases(bool is_one) {
  std::vector<SpirvCase> cases;
  for (const Kind& kind : Kinds()) {
    if (kind.of_non_uniform == nullptr) continue;
    const std::string capability = kind.name + "NonUniformIndexing";
    // An index that is uniform is correct, and so is one with both capability and decoration.
    cases.push_back({is_one ? absl::StrCat("RuntimeSpirv-subgroupSize-", kind.of_one)
                            : absl::StrCat("RuntimeSpirv-", capability, "-", kind.of_non_uniform),
                     kind.shader, "%variable %index", "%variable %u1"});
    cases.push_back({is_one ? "RuntimeSpirv-None-10148" : "RuntimeSpirv-subgroupSize-10149",
                     With(kind.shader, {.capabilities = Capabilities(capability), .decorations = "; none\n"}),
                     "; none\n", Decorate("%chain", "NonUniform")});
  }
  for (SpirvCase& row : cases) row.subgroup_size = is_one ? 1 : 0;
  return cases;
}

// The same access in a fragment shader, with an index that may be any, on a device without the feature for an index
// that is no constant. The rule is called like the feature, without "shader".
SpirvCase Dynamic(const Kind& kind, const std::string& from = "%variable %index",
                  const std::string& to = "%variable %u1") {
  StageText shader = kind.shader;
  shader.model = "Fragment";
  shader.capabilities = Capabilities("InputAttachment, SampledBuffer, ImageBuffer, ImageQuery");
  shader.modes = "";
  shader.variables[1] = {"%number", "Private", "%uint"};
  shader.variables.erase(shader.variables.begin() + 2);
  shader.body = absl::StrReplaceAll(shader.body, {{"ExplicitLod", "ImplicitLod"}, {" Lod %f0", ""}});
  const std::string feature = kind.name + "DynamicIndexing";
  return {feature + "-" + kind.of_dynamic, shader, from, to, {"shader" + feature}, 0, 0, true};
}

std::vector<SpirvCase> DynamicCases() {
  std::vector<SpirvCase> cases;
  for (Kind& kind : Kinds()) {
    cases.push_back(Dynamic(kind));
    if (kind.name == "SampledImageArray") {
      kind.shader = ChosenSampler();
      cases.push_back(Dynamic(kind));
    }
    if (kind.name != "UniformTexelBufferArray") continue;
    // A query is no access. Who may index as an invocation likes may index dynamically.
    cases.push_back(Dynamic(kind, "OpImageFetch %v4float %2 %i0", "OpImageQuerySize %int %2"));
    cases.push_back(Dynamic(kind, "OpCapability ImageBuffer",
                            Capabilities("ImageBuffer, ShaderNonUniform, UniformTexelBufferArrayNonUniformIndexing")));
  }
  return cases;
}

// A runtime array, whose indices may be any.
StageText ChosenOfMany(const std::string& access) {
  StageText shader = ChosenBuffer(access);
  shader.globals = absl::StrReplaceAll(shader.globals, {{"OpTypeArray %type %u4", "OpTypeRuntimeArray %type"}});
  return shader;
}

// An access with the index %by, which the instructions compute from %index.
std::string By(const std::string& instructions) {
  return instructions + "%chain = OpAccessChain %word %variable %by %u0\n" + kLoadWord;
}

// The index of the invocation in X.
std::string ByComponent() { return By("%part = OpAccessChain %number_pointer %id %u0\n%by = OpLoad %uint %part\n"); }

// Whether all invocations execute the access.
std::vector<SpirvCase> ControlFlowCases() {
  const StageText call = ChosenBuffer("; called\n" + kWord + kLoadWord +
                                      "OpReturn\nOpFunctionEnd\n%other = OpFunction %void None %function\n"
                                      "%begin = OpLabel\n");
  return {
      Row(ChosenBuffer("OpBranch %there\n%there = OpLabel\n" + kWord + kLoadWord + "OpBranch %end\n%end = OpLabel\n"),
          "OpBranch %there\n",
          "%is = OpIEqual %bool %index %u0\nOpSelectionMerge %end None\nOpBranchConditional %is %there %end\n"),
      // A function may not return.
      Row(call, "; called\n", "%called = OpFunctionCall %void %other\n")};
}

// Sizes of workgroups and arrays.
std::vector<SpirvCase> SizeCases() {
  const StageText plain = ChosenBuffer();
  const StageText specialized = With(plain, {.modes = "OpExecutionModeId %main LocalSizeId %side %u1 %u1\n",
                                             .globals = "%side = OpConstant %uint 4\n"});
  StageText length = With(plain, {.globals = "%length = OpConstant %uint 4\n"});
  length.globals.replace(length.globals.find("%type %u4"), 9, "%type %length");
  // Three invocations have the same X, and four the same Y. Subgroups may be of four.
  const StageText square = With(ChosenBuffer(ByComponent()), {.modes = Modes("LocalSize 4 3 1")});
  return {Row(plain, "LocalSize 4 1 1", "LocalSize 1 1 1"),
          Row(specialized, "%side = OpConstant %uint 4", "%side = OpSpecConstant %uint 4"),
          Row(length, "%length = OpConstant %uint 4", "%length = OpSpecConstant %uint 4"),
          // Where an index is past the end, that is the mistake.
          Row(plain, "OpTypeArray %type %u4", "OpTypeArray %type %u1"),
          Row(plain, "OpTypeArray %type %u4", "OpTypeArray %type %u3"),
          Row(ChosenBuffer(By("%by = OpISub %uint %index %u0\n")), "%index %u0\n", "%index %u1\n"),
          Row(square, "%id %u0", "%id %u1")};
}

// Operations that keep numbers apart, and such that may not.
std::vector<SpirvCase> OperationCases() {
  const auto row = [](const std::string& instructions, const std::string& from, const std::string& to) {
    return Row(ChosenOfMany(By(instructions)), from, to);
  };
  const StageText wide = With(ChosenOfMany(By("%wide = OpUConvert %ulong %index\n%by = OpIAdd %ulong %wide %wide\n")),
                              {.capabilities = Capabilities("Int64"), .globals = "%ulong = OpTypeInt 64 0\n"});
  const StageText sum =
      With(ChosenOfMany(By("%by = OpIAdd %uint %index %base\n")), {.globals = "%base = OpSpecConstant %uint 4\n"});
  return {
      row("%by = OpISub %uint %u3 %index\n", "OpISub %uint %u3 %index", "OpUMod %uint %index %u1"),
      row("%by = OpISub %uint %u3 %index\n", "OpISub %uint %u3 %index", "OpISub %uint %index %u1"),
      row("%by = OpCopyObject %uint %index\n", "OpCopyObject %uint %index", "OpISub %uint %index %index"),
      row("%as = OpBitcast %int %index\n%by = OpIAdd %int %as %i0\n", "OpBitcast %int %index", "OpCopyObject %int %i0"),
      row("%by = OpIMul %uint %u3 %index\n", "OpIMul %uint %u3", "OpIMul %uint %u0"),
      row("%by = OpIMul %uint %u3 %index\n", "OpIMul %uint %u3", "OpBitwiseAnd %uint %u3"),
      row("%by = OpIMul %uint %u3 %index\n", "OpIMul %uint %u3", "OpIMul %uint %index"),
      row("%by = OpShiftLeftLogical %uint %index %u1\n", "%index %u1\n", "%index %index\n"),
      row("%by = OpShiftLeftLogical %uint %index %u1\n", "OpShiftLeftLogical", "OpShiftRightLogical"),
      row("%is = OpIEqual %bool %index %u0\n%by = OpIAdd %uint %index %u0\n", "OpIAdd %uint %index",
          "OpSelect %uint %is %index"),
      row("%two = OpCompositeConstruct %v2uint %u1 %index\n%by = OpCompositeExtract %uint %two 1\n", "%two 1",
          "%two 0"),
      Row(wide, "OpIAdd %ulong %wide %wide", "OpISub %ulong %wide %wide"),
      Row(sum, "%index %base", "%u1 %base")};
}

// Where numbers come from.
std::vector<SpirvCase> SourceCases() {
  const StageText component = ChosenBuffer(ByComponent());
  StageText global = ChosenOfMany(By("%ids = OpLoad %v3uint %id\n%by = OpCompositeExtract %uint %ids 0\n"));
  const std::string local = "BuiltIn LocalInvocationId\n";
  global.variables[2].decorations = "BuiltIn GlobalInvocationId";
  StageText stored = ChosenBuffer();
  stored.body = "%local = OpVariable %local_pointer Function\n" + (kLoadIndex + By("OpStore %local %index\n; again\n"
                                                                                   "%by = OpLoad %uint %local\n"));
  const StageText pushed =
      With(ChosenOfMany(By("%place_of_base = OpAccessChain %push_word %push %u0\n%base = OpLoad %uint %place_of_base\n"
                           "%by = OpIAdd %uint %base %index\n")),
           {.variables = {{"%push", "PushConstant", "%pushed"}},
            .decorations = DecorateBlock("%pushed"),
            .globals = "%pushed = OpTypeStruct %uint\n%push_word = OpTypePointer PushConstant %uint\n"});
  return {Row(ChosenBuffer(), "BuiltIn LocalInvocationIndex", "BuiltIn SubgroupId"),
          Row(component, local, "BuiltIn WorkgroupId\n"),
          Row(component, "OpAccessChain %number_pointer %id %u0", "OpAccessChain %number_pointer %id %u1"),
          Row(global, "LocalSize 4 1 1", "LocalSize 1 4 1"),
          Row(stored, "; again\n", "OpStore %local %u0\n"),
          Row(stored, "OpStore %local %index\n", ""),
          Row(stored, "; again\n", "%within = OpAccessChain %local_pointer %local\nOpStore %within %u0\n"),
          Row(pushed, "%base %index", "%base %u1")};
}

// Accesses, and what is none.
std::vector<SpirvCase> AccessCases() {
  const StageText declared =
      With(ChosenBuffer(), {.capabilities = "; capability\n", .decorations = Decorate("%chain", "NonUniform")});
  return {Row(ChosenBuffer(kWord + "OpStore %chain %u0\n")),
          Row(ChosenBuffer(kWord + "%2 = OpAtomicIAdd %uint %chain %u1 %u0 %u1\n")), Row(ChosenBuffer(), kLoadWord, ""),
          Row(declared, "; capability\n", "OpCapability StorageBufferArrayNonUniformIndexing\n")};
}

// What compilers of GLSL leave out, several entry points, and a shader that is no compute shader.
std::vector<SpirvCase> OtherCases() {
  const StageText atomic =
      With(ChosenBuffer(kWord + "%2 = OpAtomicIAdd %uint %chain %u1 %u0 %u1\n"),
           {.capabilities = Capabilities("StorageBufferArrayNonUniformIndexing"), .decorations = "; decorated\n"});
  const std::string decorated = "OpDecorate %index NonUniform\n";
  const char* const of_sampler = "RuntimeSpirv-SampledImageArrayNonUniformIndexing-10135";
  StageText several = ChosenBuffer();
  several.interface = "\nOpEntryPoint GLCompute %main \"other\" %variable %number %id";
  StageText task = ChosenBuffer();
  task.model = "TaskEXT";
  // The rule of indices that are no constants is not reported, too.
  SpirvCase strict = Row(ChosenBuffer());
  strict.disabled = {"shaderStorageBufferArrayDynamicIndexing"};
  strict.is_strict = true;
  return {{"RuntimeSpirv-subgroupSize-10149", atomic, "; decorated\n", decorated},
          {of_sampler, ChosenSampler(), "%variable %index", "%variable %u1"},
          {of_sampler, ChosenSampler(), "; decorated\n", decorated},
          Row(several),
          Row(task),
          strict};
}

// Elements of an array in push constants.
std::vector<SpirvCase> PushConstantCases() {
  const char* const id = "None-04745";
  const StageText shader = {
      .capabilities = Capabilities("GroupNonUniform"),
      .variables = {{"%variable", "PushConstant", "%type"}, kNumber},
      .modes = Modes("LocalSize 4 1 1"),
      .decorations = kBlockLayout + DecorateMember("%type 1", "Offset 4") + Decorate("%array", "ArrayStride 4"),
      .globals =
          "%array = OpTypeArray %uint %u4\n%type = OpTypeStruct %uint %array\n"
          "%word = OpTypePointer PushConstant %uint\n",
      .body =
          kLoadIndex + std::string("%chain = OpAccessChain %word %variable %u1 %index\n%2 = OpLoad %uint %chain\n")};
  return {{id, shader, "%u1 %index", "%u1 %u2"},
          {id, shader, "BuiltIn LocalInvocationIndex", "BuiltIn NumSubgroups"},
          {id, shader, "OpTypeArray %uint %u4", "OpTypeArray %uint %u3"}};
}

// Instructions of SPV_QCOM_image_processing2, whose first texture is one of an array.
SpirvCase Processed(const char* id, const std::string& capability, const std::string& operation,
                    const std::string& decoration, const std::string& from = "%variable %index",
                    const std::string& to = "%variable %u1") {
  const StageText shader = With(
      Chosen("UniformConstant",
             kImage2d + "%type = OpTypeSampledImage %image\n%corner = OpConstantComposite %v2uint %u1 %u1\n",
             kImage + "%block = OpCompositeConstruct %v2uint %u1 %index\n%by = OpLoad %type %other\n%3 = " + operation,
             decoration),
      {.capabilities = Capabilities(capability + ", SampledImageArrayNonUniformIndexing",
                                    "SPV_QCOM_image_processing, SPV_QCOM_image_processing2"),
       .variables = {{"%other", "UniformConstant", "%type", "DescriptorSet 0, Binding 1"}}});
  return {id, shader, from, to};
}

std::vector<SpirvCase> ProcessedCases() {
  const auto matched = [](const std::string& operation, const std::string& size = "%corner") {
    return operation + " %v4float %2 %corner %by %corner " + size;
  };
  const std::string textures = DecorateTextures("BlockMatchTextureQCOM", "%chain");
  const std::string both = textures + DecorateTextures("BlockMatchSamplerQCOM", "%chain");
  const char* const match = "RuntimeSpirv-OpImageBlockMatchSADQCOM-06982";
  const char* const window = "RuntimeSpirv-OpImageBlockMatchWindow-09219";
  const char* const one = "TextureBlockMatchQCOM";
  const char* const two = "TextureBlockMatch2QCOM";
  SpirvCase size =
      Processed(match, one, matched("OpImageBlockMatchSADQCOM", "%block"), textures, "%u1 %index\n", "%u1 %u1\n");
  size.shader.body = absl::StrReplaceAll(size.shader.body, {{"%variable %index", "%variable %u0"}});
  return {Processed("RuntimeSpirv-OpImageWeightedSampleQCOM-06979", "TextureSampleWeightedQCOM",
                    "OpImageSampleWeightedQCOM %v4float %2 %place %by", Decorate("%other", "WeightTextureQCOM")),
          Processed("RuntimeSpirv-OpImageBoxFilterQCOM-06990", "TextureBoxFilterQCOM",
                    "OpImageBoxFilterQCOM %v4float %2 %place %place", ""),
          Processed(match, one, matched("OpImageBlockMatchSADQCOM"), textures),
          Processed(match, one, matched("OpImageBlockMatchSSDQCOM"), textures),
          // Not all quads have invocations with several indices.
          Processed(match, one, matched("OpImageBlockMatchSSDQCOM"), textures, "LocalSize 4 1 1", "LocalSize 2 1 1"),
          size, Processed(window, two, matched("OpImageBlockMatchWindowSADQCOM"), both),
          Processed(window, two, matched("OpImageBlockMatchWindowSSDQCOM"), both),
          Processed(window, two, matched("OpImageBlockMatchGatherSADQCOM"), both),
          Processed(window, two, matched("OpImageBlockMatchGatherSSDQCOM"), both)};
}

}  // namespace

std::vector<SpirvCase> IndexCases() {
  return Joined({DynamicCases(), KindCases(false), KindCases(true), ControlFlowCases(), SizeCases(), OperationCases(),
                 SourceCases(), AccessCases(), OtherCases(), PushConstantCases(), ProcessedCases()});
}

}  // namespace assay::core
