// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pairs of stages through the whole layer: correct ones, and each with one thing changed.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/interfaces/stage_shaders_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
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
constexpr char kNoAttribute[] = "VUID-VkGraphicsPipelineCreateInfo-Input-07904";
constexpr char kNumericType[] = "VUID-VkGraphicsPipelineCreateInfo-Input-08733";
constexpr char kFormatOf64Bits[] = "VUID-VkGraphicsPipelineCreateInfo-pVertexInputState-08929";
constexpr char kInputOf64Bits[] = "VUID-VkGraphicsPipelineCreateInfo-pVertexInputState-08930";
constexpr char kMissingComponents[] = "VUID-VkGraphicsPipelineCreateInfo-pVertexInputState-09198";
constexpr char kAlpha[] = "VUID-VkGraphicsPipelineCreateInfo-alphaToCoverageEnable-08891";
constexpr char kLocation[] = "VUID-RuntimeSpirv-Location-06272";

class StagePairs : public test::ValidationTest {
 protected:
  struct Stage {
    VkShaderStageFlagBits stage;
    std::string text;
  };
  struct Options {
    std::vector<VkVertexInputAttributeDescription> attributes = {};
    bool alpha_to_coverage = false;
    bool rasterizer_discard = false;
  };

  void Make(const std::vector<Stage>& stages, const Options& options) {
    std::vector<VkPipelineShaderStageCreateInfo> infos;
    infos.reserve(stages.size());
    for (const Stage& stage : stages) {
      infos.push_back({.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                       .stage = stage.stage,
                       .module = MakeShader(stage.text),
                       .pName = "main"});
    }
    const VkVertexInputBindingDescription binding = {0, 64, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkPipelineVertexInputStateCreateInfo vertex_input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &binding,
        .vertexAttributeDescriptionCount = static_cast<uint32_t>(options.attributes.size()),
        .pVertexAttributeDescriptions = options.attributes.data()};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkViewport viewport = {0, 0, 16, 16, 0, 1};
    const VkRect2D scissor = {{0, 0}, {16, 16}};
    const VkPipelineViewportStateCreateInfo viewports = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                         .viewportCount = 1,
                                                         .pViewports = &viewport,
                                                         .scissorCount = 1,
                                                         .pScissors = &scissor};
    const VkPipelineRasterizationStateCreateInfo rasterization = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .rasterizerDiscardEnable = options.rasterizer_discard,
        .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
        .alphaToCoverageEnable = options.alpha_to_coverage};
    const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment};
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                     .colorAttachmentCount = 1,
                                                     .pColorAttachmentFormats = &format};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .stageCount = static_cast<uint32_t>(infos.size()),
                                               .pStages = infos.data(),
                                               .pVertexInputState = &vertex_input,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &viewports,
                                               .pRasterizationState = &rasterization,
                                               .pMultisampleState = &multisample,
                                               .pColorBlendState = &blend,
                                               .layout = MakePipelineLayout({})};
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    vk.DestroyPipeline(device, pipeline, nullptr);
  }
  void Make(const std::vector<Stage>& stages) { Make(stages, Options()); }

  // A vertex shader with those outputs before a stage with those inputs.
  void MakePair(bool has_geometry, const std::vector<TestVariable>& outputs, const std::vector<TestVariable>& inputs) {
    std::vector<Stage> stages = {{VK_SHADER_STAGE_VERTEX_BIT, StageShader("Vertex", {}, outputs)}};
    const std::vector<TestVariable> color = {{}};
    if (has_geometry) {
      stages.push_back({VK_SHADER_STAGE_GEOMETRY_BIT, StageShader("Geometry", inputs, {})});
      stages.push_back({VK_SHADER_STAGE_FRAGMENT_BIT, StageShader("Fragment", {}, color)});
    } else {
      stages.push_back({VK_SHADER_STAGE_FRAGMENT_BIT, StageShader("Fragment", inputs, color)});
    }
    Make(stages);
  }
  void MakeVertex(const TestType& input, const std::vector<VkFormat>& formats) {
    Options options;
    for (uint32_t i = 0; i < formats.size(); ++i) options.attributes.push_back({i, 0, formats[i], 0});
    const std::vector<TestVariable> inputs = {{input}};
    const std::vector<TestVariable> color = {{}};
    Make({{VK_SHADER_STAGE_VERTEX_BIT, StageShader("Vertex", inputs, {})},
          {VK_SHADER_STAGE_FRAGMENT_BIT, StageShader("Fragment", {}, color)}},
         options);
  }
};

