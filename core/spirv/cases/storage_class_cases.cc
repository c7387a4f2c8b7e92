// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// A variable of a type, which the shader lists.
StageText Variable(const std::string& storage, const std::string& type, const std::string& decorations = "",
                   const std::string& body = "", const std::string& model = "GLCompute") {
  return {.model = model,
          .variables = {{"%variable", storage, type}},
          .decorations = DecorateBlock("%block") + decorations,
          .globals = "%block = OpTypeStruct %uint\n",
          .body = body};
}

const char* const kBinding = "OpDecorate %variable DescriptorSet 0\nOpDecorate %variable Binding 0\n";
const char* const kLoadUint = "%1 = OpLoad %uint %variable\n";
const char* const kLoadBlock = "%1 = OpLoad %block %variable\n";

// Where a storage class may be used.
std::vector<SpirvCase> UseCases() {
  const StageText unused = {.globals = "%pointer = OpTypePointer CrossWorkgroup %uint\n"};
  const StageText output = {.variables = {{"%variable", "Output", "%uint"}}, .body = "OpStore %variable %u1\n"};
  StageText atomic = Variable("Workgroup", "%uint");
  atomic.globals += "%local_pointer = OpTypePointer Function %uint\n";
  atomic.body = "%local = OpVariable %local_pointer Function\n%1 = OpAtomicIAdd %uint %local %u1 %u0 %u1\n";
  return {{"None-04643", unused, "CrossWorkgroup", "Workgroup"},
          {"None-04644", output, "Output", "Private"},
          {"None-04645", Variable("Workgroup", "%uint", "", kLoadUint, "Fragment"), "Workgroup", "Private"},
          {"None-04686", atomic, "%uint %local", "%uint %variable"}};
}

std::vector<SpirvCase> InitializerCases() {
  StageText uniform = Variable("Uniform", "%block", kBinding);
  uniform.variables[0].initializer = "%zero";
  uniform.globals += "%zero = OpConstantNull %block\n";
  const StageText shared = {.variables = {{"%variable", "Workgroup", "%uint", "", "%u0"}},
                            .globals = "%null = OpConstantNull %uint\n"};
  return {{"OpVariable-04651", uniform, "Uniform %zero", "Uniform"},
          {"OpVariable-04734", shared, "Workgroup %u0", "Workgroup %null"}};
}

// The types of variables.
std::vector<SpirvCase> TypeOfVariableCases() {
  return {
      {"PushConstant-06808", Variable("PushConstant", "%uint"), "PushConstant %uint", "PushConstant %block"},
      {"Uniform-06807", Variable("Uniform", "%uint", kBinding), "Uniform %uint", "Uniform %block"},
      {"Uniform-06807", Variable("StorageBuffer", "%uint", kBinding), "StorageBuffer %uint", "StorageBuffer %block"},
      {"UniformConstant-04655", Variable("UniformConstant", "%uint", kBinding),
       "%variable_pointer = OpTypePointer UniformConstant %uint",
       "%sampler = OpTypeSampler\n%variable_pointer = OpTypePointer UniformConstant %sampler"},
      {"Input-07290", Variable("Input", "%bool", "OpDecorate %variable Location 0\n", "", "Vertex"), "Input %bool",
       "Input %uint"}};
}

std::vector<SpirvCase> BlockCases() {
  // Without the decoration of the block.
  const auto row = [](const char* id, const char* storage, const std::string& decorations) {
    StageText text = Variable(storage, "%block", "", kLoadBlock);
    text.decorations = "; no block\n" + DecorateMember("%block 0", "Offset 0") + decorations;
    return SpirvCase{id, text, "; no block", "OpDecorate %block Block"};
  };
  return {row("PushConstant-06675", "PushConstant", ""), row("PushConstant-06675", "StorageBuffer", kBinding),
          row("Uniform-06676", "Uniform", kBinding)};
}

