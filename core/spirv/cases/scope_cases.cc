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
  %v2uint = OpTypeVector %uint 2
  %pointer = OpTypePointer Workgroup %uint
  %shared = OpVariable %pointer Workgroup
)";

StageText Shader(const std::string& body, const std::string& model = "GLCompute",
                 const std::string& capabilities = "") {
  return {.model = model,
          .capabilities = capabilities,
          .interface = model == "GLCompute" ? "%shared" : "",
          .globals = kGlobals,
          .body = body};
}

std::vector<SpirvCase> ExecutionScopeCases() {
  const std::string elect = "OpCapability GroupNonUniform\n";
  const std::string clock = "OpCapability ShaderClockKHR\nOpExtension \"SPV_KHR_shader_clock\"\n";
  return {
      {"StandaloneSpirv-None-04636", Shader("OpControlBarrier %u1 %u1 %u0"), "Barrier %u1", "Barrier %u2"},
      {"StandaloneSpirv-None-04637", Shader("OpControlBarrier %u2 %u1 %u0", "CallableKHR"), "Barrier %u2",
       "Barrier %u3"},
      {"StandaloneSpirv-None-04642", Shader("%1 = OpGroupNonUniformElect %bool %u2", "GLCompute", elect), "%bool %u2",
       "%bool %u3"},
      {"StandaloneSpirv-OpControlBarrier-04682", Shader("OpControlBarrier %u2 %u1 %u0", "Fragment"), "Barrier %u2",
       "Barrier %u3"},
      {"StandaloneSpirv-OpReadClockKHR-04652", Shader("%1 = OpReadClockKHR %v2uint %u2", "GLCompute", clock),
       "%v2uint %u2", "%v2uint %u3"},
  };
}

std::vector<SpirvCase> MemoryScopeCases() {
  return {
      {"StandaloneSpirv-None-04638", Shader("OpMemoryBarrier %u0 %acquire"), "Barrier %u0", "Barrier %u1"},
      {"StandaloneSpirv-None-04640", Shader("OpMemoryBarrier %u6 %acquire"), "Barrier %u6", "Barrier %u1"},
      {"StandaloneSpirv-None-07321", Shader("OpMemoryBarrier %u2 %acquire", "Fragment"), "Barrier %u2", "Barrier %u1"},
      {"StandaloneSpirv-ExecutionModel-07320", Shader("OpMemoryBarrier %u2 %acquire", "TessellationControl"),
       "Barrier %u2", "Barrier %u1"},
      {"StandaloneSpirv-SubgroupVoteKHR-07951",
       {.globals = "%acquire = OpConstant %uint 0x42\n", .body = "OpMemoryBarrier %u3 %acquire"},
       "Barrier %u3",
       "Barrier %u1",
       {},
       VK_API_VERSION_1_0,
       0x00010000},
  };
}

std::vector<SpirvCase> SemanticsCases() {
  const std::string ballot = "OpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformClustered\n";
  const std::string bits =
      "%1 = OpGroupNonUniformBallot %v4uint %u3 %true\n"
      "%2 = OpGroupNonUniformBallotBitCount %uint %u3 ClusteredReduce %1\n";
  return {
      {"StandaloneSpirv-None-04641", Shader("%1 = OpAtomicIAdd %uint %shared %u4 %acquire %u1"), "%u4 %acquire",
       "%u4 %u0"},
      {"StandaloneSpirv-OpControlBarrier-04650", Shader("OpControlBarrier %u2 %u2 %u2"), "%u2 %u2 %u2", "%u2 %u2 %u0"},
      {"StandaloneSpirv-OpMemoryBarrier-04732", Shader("OpMemoryBarrier %u1 %u64"), "%u1 %u64", "%u1 %acquire"},
      {"StandaloneSpirv-OpMemoryBarrier-04733", Shader("OpMemoryBarrier %u1 %u2"), "%u1 %u2", "%u1 %acquire"},
      {"StandaloneSpirv-OpAtomicStore-04730", Shader("OpAtomicStore %shared %u2 %acquire %u1"), "%u2 %acquire",
       "%u2 %release"},
      {"StandaloneSpirv-OpAtomicLoad-04731", Shader("%1 = OpAtomicLoad %uint %shared %u2 %release"), "%u2 %release",
       "%u2 %acquire"},
      {"StandaloneSpirv-OpGroupNonUniformBallotBitCount-04685", Shader(bits, "GLCompute", ballot), "ClusteredReduce",
       "Reduce"},
  };
}

}  // namespace

std::vector<SpirvCase> ScopeCases() {
  std::vector<SpirvCase> cases = ExecutionScopeCases();
  for (const SpirvCase& row : MemoryScopeCases()) cases.push_back(row);
  for (const SpirvCase& row : SemanticsCases()) cases.push_back(row);
  return cases;
}

}  // namespace assay::core
