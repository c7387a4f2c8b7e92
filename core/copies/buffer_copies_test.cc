// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Each case of buffer_copy_cases.h, with each command that has its rule, through the whole layer.

#include <array>
#include <cstdint>
#include <vector>

#include "core/copies/cases/buffer_copy_cases.h"
#include "core/copies/cases/image_copy_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

class BufferCopiesTest : public ImageCopiesTest {
 protected:
  VkBuffer Make(VkDeviceSize size, VkBufferUsageFlags usage, VkBufferCreateFlags flags, bool is_bound) {
    const auto info = Typed(VkBufferCreateInfo{.flags = flags, .size = size, .usage = usage});
    return is_bound ? MakeBuffer(info).handle : MakeUnboundBuffer(info);
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
    for (const VkBufferCopy& region : regions)
      regions2.push_back({VK_STRUCTURE_TYPE_BUFFER_COPY_2, nullptr, region.srcOffset, region.dstOffset, region.size});
    const uint32_t count = static_cast<uint32_t>(regions.size());
    const auto info = Of<VkCopyBufferInfo2>(source, target, count, regions2.data());
    const std::array<uint32_t, 16> words = {};
    const VkCommandBuffer commands = MakeCommands({.is_in_protected_commands = copy.is_in_protected_commands});
    Begin(commands);
    using enum vk::CommandId;
    if (id == kCmdCopyBuffer) vk.CmdCopyBuffer(commands, source, target, count, regions.data());
    if (id == kCmdCopyBuffer2) vk.CmdCopyBuffer2(commands, &info);
    if (id == kCmdFillBuffer) vk.CmdFillBuffer(commands, target, copy.target_offset, copy.size, 0);
    if (id == kCmdUpdateBuffer) vk.CmdUpdateBuffer(commands, target, copy.target_offset, copy.size, words.data());
    End(commands);
  }
};

TEST_F(BufferCopiesTest, EachCase) {
  RunEach<vk::CmdCopyBuffer, vk::CmdCopyBuffer2, vk::CmdFillBuffer, vk::CmdUpdateBuffer>(
      BufferCopyCases(), BufferCopy(), [this](vk::CommandId id, const BufferCopy& copy) { Call(id, copy); });
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
}

TEST_F(BufferCopiesTest, ProtectedAndUnprotectedTogetherWithoutFaults) {
  no_fault_ = VK_TRUE;
  Restart({});
  Call(vk::CommandId::kCmdCopyBuffer, {.source_flags = VK_BUFFER_CREATE_PROTECTED_BIT});
  Call(vk::CommandId::kCmdFillBuffer, {.target_flags = VK_BUFFER_CREATE_PROTECTED_BIT});
  Call(vk::CommandId::kCmdFillBuffer, {.is_in_protected_commands = true});
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
