// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What is recorded for commands that read their parameters from buffers, over the mock driver.

#include <cstdint>
#include <functional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/commands.h"

namespace assay::gpuav {
namespace {

using ::testing::ElementsAre;
using vk::CommandId;

constexpr CommandId kBarrier = CommandId::kCmdPipelineBarrier;
constexpr CommandId kCopy = CommandId::kCmdCopyBuffer;
constexpr CommandId kDispatch = CommandId::kCmdDispatchIndirect;
constexpr CommandId kDraw = CommandId::kCmdDrawIndirect;
constexpr CommandId kEndRendering = CommandId::kCmdEndRendering;

class ParametersTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return {.device_extensions = {"VK_EXT_conditional_rendering", "VK_KHR_maintenance5"},
            .settings = {{"gpuav_enable", true},
                         {"validate_sync", false},
                         {"validate_core", false},
                         {"stateless_param", false},
                         {"object_lifetime", false}}};
  }

  void SetUp() override {
    ValidationTest::SetUp();
    buffer_ = MakeBuffer(1024, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  }

  // What goes down for the commands, those that bind left out.
  std::vector<CommandId> Recorded(const std::function<void(VkCommandBuffer)>& commands) {
    std::vector<CommandId> ids;
    copies_.clear();
    driver().SetObserver([&](CommandId id, const void* parameters) {
      if (id == kCopy) copies_.push_back(static_cast<const vk::CmdCopyBuffer*>(parameters)->pRegions[0]);
      if (id == kBarrier || id == kCopy || id == kDispatch || id == kDraw || id == kEndRendering) ids.push_back(id);
    });
    Record(commands);
    driver().SetObserver(nullptr);
    return ids;
  }

  VkBufferUsageFlags UsageBelow(const VkBufferCreateInfo& info) {
    VkBufferUsageFlags usage = 0;
    driver().Observe<vk::CreateBuffer>([&](const vk::CreateBuffer& call) {
      const auto* flags = static_cast<const VkBufferUsageFlags2CreateInfo*>(call.pCreateInfo->pNext);
      const bool has_flags = flags != nullptr && flags->sType == VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO;
      usage = has_flags ? static_cast<VkBufferUsageFlags>(flags->usage) : call.pCreateInfo->usage;
    });
    MakeUnboundBuffer(info);
    driver().SetObserver(nullptr);
    return usage;
  }

  void AddBarrier(VkCommandBuffer commands, VkAccessFlags access = 0) {
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .dstAccessMask = access};
    vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                          &barrier, 0, nullptr, 0, nullptr);
  }
  void BeginRendering(VkCommandBuffer commands) {
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{0, 0}, {1, 1}}, .layerCount = 1};
    vk.CmdBeginRendering(commands, &info);
  }

  test::Buffer buffer_;
  std::vector<VkBufferCopy> copies_;
};

TEST_F(ParametersTest, BuffersMayBeCopiedFrom) {
  VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 64, .usage = VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT};
  EXPECT_EQ(UsageBelow(info), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  const VkBufferUsageFlags2CreateInfo flags = {.sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
                                               .usage = VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT};
  info.usage = 0;
  info.pNext = &flags;
  EXPECT_EQ(UsageBelow(info), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  EXPECT_EQ(flags.usage, VkBufferUsageFlags2{VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT});
  info.pNext = nullptr;
  info.usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
  EXPECT_EQ(UsageBelow(info), VkBufferUsageFlags{VK_BUFFER_USAGE_VERTEX_BUFFER_BIT});
}

TEST_F(ParametersTest, BufferOfSharedMemoryStaysAsItIs) {
  const VkExternalMemoryBufferCreateInfo external = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
                                                     .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
  const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                   .pNext = &external,
                                   .size = 64,
                                   .usage = VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT};
  EXPECT_EQ(UsageBelow(info), VkBufferUsageFlags{VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT});
  const test::Buffer buffer = MakeBuffer(info);
  EXPECT_THAT(Recorded([&](VkCommandBuffer commands) { vk.CmdDispatchIndirect(commands, buffer, 0); }),
              ElementsAre(kDispatch));
  DestroyNow(buffer);
}

TEST_F(ParametersTest, RequirementsAreThoseOfTheBufferThatIsMade) {
  VkBufferUsageFlags usage = 0;
  driver().Observe<vk::GetDeviceBufferMemoryRequirements>(
      [&](const vk::GetDeviceBufferMemoryRequirements& call) { usage = call.pInfo->pCreateInfo->usage; });
  const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 64, .usage = VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT};
  const VkDeviceBufferMemoryRequirements of = {.sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS,
                                               .pCreateInfo = &info};
  VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
  vk.GetDeviceBufferMemoryRequirements(device, &of, &requirements);
  EXPECT_EQ(usage, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
}

