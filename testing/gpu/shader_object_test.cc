// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Shader objects (VK_EXT_shader_object).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"
#include "testing/gpu/shaders/fetch_vert.h"
#include "testing/gpu/shaders/full_screen_vert.h"
#include "testing/gpu/shaders/read_frag.h"

namespace assay::test {
namespace {

using ::testing::HasSubstr;

class ShaderObjectGpuavTest : public GpuavTest {
 protected:
  void SetUp() override { CreateWithShaderObjects({}); }
  void CreateWithShaderObjects(DeviceOptions options) {
    shader_object_.shaderObject = VK_TRUE;
    features12_.pNext = &shader_object_;
    options.device_extensions.push_back(VK_EXT_SHADER_OBJECT_EXTENSION_NAME);
    Create(options);
  }

  VkShaderCreateInfoEXT InfoOf(VkShaderStageFlagBits stage, std::span<const uint32_t> words) const {
    return {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
            .stage = stage,
            .nextStage = stage == VK_SHADER_STAGE_VERTEX_BIT ? VkShaderStageFlags{VK_SHADER_STAGE_FRAGMENT_BIT} : 0,
            .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
            .codeSize = words.size_bytes(),
            .pCode = words.data(),
            .pName = "main",
            .setLayoutCount = 1,
            .pSetLayouts = &set_layout_};
  }
  VkShaderCreateInfoEXT Writer() const { return InfoOf(VK_SHADER_STAGE_COMPUTE_BIT, k_write_at_comp); }
  std::vector<VkShaderEXT> Make(const std::vector<VkShaderCreateInfoEXT>& infos) {
    std::vector<VkShaderEXT> shaders(infos.size());
    EXPECT_EQ(device_.vk.CreateShadersEXT(device_.device, static_cast<uint32_t>(infos.size()), infos.data(), nullptr,
                                          shaders.data()),
              VK_SUCCESS);
    for (VkShaderEXT shader : shaders) {
      device_.Defer(shader, [this, shader] { device_.vk.DestroyShaderEXT(device_.device, shader, nullptr); });
    }
    return shaders;
  }
  VkShaderEXT Make(const VkShaderCreateInfoEXT& info) { return Make(std::vector{info})[0]; }

  VkCommandBuffer RecordShader(VkShaderEXT shader) {
    return device_.Record([&](VkCommandBuffer commands) {
      const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
      device_.vk.CmdBindShadersEXT(commands, 1, &stage, &shader);
      device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0, nullptr);
      device_.vk.CmdDispatch(commands, 1, 1, 1);
    });
  }
  // A draw of three vertices.
  VkCommandBuffer RecordDraw(const std::vector<VkShaderEXT>& shaders, const std::function<void(VkCommandBuffer)>& set) {
    return RecordRendering([&](VkCommandBuffer commands) {
      const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
      device_.vk.CmdBindShadersEXT(commands, 2, stages, shaders.data());
      device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_, 0, nullptr);
      SetState(commands);
      set(commands);
      device_.vk.CmdDraw(commands, 3, 1, 0, 0);
    });
  }

