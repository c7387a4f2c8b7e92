// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// A shader that reads a variable.
SpirvCase Used(const char* id, const std::string& model, const std::string& storage, const std::string& correct) {
  return {id,
          {.model = model,
           .interface = "%variable",
           .globals = "%block = OpTypeStruct %uint\n%pointer = OpTypePointer " + storage +
                      " %block\n%variable = OpVariable %pointer " + storage + "\n",
           .body = "%1 = OpLoad %block %variable\n"},
          storage,
          correct};
}

// A shader with two variables.
SpirvCase Listed(const char* id, const std::string& model, const std::string& storage) {
  return {id,
          {.model = model,
           .interface = "%first %second",
           .globals = "%pointer = OpTypePointer " + storage + " %uint\n%first = OpVariable %pointer " + storage +
                      "\n%second = OpVariable %pointer " + storage + "\n"},
          "%first %second",
          "%first"};
}

}  // namespace

std::vector<SpirvCase> RayCases() {
  const StageText hit = {.model = "AnyHitKHR",
                         .interface = "%variable",
                         .globals =
                             "%pointer = OpTypePointer HitAttributeKHR %uint\n"
                             "%variable = OpVariable %pointer HitAttributeKHR\n",
                         .body = "OpStore %variable %u1\n"};
  SpirvCase record =
      Used("StandaloneSpirv-ShaderRecordBufferKHR-07119", "GLCompute", "ShaderRecordBufferKHR", "Private");
  record.shader.capabilities = "OpCapability RayTracingKHR\nOpExtension \"SPV_KHR_ray_tracing\"\n";
  return {
      Used("StandaloneSpirv-RayPayloadKHR-04698", "AnyHitKHR", "RayPayloadKHR", "IncomingRayPayloadKHR"),
      Used("StandaloneSpirv-IncomingRayPayloadKHR-04699", "RayGenerationKHR", "IncomingRayPayloadKHR", "RayPayloadKHR"),
      Listed("StandaloneSpirv-IncomingRayPayloadKHR-04700", "AnyHitKHR", "IncomingRayPayloadKHR"),
      Used("StandaloneSpirv-HitAttributeKHR-04701", "MissKHR", "HitAttributeKHR", "IncomingRayPayloadKHR"),
      Listed("StandaloneSpirv-HitAttributeKHR-04702", "IntersectionKHR", "HitAttributeKHR"),
      {"StandaloneSpirv-HitAttributeKHR-04703", hit, "OpStore %variable %u1", "%1 = OpLoad %uint %variable"},
      Used("StandaloneSpirv-CallableDataKHR-04704", "AnyHitKHR", "CallableDataKHR", "HitAttributeKHR"),
      Used("StandaloneSpirv-IncomingCallableDataKHR-04705", "MissKHR", "IncomingCallableDataKHR", "CallableDataKHR"),
      Listed("StandaloneSpirv-IncomingCallableDataKHR-04706", "CallableKHR", "IncomingCallableDataKHR"),
      record,
  };
}

}  // namespace assay::core
