// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The properties of reports, for programs.

#include <sstream>
#include <string>

#include "nlohmann/json.hpp"
#include "syncval/fixture/draw_sync_test.h"
#include "vk/enum_info.h"

namespace assay::syncval {
namespace {

using nlohmann::json;
using test::Buffer;
using test::Image;

class SyncProperties : public DrawSyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = DrawSyncTest::Options();
    options.settings.emplace_back("message_format_json", true);
    return options;
  }
  // Of the next message.
  json Properties(const std::string& id = kReadAfterWrite) {
    const test::Message message = ExpectMessage(id);
    const json parsed = json::parse(message.text, nullptr, false);
    EXPECT_EQ(parsed["id"], id);
    return parsed["properties"];
  }
  static uint64_t Flags(const json& text, vk::EnumId type) {
    uint64_t flags = 0;
    for (int bit = 0; bit < 64; ++bit) {
      const std::string name = vk::FlagsToString(type, uint64_t{1} << bit);
      if (("|" + text.get<std::string>() + "|").find("|" + name + "|") != std::string::npos)
        flags |= uint64_t{1} << bit;
    }
    return flags;
  }
  static Masks MasksOf(const json& fix) {
    return {Flags(fix["srcStageMask"], vk::EnumId::kPipelineStageFlagBits2),
            Flags(fix["srcAccessMask"], vk::EnumId::kAccessFlagBits2),
            Flags(fix["dstStageMask"], vk::EnumId::kPipelineStageFlagBits2),
            Flags(fix["dstAccessMask"], vk::EnumId::kAccessFlagBits2)};
  }
  static std::string Handle(uint64_t handle) {
    std::ostringstream text;
    text << "0x" << std::hex << handle;
    return text.str();
  }
  void Label(VkCommandBuffer c, const char* name) {
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = name};
    vk.CmdBeginDebugUtilsLabelEXT(c, &label);
  }
};

TEST_F(SyncProperties, BothAccesses) {
  Buffer particles = MakeBuffer(1024);
  SetName(VK_OBJECT_TYPE_BUFFER, particles.handle, "particles");
  const Compute simulate = MakeStorageCompute({}, {0, 1});
  WriteStorage(simulate, 0, MakeBuffer(64));
  WriteStorage(simulate, 1, particles);
  VkCommandBuffer c = Begun();
  SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, c, "main");
  Label(c, "frame");
  Label(c, "simulate");
  Dispatch(c, simulate);
  vk.CmdEndDebugUtilsLabelEXT(c);
  VkBufferCopy regions[] = {{0, 0, 0}, {512, 0, 256}};
  vk.CmdCopyBuffer(c, particles, MakeBuffer(1024), 2, regions);
  const json all = Properties();
  EXPECT_EQ(all["hazard"], "READ-AFTER-WRITE");
  const json command_buffer = {
      {"type", "VkCommandBuffer"}, {"handle", Handle(reinterpret_cast<uint64_t>(c))}, {"name", "main"}};
  EXPECT_EQ(all["access"], json({{"stage", "VK_PIPELINE_STAGE_2_COPY_BIT"},
                                 {"access", "VK_ACCESS_2_TRANSFER_READ_BIT"},
                                 {"parameter", "pRegions[1]"},
                                 {"command", "vkCmdCopyBuffer"},
                                 {"position", 7},
                                 {"labels", {"frame"}},
                                 {"command_buffer", command_buffer}}));
  EXPECT_EQ(all["prior_access"], json({{"stage", "VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT"},
                                       {"access", "VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT"},
                                       {"set", 0},
                                       {"binding", 1},
                                       {"command", "vkCmdDispatch"},
                                       {"position", 5},
                                       {"labels", {"frame", "simulate"}},
                                       {"command_buffer", command_buffer}}));
  EXPECT_EQ(all["resource"], json({{"type", "VkBuffer"},
                                   {"handle", Handle(reinterpret_cast<uint64_t>(particles.handle))},
                                   {"name", "particles"},
                                   {"ranges", {{{"offset", 512}, {"size", 256}}}}}));
  EXPECT_EQ(all["synchronization"], json({{"ordered_stages", "VK_PIPELINE_STAGE_2_NONE"},
                                          {"visible_to", json::array()},
                                          {"missing_stage", "VK_PIPELINE_STAGE_2_COPY_BIT"},
                                          {"missing_access", "VK_ACCESS_2_TRANSFER_READ_BIT"}}));
  EXPECT_EQ(all["fix"]["structure"], "VkMemoryBarrier2");
  EXPECT_EQ(all["fix"]["action"], "record");
  EXPECT_EQ(all["fix"]["dstAccessMask"], "VK_ACCESS_2_TRANSFER_READ_BIT");
  EXPECT_EQ(all["fix"]["place"], "Before this vkCmdCopyBuffer(), record vkCmdPipelineBarrier2()");
}

