// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pairs of stages through the whole layer: correct ones, and each with one thing changed.

#include "core/interfaces/stage_shaders_test.h"
#include "gmock/gmock.h"
#include "testing/fixture.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

constexpr char kNoOutput[] = "VUID-RuntimeSpirv-OpEntryPoint-08743";
constexpr char kComponentType[] = "VUID-RuntimeSpirv-OpEntryPoint-07754";
constexpr char kDecoration[] = "VUID-RuntimeSpirv-OpVariable-08746";
constexpr char kLongerVector[] = "VUID-RuntimeSpirv-maintenance4-06817";
constexpr char kPreRasterization[] = "VUID-VkGraphicsPipelineCreateInfo-pStages-00742";
constexpr char kFragment[] = "VUID-VkGraphicsPipelineCreateInfo-None-04889";

class StagePairs : public test::ValidationTest {
 protected:
  static std::string Vertex(const std::vector<TestVariable>& inputs, const std::vector<TestVariable>& outputs) {
    return StageShader("Vertex", inputs, outputs);
  }
  // Writes a color by default.
  static std::string Fragment(const std::vector<TestVariable>& inputs,
                              const std::vector<TestVariable>& outputs = {{}}) {
    return StageShader("Fragment", inputs, outputs);
  }
  void Make(const std::string& vertex, const std::string& fragment, test::GraphicsOptions options = {}) {
    options.vertex = MakeShader(vertex);
    options.fragment = MakeShader(fragment);
    MakeGraphicsPipeline(MakePipelineLayout({}), options);
  }

  // A vertex shader with those outputs before a stage with those inputs.
  void MakePair(bool has_geometry, const std::vector<TestVariable>& outputs, const std::vector<TestVariable>& inputs) {
    if (!has_geometry) return Make(Vertex({}, outputs), Fragment(inputs));
    Make(Vertex({}, outputs), Fragment({}), {.geometry = MakeShader(StageShader("Geometry", inputs, {}))});
  }
};

// A correct pair, and the variable of it that is changed.
struct Pair {
  TestVariable& output() { return outputs[which]; }
  TestVariable& input() { return inputs[which]; }

  std::vector<TestVariable> outputs, inputs;
  size_t which;
};
// What of the pair is changed, the types to which that can be done, and what is reported: null for the rule of the
// stage that reads.
struct Change {
  const char* id;
  bool (*fits)(const TestType& type);
  void (*change)(Pair& pair);
};

bool IsAny(const TestType&) { return true; }
bool IsNoMatrix(const TestType& type) { return type.columns == 0; }
bool IsPlain(const TestType& type) { return type.columns == 0 && type.length == 0; }
bool IsMatrix(const TestType& type) { return type.columns != 0 && type.length == 0; }
bool IsArray(const TestType& type) { return type.length != 0; }

const Change kChanges[] = {
    // The output is gone, or elsewhere, or the input is.
    {kNoOutput, IsAny, [](Pair& p) { p.outputs.erase(p.outputs.begin() + static_cast<ptrdiff_t>(p.which)); }},
    {kNoOutput, IsAny, [](Pair& p) { p.output().location = 20; }},
    {kNoOutput, IsAny, [](Pair& p) { p.input().location = 20; }},
    // Other components, fewer, and more.
    {kComponentType, IsNoMatrix, [](Pair& p) { p.output().type.kind = p.output().type.kind == 'f' ? 'i' : 'f'; }},
    {kComponentType, IsNoMatrix, [](Pair& p) { p.input().type.kind = p.input().type.kind == 'u' ? 'i' : 'u'; }},
    {kNoOutput, [](const TestType& type) { return IsNoMatrix(type) && type.components > 1; },
     [](Pair& p) { --p.output().type.components; }},
    {kLongerVector, [](const TestType& type) { return IsPlain(type) && type.components > 1 && type.components < 4; },
     [](Pair& p) { ++p.output().type.components; }},
    {nullptr,
     [](const TestType& type) {
       return IsNoMatrix(type) && type.components < 4 && (type.components == 1 || IsArray(type));
     },
     [](Pair& p) { ++p.output().type.components; }},
    // A shorter array, and a longer one.
    {kNoOutput, [](const TestType& type) { return type.length > 1; }, [](Pair& p) { --p.output().type.length; }},
    {nullptr, IsArray, [](Pair& p) { ++p.output().type.length; }},
    // An array of columns instead of a matrix, and a value instead of an array of one.
    {nullptr, IsMatrix, [](Pair& p) { std::swap(p.output().type.columns, p.output().type.length); }},
    {nullptr, IsPlain, [](Pair& p) { p.output().type.length = 1; }},
    // The input begins at a later component.
    {kDecoration, [](const TestType& type) { return IsPlain(type) && type.components > 2; },
     [](Pair& p) {
       --p.input().type.components;
       p.input().component = 1;
     }},
};