class WithoutMaintenance4 : public StagePairs {
 protected:
  void SetUp() override {
    driver().config().disabled_features.insert("maintenance4");
    StagePairs::SetUp();
  }
};

// Changes one variable of a correct pair. Nothing if that cannot be done to the type.
using Change = std::function<std::optional<std::string>(
    std::vector<TestVariable>& outputs, std::vector<TestVariable>& inputs, size_t which, const std::string& linking)>;

const std::vector<Change>& Changes() {
  static const auto* const changes = new std::vector<Change>{
      // The output is gone.
      [](auto& outputs, auto&, size_t which, const auto&) -> std::optional<std::string> {
        outputs.erase(outputs.begin() + static_cast<ptrdiff_t>(which));
        return kNoOutput;
      },
      // The output is elsewhere.
      [](auto& outputs, auto&, size_t which, const auto&) -> std::optional<std::string> {
        outputs[which].location = 20;
        return kNoOutput;
      },
      // The input is elsewhere.
      [](auto&, auto& inputs, size_t which, const auto&) -> std::optional<std::string> {
        inputs[which].location = 20;
        return kNoOutput;
      },
      // Other components.
      [](auto& outputs, auto&, size_t which, const auto&) -> std::optional<std::string> {
        TestType& type = outputs[which].type;
        if (type.columns != 0) return std::nullopt;
        type.kind = type.kind == 'f' ? 'i' : 'f';
        return kComponentType;
      },
      [](auto&, auto& inputs, size_t which, const auto&) -> std::optional<std::string> {
        TestType& type = inputs[which].type;
        if (type.columns != 0) return std::nullopt;
        type.kind = type.kind == 'u' ? 'i' : 'u';
        return kComponentType;
      },
      // Fewer components.
      [](auto& outputs, auto&, size_t which, const auto&) -> std::optional<std::string> {
        TestType& type = outputs[which].type;
        if (type.components == 1 || type.columns != 0) return std::nullopt;
        --type.components;
        return kNoOutput;
      },
      // More components.
      [](auto& outputs, auto&, size_t which, const auto& linking) -> std::optional<std::string> {
        TestType& type = outputs[which].type;
        if (type.components == 4 || type.columns != 0) return std::nullopt;
        ++type.components;
        return type.components > 2 && type.length == 0 ? kLongerVector : linking;
      },
      // A shorter array, and a longer one.
      [](auto& outputs, auto&, size_t which, const auto&) -> std::optional<std::string> {
        TestType& type = outputs[which].type;
        if (type.length < 2) return std::nullopt;
        --type.length;
        return kNoOutput;
      },
      [](auto& outputs, auto&, size_t which, const auto& linking) -> std::optional<std::string> {
        TestType& type = outputs[which].type;
        if (type.length == 0) return std::nullopt;
        ++type.length;
        return linking;
      },
      // An array of columns instead of a matrix, and a value instead of an array of one.
      [](auto& outputs, auto&, size_t which, const auto& linking) -> std::optional<std::string> {
        TestType& type = outputs[which].type;
        if (type.columns == 0 || type.length != 0) return std::nullopt;
        std::swap(type.columns, type.length);
        return linking;
      },
      [](auto& outputs, auto&, size_t which, const auto& linking) -> std::optional<std::string> {
        TestType& type = outputs[which].type;
        if (type.length != 0 || type.columns != 0) return std::nullopt;
        type.length = 1;
        return linking;
      },
      // The input begins at a later component.
      [](auto&, auto& inputs, size_t which, const auto&) -> std::optional<std::string> {
        TestType& type = inputs[which].type;
        if (type.components < 3 || type.columns != 0 || type.length != 0) return std::nullopt;
        --type.components;
        inputs[which].component = 1;
        return kDecoration;
      },
  };
  return *changes;
}