TEST_F(SyncProperties, ExistingSynchronization) {
  Buffer data = MakeBuffer(64);
  VkCommandBuffer c = Begun();
  Fill(c, data);
  Barrier(c, {kClear, kWrite, kCopy | kCompute, kWrite | kStorageRead});
  Copy(c, data, MakeBuffer(64));
  const json synchronization = Properties()["synchronization"];
  EXPECT_EQ(synchronization["ordered_stages"], "VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT|VK_PIPELINE_STAGE_2_COPY_BIT");
  EXPECT_EQ(synchronization["visible_to"].size(), 2u);
  EXPECT_FALSE(synchronization.contains("missing_stage"));
  EXPECT_EQ(synchronization["missing_access"], "VK_ACCESS_2_TRANSFER_READ_BIT");
}

// The barrier of the buffer alone is enough too, and no smaller one is.
TEST_F(SyncProperties, BufferBarrier) {
  Buffer data = MakeBuffer(256);
  const auto record = [&](const json* fix) {
    VkCommandBuffer c = Begun();
    Fill(c, data);
    if (fix != nullptr) {
      BufferBarrier(c, MasksOf(*fix), data, (*fix)["offset"].get<uint64_t>(), (*fix)["size"].get<uint64_t>());
    }
    VkBufferCopy regions[] = {{16, 0, 16}, {64, 16, 64}};
    vk.CmdCopyBuffer(c, data, MakeBuffer(256), 2, regions);
  };
  record(nullptr);
  json fix = Properties()["fix"]["or_for_the_resource_alone"];
  EXPECT_EQ(fix["structure"], "VkBufferMemoryBarrier2");
  EXPECT_EQ(fix["buffer"], Handle(reinterpret_cast<uint64_t>(data.handle)));
  EXPECT_EQ(fix["srcQueueFamilyIndex"], "VK_QUEUE_FAMILY_IGNORED");
  record(&fix);
  ExpectNothing();
  fix["size"] = fix["size"].get<uint64_t>() - 1;
  record(&fix);
  Properties();
}

TEST_F(SyncProperties, ImageBarrier) {
  Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 64, 64, 0, 4, 6);
  const auto record = [&](const json* fix) {
    VkCommandBuffer c = Begun();
    Clear(c, image, image.Range());
    if (fix != nullptr) {
      const json& range = (*fix)["subresourceRange"];
      EXPECT_EQ(range["aspectMask"], "VK_IMAGE_ASPECT_COLOR_BIT");
      const VkImageSubresourceRange covered = {VK_IMAGE_ASPECT_COLOR_BIT, range["baseMipLevel"], range["levelCount"],
                                               range["baseArrayLayer"], range["layerCount"]};
      Barriers(c, {}, {}, {SyncTest::ImageBarrier(MasksOf(*fix), image, covered)});
    }
    VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 2, 3}, .imageOffset = {8, 8, 0}, .imageExtent = {16, 4, 1}};
    vk.CmdCopyImageToBuffer(c, image, VK_IMAGE_LAYOUT_GENERAL, MakeBuffer(1 << 16), 1, &region);
  };
  record(nullptr);
  const json all = Properties();
  json fix = all["fix"]["or_for_the_resource_alone"];
  const json range = {{"aspectMask", "VK_IMAGE_ASPECT_COLOR_BIT"},
                      {"baseMipLevel", 1},
                      {"levelCount", 1},
                      {"baseArrayLayer", 2},
                      {"layerCount", 3}};
  EXPECT_EQ(fix["structure"], "VkImageMemoryBarrier2");
  EXPECT_EQ(fix["oldLayout"], fix["newLayout"]);
  EXPECT_EQ(fix["subresourceRange"], range);
  json texels = range;
  texels["offset"] = {8, 8, 0};
  texels["extent"] = {16, 4, 1};
  EXPECT_EQ(all["resource"]["ranges"], json::array({texels}));
  record(&fix);
  ExpectNothing();
  fix["subresourceRange"]["layerCount"] = 2;
  record(&fix);
  Properties();
}

