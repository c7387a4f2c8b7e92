// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/sync_test.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "testing/shaders.h"
#include "vk/names.h"

namespace assay::syncval {
namespace {

// The flags that follow ".NAME = " or "NAME |= " in text.
uint64_t FlagsAfter(std::string_view text, std::string_view name, vk::EnumId type) {
  const size_t at = text.rfind(name);
  if (at == std::string_view::npos) return 0;
  std::string_view value = text.substr(text.find("= ", at) + 2);
  value = value.substr(0, value.find_first_of(" ,}.\n"));
  uint64_t flags = 0;
  for (std::string_view word : absl::StrSplit(value, '|')) {
    bool found = word == vk::FlagsToString(type, 0);
    for (int bit = 0; bit < 64; ++bit) {
      if (word != vk::FlagsToString(type, uint64_t{1} << bit)) continue;
      flags |= uint64_t{1} << bit;
      found = true;
    }
    EXPECT_TRUE(found) << word << " in " << text;
  }
  return flags;
}

std::string ExpectedHazard(const TargetUse& first, const TargetUse& second) {
  // What reads and writes is waited for as a read first.
  if (first.reads && second.writes) return kWriteAfterRead;
  if (first.writes) return second.writes ? kWriteAfterWrite : kReadAfterWrite;
  return "";
}

}  // namespace

Masks ParseFix(std::string_view text) {
  text = text.substr(std::min(text.find("To fix"), text.size()));
  return {FlagsAfter(text, "srcStageMask", vk::EnumId::kPipelineStageFlagBits2),
          FlagsAfter(text, "srcAccessMask", vk::EnumId::kAccessFlagBits2),
          FlagsAfter(text, "dstStageMask", vk::EnumId::kPipelineStageFlagBits2),
          FlagsAfter(text, "dstAccessMask", vk::EnumId::kAccessFlagBits2)};
}

std::vector<Masks> WithoutEachBit(const Masks& masks) {
  std::vector<Masks> all;
  for (uint64_t Masks::*member : {&Masks::src_stages, &Masks::src_access, &Masks::dst_stages, &Masks::dst_access}) {
    for (uint64_t rest = masks.*member; rest != 0; rest &= rest - 1) {
      Masks without = masks;
      without.*member &= ~(rest & -rest);
      all.push_back(without);
    }
  }
  return all;
}

std::string ToString(const Masks& masks) {
  return absl::StrCat(vk::FlagsToString(vk::EnumId::kPipelineStageFlagBits2, masks.src_stages), ", ",
                      vk::FlagsToString(vk::EnumId::kAccessFlagBits2, masks.src_access), ", ",
                      vk::FlagsToString(vk::EnumId::kPipelineStageFlagBits2, masks.dst_stages), ", ",
                      vk::FlagsToString(vk::EnumId::kAccessFlagBits2, masks.dst_access));
}

void SyncTest::SetUp() {
  ValidationTest::SetUp();
  // Far too much to look at each handle of each pair of uses.
  driver().CheckHandles(false);
}

VkCommandBuffer SyncTest::Begun(uint32_t family) {
  VkCommandBuffer commands = MakeCommandBuffer(family);
  Begin(commands);
  return commands;
}

void SyncTest::Copy(VkCommandBuffer commands, VkBuffer source, VkBuffer target, VkBufferCopy region) {
  vk.CmdCopyBuffer(commands, source, target, 1, &region);
}

void SyncTest::Fill(VkCommandBuffer commands, VkBuffer target, VkDeviceSize offset, VkDeviceSize size) {
  vk.CmdFillBuffer(commands, target, offset, size, 0);
}

void SyncTest::Clear(VkCommandBuffer commands, VkImage image, VkImageSubresourceRange range) {
  VkClearColorValue color = {};
  vk.CmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
}

VkMemoryBarrier2 SyncTest::MemoryBarrier(const Masks& masks) {
  return {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
          nullptr,
          masks.src_stages,
          masks.src_access,
          masks.dst_stages,
          masks.dst_access};
}

void SyncTest::Barriers(VkCommandBuffer commands, std::vector<VkMemoryBarrier2> globals,
                        std::vector<VkBufferMemoryBarrier2> buffers, std::vector<VkImageMemoryBarrier2> images) {
  VkDependencyInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
      .memoryBarrierCount = static_cast<uint32_t>(globals.size()),
      .pMemoryBarriers = globals.data(),
      .bufferMemoryBarrierCount = static_cast<uint32_t>(buffers.size()),
      .pBufferMemoryBarriers = buffers.data(),
      .imageMemoryBarrierCount = static_cast<uint32_t>(images.size()),
      .pImageMemoryBarriers = images.data(),
  };
  vk.CmdPipelineBarrier2(commands, &info);
}

void SyncTest::Barrier(VkCommandBuffer commands, const Masks& masks) {
  Barriers(commands, {MemoryBarrier(masks)}, {}, {});
}