TEST_F(WithoutMaintenance4, OneThingChanged) {
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
        for (const Change& change : Changes()) {
          std::vector<TestVariable> outputs = variables, inputs = variables;
          const auto id = change(outputs, inputs, which, has_geometry ? kPreRasterization : kFragment);
          if (!id) continue;
          ++pairs;
          MakePair(has_geometry, outputs, inputs);
          ExpectMessage(*id);
          ExpectNothing();
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
  const std::vector<TestVariable> input = {{{'f', 4}, 1}};
  Make({{VK_SHADER_STAGE_VERTEX_BIT, StageShader("Vertex", {}, {})},
        {VK_SHADER_STAGE_FRAGMENT_BIT, StageShader("Fragment", input, {})}},
       {.rasterizer_discard = true});
  ExpectNothing();
}

TEST_F(StagePairs, VertexInput) {
  struct Case {
    TestType input;
    std::vector<VkFormat> formats;
    const char* id;
  };
  const std::vector<Case> cases = {
      {{'f', 4}, {VK_FORMAT_R8G8_UNORM}, ""},
      {{'f', 2, 2}, {VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32_SFLOAT}, ""},
      {{'d', 2}, {VK_FORMAT_R64G64_SFLOAT}, ""},
      {{'i', 1}, {VK_FORMAT_R32_SINT}, ""},
      {{'f', 4}, {}, kNoAttribute},
      {{'f', 2, 2}, {VK_FORMAT_R32G32_SFLOAT}, kNoAttribute},
      {{'f', 4}, {VK_FORMAT_R8G8_UINT}, kNumericType},
      {{'u', 1}, {VK_FORMAT_R32_SINT}, kNumericType},
      {{'i', 1}, {VK_FORMAT_R32_SFLOAT}, kNumericType},
      {{'f', 2}, {VK_FORMAT_R64G64_SFLOAT}, kFormatOf64Bits},
      {{'d', 2}, {VK_FORMAT_R32G32_SFLOAT}, kInputOf64Bits},
      {{'d', 2}, {VK_FORMAT_R64_SFLOAT}, kMissingComponents},
  };
  for (const Case& row : cases) {
    MakeVertex(row.input, row.formats);
    if (*row.id != 0) ExpectMessage(row.id);
    ExpectNothing();
  }
}

TEST_F(StagePairs, AlphaToCoverage) {
  const auto make = [&](const std::vector<TestVariable>& outputs) {
    Make({{VK_SHADER_STAGE_VERTEX_BIT, StageShader("Vertex", {}, {})},
          {VK_SHADER_STAGE_FRAGMENT_BIT, StageShader("Fragment", {}, outputs)}},
         {.alpha_to_coverage = true});
  };
  make({{{'f', 4}}});
  make({{{'f', 3}}, {{'f', 1}, 0, 3}});
  ExpectNothing();
  make({{{'f', 3}}});
  ExpectMessage(kAlpha);
}

TEST_F(StagePairs, Locations) {
  const uint32_t limit = driver().config().limits.maxVertexOutputComponents / 4;
  MakePair(false, {{{'f', 4}, limit - 1}}, {});
  ExpectNothing();
  MakePair(false, {{{'f', 4}, limit}}, {});
  ExpectMessage(kLocation);
  MakePair(false, {{{'f', 4, 4}, limit - 3}}, {});
  ExpectMessage(kLocation);
}

}  // namespace
}  // namespace assay::core
