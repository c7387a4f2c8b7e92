// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// A variable of a type, which the shader lists, and loads if it is of a scalar type.
StageText Variable(const std::string& storage, const std::string& type, const std::string& decorations = "",
                   const std::string& body = "", const std::string& model = "GLCompute") {
  return {.model = model,
          .interface = "%variable",
          .decorations = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n" + decorations,
          .globals = "%block = OpTypeStruct %uint\n%pointer = OpTypePointer " + storage + " " + type +
                     "\n%variable = OpVariable %pointer " + storage + "\n",
          .body = body};
}

const char* const kBinding = "OpDecorate %variable DescriptorSet 0\nOpDecorate %variable Binding 0\n";
const char* const kLoadUint = "%1 = OpLoad %uint %variable\n";
const char* const kLoadBlock = "%1 = OpLoad %block %variable\n";

// Where a storage class may be used.
std::vector<SpirvCase> UseCases() {
  const StageText output = {
      .interface = "%variable",
      .globals = "%pointer = OpTypePointer Output %uint\n%variable = OpVariable %pointer Output\n",
      .body = "OpStore %variable %u1\n"};
  StageText atomic = Variable("Workgroup", "%uint");
  atomic.globals += "%local_pointer = OpTypePointer Function %uint\n";
  atomic.body = "%local = OpVariable %local_pointer Function\n%1 = OpAtomicIAdd %uint %local %u1 %u0 %u1\n";
  return {
      {"StandaloneSpirv-None-04643",
       {.globals = "%pointer = OpTypePointer CrossWorkgroup %uint\n"},
       "CrossWorkgroup",
       "Workgroup"},
      {"StandaloneSpirv-None-04644", output, "Output", "Private"},
      {"StandaloneSpirv-None-04645", Variable("Workgroup", "%uint", "", kLoadUint, "Fragment"), "Workgroup", "Private"},
      {"StandaloneSpirv-None-04686", atomic, "%uint %local", "%uint %variable"},
  };
}

std::vector<SpirvCase> InitializerCases() {
  StageText uniform = Variable("Uniform", "%block", kBinding);
  uniform.globals =
      "%block = OpTypeStruct %uint\n%pointer = OpTypePointer Uniform %block\n"
      "%zero = OpConstantNull %block\n%variable = OpVariable %pointer Uniform %zero\n";
  const StageText shared = {.interface = "%variable",
                            .globals =
                                "%null = OpConstantNull %uint\n%pointer = OpTypePointer Workgroup %uint\n"
                                "%variable = OpVariable %pointer Workgroup %u0\n"};
  return {{"StandaloneSpirv-OpVariable-04651", uniform, "Uniform %zero", "Uniform"},
          {"StandaloneSpirv-OpVariable-04734", shared, "Workgroup %u0", "Workgroup %null"}};
}

// The types of variables.
std::vector<SpirvCase> TypeOfVariableCases() {
  return {
      {"StandaloneSpirv-PushConstant-06808", Variable("PushConstant", "%uint"), "PushConstant %uint",
       "PushConstant %block"},
      {"StandaloneSpirv-Uniform-06807", Variable("Uniform", "%uint", kBinding), "Uniform %uint", "Uniform %block"},
      {"StandaloneSpirv-Uniform-06807", Variable("StorageBuffer", "%uint", kBinding), "StorageBuffer %uint",
       "StorageBuffer %block"},
      {"StandaloneSpirv-UniformConstant-04655", Variable("UniformConstant", "%uint", kBinding),
       "%pointer = OpTypePointer UniformConstant %uint",
       "%sampler = OpTypeSampler\n%pointer = OpTypePointer UniformConstant %sampler"},
      {"StandaloneSpirv-Input-07290", Variable("Input", "%bool", "OpDecorate %variable Location 0\n", "", "Vertex"),
       "Input %bool", "Input %uint"},
  };
}

std::vector<SpirvCase> BlockCases() {
  const std::string undecorated = "OpDecorate %block Block";
  std::vector<SpirvCase> cases;
  for (const char* storage : {"PushConstant", "StorageBuffer"}) {
    StageText text = Variable(storage, "%block", storage == std::string("PushConstant") ? "" : kBinding, kLoadBlock);
    text.decorations.replace(0, undecorated.size(), "; no block");
    cases.push_back({"StandaloneSpirv-PushConstant-06675", text, "; no block", undecorated});
  }
  StageText uniform = Variable("Uniform", "%block", kBinding, kLoadBlock);
  uniform.decorations.replace(0, undecorated.size(), "; no block");
  cases.push_back({"StandaloneSpirv-Uniform-06676", uniform, "; no block", undecorated});
  return cases;
}

std::vector<SpirvCase> DescriptorCases() {
  const std::string set = "OpDecorate %variable DescriptorSet 0\n";
  const std::string binding = "OpDecorate %variable Binding 0\n";
  StageText sampler = Variable("UniformConstant", "%sampler", set + "; no binding\n", "%1 = OpLoad %sampler %variable");
  sampler.globals = "%sampler = OpTypeSampler\n" + sampler.globals;
  StageText attachment = Variable("Private", "%uint", "OpDecorate %variable InputAttachmentIndex 0\n", "", "Fragment");
  attachment.capabilities = "OpCapability InputAttachment\n";
  return {
      {"StandaloneSpirv-DescriptorSet-06491", Variable("Private", "%uint", "OpDecorate %variable DescriptorSet 0\n"),
       "OpDecorate %variable DescriptorSet 0", ""},
      {"StandaloneSpirv-UniformConstant-06677", sampler, "; no binding\n", binding},
      {"StandaloneSpirv-UniformConstant-06677", Variable("Uniform", "%block", binding + "; no set\n", kLoadBlock),
       "; no set\n", set},
      {"StandaloneSpirv-UniformConstant-06677", Variable("StorageBuffer", "%block", set + "; no binding\n", kLoadBlock),
       "; no binding\n", binding},
      {"StandaloneSpirv-InputAttachmentIndex-06678", attachment, "OpDecorate %variable InputAttachmentIndex 0", ""},
  };
}

}  // namespace

std::vector<SpirvCase> StorageClassCases() {
  std::vector<SpirvCase> cases = UseCases();
  for (const auto& group : {InitializerCases(), TypeOfVariableCases(), BlockCases(), DescriptorCases()}) {
    cases.insert(cases.end(), group.begin(), group.end());
  }
  return cases;
}

}  // namespace assay::core