// A barrier of one resource does not cover writes through the other.
TEST_F(SyncProperties, NoBarrierOfOneAlias) {
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .size = 256,
                             .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  VkBuffer one = MakeUnboundBuffer(info), other = MakeUnboundBuffer(info);
  VkDeviceMemory memory = MakeMemory(4096, 0);
  vk.BindBufferMemory(device, one, memory, 0);
  vk.BindBufferMemory(device, other, memory, 0);
  VkCommandBuffer c = Begun();
  Fill(c, one);
  Copy(c, other, MakeBuffer(256));
  const json fix = Properties()["fix"];
  EXPECT_EQ(fix["structure"], "VkMemoryBarrier2");
  EXPECT_FALSE(fix.contains("or_for_the_resource_alone"));
}

TEST_F(SyncProperties, Transition) {
  Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  VkCommandBuffer c = Begun();
  Clear(c, image, image.Range());
  Barriers(c, {}, {},
           {SyncTest::ImageBarrier({kCopy, kWrite, kCopy, kRead}, image, image.Range(), VK_IMAGE_LAYOUT_GENERAL,
                                   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL)});
  const json all = Properties(kWriteAfterWrite);
  EXPECT_EQ(all["access"]["access"], "layout transition");
  EXPECT_EQ(all["fix"], json({{"action", "add"},
                              {"structure", "VkImageMemoryBarrier2"},
                              {"srcStageMask", "VK_PIPELINE_STAGE_2_CLEAR_BIT"},
                              {"place", "pDependencyInfo.pImageMemoryBarriers[0] of this vkCmdPipelineBarrier2()"}}));
}