  VkPhysicalDeviceShaderObjectFeaturesEXT shader_object_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT};

 private:
  // All but the vertex input.
  void SetState(VkCommandBuffer commands) {
    const VkViewport viewport = {0, 0, 16, 16, 0, 1};
    const VkRect2D scissor = {{0, 0}, {16, 16}};
    const VkSampleMask samples = 1;
    const VkBool32 no_blend = VK_FALSE;
    const VkColorComponentFlags all_components = 0xf;
    device_.vk.CmdSetViewportWithCount(commands, 1, &viewport);
    device_.vk.CmdSetScissorWithCount(commands, 1, &scissor);
    device_.vk.CmdSetPrimitiveTopology(commands, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    device_.vk.CmdSetPrimitiveRestartEnable(commands, VK_FALSE);
    device_.vk.CmdSetRasterizerDiscardEnable(commands, VK_FALSE);
    device_.vk.CmdSetRasterizationSamplesEXT(commands, VK_SAMPLE_COUNT_1_BIT);
    device_.vk.CmdSetSampleMaskEXT(commands, VK_SAMPLE_COUNT_1_BIT, &samples);
    device_.vk.CmdSetAlphaToCoverageEnableEXT(commands, VK_FALSE);
    device_.vk.CmdSetPolygonModeEXT(commands, VK_POLYGON_MODE_FILL);
    device_.vk.CmdSetCullMode(commands, VK_CULL_MODE_NONE);
    device_.vk.CmdSetFrontFace(commands, VK_FRONT_FACE_CLOCKWISE);
    device_.vk.CmdSetDepthTestEnable(commands, VK_FALSE);
    device_.vk.CmdSetDepthWriteEnable(commands, VK_FALSE);
    device_.vk.CmdSetDepthBiasEnable(commands, VK_FALSE);
    device_.vk.CmdSetStencilTestEnable(commands, VK_FALSE);
    device_.vk.CmdSetColorBlendEnableEXT(commands, 0, 1, &no_blend);
    device_.vk.CmdSetColorWriteMaskEXT(commands, 0, 1, &all_components);
    device_.vk.CmdSetVertexInputEXT(commands, 0, nullptr, 0, nullptr);
  }
};

TEST_F(ShaderObjectGpuavTest, ReportSaysWhatWhereAndWho) {
  const VkShaderEXT shader = Make(Writer());
  device_.SetName(VK_OBJECT_TYPE_SHADER_EXT, shader, "writer");
  const VkCommandBuffer commands = RecordShader(shader);
  SetIndex(15);
  SubmitAndWait(commands);
  EXPECT_EQ(static_cast<const uint32_t*>(Map(data_))[15], 7u);
  log_.ExpectNothing();
  SetIndex(16);
  SubmitAndWait(commands);
  const Message message = log_.Expect(kObjectStorageBounds);
  EXPECT_THAT(message.text, HasSubstr("[data]), of which the range has 64 bytes."));
  EXPECT_THAT(message.text, HasSubstr("(OpStore) of the compute shader \"main\" of VkShaderEXT "));
  EXPECT_THAT(message.text, HasSubstr("[writer], recorded as command 3 of VkCommandBuffer "));
  EXPECT_THAT(message.text, HasSubstr("write_at.comp:6: data.values[where.index + gl_GlobalInvocationID.x] = 7;"));
  ASSERT_EQ(message.objects.size(), 4u);
  EXPECT_EQ(message.objects[1].name, "writer");
}

// Whichever was bound last runs.
TEST_F(ShaderObjectGpuavTest, PipelinesAndShaderObjectsInTurns) {
  const VkShaderEXT shader = Make(Writer());
  const VkPipeline pipeline = MakePipeline();
  SetIndex(16);
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    device_.vk.CmdBindShadersEXT(commands, 1, &stage, &shader);
    Dispatch(commands, pipeline);
    device_.vk.CmdBindShadersEXT(commands, 1, &stage, &shader);
    device_.vk.CmdDispatch(commands, 1, 1, 1);
  }));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("in VkPipeline "));
  EXPECT_THAT(log_.Expect(kObjectStorageBounds).text, HasSubstr("of VkShaderEXT "));
}

TEST_F(ShaderObjectGpuavTest, Fragments) {
  for (const VkShaderCreateFlagsEXT flags : {0, int{VK_SHADER_CREATE_LINK_STAGE_BIT_EXT}}) {
    // There is nothing to check in the vertex shader.
    std::vector<VkShaderCreateInfoEXT> infos = {InfoOf(VK_SHADER_STAGE_VERTEX_BIT, k_full_screen_vert),
                                                InfoOf(VK_SHADER_STAGE_FRAGMENT_BIT, k_read_frag)};
    for (VkShaderCreateInfoEXT& info : infos) info.flags = flags;
    const VkCommandBuffer commands = RecordDraw(Make(infos), [](VkCommandBuffer) {});
    SetIndex(15);
    SubmitAndWait(commands);
    log_.ExpectNothing();
    SetIndex(20);
    SubmitAndWait(commands);
    const std::string text = log_.Expect("VUID-vkCmdDraw-None-08613").text;
    EXPECT_THAT(text, HasSubstr("It happened 256 times, first in fragment coordinate ("));
    EXPECT_THAT(text, HasSubstr("of the fragment shader \"main\" of VkShaderEXT "));
    EXPECT_THAT(text, HasSubstr("read.frag:7"));
  }
}

