// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// A shader with a variable of type %type.
StageText Variable(const std::string& model, const std::string& storage, const std::string& types,
                   const std::string& decorations, const std::string& capabilities = "") {
  return {.model = model,
          .capabilities = capabilities,
          .interface = "%variable",
          .decorations = "OpDecorate %variable Location 0\n" + decorations,
          .globals = types + "%pointer = OpTypePointer " + storage + " %type\n%variable = OpVariable %pointer " +
                     storage + "\n"};
}

std::vector<SpirvCase> UserVariableCases() {
  const std::string arrays = "%array = OpTypeArray %float %u2\n%type = OpTypeArray %array %u2\n";
  const std::string component = "OpDecorate %variable Component 1\n";
  StageText address = Variable("Vertex", "Output",
                               "%pointee = OpTypePointer PhysicalStorageBuffer %uint\n%type = OpTypeStruct %pointee\n",
                               "OpDecorate %pointee_use AliasedPointer\n",
                               "OpCapability PhysicalStorageBufferAddresses\n"
                               "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n");
  address.decorations = "OpDecorate %variable Location 0\nOpDecorate %variable AliasedPointer\n";
  return {
      {"StandaloneSpirv-Execution-10584", Variable("Vertex", "Input", arrays, component), "OpTypeArray %array %u2",
       "OpTypeArray %float %u4"},
      {"StandaloneSpirv-Execution-10585", Variable("Vertex", "Output", arrays, component), "OpTypeArray %array %u2",
       "OpTypeArray %float %u4"},
      {"StandaloneSpirv-Input-09557", address, "OpTypeStruct %pointee", "OpTypeStruct %v2float"},
  };
}

// Two inputs of a fragment shader that share a location.
std::vector<SpirvCase> SharedLocationCases() {
  std::vector<SpirvCase> cases;
  for (const char* decoration : {"Flat", "NoPerspective", "Centroid"}) {
    const StageText text = {.model = "Fragment",
                            .interface = "%first %second",
                            .decorations =
                                "OpDecorate %first Location 0\nOpDecorate %second Location 0\n"
                                "OpDecorate %second Component 2\nOpDecorate %first " +
                                std::string(decoration) + "\n; like the first\n",
                            .globals =
                                "%pointer = OpTypePointer Input %v2float\n%first = OpVariable %pointer Input\n"
                                "%second = OpVariable %pointer Input\n"};
    cases.push_back(
        {"StandaloneSpirv-Input-10604", text, "; like the first", std::string("OpDecorate %second ") + decoration});
  }
  return cases;
}

// A vertex shader with viewports of VK_NV_viewport_array2.
StageText Viewports(const std::string& decorations, const std::string& body) {
  return {.model = "Vertex",
          .capabilities =
              "OpCapability ShaderLayer\nOpCapability ShaderViewportIndex\n"
              "OpCapability ShaderViewportMaskNV\n"
              "OpExtension \"SPV_NV_viewport_array2\"\n",
          .interface = "%mask %viewport %layer",
          .decorations =
              "OpDecorate %mask BuiltIn ViewportMaskNV\nOpDecorate %viewport BuiltIn ViewportIndex\n"
              "OpDecorate %layer BuiltIn Layer\n" +
              decorations,
          .globals = R"(
            %array = OpTypeArray %int %u1
            %array_pointer = OpTypePointer Output %array
            %pointer = OpTypePointer Output %int
            %mask = OpVariable %array_pointer Output
            %viewport = OpVariable %pointer Output
            %layer = OpVariable %pointer Output
            %i1 = OpConstant %int 1
          )",
          .body = body};
}

