// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layers and viewports of mesh shaders, with and without the features for them.

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

// A mesh shader that writes a built-in of its primitive.
std::vector<uint32_t> LayeredMesh(std::string_view built_in) {
  return test::AssembleSpirv(absl::StrReplaceAll(R"(
    OpCapability MeshShadingEXT
    OpExtension "SPV_EXT_mesh_shader"
    OpMemoryModel Logical GLSL450
    OpEntryPoint MeshEXT %main "main" %out
    OpExecutionMode %main LocalSize 1 1 1
    OpExecutionMode %main OutputVertices 3
    OpExecutionMode %main OutputPrimitivesEXT 1
    OpExecutionMode %main OutputTrianglesEXT
    OpDecorate %block Block
    OpMemberDecorate %block 0 BuiltIn BUILTIN
    OpMemberDecorate %block 0 PerPrimitiveEXT
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %zero = OpConstant %uint 0
    %one = OpConstant %uint 1
    %block = OpTypeStruct %uint
    %blocks = OpTypeArray %block %one
    %pointer = OpTypePointer Output %blocks
    %element = OpTypePointer Output %uint
    %out = OpVariable %pointer Output
    %main = OpFunction %void None %function
    %entry = OpLabel
    OpSetMeshOutputsEXT %one %one
    %chain = OpAccessChain %element %out %zero %zero
    OpStore %chain %zero
    OpReturn
    OpFunctionEnd
  )",
                                                 {{"BUILTIN", built_in}}));
}

class LayeredMeshes : public test::ValidationTest {
 protected:
  void SetUp() override {}

  // With meshes, and the features of Vulkan 1.2 for layers and viewports or without.
  void MakeDevice(bool is_strict, VkBool32 has_features, std::vector<const char*> extensions = {}) {
    VkPhysicalDeviceVulkan12Features core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                             .shaderOutputViewportIndex = has_features,
                                             .shaderOutputLayer = has_features};
    VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
                                                    .meshShader = VK_TRUE};
    if (extensions.empty()) meshes.pNext = &core;
    extensions.push_back(VK_EXT_MESH_SHADER_EXTENSION_NAME);
    Create({.device_extensions = extensions,
            .settings = {{"strict", is_strict}},
            .core_features = false,
            .features = &meshes});
  }
  void MakeAll() {
    for (const std::string_view built_in : {"Layer", "ViewportIndex"}) MakeShader(LayeredMesh(built_in));
  }
};

TEST_F(LayeredMeshes, NeedAFeatureIfStrict) {
  MakeDevice(true, VK_FALSE);
  MakeAll();
  ExpectMessages({"VUID-Layer-Layer-04273", "VUID-ViewportIndex-ViewportIndex-04405"});
}

TEST_F(LayeredMeshes, HaveTheFeature) {
  MakeDevice(true, VK_TRUE);
  MakeAll();
  ExpectNothing();
}

TEST_F(LayeredMeshes, HaveTheExtensionOfBefore) {
  MakeDevice(true, VK_FALSE, {VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME});
  MakeAll();
  ExpectNothing();
}

TEST_F(LayeredMeshes, NeedNoneOtherwise) {
  MakeDevice(false, VK_FALSE);
  MakeAll();
  ExpectNothing();
}

}  // namespace
}  // namespace assay::core
