// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Vertex buffers and attributes, for every command that draws with them, through the whole layer.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/draw/cases/draw_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

constexpr char kVec4[] = "%number = OpTypeFloat 32\n%type = OpTypeVector %number 4\n";
constexpr char kDouble[] = "%type = OpTypeFloat 64\n";
constexpr char kDvec2[] = "%number = OpTypeFloat 64\n%type = OpTypeVector %number 2\n";

// A vertex shader has an input at location 1. vkCmdSetVertexInputEXT describes an attribute of binding 0 there.
struct InputCase {
  // Empty where none is broken.
  std::string_view rule;
  // %type is that of the input.
  const char* type;
  // VK_FORMAT_UNDEFINED for no attribute.
  VkFormat format;
  // Bytes.
  uint32_t offset = 0;
  uint32_t stride = 32;
  VkDeviceSize buffer_offset = 0;
};

class VertexInputs : public DrawTest {
 protected:
  void AddInput(const std::string& type) {
    Add({.stages = VK_SHADER_STAGE_VERTEX_BIT,
         .capabilities = Capabilities("Float64"),
         .declarations = type,
         .globals = {{"%in", "Input", "%type", "Location 1"}}});
  }
  void SetInput(const InputCase& row, uint32_t divisor = 1) {
    const auto rate = divisor != 1 ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX;
    const auto binding = Of<VkVertexInputBindingDescription2EXT>(0, row.stride, rate, divisor);
    const auto attribute = Of<VkVertexInputAttributeDescription2EXT>(1, 0, row.format, row.offset);
    vk.CmdSetVertexInputEXT(commands_, 1, &binding, row.format != VK_FORMAT_UNDEFINED ? 1 : 0, &attribute);
  }
  // With a pipeline and with shader objects.
  void RunCases(const std::vector<InputCase>& cases) {
    for (const InputCase& row : cases) {
      const std::string_view rule_of_draws = row.rule.empty() ? "Input-07939" : row.rule;
      AddInput(row.type);
      const VkPipeline pipeline = MakePipeline({.dynamic = {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT}});
      const VkBuffer buffer = MakeBuffer(4096);
      for (const bool has_pipeline : {true, false}) {
        RecordEach(rule_of_draws, [&] {
          has_pipeline ? Bind(pipeline) : BindAndSetAll(Stages::kVertex);
          vk.CmdBindVertexBuffers(commands_, 0, 1, &buffer, &row.buffer_offset);
          SetInput(row);
          ExpectRule(row.rule);
        });
      }
    }
  }
};

TEST_F(VertexInputs, Attributes) {
  Start({.has_shader_objects = true});
  RunCases({
      {"", kVec4, VK_FORMAT_R32G32B32A32_SFLOAT},
      {"", kVec4, VK_FORMAT_R8_UNORM},
      {"", kDvec2, VK_FORMAT_R64G64_SFLOAT},
      {"Input-07939", kVec4, VK_FORMAT_UNDEFINED},
      {"Input-08734", kVec4, VK_FORMAT_R32_UINT},
      {"format-08936", kVec4, VK_FORMAT_R64_SFLOAT},
      {"format-08937", kDouble, VK_FORMAT_R32_SFLOAT},
      {"None-09203", kDvec2, VK_FORMAT_R64_SFLOAT},
      // Addresses.
      {"", kVec4, VK_FORMAT_R32_SFLOAT, 2, 32, 2},
      {"", kVec4, VK_FORMAT_R16_SFLOAT, 2},
      {"", kVec4, VK_FORMAT_R8G8B8A8_UNORM, 1},
      // The address of another vertex than the first may be right.
      {"", kVec4, VK_FORMAT_R32_SFLOAT, 2, 6},
      {"format-10390", kVec4, VK_FORMAT_R32_SFLOAT, 2},
      {"format-10390", kVec4, VK_FORMAT_R16G16_SFLOAT, 0, 32, 1},
      {"format-10389", kVec4, VK_FORMAT_A2B10G10R10_UNORM_PACK32, 2},
  });
}
TEST_F(VertexInputs, AttributesWithFeatures) {
  Start({.has_shader_objects = true,
         .extensions = {"VK_EXT_legacy_vertex_attributes", "VK_EXT_vertex_attribute_robustness"}});
  RunCases({
      {"", kVec4, VK_FORMAT_UNDEFINED},
      {"", kVec4, VK_FORMAT_R32_UINT},
      {"", kVec4, VK_FORMAT_R32_SFLOAT, 2},
      {"Input-08734", kDouble, VK_FORMAT_R64_UINT},
      {"format-10390", kDouble, VK_FORMAT_R64_SFLOAT, 2},
  });
}

