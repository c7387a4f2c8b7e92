// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The trace of programs, through the whole layer.

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "syncval/fixture/sync_test.h"
#include "syncval/trace/log/log_reader.h"
#include "syncval/trace/output/trace_event_format.h"
#include "syncval/trace/output/write_trace.h"

namespace assay::syncval::trace {
namespace {

using Json = nlohmann::json;

class TracerTest : public SyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncTest::Options();
    path_ = std::string(std::getenv("TEST_TMPDIR")) + "/" +
            testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
    path_pointer_ = path_.c_str();
    options.other_settings.push_back(
        {options.layer_name, "syncval_trace_file", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &path_pointer_});
    return options;
  }

  static std::string TextOf(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  // Of this test.
  std::vector<std::string> Logs() const {
    const std::filesystem::path path(path_);
    std::vector<std::string> logs;
    for (const auto& entry : std::filesystem::directory_iterator(path.parent_path())) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(path.stem().string() + ".") && name.ends_with(".log")) logs.push_back(entry.path().string());
    }
    return logs;
  }

  // What the layer wrote as the device was destroyed.
  Json Trace() {
    Destroy();
    return Read();
  }
  Json Read() {
    std::ifstream file(path_);
    std::stringstream text;
    text << file.rdbuf();
    const Json trace = Json::parse(text.str());
    EXPECT_EQ(FormatErrors(trace), std::vector<std::string>());
    return trace["traceEvents"];
  }
  static std::vector<Json> Find(const Json& events, const std::string& category) {
    std::vector<Json> found;
    for (const Json& event : events) {
      if (event.value("cat", "") == category) found.push_back(event);
    }
    return found;
  }

  std::string path_;
  const char* path_pointer_ = nullptr;
};

TEST_F(TracerTest, CommandsWithAccessesAndBarriers) {
  test::Buffer a = MakeBuffer(64), b = MakeBuffer(64), c = MakeBuffer(64);
  SetName(VK_OBJECT_TYPE_BUFFER, b.handle, "middle");
  VkCommandBuffer commands = Record([&](VkCommandBuffer c_) {
    Copy(c_, a, b);
    Barrier(c_, {kCopy, kWrite, kCopy, kRead});
    Copy(c_, b, c);
  });
  EXPECT_EQ(Submit(Queue(), {commands}), VK_SUCCESS);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
  const Json trace = Trace();
  const std::vector<Json> found = Find(trace, "command");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0]["name"], "vkCmdCopyBuffer");
  EXPECT_EQ(found[0]["args"]["command"], 1);
  EXPECT_NE(found[0]["args"]["access 1"].get<std::string>().find("writes bytes 0 to 63 of VkBuffer"),
            std::string::npos);
  EXPECT_NE(found[2]["args"]["access 0"].get<std::string>().find("[middle]"), std::string::npos);
  EXPECT_NE(found[1]["args"]["barrier 0"].get<std::string>().find("VK_PIPELINE_STAGE_2_COPY_BIT"), std::string::npos);
  EXPECT_EQ(Find(trace, "barrier").size(), 4u);
  EXPECT_EQ(Find(trace, "submission").size(), 1u);
}

// Dependencies of a render pass are barriers of the commands that begin and end its subpasses.
TEST_F(TracerTest, SubpassDependencies) {
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  const VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                               .format = VK_FORMAT_R8G8B8A8_UNORM,
                                               .samples = VK_SAMPLE_COUNT_1_BIT,
                                               .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                               .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                               .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                               .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
  const VkAttachmentReference2 reference = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                            .layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                            .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
  const VkSubpassDescription2 subpass = {
      .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .colorAttachmentCount = 1, .pColorAttachments = &reference};
  const VkSubpassDependency2 dependency = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
                                           .srcSubpass = 0,
                                           .dstSubpass = VK_SUBPASS_EXTERNAL,
                                           .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                           .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
                                           .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                           .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT};
  const VkRenderPass render_pass = MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                                   .attachmentCount = 1,
                                                   .pAttachments = &attachment,
                                                   .subpassCount = 1,
                                                   .pSubpasses = &subpass,
                                                   .dependencyCount = 1,
                                                   .pDependencies = &dependency});
  const VkFramebuffer framebuffer = MakeFramebuffer(render_pass, {MakeView(image)}, 16, 16);
  const test::Buffer a = MakeBuffer(64), b = MakeBuffer(64), target = MakeBuffer(1024);
  const VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    Copy(c, a, b);
    // Not needed: nothing reads the copy before it is overwritten.
    Barrier(c, {kCompute, kStorageWrite, kCompute, kStorageRead});
    const VkClearValue clear = {};
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = render_pass,
                                         .framebuffer = framebuffer,
                                         .renderArea = {{0, 0}, {16, 16}},
                                         .clearValueCount = 1,
                                         .pClearValues = &clear};
    vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vk.CmdEndRenderPass(c);
    const VkBufferImageCopy region = {.imageSubresource = image.Layers(), .imageExtent = {16, 16, 1}};
    vk.CmdCopyImageToBuffer(c, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, target, 1, &region);
  });
  EXPECT_EQ(Submit(Queue(), {commands}), VK_SUCCESS);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
  const Json trace = Trace();
  const std::vector<Json> found = Find(trace, "command");
  ASSERT_EQ(found.size(), 5u);
  const auto barrier = [&](size_t command) { return found[command]["args"].value("barrier 0", ""); };
  EXPECT_NE(barrier(2).find(".srcSubpass = VK_SUBPASS_EXTERNAL, .dstSubpass = 0"), std::string::npos) << barrier(2);
  EXPECT_NE(barrier(2).find("/* implicit */"), std::string::npos) << barrier(2);
  EXPECT_NE(barrier(3).find(".srcSubpass = 0, .dstSubpass = VK_SUBPASS_EXTERNAL"), std::string::npos) << barrier(3);
  EXPECT_EQ(barrier(3).find("implicit"), std::string::npos) << barrier(3);
  // An arrow to the end of the render pass and one from there to the copy: two ends each.
  EXPECT_GE(Find(trace, "barrier").size(), 4u);
  std::stringstream page;
  page << std::ifstream(path_.substr(0, path_.rfind('.')) + ".html").rdbuf();
  EXPECT_NE(page.str().find("\"unknownCommands\":0"), std::string::npos);
  EXPECT_NE(page.str().find("\"wider\":false,\"recording\":0,\"command\":1,"), std::string::npos);
}