// sync1 has other names for the bits, and other places.
TEST_F(SyncProperties, TransitionBySync1Barrier) {
  Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  VkCommandBuffer c = Begun();
  Clear(c, image, image.Range());
  const auto change = [&](VkPipelineStageFlags stages, VkAccessFlags access) {
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .srcAccessMask = access,
                                          .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = image,
                                          .subresourceRange = image.Range()};
    vk.CmdPipelineBarrier(c, stages, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
  };
  change(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0);
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  const json parsed = json::parse(message.text, nullptr, false);
  EXPECT_EQ(parsed["fix"],
            "In this vkCmdPipelineBarrier(), set srcStageMask |= VK_PIPELINE_STAGE_TRANSFER_BIT and "
            "pImageMemoryBarriers[0].srcAccessMask |= VK_ACCESS_TRANSFER_WRITE_BIT.");
  EXPECT_EQ(parsed["properties"]["fix"]["structure"], "VkImageMemoryBarrier");
  c = Begun();
  Clear(c, image, image.Range());
  change(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
}

TEST_F(SyncProperties, Attachment) {
  VkCommandBuffer c = Begun();
  Clear(c, color_, color_.Range());
  BeginRendering(c, {color_view_});
  const json all = Properties();
  EXPECT_EQ(all["access"]["as"], "color attachment 0");
  EXPECT_EQ(all["access"]["operation"], "loadOp");
  EXPECT_EQ(all["prior_access"]["parameter"], "pRanges[0]");
}

TEST_F(SyncProperties, Submissions) {
  Buffer staging = MakeBuffer(64), vertices = MakeBuffer(64);
  VkCommandBuffer upload = Record([&](VkCommandBuffer c) { Copy(c, staging, vertices); });
  VkCommandBuffer reader = Record([&](VkCommandBuffer c) { Copy(c, vertices, MakeBuffer(64)); });
  SetName(VK_OBJECT_TYPE_QUEUE, Queue(), "graphics");
  Submit(Queue(), {upload});
  Submit(Queue(), {reader});
  const json all = Properties();
  EXPECT_EQ(all["access"]["queue"]["name"], "graphics");
  EXPECT_EQ(all["access"]["batch"], 2);
  EXPECT_EQ(all["access"]["submitted_by"], "vkQueueSubmit2");
  EXPECT_EQ(all["access"]["position"], 1);
  EXPECT_EQ(all["prior_access"]["batch"], 1);
  EXPECT_EQ(all["prior_access"]["command_buffer"]["handle"], Handle(reinterpret_cast<uint64_t>(upload)));
  EXPECT_EQ(all["fix"]["or_for_the_resource_alone"]["size"], 64);
}

// Layout transitions of submissions, and existing semaphores.
class SyncPropertiesOfSubmissions : public SyncProperties {
 protected:
  void SetUp() override {
    SyncProperties::SetUp();
    image_ = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  }
  // Clears in one command buffer, changes the layout in another, and reads in a third.
  void ClearChangeRead(const Masks& masks) {
    VkCommandBuffer clear = Record([&](VkCommandBuffer c) { Clear(c, image_, image_.Range()); });
    change_ = Record([&](VkCommandBuffer c) {
      Barriers(
          c, {}, {},
          {ImageBarrier(masks, image_, image_.Range(), VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL)});
    });
    VkCommandBuffer read = Record([&](VkCommandBuffer c) {
      VkBufferImageCopy region = {.imageSubresource = image_.Layers(), .imageExtent = {16, 16, 1}};
      vk.CmdCopyImageToBuffer(c, image_, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, MakeBuffer(1024), 1, &region);
    });
    for (VkCommandBuffer c : {clear, change_, read}) Submit(Queue(), {c});
  }
  json Addition(const char* member, const char* bits) const {
    return {
        {"action", "add"},
        {"structure", "VkImageMemoryBarrier2"},
        {member, bits},
        {"place", "pDependencyInfo.pImageMemoryBarriers[0] of command 1, vkCmdPipelineBarrier2(), of VkCommandBuffer " +
                      Handle(reinterpret_cast<uint64_t>(change_))}};
  }
  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, VkPipelineStageFlags2 stages) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, 0, stages, 0};
  }
  // Copies on one queue and then on another.
  void CopyTwice(VkPipelineStageFlags2 signal_stages, VkPipelineStageFlags2 wait_stages) {
    Buffer staging = MakeBuffer(64), vertices = MakeBuffer(64);
    VkSemaphore semaphore = MakeSemaphore();
    VkCommandBuffer upload = Record([&](VkCommandBuffer c) { Copy(c, staging, vertices); });
    VkCommandBuffer reader = Record([&](VkCommandBuffer c) { Copy(c, vertices, MakeBuffer(64)); });
    Submit(Queue(0), {upload}, {.signals = {At(semaphore, signal_stages)}});
    Submit(Queue(0, 1), {reader}, {.waits = {At(semaphore, wait_stages)}});
  }

  Image image_;
  VkCommandBuffer change_ = VK_NULL_HANDLE;
};