TEST_F(VertexInputs, Null) {
  for (const bool has_nulls : {false, true}) {
    Start({.extensions = has_nulls ? std::vector{"VK_EXT_robustness2"} : std::vector<const char*>()});
    const VkPipeline pipeline = MakePipeline({.vertex_bindings = 1});
    RecordEach("None-04008", [&] {
      const VkBuffer none = VK_NULL_HANDLE;
      const VkDeviceSize zero = 0;
      Bind(pipeline);
      vk.CmdBindVertexBuffers(commands_, 0, 1, &none, &zero);
      if (!has_nulls) ExpectMessage("VUID-vkCmdBindVertexBuffers-pBuffers-04001");
      ExpectRule(has_nulls ? "" : "None-04008");
    });
  }
}

TEST_F(VertexInputs, Strides) {
  Start();
  const VkPipeline pipeline =
      MakePipeline({.dynamic = {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE}, .vertex_bindings = 1});
  const VkBuffer buffer = MakeBuffer(4096);
  RecordFor(vk::CommandId::kCmdDraw, [&] {
    Bind(pipeline);
    for (const VkDeviceSize stride : {0, 16, 12}) {
      const VkDeviceSize zero = 0;
      vk.CmdBindVertexBuffers2(commands_, 0, 1, &buffer, &zero, nullptr, &stride);
      ExpectRule(stride == 12 ? "VUID-vkCmdBindVertexBuffers2-pStrides-06209" : "");
    }
  });
}

// They need the first instance 0.
TEST_F(VertexInputs, Divisors) {
  ChangeProperties<VkPhysicalDeviceVertexAttributeDivisorProperties>(
      [](auto& limits) { limits.supportsNonZeroFirstInstance = VK_FALSE; });
  Start();
  const VkBuffer buffer = MakeBuffer(4096);
  for (const bool is_dynamic : {false, true}) {
    for (const uint32_t divisor : {1, 2}) {
      AddInput(kVec4);
      const VkPipeline pipeline =
          MakePipeline(is_dynamic ? PipelineOptions{.dynamic = {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT}}
                                  : PipelineOptions{.vertex_bindings = 1, .divisor = divisor});
      RecordEach("None-09462", [&] {
        const VkDeviceSize zero = 0;
        Bind(pipeline);
        vk.CmdBindVertexBuffers(commands_, 0, 1, &buffer, &zero);
        if (is_dynamic) SetInput({"", kVec4, VK_FORMAT_R32G32B32A32_SFLOAT}, divisor);
        numbers.first_instance = 0;
        ExpectSilence();
        numbers.first_instance = 1;
        ExpectRule(divisor == 1 ? "" : is_dynamic ? "None-09462" : "pNext-09461");
      });
    }
  }
}

// The index buffer has 1024 indices.
TEST_F(VertexInputs, Indices) {
  Start();
  const VkPipeline pipeline = MakePipeline({});
  RecordEach("robustBufferAccess2-08798", [&] {
    Bind(pipeline);
    numbers.first_index = 1024 - 3;
    ExpectSilence();
    numbers.first_index = 1024 - 2;
    ExpectRule("robustBufferAccess2-08798");
  });
}

}  // namespace
}  // namespace assay::core
