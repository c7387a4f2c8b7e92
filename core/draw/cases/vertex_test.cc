// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Vertex buffers and attributes, for every command that draws with them, through the whole layer.

#include <cstdint>
#include <string>
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
  // Null where none is broken.
  const char* rule;
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
         .capabilities = "OpCapability Float64\n",
         .variables = "%in",
         .decorations = "OpDecorate %in Location 1\n",
         .declarations = type + "%pointer = OpTypePointer Input %type\n%in = OpVariable %pointer Input\n"},
        VK_NULL_HANDLE);
  }
  void SetInput(VkCommandBuffer commands, const InputCase& row, uint32_t divisor = 1) {
    const VkVertexInputBindingDescription2EXT binding = {
        VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
        nullptr,
        0,
        row.stride,
        divisor != 1 ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX,
        divisor};
    const VkVertexInputAttributeDescription2EXT attribute = {
        VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, nullptr, 1, 0, row.format, row.offset};
    vk.CmdSetVertexInputEXT(commands, 1, &binding, row.format != VK_FORMAT_UNDEFINED ? 1 : 0, &attribute);
  }
  // With a pipeline and with shader objects.
  void RunCases(const std::vector<InputCase>& cases) {
    for (const InputCase& row : cases) {
      AddInput(row.type);
      const VkPipeline pipeline = MakePipeline({.dynamic = {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT}});
      const VkBuffer buffer = MakeBuffer(4096);
      for (const bool has_pipeline : {true, false}) {
        ForEach(row.rule != nullptr ? row.rule : "Input-07939", [&](const ActionCall& call) {
          const VkCommandBuffer commands = BeginFor(call);
          if (has_pipeline) {
            Bind(commands, pipeline);
          } else {
            BindShaders(commands, Stages::kVertex);
            SetAll(commands);
          }
          vk.CmdBindVertexBuffers(commands, 0, 1, &buffer, &row.buffer_offset);
          SetInput(commands, row);
          row.rule != nullptr ? ExpectRule(call, commands, row.rule) : ExpectSilence(call, commands);
          EndFor(call, commands);
        });
      }
    }
  }
};

TEST_F(VertexInputs, Attributes) {
  Start({.has_shader_objects = true});
  RunCases({
      {nullptr, kVec4, VK_FORMAT_R32G32B32A32_SFLOAT},
      {nullptr, kVec4, VK_FORMAT_R8_UNORM},
      {nullptr, kDvec2, VK_FORMAT_R64G64_SFLOAT},
      {"Input-07939", kVec4, VK_FORMAT_UNDEFINED},
      {"Input-08734", kVec4, VK_FORMAT_R32_UINT},
      {"format-08936", kVec4, VK_FORMAT_R64_SFLOAT},
      {"format-08937", kDouble, VK_FORMAT_R32_SFLOAT},
      {"None-09203", kDvec2, VK_FORMAT_R64_SFLOAT},
  });
}
TEST_F(VertexInputs, AttributesWithFeatures) {
  Start({.has_shader_objects = true,
         .extensions = {"VK_EXT_legacy_vertex_attributes", "VK_EXT_vertex_attribute_robustness"}});
  RunCases({
      {nullptr, kVec4, VK_FORMAT_UNDEFINED},
      {nullptr, kVec4, VK_FORMAT_R32_UINT},
      {nullptr, kVec4, VK_FORMAT_R32_SFLOAT, 2},
      {"Input-08734", kDouble, VK_FORMAT_R64_UINT},
      {"format-10390", kDouble, VK_FORMAT_R64_SFLOAT, 2},
  });
}
TEST_F(VertexInputs, Addresses) {
  Start({.has_shader_objects = true});
  RunCases({
      {nullptr, kVec4, VK_FORMAT_R32_SFLOAT, 2, 32, 2},
      {nullptr, kVec4, VK_FORMAT_R16_SFLOAT, 2},
      {nullptr, kVec4, VK_FORMAT_R8G8B8A8_UNORM, 1},
      // The address of another vertex than the first may be right.
      {nullptr, kVec4, VK_FORMAT_R32_SFLOAT, 2, 6},
      {"format-10390", kVec4, VK_FORMAT_R32_SFLOAT, 2},
      {"format-10390", kVec4, VK_FORMAT_R16G16_SFLOAT, 0, 32, 1},
      {"format-10389", kVec4, VK_FORMAT_A2B10G10R10_UNORM_PACK32, 2},
  });
}