std::vector<SpirvCase> DescriptorCases() {
  const std::string set = "OpDecorate %variable DescriptorSet 0\n";
  const std::string binding = "OpDecorate %variable Binding 0\n";
  StageText sampler = Variable("UniformConstant", "%sampler", set + "; no binding\n", "%1 = OpLoad %sampler %variable");
  sampler.globals = "%sampler = OpTypeSampler\n" + sampler.globals;
  StageText attachment = Variable("Private", "%uint", "OpDecorate %variable InputAttachmentIndex 0\n", "", "Fragment");
  attachment.capabilities = Capabilities("InputAttachment");
  return {
      {"DescriptorSet-06491", Variable("Private", "%uint", "OpDecorate %variable DescriptorSet 0\n"),
       "OpDecorate %variable DescriptorSet 0", ""},
      {"UniformConstant-06677", sampler, "; no binding\n", binding},
      {"UniformConstant-06677", Variable("Uniform", "%block", binding + "; no set\n", kLoadBlock), "; no set\n", set},
      {"UniformConstant-06677", Variable("StorageBuffer", "%block", set + "; no binding\n", kLoadBlock),
       "; no binding\n", binding},
      {"InputAttachmentIndex-06678", attachment, "OpDecorate %variable InputAttachmentIndex 0", ""}};
}

// A shader that reads a variable.
SpirvCase Used(const char* id, const std::string& model, const std::string& storage, const std::string& correct) {
  const StageText text = {.model = model,
                          .variables = {{"%variable", storage, "%block"}},
                          .globals = "%block = OpTypeStruct %uint\n",
                          .body = kLoadBlock};
  return {id, text, storage, correct};
}

// A shader with two variables.
SpirvCase Listed(const char* id, const std::string& model, const std::string& storage) {
  const StageText text = {.model = model, .variables = {{"%first", storage, "%uint"}, {"%second", storage, "%uint"}}};
  return {id, text, "%first %second", "%first"};
}

// Storage classes of rays.
std::vector<SpirvCase> RayCases() {
  const StageText hit = {.model = "AnyHitKHR",
                         .variables = {{"%variable", "HitAttributeKHR", "%uint"}},
                         .body = "OpStore %variable %u1\n"};
  SpirvCase record = Used("ShaderRecordBufferKHR-07119", "GLCompute", "ShaderRecordBufferKHR", "Private");
  record.shader.capabilities = Capabilities("RayTracingKHR", "SPV_KHR_ray_tracing");
  return {Used("RayPayloadKHR-04698", "AnyHitKHR", "RayPayloadKHR", "IncomingRayPayloadKHR"),
          Used("IncomingRayPayloadKHR-04699", "RayGenerationKHR", "IncomingRayPayloadKHR", "RayPayloadKHR"),
          Listed("IncomingRayPayloadKHR-04700", "AnyHitKHR", "IncomingRayPayloadKHR"),
          Used("HitAttributeKHR-04701", "MissKHR", "HitAttributeKHR", "IncomingRayPayloadKHR"),
          Listed("HitAttributeKHR-04702", "IntersectionKHR", "HitAttributeKHR"),
          {"HitAttributeKHR-04703", hit, "OpStore %variable %u1", "%1 = OpLoad %uint %variable"},
          Used("CallableDataKHR-04704", "AnyHitKHR", "CallableDataKHR", "HitAttributeKHR"),
          Used("IncomingCallableDataKHR-04705", "MissKHR", "IncomingCallableDataKHR", "CallableDataKHR"),
          Listed("IncomingCallableDataKHR-04706", "CallableKHR", "IncomingCallableDataKHR"),
          record};
}

}  // namespace

std::vector<SpirvCase> StorageClassCases() {
  return Joined({UseCases(), InitializerCases(), TypeOfVariableCases(), BlockCases(), DescriptorCases(), RayCases()});
}

}  // namespace assay::core
