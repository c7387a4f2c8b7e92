// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Modules for OpenGL and OpenCL: what they have that Vulkan does not.

#include <source_location>
#include <string>
#include <vector>

#include "core/shader_stages/stage_text_test.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

// A compute shader.
std::string Foreign(const std::string& capability, const std::string& addressing = "Logical",
                    const std::string& decoration = "", const std::string& image = "2D 0 0 0 1 Unknown") {
  return Text({.capabilities = Capabilities(capability) + "OpMemoryModel " + addressing + " GLSL450\n",
               .decorations = decoration,
               .globals = "%pointer = OpTypePointer Input %uint\n%variable = OpVariable %pointer Input\n"
                          "%image = OpTypeImage %float " +
                          image + "\n"});
}

class ForeignModules : public test::ValidationTest {
 protected:
  // Each module has a capability of its own, and breaks that rule, if any.
  void Expect(const std::string& id, const std::string& text,
              std::source_location where = std::source_location::current()) {
    MakeShader(text);
    std::vector<std::string> ids = {"VUID-VkShaderModuleCreateInfo-pCode-08739"};
    if (!id.empty()) ids.push_back(id);
    ExpectMessages(ids, where);
  }
};

TEST_F(ForeignModules, AddressingModels) {
  Expect("VUID-StandaloneSpirv-None-04635", Foreign("Addresses", "Physical64"));
  Expect("", Foreign("Addresses"));
}

TEST_F(ForeignModules, RectangleTextures) {
  Expect("VUID-StandaloneSpirv-OpTypeImage-09638", Foreign("SampledRect", "Logical", "", "Rect 0 0 0 1 Unknown"));
  Expect("", Foreign("SampledRect"));
}

TEST_F(ForeignModules, BuiltIns) {
  const auto built_in = [](const std::string& name) {
    return Foreign("Kernel", "Logical", Decorate("%variable", "BuiltIn " + name));
  };
  for (const char* name : {"WorkDim", "GlobalSize", "SubgroupMaxSize"}) {
    SCOPED_TRACE(name);
    Expect("VUID-StandaloneSpirv-BuiltIn-04668", built_in(name));
  }
  Expect("", built_in("LocalInvocationIndex"));
}

// An extension that nobody knows may allow all of it.
TEST_F(ForeignModules, UnknownExtension) {
  std::string text = Foreign("Addresses", "Physical64");
  text.insert(text.find("OpMemoryModel"), "OpExtension \"SPV_NOBODY_knows\"\n");
  Expect("", text);
}

}  // namespace
}  // namespace assay::core
