// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

std::vector<SpirvCase> UserVariableCases() {
  // A vertex shader with a variable of type %type.
  const auto variable = [](const std::string& storage, const std::string& types, const std::string& decoration) {
    return StageText{.model = "Vertex",
                     .variables = {{"%variable", storage, "%type", "Location 0, " + decoration}},
                     .globals = types};
  };
  const std::string arrays = "%array = OpTypeArray %float %u2\n%type = OpTypeArray %array %u2\n";
  StageText address =
      variable("Output", "%pointee = OpTypePointer PhysicalStorageBuffer %uint\n%type = OpTypeStruct %pointee\n",
               "AliasedPointer");
  address.capabilities = Capabilities("PhysicalStorageBufferAddresses") + kAddressModel;
  return {
      {"Execution-10584", variable("Input", arrays, "Component 1"), "OpTypeArray %array %u2", "OpTypeArray %float %u4"},
      {"Execution-10585", variable("Output", arrays, "Component 1"), "OpTypeArray %array %u2",
       "OpTypeArray %float %u4"},
      {"Input-09557", address, "OpTypeStruct %pointee", "OpTypeStruct %v2float"}};
}

// Two inputs of a fragment shader that share a location.
std::vector<SpirvCase> SharedLocationCases() {
  std::vector<SpirvCase> cases;
  for (const char* decoration : {"Flat", "NoPerspective", "Centroid"}) {
    const StageText text = {.model = "Fragment",
                            .variables = {{"%first", "Input", "%v2float", std::string("Location 0, ") + decoration},
                                          {"%second", "Input", "%v2float", "Location 0, Component 2"}},
                            .decorations = "; like the first\n"};
    cases.push_back({"Input-10604", text, "; like the first", Decorate("%second", decoration)});
  }
  return cases;
}

// A vertex shader with viewports of VK_NV_viewport_array2.
StageText Viewports(const std::string& decorations, const std::string& body) {
  return {
      .model = "Vertex",
      .capabilities = Capabilities("ShaderLayer, ShaderViewportIndex, ShaderViewportMaskNV", "SPV_NV_viewport_array2"),
      .variables = {{"%mask", "Output", "%array", "BuiltIn ViewportMaskNV"},
                    {"%viewport", "Output", "%int", "BuiltIn ViewportIndex"},
                    {"%layer", "Output", "%int", "BuiltIn Layer"}},
      .decorations = decorations,
      .globals = "%array = OpTypeArray %int %u1\n%pointer = OpTypePointer Output %int\n",
      .body = body};
}

std::vector<SpirvCase> ViewportCases() {
  const std::string mask = "%1 = OpAccessChain %pointer %mask %u0\nOpStore %1 %i1\n";
  const std::string viewport = "OpStore %viewport %i1\n";
  const std::string layer = "OpStore %layer %i1\n";
  const std::string relative = Decorate("%layer", "ViewportRelativeNV");
  const StageText input = {.model = "Fragment",
                           .capabilities = Capabilities("ShaderLayer, ShaderViewportMaskNV", "SPV_NV_viewport_array2"),
                           .variables = {{"%layer", "Input", "%int", "BuiltIn Layer, Flat, ViewportRelativeNV"}},
                           .body = "%1 = OpLoad %int %layer\n"};
  return {{"ViewportMaskNV-04674", Viewports("", mask + viewport), viewport, ""},
          {"ViewportRelativeNV-04672", Viewports("OpDecorate %viewport ViewportRelativeNV\n", viewport),
           "%viewport ViewportRelativeNV", "%layer ViewportRelativeNV"},
          {"ViewportRelativeNV-04672", input, relative, ""},
          {"ViewportRelativeNV-04673", Viewports(relative, layer), layer, layer + viewport}};
}

// A ray tracing shader that reads a built-in, behind an empty vertex shader.
StageText Ray(const std::string& model, const std::string& built_in, const std::string& type, bool is_vulkan = false) {
  return {
      .model = "Vertex",
      .capabilities = Capabilities("RayTracingKHR, GroupNonUniform", "SPV_KHR_ray_tracing") +
                      (is_vulkan ? Capabilities("VulkanMemoryModel") + kVulkanModel : ""),
      .interface = "\nOpEntryPoint " + model + " %rays \"rays\" %variable",
      .decorations = Decorate("%variable", "BuiltIn " + built_in) + "; not volatile\n",
      .globals = "%pointer = OpTypePointer Input " + type + "\n%variable = OpVariable %pointer Input\n",
      .body = "OpReturn\nOpFunctionEnd\n%rays = OpFunction %void None %function\n%rays_entry = OpLabel\n%1 = OpLoad " +
              type + " %variable\n"};
}

std::vector<SpirvCase> VolatileCases() {
  const std::string changing = "OpDecorate %variable Volatile";
  return {{"VulkanMemoryModel-04678", Ray("RayGenerationKHR", "SubgroupLocalInvocationId", "%uint"), "; not volatile",
           changing},
          {"VulkanMemoryModel-04678", Ray("IntersectionKHR", "RayTmaxKHR", "%float"), "; not volatile", changing},
          {"VulkanMemoryModel-04679", Ray("RayGenerationKHR", "SubgroupLocalInvocationId", "%uint", true),
           "OpLoad %uint %variable", "OpLoad %uint %variable Volatile"}};
}

}  // namespace

std::vector<SpirvCase> InterfaceCases() {
  return Joined({UserVariableCases(), SharedLocationCases(), ViewportCases(), VolatileCases()});
}

}  // namespace assay::core
