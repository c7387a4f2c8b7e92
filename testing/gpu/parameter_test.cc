// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What commands read from buffers: indirect draws and dispatches.

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"

namespace assay::test {
namespace {

using ::testing::HasSubstr;

constexpr char kFirstInstance[] = "VUID-VkDrawIndirectCommand-firstInstance-00501";
constexpr char kFirstInstanceIndexed[] = "VUID-VkDrawIndexedIndirectCommand-firstInstance-00554";
constexpr char kIndices[] = "VUID-VkDrawIndexedIndirectCommand-robustBufferAccess2-08798";
constexpr char kGroupsY[] = "VUID-VkDispatchIndirectCommand-y-00418";

constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

class ParameterTest : public GpuavTest {
 protected:
  void SetUp() override {
    GpuavTest::SetUp();
    dispatch_ = MakePipeline();
    draw_ = device_.MakeGraphicsPipeline(device_.MakePipelineLayout({}));
    // Copying from it is our affair.
    parameters_ = device_.MakeBuffer(4096, kUsage);
    device_.SetName(VK_OBJECT_TYPE_BUFFER, parameters_.handle, "parameters");
    indices_ = device_.MakeBuffer(12, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    std::memset(Map(indices_), 0, 12);
    image_ = device_.MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
    view_ = device_.MakeView(image_);
  }

  // Words from a byte of the buffer on.
  void Set(const std::vector<uint32_t>& words, size_t byte = 0) {
    std::memcpy(static_cast<std::byte*>(Map(parameters_)) + byte, words.data(), words.size() * sizeof(uint32_t));
  }

  void DispatchIndirect(VkCommandBuffer commands, VkDeviceSize offset = 0) {
    device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, dispatch_);
    device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0, nullptr);
    device_.vk.CmdDispatchIndirect(commands, parameters_, offset);
  }

  VkRenderingInfo Rendering(VkRenderingFlags flags = 0) {
    attachment_ = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                   .imageView = view_,
                   .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                   .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                   .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE};
    return {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
            .flags = flags,
            .renderArea = {{0, 0}, {16, 16}},
            .layerCount = 1,
            .colorAttachmentCount = 1,
            .pColorAttachments = &attachment_};
  }

  void Transition(VkCommandBuffer commands) {
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                          .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .image = image_,
                                          .subresourceRange = image_.Range()};
    device_.vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                  VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr, 0, nullptr, 1,
                                  &barrier);
  }

  void BindForDraws(VkCommandBuffer commands) {
    device_.SetViewportAndScissor(commands, 16, 16);
    device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draw_);
    device_.vk.CmdBindIndexBuffer(commands, indices_, 0, VK_INDEX_TYPE_UINT16);
  }

  // `draws` are in a render pass instance.
  VkCommandBuffer RecordDraws(const std::function<void(VkCommandBuffer)>& draws) {
    return device_.Record([&](VkCommandBuffer commands) {
      Transition(commands);
      const VkRenderingInfo rendering = Rendering();
      device_.vk.CmdBeginRendering(commands, &rendering);
      BindForDraws(commands);
      draws(commands);
      device_.vk.CmdEndRendering(commands);
    });
  }

  void Barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to, VkAccessFlags before,
               VkAccessFlags after) {
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = before, .dstAccessMask = after};
    device_.vk.CmdPipelineBarrier(commands, from, to, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  }

  VkPipeline dispatch_ = VK_NULL_HANDLE;
  VkPipeline draw_ = VK_NULL_HANDLE;
  Buffer parameters_;
  Buffer indices_;
  Image image_;
  VkImageView view_ = VK_NULL_HANDLE;
  VkRenderingAttachmentInfo attachment_ = {};
};

TEST_F(ParameterTest, DispatchOfTooManyGroups) {
  const VkCommandBuffer commands = device_.Record([&](VkCommandBuffer command_buffer) {
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "culling"};
    device_.vk.CmdBeginDebugUtilsLabelEXT(command_buffer, &label);
    DispatchIndirect(command_buffer, 16);
    device_.vk.CmdEndDebugUtilsLabelEXT(command_buffer);
  });
  device_.SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, commands, "frame");
  Set({1, 65535, 1}, 16);
  SubmitAndWait(commands);
  log_.ExpectNothing();
  Set({1, 65536, 1}, 16);
  SubmitAndWait(commands);
  const Message message = log_.Expect(kGroupsY);
  EXPECT_EQ(message.severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
  EXPECT_THAT(message.text, HasSubstr("vkCmdDispatchIndirect(): y is 65536, which is more than the 65535 that the "
                                      "device allows. The command has read this at byte 16 of VkBuffer "));
  EXPECT_THAT(message.text, HasSubstr("[parameters]. It was recorded as command 4 of VkCommandBuffer "));
  EXPECT_EQ(message.command_buffer_labels, std::vector<std::string>{"culling"});
  EXPECT_EQ(message.objects[0].name, "frame");
  EXPECT_EQ(message.objects[1].name, "parameters");
}

TEST_F(ParameterTest, DispatchOfNoGroupsMayHaveAnything) {
  Set({0, 70000, 70000});
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) { DispatchIndirect(commands); }));
}