TEST_F(SyncPropertiesOfSubmissions, TransitionLacksNothing) { ClearChangeRead({kClear, kWrite, kCopy, kRead}); }
TEST_F(SyncPropertiesOfSubmissions, TransitionLacksABitOfItsFirstScope) {
  ClearChangeRead({kClear, 0, kCopy, kRead});
  EXPECT_EQ(Properties(kWriteAfterWrite)["fix"], Addition("srcAccessMask", "VK_ACCESS_2_TRANSFER_WRITE_BIT"));
}
TEST_F(SyncPropertiesOfSubmissions, TransitionLacksItsSecondScope) {
  ClearChangeRead({kClear, kWrite, 0, 0});
  json expected = Addition("dstStageMask", "VK_PIPELINE_STAGE_2_COPY_BIT");
  expected["dstAccessMask"] = "VK_ACCESS_2_TRANSFER_READ_BIT";
  EXPECT_EQ(Properties()["fix"], expected);
}
TEST_F(SyncPropertiesOfSubmissions, SemaphoreLacksStages) {
  CopyTwice(kCopy, kCopy);
  ExpectNothing();
  CopyTwice(kCompute, kCopy);
  const json fix = Properties()["fix"];
  EXPECT_EQ(fix["action"], "add");
  EXPECT_EQ(fix["structure"], "VkSemaphoreSubmitInfo");
  EXPECT_EQ(fix["stageMask"], "VK_PIPELINE_STAGE_2_COPY_BIT");
  EXPECT_EQ(fix["signal"],
            json({{"structure", "VkSemaphoreSubmitInfo"}, {"stageMask", "VK_PIPELINE_STAGE_2_COPY_BIT"}}));
}
// The set of an event in one command buffer, and the wait in the next.
TEST_F(SyncPropertiesOfSubmissions, EventIsSetTooEarly) {
  const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO,
                                  .flags = VK_EVENT_CREATE_DEVICE_ONLY_BIT};
  VkEvent event = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateEvent(device, &info, nullptr, &event), VK_SUCCESS);
  const VkImageMemoryBarrier2 barrier = ImageBarrier({kClear, kWrite, kCopy, kRead}, image_, image_.Range(),
                                                     VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  const VkDependencyInfo dependency = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           vk.CmdSetEvent2(c, event, &dependency);
           Clear(c, image_, image_.Range());
         })});
  VkCommandBuffer wait = Record([&](VkCommandBuffer c) { vk.CmdWaitEvents2(c, 1, &event, &dependency); });
  Submit(Queue(), {wait});
  const json all = Properties(kWriteAfterWrite);
  EXPECT_EQ(all["fix"], json({{"action", "set_event_later"},
                              {"place", "command 1, vkCmdWaitEvents2(), of VkCommandBuffer " +
                                            Handle(reinterpret_cast<uint64_t>(wait))}}));
  vk.DeviceWaitIdle(device);
  vk.DestroyEvent(device, event, nullptr);
}

TEST_F(SyncProperties, Queues) {
  Buffer staging = MakeBuffer(64), vertices = MakeBuffer(64);
  VkCommandBuffer upload = Record([&](VkCommandBuffer c) { Copy(c, staging, vertices); }, 2);
  VkCommandBuffer reader = Record([&](VkCommandBuffer c) { Copy(c, vertices, MakeBuffer(64)); });
  Submit(Queue(2), {upload});
  Submit(Queue(), {reader});
  const json fix = Properties("SYNC-HAZARD-READ-RACING-WRITE")["fix"];
  EXPECT_EQ(fix["action"], "signal_and_wait");
  EXPECT_EQ(fix["structure"], "VkSemaphoreSubmitInfo");
  EXPECT_EQ(fix["stageMask"], "VK_PIPELINE_STAGE_2_COPY_BIT");
}

TEST_F(SyncProperties, ExecutedSecondary) {
  Buffer data = MakeBuffer(64);
  VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                    .pInheritanceInfo = &inheritance};
  vk.BeginCommandBuffer(secondary, &begin);
  Copy(secondary, data, MakeBuffer(64));
  End(secondary);
  VkCommandBuffer c = Begun();
  Fill(c, data);
  vk.CmdExecuteCommands(c, 1, &secondary);
  const json all = Properties();
  EXPECT_EQ(all["access"]["command_buffer"]["handle"], Handle(reinterpret_cast<uint64_t>(secondary)));
  EXPECT_EQ(all["access"]["executed_by"]["command"], "vkCmdExecuteCommands");
  EXPECT_EQ(all["access"]["executed_by"]["position"], 2);
  EXPECT_FALSE(all["prior_access"].contains("executed_by"));
}

}  // namespace
}  // namespace assay::syncval