TEST_F(TracerTest, Hazard) {
  test::Buffer a = MakeBuffer(64), b = MakeBuffer(64), c = MakeBuffer(64);
  VkCommandBuffer commands = Record([&](VkCommandBuffer c_) {
    Copy(c_, a, b);
    Copy(c_, b, c);
  });
  ExpectMessage(kReadAfterWrite);
  Submit(Queue(), {commands});
  vk.QueueWaitIdle(Queue());
  const std::vector<Json> hazards = Find(Trace(), "hazard");
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards[0]["name"], kReadAfterWrite);
  EXPECT_EQ(hazards[0]["ts"], 1);
  EXPECT_NE(hazards[0]["args"]["fix"].get<std::string>().find("VkMemoryBarrier2"), std::string::npos);
}

// Without a trace, validation takes the fast path for the second command, since it repeats the first.
TEST_F(TracerTest, AccessesOfRepeatedCommands) {
  const Compute compute = MakeStorageCompute({0}, {});
  test::Buffer a = MakeBuffer(64);
  WriteStorage(compute, 0, a);
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    Dispatch(c, compute);
    Dispatch(c, compute);
  });
  Submit(Queue(), {commands});
  vk.QueueWaitIdle(Queue());
  const std::vector<Json> found = Find(Trace(), "command");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0]["args"]["access 0"], found[1]["args"]["access 0"]);
}

TEST_F(TracerTest, LabelsAndSemaphores) {
  test::Buffer a = MakeBuffer(64);
  VkCommandBuffer first = Record([&](VkCommandBuffer c) {
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "clear it"};
    vk.CmdBeginDebugUtilsLabelEXT(c, &label);
    Fill(c, a);
    vk.CmdEndDebugUtilsLabelEXT(c);
  });
  VkCommandBuffer second = Record([&](VkCommandBuffer c) { Fill(c, MakeBuffer(64)); }, 1);
  const VkSemaphoreSubmitInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                           .semaphore = MakeSemaphore(),
                                           .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
  Submit(Queue(), {first}, {.signals = {semaphore}});
  Submit(Queue(1), {second}, {.waits = {semaphore}});
  vk.DeviceWaitIdle(device);
  const Json trace = Trace();
  const std::vector<Json> labels = Find(trace, "label");
  ASSERT_EQ(labels.size(), 1u);
  EXPECT_EQ(labels[0]["name"], "clear it");
  EXPECT_EQ(Find(trace, "semaphore").size(), 2u);
}

TEST_F(TracerTest, HazardBetweenSubmissions) {
  test::Buffer a = MakeBuffer(64);
  VkCommandBuffer first = Record([&](VkCommandBuffer c) { Fill(c, a); });
  VkCommandBuffer second = Record([&](VkCommandBuffer c) {
    Fill(c, MakeBuffer(64));
    Copy(c, a, MakeBuffer(64));
  });
  Submit(Queue(), {first});
  Submit(Queue(), {second});
  ExpectMessage(kReadAfterWrite);
  vk.QueueWaitIdle(Queue());
  const Json trace = Trace();
  const std::vector<Json> hazards = Find(trace, "hazard"), commands = Find(trace, "command");
  ASSERT_EQ(hazards.size(), 1u);
  ASSERT_EQ(commands.size(), 3u);
  EXPECT_EQ(commands[2]["name"], "vkCmdCopyBuffer");
  EXPECT_EQ(hazards[0]["ts"], commands[2]["ts"]);
}

