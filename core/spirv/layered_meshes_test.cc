// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layers and viewports of mesh shaders, with and without the features for them.

#include <cstdint>
#include <string>
#include <vector>

#include "core/shader_stages/stage_test.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

// A mesh shader that writes a built-in of its primitive.
std::vector<uint32_t> LayeredMesh(const std::string& built_in) {
  return test::AssembleSpirv(Text(
      {.model = "MeshEXT",
       .variables = {{"%out", "Output", "%blocks"}},
       .decorations =
           Decorate("%block", "Block") + DecorateMember("%block 0", "BuiltIn " + built_in + ", PerPrimitiveEXT"),
       .globals = "%block = OpTypeStruct %uint\n%blocks = OpTypeArray %block %u1\n"
                  "%element = OpTypePointer Output %uint\n",
       .body = "OpSetMeshOutputsEXT %u1 %u1\n%chain = OpAccessChain %element %out %u0 %u0\nOpStore %chain %u0\n"}));
}

class LayeredMeshes : public StageTest {
 protected:
  void SetUp() override {}
  // With the features for layers and viewports, or without.
  void Expect(bool is_strict, bool has_features, const std::vector<std::string>& ids = {}) {
    settings = {{"strict", is_strict}};
    if (!has_features) driver().config().disabled_features = {"shaderOutputViewportIndex", "shaderOutputLayer"};
    MakeDevice();
    for (const char* built_in : {"Layer", "ViewportIndex"}) MakeShader(LayeredMesh(built_in));
    ExpectMessages(ids);
  }
};

TEST_F(LayeredMeshes, HaveTheFeature) { Expect(true, true); }
TEST_F(LayeredMeshes, NeedNoneOtherwise) { Expect(false, false); }
TEST_F(LayeredMeshes, NeedAFeatureIfStrict) {
  Expect(true, false, {"VUID-Layer-Layer-04273", "VUID-ViewportIndex-ViewportIndex-04405"});
}
TEST_F(LayeredMeshes, HaveTheExtensionOfBefore) {
  extensions.push_back(VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME);
  Expect(true, false);
}

}  // namespace
}  // namespace assay::core
