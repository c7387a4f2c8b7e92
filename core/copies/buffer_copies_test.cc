// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Each case of buffer_copy_cases.h, with each command that has its rule, through the whole layer.

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/copies/cases/buffer_copy_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/commands.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

class BufferCopiesTest : public test::ValidationTest {
 protected:
  void SetUp() override {
    driver().config().adjust_properties = [this](VkBaseOutStructure* properties) {
      if (properties->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_PROPERTIES) return;
      reinterpret_cast<VkPhysicalDeviceProtectedMemoryProperties*>(properties)->protectedNoFault = no_fault_;
    };
    ValidationTest::SetUp();
  }

  VkBuffer Make(VkDeviceSize size, VkBufferUsageFlags usage, VkBufferCreateFlags flags, bool is_bound) {
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .flags = flags, .size = size, .usage = usage};
    return is_bound ? MakeBuffer(info).handle : MakeUnboundBuffer(info);
  }
  VkCommandBuffer MakeCommands(bool is_protected) {
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = MakeCommandPool(0, is_protected ? VK_COMMAND_POOL_CREATE_PROTECTED_BIT : 0),
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    VkCommandBuffer commands = VK_NULL_HANDLE;
    EXPECT_EQ(vk.AllocateCommandBuffers(device, &info, &commands), VK_SUCCESS);
    return commands;
  }

  void Call(vk::CommandId id, const BufferCopy& copy) {
    const VkBufferUsageFlags usage = copy.source_usage | (copy.is_one_buffer ? copy.target_usage : 0);
    const VkBuffer source = Make(copy.source_size, usage, copy.source_flags, copy.is_source_bound);
    const VkBuffer target = copy.is_one_buffer
                                ? source
                                : Make(copy.target_size, copy.target_usage, copy.target_flags, copy.is_target_bound);
    std::vector<VkBufferCopy> regions = copy.more;
    regions.push_back({copy.source_offset, copy.target_offset, copy.size});
    std::vector<VkBufferCopy2> regions2;
    regions2.reserve(regions.size());
    for (const VkBufferCopy& region : regions) {
      regions2.push_back({.sType = VK_STRUCTURE_TYPE_BUFFER_COPY_2,
                          .srcOffset = region.srcOffset,
                          .dstOffset = region.dstOffset,
                          .size = region.size});
    }
    const VkCopyBufferInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
                                    .srcBuffer = source,
                                    .dstBuffer = target,
                                    .regionCount = static_cast<uint32_t>(regions2.size()),
                                    .pRegions = regions2.data()};
    const VkCommandBuffer commands = MakeCommands(copy.is_in_protected_commands);
    Begin(commands);
    switch (id) {
      case vk::CommandId::kCmdCopyBuffer:
        vk.CmdCopyBuffer(commands, source, target, info.regionCount, regions.data());
        break;
      case vk::CommandId::kCmdCopyBuffer2:
        vk.CmdCopyBuffer2(commands, &info);
        break;
      case vk::CommandId::kCmdFillBuffer:
        vk.CmdFillBuffer(commands, target, copy.target_offset, copy.size, 0);
        break;
      default: {
        const std::array<uint32_t, 16> words = {};
        vk.CmdUpdateBuffer(commands, target, copy.target_offset, copy.size, words.data());
      }
    }
    End(commands);
  }

  VkBool32 no_fault_ = VK_FALSE;

  // Adds the rules that the command has to `rules`.
  template <class C>
  void Run(std::set<std::string>& rules) {
    Call(C::kId, {});
    ExpectNothing();
    for (const FamilyCase<BufferCopy>& row : BufferCopyCases()) {
      const vk::VuidIndex id = FindFamilyVuid<C>(row.rule);
      if (id == vk::kNoVuid) continue;
      rules.emplace(row.rule);
      BufferCopy copy;
      row.change(copy);
      Call(C::kId, copy);
      ExpectMessage(vk::GetVuid(id).id);
      ExpectNothing();
    }
  }
};

TEST_F(BufferCopiesTest, EachCase) {
  std::set<std::string> rules;
  Run<vk::CmdCopyBuffer>(rules);
  Run<vk::CmdCopyBuffer2>(rules);
  Run<vk::CmdFillBuffer>(rules);
  Run<vk::CmdUpdateBuffer>(rules);
  for (const FamilyCase<BufferCopy>& row : BufferCopyCases()) EXPECT_TRUE(rules.contains(std::string(row.rule)));
}

TEST_F(BufferCopiesTest, CorrectOnes) {
  // To the ends of both buffers, and side by side in one.
  Call(vk::CommandId::kCmdCopyBuffer2, {.source_offset = 48, .target_offset = 48});
  Call(vk::CommandId::kCmdCopyBuffer2, {.is_one_buffer = true});
  Call(vk::CommandId::kCmdCopyBuffer2, {.is_one_buffer = true, .more = {{0, 48, 16}}});
  Call(vk::CommandId::kCmdFillBuffer, {.target_offset = 60, .size = VK_WHOLE_SIZE});
  // A sparse buffer has no memory of its own, and other places of it may have the same.
  constexpr VkBufferCreateFlags kSparse = VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
  Call(vk::CommandId::kCmdCopyBuffer, {.source_flags = kSparse, .is_source_bound = false});
  Call(vk::CommandId::kCmdFillBuffer, {.target_flags = kSparse, .is_target_bound = false});
  // Protected commands may read what is not protected.
  Call(vk::CommandId::kCmdCopyBuffer,
       {.target_flags = VK_BUFFER_CREATE_PROTECTED_BIT, .is_in_protected_commands = true});
  ExpectNothing();
}

class NoFaultTest : public BufferCopiesTest {
 protected:
  void SetUp() override {
    no_fault_ = VK_TRUE;
    BufferCopiesTest::SetUp();
  }
};

TEST_F(NoFaultTest, ProtectedAndUnprotectedTogether) {
  Call(vk::CommandId::kCmdCopyBuffer, {.source_flags = VK_BUFFER_CREATE_PROTECTED_BIT});
  Call(vk::CommandId::kCmdFillBuffer, {.target_flags = VK_BUFFER_CREATE_PROTECTED_BIT});
  Call(vk::CommandId::kCmdFillBuffer, {.is_in_protected_commands = true});
  ExpectNothing();
}

TEST_F(BufferCopiesTest, Texts) {
  Call(vk::CommandId::kCmdCopyBuffer, {.source_offset = 52});
  const test::Message message = ExpectMessage("VUID-vkCmdCopyBuffer-size-00115");
  EXPECT_THAT(message.text,
              HasSubstr("vkCmdCopyBuffer(): pRegions[0].size (16) is larger than the 12 bytes from srcOffset (52) to "
                        "the end of srcBuffer VkBuffer "));
  EXPECT_THAT(message.text, HasSubstr("Let size be at most 12, or create the buffer with 68 bytes or more."));
  Call(vk::CommandId::kCmdCopyBuffer2, {.is_one_buffer = true, .target_offset = 24});
  EXPECT_THAT(ExpectMessage("VUID-VkCopyBufferInfo2-pRegions-00117").text,
              HasSubstr("vkCmdCopyBuffer2(): pCopyBufferInfo.pRegions[0] writes bytes 24 to 39 of VkBuffer "));
  Call(vk::CommandId::kCmdFillBuffer, {.target_usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT});
  EXPECT_THAT(ExpectMessage("VUID-vkCmdFillBuffer-dstBuffer-00029").text,
              HasSubstr("was created without VK_BUFFER_USAGE_TRANSFER_DST_BIT."));
}

}  // namespace
}  // namespace assay::core