TEST_F(StagePairs, OneThingChangedWithoutMaintenance4) {
  Destroy();
  driver().config().disabled_features.insert("maintenance4");
  Create();
  const std::vector<TestType> types = {{'f', 1},       {'f', 2},       {'f', 3},      {'f', 4},    {'i', 1},
                                       {'i', 3},       {'u', 2},       {'u', 4},      {'f', 3, 3}, {'f', 2, 4},
                                       {'f', 1, 0, 2}, {'f', 4, 0, 3}, {'i', 2, 0, 2}};
  size_t pairs = 0;
  for (bool has_geometry : {false, true}) {
    for (size_t which = 0; which < 3; ++which) {
      for (const TestType& type : types) {
        // The type is between others of known types.
        std::vector<TestVariable> variables;
        uint32_t location = 0;
        for (size_t i = 0; i < 3; ++i) {
          const TestType chosen = i == which ? type : TestType{'f', 4};
          variables.push_back({chosen, location});
          // Room for one more location.
          location += chosen.locations() + 1;
        }
        MakePair(has_geometry, variables, variables);
        ExpectNothing();
        for (const Change& change : kChanges) {
          if (!change.fits(type)) continue;
          ++pairs;
          Pair pair = {variables, variables, which};
          change.change(pair);
          MakePair(has_geometry, pair.outputs, pair.inputs);
          ExpectMessages({change.id != nullptr ? change.id : has_geometry ? kPreRasterization : kFragment});
        }
      }
    }
  }
  EXPECT_GE(pairs, 500u);
}

TEST_F(StagePairs, LongerVectorsWithMaintenance4) {
  MakePair(false, {{{'f', 4}}}, {{{'f', 2}}});
  // An output that nobody reads, and two in one location.
  MakePair(true, {{{'f', 2}, 0}, {{'f', 2}, 0, 2}, {{'f', 4}, 3}}, {{{'f', 2}, 0, 2}});
  ExpectNothing();
}

TEST_F(StagePairs, Texts) {
  MakePair(false, {{{'f', 4}, 1}}, {{{'i', 4}, 1}});
  const test::Message message = ExpectMessage(kComponentType);
  EXPECT_THAT(message.text, HasSubstr("pCreateInfos[0].pStages[1] is a fragment shader with the input \"in1_0\", ivec4 "
                                      "at location 1, which does not match the output \"out1_0\", vec4 at location 1, "
                                      "of the vertex shader before it"));
}

TEST_F(StagePairs, FragmentShaderThatIsDiscarded) {
  Make(Vertex({}, {}), Fragment({{{'f', 4}, 1}}, {}), {.rasterizer_discard = VK_TRUE});
  ExpectNothing();
}

TEST_F(StagePairs, VertexInput) {
  struct Case {
    TestType input;
    std::vector<VkFormat> formats;
    const char* rule;
  };
  const std::vector<Case> cases = {
      {{'f', 4}, {VK_FORMAT_R8G8_UNORM}, ""},
      {{'f', 2, 2}, {VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32_SFLOAT}, ""},
      {{'d', 2}, {VK_FORMAT_R64G64_SFLOAT}, ""},
      {{'i', 1}, {VK_FORMAT_R32_SINT}, ""},
      {{'f', 4}, {}, "Input-07904"},
      {{'f', 2, 2}, {VK_FORMAT_R32G32_SFLOAT}, "Input-07904"},
      {{'f', 4}, {VK_FORMAT_R8G8_UINT}, "Input-08733"},
      {{'u', 1}, {VK_FORMAT_R32_SINT}, "Input-08733"},
      {{'i', 1}, {VK_FORMAT_R32_SFLOAT}, "Input-08733"},
      {{'f', 2}, {VK_FORMAT_R64G64_SFLOAT}, "pVertexInputState-08929"},
      {{'d', 2}, {VK_FORMAT_R32G32_SFLOAT}, "pVertexInputState-08930"},
      {{'d', 2}, {VK_FORMAT_R64_SFLOAT}, "pVertexInputState-09198"},
  };
  for (const Case& row : cases) {
    test::GraphicsOptions options;
    for (const VkFormat format : row.formats) {
      options.attributes.push_back({static_cast<uint32_t>(options.attributes.size()), 0, format, 0});
    }
    Make(Vertex({{row.input}}, {}), Fragment({}), options);
    ExpectAlone("VkGraphicsPipelineCreateInfo", row.rule);
  }
}

TEST_F(StagePairs, AlphaToCoverage) {
  const auto make = [&](const char* rule, const std::vector<TestVariable>& outputs) {
    SCOPED_TRACE(outputs.size());
    Make(Vertex({}, {}), Fragment({}, outputs), {.alpha_to_coverage = VK_TRUE});
    ExpectAlone("VkGraphicsPipelineCreateInfo", rule);
  };
  make("", {{{'f', 4}}});
  make("", {{{'f', 3}}, {{'f', 1}, 0, 3}});
  make("alphaToCoverageEnable-08891", {{{'f', 3}}});
}

TEST_F(StagePairs, Locations) {
  const uint32_t limit = driver().config().limits.maxVertexOutputComponents / 4;
  MakePair(false, {{{'f', 4}, limit - 1}}, {});
  ExpectNothing();
  for (const TestVariable& output : {TestVariable{{'f', 4}, limit}, TestVariable{{'f', 4, 4}, limit - 3}}) {
    MakePair(false, {output}, {});
    ExpectMessage("VUID-RuntimeSpirv-Location-06272");
  }
}

}  // namespace
}  // namespace assay::core