TEST_F(ParametersTest, ManyCommandsShareBarriers) {
  EXPECT_THAT(
      Recorded([&](VkCommandBuffer commands) {
        vk.CmdDispatchIndirect(commands, buffer_, 0);
        vk.CmdDispatchIndirect(commands, buffer_, 12);
        vk.CmdDispatchIndirect(commands, buffer_, 24);
        AddBarrier(commands);
        AddBarrier(commands);
      }),
      ElementsAre(kDispatch, kDispatch, kDispatch, kBarrier, kCopy, kCopy, kCopy, kBarrier, kBarrier, kBarrier));
  ASSERT_EQ(copies_.size(), 3u);
  EXPECT_EQ(copies_[2].srcOffset, 24u);
  EXPECT_EQ(copies_[2].size, 12u);
}

TEST_F(ParametersTest, CopiesAreMadeAtTheEndOfTheRecording) {
  EXPECT_THAT(Recorded([&](VkCommandBuffer commands) { vk.CmdDispatchIndirect(commands, buffer_, 0); }),
              ElementsAre(kDispatch, kBarrier, kCopy, kBarrier));
}

TEST_F(ParametersTest, InARenderPassInstanceCopiesWaitForItsEnd) {
  EXPECT_THAT(Recorded([&](VkCommandBuffer commands) {
                BeginRendering(commands);
                vk.CmdDrawIndirect(commands, buffer_, 0, 3, 20);
                AddBarrier(commands, VK_ACCESS_COLOR_ATTACHMENT_READ_BIT);
                vk.CmdEndRendering(commands);
              }),
              ElementsAre(kDraw, kBarrier, kEndRendering, kBarrier, kCopy, kBarrier));
  ASSERT_EQ(copies_.size(), 1u);
  // Two strides and a structure.
  EXPECT_EQ(copies_[0].size, 56u);
}

// What a shader of the render pass instance may have written since is not what the command has read.
TEST_F(ParametersTest, WhatShadersMayHaveWrittenIsNotCopied) {
  EXPECT_THAT(Recorded([&](VkCommandBuffer commands) {
                BeginRendering(commands);
                vk.CmdDrawIndirect(commands, buffer_, 0, 1, 0);
                AddBarrier(commands, VK_ACCESS_SHADER_WRITE_BIT);
                vk.CmdEndRendering(commands);
              }),
              ElementsAre(kDraw, kBarrier, kEndRendering));
}

TEST_F(ParametersTest, CommandThatMayNotBeExecutedIsNotChecked) {
  const test::Buffer predicate = MakeBuffer(4, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
  EXPECT_THAT(Recorded([&](VkCommandBuffer commands) {
                const VkConditionalRenderingBeginInfoEXT begin = {
                    .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT, .buffer = predicate};
                vk.CmdBeginConditionalRenderingEXT(commands, &begin);
                vk.CmdDispatchIndirect(commands, buffer_, 0);
                vk.CmdEndConditionalRenderingEXT(commands);
              }),
              ElementsAre(kDispatch));
}

TEST_F(ParametersTest, CountIsCopiedBesideTheParameters) {
  Recorded([&](VkCommandBuffer commands) {
    BeginRendering(commands);
    vk.CmdDrawIndirectCount(commands, buffer_, 16, buffer_, 4, 10, 16);
    vk.CmdEndRendering(commands);
  });
  ASSERT_EQ(copies_.size(), 2u);
  EXPECT_EQ(copies_[0].srcOffset, 16u);
  EXPECT_EQ(copies_[0].size, 160u);
  EXPECT_EQ(copies_[1].srcOffset, 4u);
  EXPECT_EQ(copies_[1].size, 4u);
}

// Those are another rule's affair; we copy from no buffer what it does not have.
TEST_F(ParametersTest, ParametersPastTheEndOfTheBufferAreLeftOut) {
  EXPECT_THAT(Recorded([&](VkCommandBuffer commands) { vk.CmdDispatchIndirect(commands, buffer_, 1016); }),
              ElementsAre(kDispatch));
  Recorded([&](VkCommandBuffer commands) {
    BeginRendering(commands);
    vk.CmdDrawIndirect(commands, buffer_, 1024 - 40, 3, 20);
    vk.CmdEndRendering(commands);
  });
  ASSERT_EQ(copies_.size(), 1u);
  EXPECT_EQ(copies_[0].size, 36u);
}

}  // namespace
}  // namespace assay::gpuav