TEST_F(ParameterTest, FirstInstanceOfDraws) {
  Set({3, 1, 0, 0, 3, 1, 0, 5, 3, 1, 0, 6, 0, 1, 0, 7});
  SubmitAndWait(RecordDraws([&](VkCommandBuffer commands) {
    for (VkDeviceSize draw = 0; draw < 4; ++draw) device_.vk.CmdDrawIndirect(commands, parameters_, draw * 16, 1, 0);
  }));
  EXPECT_THAT(log_.Expect(kFirstInstance).text,
              HasSubstr("vkCmdDrawIndirect(): firstInstance is 5, and drawIndirectFirstInstance, which would allow "
                        "another number than 0, is not enabled. The command has read this at byte 16 of "));
  EXPECT_THAT(log_.Expect(kFirstInstance).text, HasSubstr("firstInstance is 6,"));
}

TEST_F(ParameterTest, IndicesPastTheEndOfTheIndexBuffer) {
  const VkCommandBuffer commands = RecordDraws(
      [&](VkCommandBuffer command_buffer) { device_.vk.CmdDrawIndexedIndirect(command_buffer, parameters_, 4, 1, 0); });
  Set({3, 1, 3, 0, 0}, 4);
  SubmitAndWait(commands);
  log_.ExpectNothing();
  Set({3, 1, 4, 0, 0}, 4);
  SubmitAndWait(commands);
  EXPECT_THAT(log_.Expect(kIndices).text, HasSubstr("firstIndex 4 and indexCount 3 end at the index 7, and the index "
                                                    "buffer has 6 indices. The command has read this at byte 4 of "));
  Set({3, 1, 0, 0, 2}, 4);
  SubmitAndWait(commands);
  log_.Expect(kFirstInstanceIndexed);
}

// What the command has read counts, not what is there before and after it.
TEST_F(ParameterTest, ParametersAreThoseOfTheCommand) {
  const std::array<uint32_t, 3> good = {1, 1, 1};
  const std::array<uint32_t, 3> bad = {1, 70000, 1};
  const auto record = [&](const std::array<uint32_t, 3>& used, const std::array<uint32_t, 3>& later) {
    return device_.Record([&, this](VkCommandBuffer commands) {
      device_.vk.CmdUpdateBuffer(commands, parameters_, 0, sizeof(used), used.data());
      Barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
              VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
      DispatchIndirect(commands);
      Barrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0);
      device_.vk.CmdUpdateBuffer(commands, parameters_, 0, sizeof(later), later.data());
    });
  };
  SubmitAndWait(record(good, bad));
  log_.ExpectNothing();
  SubmitAndWait(record(bad, good));
  log_.Expect(kGroupsY);
}

TEST_F(ParameterTest, EveryExecutionHasItsOwn) {
  const VkCommandBuffer commands = device_.Record([&](VkCommandBuffer command_buffer) {
    DispatchIndirect(command_buffer);
    DispatchIndirect(command_buffer, 12);
  });
  Set({1, 70000, 1, 1, 1, 1});
  SubmitAndWait(commands);
  EXPECT_THAT(log_.Expect(kGroupsY).text, HasSubstr("at byte 0 of"));
  Set({1, 1, 1, 1, 70000, 1});
  SubmitAndWait(commands);
  EXPECT_THAT(log_.Expect(kGroupsY).text, HasSubstr("at byte 12 of"));
  Set({1, 1, 1, 1, 1, 1});
  SubmitAndWait(commands);
}

TEST_F(ParameterTest, DrawsOfASecondaryCommandBuffer) {
  Set({3, 1, 0, 5});
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  const VkCommandBufferInheritanceRenderingInfo inherited = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
      .colorAttachmentCount = 1,
      .pColorAttachmentFormats = &format,
      .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                      .pNext = &inherited};
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                          .pInheritanceInfo = &inheritance};
  const VkCommandBuffer secondary = device_.MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  EXPECT_EQ(device_.vk.BeginCommandBuffer(secondary, &begin), VK_SUCCESS);
  BindForDraws(secondary);
  device_.vk.CmdDrawIndirect(secondary, parameters_, 0, 1, 0);
  device_.End(secondary);
  device_.SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, secondary, "secondary");
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    Transition(commands);
    const VkRenderingInfo rendering = Rendering(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
    device_.vk.CmdBeginRendering(commands, &rendering);
    device_.vk.CmdExecuteCommands(commands, 1, &secondary);
    device_.vk.CmdEndRendering(commands);
  }));
  EXPECT_EQ(log_.Expect(kFirstInstance).objects[0].name, "secondary");
}

TEST_F(ParameterTest, RenderPassInstanceThatIsSuspended) {
  Set({3, 1, 0, 5});
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    Transition(commands);
    const VkRenderingInfo first = Rendering(VK_RENDERING_SUSPENDING_BIT);
    device_.vk.CmdBeginRendering(commands, &first);
    BindForDraws(commands);
    device_.vk.CmdDrawIndirect(commands, parameters_, 0, 1, 0);
    device_.vk.CmdEndRendering(commands);
    const VkRenderingInfo second = Rendering(VK_RENDERING_RESUMING_BIT);
    device_.vk.CmdBeginRendering(commands, &second);
    device_.vk.CmdEndRendering(commands);
  }));
  log_.Expect(kFirstInstance);
}

class ParameterSettingTest : public ParameterTest {
 protected:
  // Each test creates the device.
  void SetUp() override {}
};

TEST_F(ParameterSettingTest, ChecksMayBeOff) {
  Create({.settings = {{"gpuav_buffers_validation", false}}});
  parameters_ = device_.MakeBuffer(64, kUsage);
  dispatch_ = MakePipeline();
  Set({1, 70000, 1});
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) { DispatchIndirect(commands); }));
}

}  // namespace
}  // namespace assay::test