std::vector<SpirvCase> ViewportCases() {
  const std::string mask = "%1 = OpAccessChain %pointer %mask %u0\nOpStore %1 %i1\n";
  const std::string viewport = "OpStore %viewport %i1\n";
  const std::string layer = "OpStore %layer %i1\n";
  const std::string relative = "OpDecorate %layer ViewportRelativeNV\n";
  const StageText input = {.model = "Fragment",
                           .capabilities =
                               "OpCapability ShaderLayer\n"
                               "OpCapability ShaderViewportMaskNV\n"
                               "OpExtension \"SPV_NV_viewport_array2\"\n",
                           .interface = "%layer",
                           .decorations = "OpDecorate %layer BuiltIn Layer\nOpDecorate %layer Flat\n" + relative,
                           .globals = "%pointer = OpTypePointer Input %int\n%layer = OpVariable %pointer Input\n",
                           .body = "%1 = OpLoad %int %layer\n"};
  return {
      {"StandaloneSpirv-ViewportMaskNV-04674", Viewports("", mask + viewport), viewport, ""},
      {"StandaloneSpirv-ViewportRelativeNV-04672", Viewports("OpDecorate %viewport ViewportRelativeNV\n", viewport),
       "%viewport ViewportRelativeNV", "%layer ViewportRelativeNV"},
      {"StandaloneSpirv-ViewportRelativeNV-04672", input, relative, ""},
      {"StandaloneSpirv-ViewportRelativeNV-04673", Viewports(relative, layer), layer, layer + viewport},
  };
}

// A ray generation shader that reads its place in the subgroup, behind an empty vertex shader.
StageText Ray(const std::string& capability, const std::string& model, const std::string& decorations,
              const std::string& load) {
  return {.model = "Vertex",
          .capabilities = "OpCapability RayTracingKHR\nOpCapability GroupNonUniform\n" + capability +
                          "OpExtension \"SPV_KHR_ray_tracing\"\nOpMemoryModel Logical " + model + "\n",
          .interface = "\nOpEntryPoint RayGenerationKHR %rays \"rays\" %variable",
          .decorations = "OpDecorate %variable BuiltIn SubgroupLocalInvocationId\n" + decorations,
          .globals = "%pointer = OpTypePointer Input %uint\n%variable = OpVariable %pointer Input\n",
          .body = "OpReturn\nOpFunctionEnd\n%rays = OpFunction %void None %function\n%rays_entry = OpLabel\n" + load};
}

std::vector<SpirvCase> VolatileCases() {
  StageText distance = Ray("", "GLSL450", "; not volatile\n", "%1 = OpLoad %float %variable\n");
  distance.interface = "\nOpEntryPoint IntersectionKHR %rays \"rays\" %variable";
  distance.decorations = "OpDecorate %variable BuiltIn RayTmaxKHR\n; not volatile\n";
  distance.globals = "%pointer = OpTypePointer Input %float\n%variable = OpVariable %pointer Input\n";
  const std::string changing = "OpDecorate %variable Volatile";
  StageText mask = Ray("OpCapability VulkanMemoryModel\nOpCapability GroupNonUniformBallot\n", "Vulkan", "",
                       "%1 = OpAccessChain %part %variable %u0\n%2 = OpLoad %uint %1\n");
  mask.decorations = "OpDecorate %variable BuiltIn SubgroupEqMask\n";
  mask.globals =
      "%pointer = OpTypePointer Input %v4uint\n%part = OpTypePointer Input %uint\n"
      "%variable = OpVariable %pointer Input\n";
  return {
      {"StandaloneSpirv-VulkanMemoryModel-04678",
       Ray("", "GLSL450", "; not volatile\n", "%1 = OpLoad %uint %variable\n"), "; not volatile", changing},
      {"StandaloneSpirv-VulkanMemoryModel-04678", distance, "; not volatile", changing},
      {"StandaloneSpirv-VulkanMemoryModel-04679",
       Ray("OpCapability VulkanMemoryModel\n", "Vulkan", "", "%1 = OpLoad %uint %variable\n"), "OpLoad %uint %variable",
       "OpLoad %uint %variable Volatile"},
  };
}

}  // namespace

std::vector<SpirvCase> InterfaceCases() {
  std::vector<SpirvCase> cases = UserVariableCases();
  for (const auto& group : {SharedLocationCases(), ViewportCases(), VolatileCases()}) {
    cases.insert(cases.end(), group.begin(), group.end());
  }
  return cases;
}

}  // namespace assay::core