// The accesses of a secondary are shown in its own recording alone.
TEST_F(TracerTest, Secondary) {
  test::Buffer a = MakeBuffer(64);
  VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  const VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                         .pInheritanceInfo = &inheritance};
  EXPECT_EQ(vk.BeginCommandBuffer(secondary, &info), VK_SUCCESS);
  Fill(secondary, a);
  End(secondary);
  VkCommandBuffer primary = Record([&](VkCommandBuffer c) {
    vk.CmdExecuteCommands(c, 1, &secondary);
    Fill(c, MakeBuffer(64));
  });
  Submit(Queue(), {primary});
  vk.QueueWaitIdle(Queue());
  const Json trace = Trace();
  const std::vector<Json> commands = Find(trace, "command");
  ASSERT_EQ(commands.size(), 3u);
  EXPECT_EQ(commands[0]["name"], "vkCmdExecuteCommands");
  EXPECT_EQ(commands[0]["dur"], 2);
  EXPECT_FALSE(commands[0]["args"].contains("access 0"));
  EXPECT_TRUE(commands[1]["args"].contains("access 0"));
  EXPECT_EQ(commands[2]["ts"], 2);
  EXPECT_EQ(Find(trace, "command buffer").size(), 2u);
}

// A device that is never destroyed has a trace too.
TEST_F(TracerTest, ProcessEnds) {
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) { Fill(c, MakeBuffer(64)); });
  EXPECT_EXIT(
      {
        Submit(Queue(), {commands});
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_EQ(Find(Read(), "command").size(), 1u);
}

// The log makes the files that the layer makes itself, byte for byte, and is there until it does.
TEST_F(TracerTest, LogMakesTheSameFiles) {
  test::Buffer a = MakeBuffer(64), b = MakeBuffer(64);
  EXPECT_EQ(Logs(), std::vector<std::string>());
  EXPECT_FALSE(std::filesystem::exists(path_));
  VkCommandBuffer first = Record([&](VkCommandBuffer c) {
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "copies"};
    vk.CmdBeginDebugUtilsLabelEXT(c, &label);
    Copy(c, a, b);
    Barrier(c, {kCopy, kWrite, kCopy, kRead});
    Copy(c, b, MakeBuffer(64));
    vk.CmdEndDebugUtilsLabelEXT(c);
  });
  VkCommandBuffer second = Record([&](VkCommandBuffer c) { Fill(c, a); }, 1);
  Submit(Queue(), {first});
  Submit(Queue(1), {second});
  ExpectMessage("SYNC-HAZARD-WRITE-RACING-READ");
  vk.DeviceWaitIdle(device);
  const std::vector<std::string> logs = Logs();
  ASSERT_EQ(logs.size(), 1u);
  const LogContents contents = ReadLog(TextOf(logs[0]));
  EXPECT_EQ(contents.state, LogState::kWhole);
  const std::string rendered = path_ + ".rendered.json";
  EXPECT_TRUE(WriteTrace(contents.run.timelines(), rendered));
  Destroy();
  EXPECT_TRUE(TextOf(rendered) == TextOf(path_));
  EXPECT_TRUE(TextOf(PagePathOf(rendered)) == TextOf(PagePathOf(path_)));
  EXPECT_EQ(Logs(), std::vector<std::string>());
}

// A process that is killed writes no files, but has written its log.
TEST_F(TracerTest, ProcessIsKilled) {
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) { Fill(c, MakeBuffer(64)); });
  EXPECT_EXIT(
      {
        Submit(Queue(), {commands});
        std::raise(SIGKILL);
      },
      testing::KilledBySignal(SIGKILL), "");
  EXPECT_FALSE(std::filesystem::exists(path_));
  const std::vector<std::string> logs = Logs();
  ASSERT_EQ(logs.size(), 1u);
  EXPECT_TRUE(WriteTrace(ReadLog(TextOf(logs[0])).run.timelines(), path_));
  EXPECT_EQ(Find(Read(), "command").size(), 1u);
}

// A skipped call is in no trace, and its pending hazards do not go to the next.
TEST_F(TracerTest, SkippedCommand) {
  test::Buffer a = MakeBuffer(64);
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    Fill(c, a);
    messages.set_callback_result(VK_TRUE);
    Fill(c, a);
    messages.set_callback_result(VK_FALSE);
    Fill(c, MakeBuffer(64));
  });
  ExpectMessage(kWriteAfterWrite);
  Submit(Queue(), {commands});
  vk.QueueWaitIdle(Queue());
  const Json trace = Trace();
  EXPECT_EQ(Find(trace, "command").size(), 2u);
  EXPECT_TRUE(Find(trace, "hazard").empty());
}

}  // namespace
}  // namespace assay::syncval::trace