void SyncTest::Barrier1(VkCommandBuffer commands, VkPipelineStageFlags src_stages, VkAccessFlags src_access,
                        VkPipelineStageFlags dst_stages, VkAccessFlags dst_access) {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, src_access, dst_access};
  vk.CmdPipelineBarrier(commands, src_stages, dst_stages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void SyncTest::BufferBarrier(VkCommandBuffer commands, const Masks& masks, VkBuffer buffer, VkDeviceSize offset,
                             VkDeviceSize size) {
  Barriers(commands, {},
           {{.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
             .srcStageMask = masks.src_stages,
             .srcAccessMask = masks.src_access,
             .dstStageMask = masks.dst_stages,
             .dstAccessMask = masks.dst_access,
             .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
             .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
             .buffer = buffer,
             .offset = offset,
             .size = size}},
           {});
}

VkImageMemoryBarrier2 SyncTest::ImageBarrier(const Masks& masks, VkImage image, VkImageSubresourceRange range,
                                             VkImageLayout from, VkImageLayout to) {
  return {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
          .srcStageMask = masks.src_stages,
          .srcAccessMask = masks.src_access,
          .dstStageMask = masks.dst_stages,
          .dstAccessMask = masks.dst_access,
          .oldLayout = from,
          .newLayout = to,
          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
          .image = image,
          .subresourceRange = range};
}

Compute SyncTest::MakeCompute(std::span<const uint32_t> shader, const std::vector<test::Binding>& bindings) {
  Compute compute;
  compute.set_layout = MakeSetLayout(bindings);
  compute.layout = MakePipelineLayout({compute.set_layout}, 8);
  compute.pipeline = MakeComputePipeline(compute.layout, MakeShader(shader));
  compute.set = MakeSet(compute.set_layout);
  return compute;
}

Compute SyncTest::MakeStorageCompute(std::vector<uint32_t> reads, std::vector<uint32_t> writes) {
  uint32_t count = 0;
  for (const auto* numbers : {&reads, &writes}) {
    for (uint32_t binding : *numbers) count = std::max(count, binding + 1);
  }
  std::vector<test::Binding> bindings;
  for (uint32_t i = 0; i < count; ++i) bindings.push_back({i});
  return MakeCompute(test::AssembleSpirv(test::ComputeShader({.reads = reads, .writes = writes})), bindings);
}

void SyncTest::WriteStorage(const Compute& compute, uint32_t binding, VkBuffer buffer, VkDeviceSize offset,
                            VkDeviceSize range) {
  WriteBuffer(compute.set, binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer, offset, range);
}

void SyncTest::Dispatch(VkCommandBuffer commands, const Compute& compute, std::vector<uint32_t> dynamic_offsets) {
  vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.pipeline);
  vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.layout, 0, 1, &compute.set,
                           static_cast<uint32_t>(dynamic_offsets.size()), dynamic_offsets.data());
  vk.CmdDispatch(commands, 1, 1, 1);
}

void SyncTest::CheckPair(const TargetUse& first, const TargetUse& second) {
  SCOPED_TRACE(first.name + ", then " + second.name);
  const auto record = [&](const Masks* barrier) {
    VkCommandBuffer commands = Begun();
    first.record(commands);
    ExpectNothing();
    if (barrier != nullptr) Barrier(commands, *barrier);
    second.record(commands);
    End(commands);
  };
  record(nullptr);
  const std::string id = ExpectedHazard(first, second);
  if (id.empty()) return ExpectNothing();
  const test::Message message = ExpectMessage(id);
  ExpectNothing();
  const Masks fix = ParseFix(message.text);
  record(&fix);
  ExpectNothing();
  for (const Masks& less : WithoutEachBit(fix)) {
    SCOPED_TRACE("with " + ToString(less));
    record(&less);
    const std::vector<test::Message> again = messages.Take();
    ASSERT_EQ(again.size(), 1u);
    // Of what both reads and writes, one half may be in order now.
    if (first.reads != first.writes && second.reads != second.writes) {
      EXPECT_EQ(again[0].id, id);
    }
    // A second barrier of what the report says then makes up for what is missing.
    const Masks more = ParseFix(again[0].text);
    EXPECT_EQ(more.dst_stages | less.dst_stages, fix.dst_stages);
  }
  const Masks everything = {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                            VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                            VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
  record(&everything);
  ExpectNothing();
}

void SyncTest::CheckAllPairs(const std::vector<TargetUse>& uses) {
  for (const TargetUse& first : uses) {
    for (const TargetUse& second : uses) CheckPair(first, second);
  }
}

void SyncTest::CheckIndependent(const std::vector<TargetUse>& first, const std::vector<TargetUse>& second) {
  for (const TargetUse& one : first) {
    for (const TargetUse& other : second) {
      SCOPED_TRACE(one.name + ", then " + other.name);
      VkCommandBuffer commands = Begun();
      one.record(commands);
      other.record(commands);
      End(commands);
      ExpectNothing();
    }
  }
}

}  // namespace assay::syncval
