// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// A shader that reads a variable.
SpirvCase Used(const char* id, const std::string& model, const std::string& storage, const std::string& correct) {
  return {id,
          {.model = model,
           .variables = {{"%variable", storage, "%block"}},
           .globals = "%block = OpTypeStruct %uint\n",
           .body = "%1 = OpLoad %block %variable\n"},
          storage,
          correct};
}

// A shader with two variables.
SpirvCase Listed(const char* id, const std::string& model, const std::string& storage) {
  return {id,
          {.model = model, .variables = {{"%first", storage, "%uint"}, {"%second", storage, "%uint"}}},
          "%first %second",
          "%first"};
}

}  // namespace

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

}  // namespace assay::core
