// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

// Scopes, which are the numbers of %u0 to %u5 in order: CrossDevice, Device, Workgroup, Subgroup, Invocation and
// QueueFamily; and memory semantics.
namespace assay::core {
namespace {

const char* const kGlobals = R"(
  %u6 = OpConstant %uint 6
  %u64 = OpConstant %uint 64
  %acquire = OpConstant %uint 0x42
  %release = OpConstant %uint 0x44
)";

StageText Shader(const std::string& body, const std::string& model = "GLCompute",
                 const std::string& capabilities = "") {
  StageText shader = {.model = model, .capabilities = capabilities, .globals = kGlobals, .body = body};
  if (model == "GLCompute") shader.variables = {{"%shared", "Workgroup", "%uint"}};
  return shader;
}

std::vector<SpirvCase> ExecutionScopeCases() {
  const std::string elect = Capabilities("GroupNonUniform");
  const std::string clock = Capabilities("ShaderClockKHR", "SPV_KHR_shader_clock");
  return {{"None-04636", Shader("OpControlBarrier %u1 %u1 %u0"), "Barrier %u1", "Barrier %u2"},
          {"None-04637", Shader("OpControlBarrier %u2 %u1 %u0", "CallableKHR"), "Barrier %u2", "Barrier %u3"},
          {"None-04642", Shader("%1 = OpGroupNonUniformElect %bool %u2", "GLCompute", elect), "%bool %u2", "%bool %u3"},
          {"OpControlBarrier-04682", Shader("OpControlBarrier %u2 %u1 %u0", "Fragment"), "Barrier %u2", "Barrier %u3"},
          {"OpReadClockKHR-04652", Shader("%1 = OpReadClockKHR %v2uint %u2", "GLCompute", clock), "%v2uint %u2",
           "%v2uint %u3"}};
}

std::vector<SpirvCase> MemoryScopeCases() {
  const StageText old = {.globals = "%acquire = OpConstant %uint 0x42\n", .body = "OpMemoryBarrier %u3 %acquire"};
  return {{"None-04638", Shader("OpMemoryBarrier %u0 %acquire"), "Barrier %u0", "Barrier %u1"},
          {"None-04640", Shader("OpMemoryBarrier %u6 %acquire"), "Barrier %u6", "Barrier %u1"},
          {"None-07321", Shader("OpMemoryBarrier %u2 %acquire", "Fragment"), "Barrier %u2", "Barrier %u1"},
          {"ExecutionModel-07320", Shader("OpMemoryBarrier %u2 %acquire", "TessellationControl"), "Barrier %u2",
           "Barrier %u1"},
          {"SubgroupVoteKHR-07951", old, "Barrier %u3", "Barrier %u1", {}, VK_API_VERSION_1_0, 0x00010000}};
}

std::vector<SpirvCase> SemanticsCases() {
  const std::string ballot = Capabilities("GroupNonUniformBallot, GroupNonUniformClustered");
  const std::string bits =
      "%1 = OpGroupNonUniformBallot %v4uint %u3 %true\n"
      "%2 = OpGroupNonUniformBallotBitCount %uint %u3 ClusteredReduce %1\n";
  return {
      {"None-04641", Shader("%1 = OpAtomicIAdd %uint %shared %u4 %acquire %u1"), "%u4 %acquire", "%u4 %u0"},
      {"OpControlBarrier-04650", Shader("OpControlBarrier %u2 %u2 %u2"), "%u2 %u2 %u2", "%u2 %u2 %u0"},
      {"OpMemoryBarrier-04732", Shader("OpMemoryBarrier %u1 %u64"), "%u1 %u64", "%u1 %acquire"},
      {"OpMemoryBarrier-04733", Shader("OpMemoryBarrier %u1 %u2"), "%u1 %u2", "%u1 %acquire"},
      {"OpAtomicStore-04730", Shader("OpAtomicStore %shared %u2 %acquire %u1"), "%u2 %acquire", "%u2 %release"},
      {"OpAtomicLoad-04731", Shader("%1 = OpAtomicLoad %uint %shared %u2 %release"), "%u2 %release", "%u2 %acquire"},
      {"OpGroupNonUniformBallotBitCount-04685", Shader(bits, "GLCompute", ballot), "ClusteredReduce", "Reduce"}};
}

}  // namespace

std::vector<SpirvCase> ScopeCases() { return Joined({ExecutionScopeCases(), MemoryScopeCases(), SemanticsCases()}); }

}  // namespace assay::core