TEST_F(VertexInputs, Null) {
  for (const bool has_nulls : {false, true}) {
    std::vector<const char*> extensions;
    if (has_nulls) extensions.push_back("VK_EXT_robustness2");
    Start({.extensions = extensions});
    const VkPipeline pipeline = MakePipeline({.vertex_bindings = 1});
    ForEach("None-04008", [&](const ActionCall& call) {
      const VkBuffer none = VK_NULL_HANDLE;
      const VkDeviceSize zero = 0;
      const VkCommandBuffer commands = BeginFor(call);
      Bind(commands, pipeline);
      vk.CmdBindVertexBuffers(commands, 0, 1, &none, &zero);
      if (!has_nulls) ExpectMessage("VUID-vkCmdBindVertexBuffers-pBuffers-04001");
      has_nulls ? ExpectSilence(call, commands) : ExpectRule(call, commands, "None-04008");
      EndFor(call, commands);
    });
    Destroy();
  }
}

TEST_F(VertexInputs, Strides) {
  Start();
  const VkPipeline pipeline =
      MakePipeline({.dynamic = {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE}, .vertex_bindings = 1});
  const ActionCall& call = CallOf(vk::CommandId::kCmdDraw);
  const VkBuffer buffer = MakeBuffer(4096);
  const VkCommandBuffer commands = BeginFor(call);
  Bind(commands, pipeline);
  for (const VkDeviceSize stride : {0, 16, 12}) {
    const VkDeviceSize zero = 0;
    vk.CmdBindVertexBuffers2(commands, 0, 1, &buffer, &zero, nullptr, &stride);
    Run(call, commands);
    if (stride == 12) ExpectMessage("VUID-vkCmdBindVertexBuffers2-pStrides-06209");
    ExpectNothing();
  }
  EndFor(call, commands);
}

// They need the first instance 0.
TEST_F(VertexInputs, Divisors) {
  driver().config().adjust_properties = [](VkBaseOutStructure* properties) {
    if (properties->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES) return;
    auto& limits = *reinterpret_cast<VkPhysicalDeviceVertexAttributeDivisorProperties*>(properties);
    limits.supportsNonZeroFirstInstance = VK_FALSE;
  };
  Start();
  const VkBuffer buffer = MakeBuffer(4096);
  for (const bool is_dynamic : {false, true}) {
    for (const uint32_t divisor : {1, 2}) {
      AddInput(kVec4);
      const VkPipeline pipeline =
          MakePipeline(is_dynamic ? PipelineOptions{.dynamic = {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT}}
                                  : PipelineOptions{.vertex_bindings = 1, .divisor = divisor});
      ForEach("None-09462", [&](const ActionCall& call) {
        const VkDeviceSize zero = 0;
        const VkCommandBuffer commands = BeginFor(call);
        Bind(commands, pipeline);
        vk.CmdBindVertexBuffers(commands, 0, 1, &buffer, &zero);
        if (is_dynamic) SetInput(commands, {nullptr, kVec4, VK_FORMAT_R32G32B32A32_SFLOAT}, divisor);
        numbers.first_instance = 0;
        ExpectSilence(call, commands);
        numbers.first_instance = 1;
        const char* const rule = is_dynamic ? "None-09462" : "pNext-09461";
        divisor == 1 ? ExpectSilence(call, commands) : ExpectRule(call, commands, rule);
        EndFor(call, commands);
      });
    }
  }
}

// The index buffer has 1024 indices.
TEST_F(VertexInputs, Indices) {
  Start();
  const VkPipeline pipeline = MakePipeline({});
  ForEach("robustBufferAccess2-08798", [&](const ActionCall& call) {
    const VkCommandBuffer commands = BeginFor(call);
    Bind(commands, pipeline);
    numbers.first_index = 1024 - 3;
    ExpectSilence(call, commands);
    numbers.first_index = 1024 - 2;
    ExpectRule(call, commands, "robustBufferAccess2-08798");
    EndFor(call, commands);
  });
}

}  // namespace
}  // namespace assay::core