TEST_F(ShaderObjectGpuavTest, VertexAttributes) {
  const std::vector<VkShaderEXT> shaders =
      Make({InfoOf(VK_SHADER_STAGE_VERTEX_BIT, k_fetch_vert), InfoOf(VK_SHADER_STAGE_FRAGMENT_BIT, k_read_frag)});
  const Buffer vertices = device_.MakeBuffer(48, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const auto run = [&](VkDeviceSize bytes) {
    SubmitAndWait(RecordDraw(shaders, [&](VkCommandBuffer commands) {
      const VkVertexInputBindingDescription2EXT binding = {
          .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, .stride = 16, .divisor = 1};
      const VkVertexInputAttributeDescription2EXT attribute = {
          .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, .format = VK_FORMAT_R32G32B32A32_SFLOAT};
      device_.vk.CmdSetVertexInputEXT(commands, 1, &binding, 1, &attribute);
      const VkDeviceSize offset = 0;
      device_.vk.CmdBindVertexBuffers2(commands, 0, 1, &vertices.handle, &offset, &bytes, nullptr);
    }));
  };
  run(48);
  log_.ExpectNothing();
  run(32);
  EXPECT_THAT(log_.Expect("VUID-vkCmdDraw-None-02721").text,
              HasSubstr("of the vertex shader \"main\" of VkShaderEXT "));
}

TEST_F(ShaderObjectGpuavTest, BinaryRunsAsItIs) {
  const VkShaderEXT shader = Make(Writer());
  size_t size = 0;
  ASSERT_EQ(device_.vk.GetShaderBinaryDataEXT(device_.device, shader, &size, nullptr), VK_SUCCESS);
  std::vector<uint64_t> binary(size / 8 + 1);
  ASSERT_EQ(device_.vk.GetShaderBinaryDataEXT(device_.device, shader, &size, binary.data()), VK_SUCCESS);
  VkShaderCreateInfoEXT info = Writer();
  info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
  info.codeSize = size;
  info.pCode = binary.data();
  const VkShaderEXT of_binary = Make(info);
  // An access within memory, though past the range of the descriptor: nothing happens where nobody looks.
  device_.WriteBuffer(set_, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data_, 0, 32);
  SetIndex(7);
  SubmitAndWait(RecordShader(of_binary));
  EXPECT_EQ(static_cast<const uint32_t*>(Map(data_))[7], 7u);
  SetIndex(8);
  SubmitAndWait(RecordShader(of_binary));
  log_.ExpectNothing();
  SubmitAndWait(RecordShader(shader));
  log_.Expect(kObjectStorageBounds);
}

class ChosenShaderObjectGpuavTest : public ShaderObjectGpuavTest {
 protected:
  void SetUp() override {
    CreateWithShaderObjects({.instance_extensions = {VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME},
                             .settings = {{"gpuav_select_instrumented_shaders", true}}});
  }
};

TEST_F(ChosenShaderObjectGpuavTest, OnlyWhatIsChosenIsInstrumented) {
  device_.WriteBuffer(set_, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data_, 0, 32);
  SetIndex(8);
  SubmitAndWait(RecordShader(Make(Writer())));
  log_.ExpectNothing();
  const VkValidationFeatureEnableEXT enabled = VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT;
  const VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                            .enabledValidationFeatureCount = 1,
                                            .pEnabledValidationFeatures = &enabled};
  VkShaderCreateInfoEXT info = Writer();
  info.pNext = &features;
  SubmitAndWait(RecordShader(Make(info)));
  log_.Expect(kObjectStorageBounds);
}

}  // namespace
}  // namespace assay::test
