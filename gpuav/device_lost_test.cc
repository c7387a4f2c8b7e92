// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What is reported of a lost device, and what command buffers mark, over the mock driver.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gpuav/watched_test.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "testing/fixture.h"
#include "vk/commands.h"

namespace assay::gpuav {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kLost[] = "ASSAY-gpuav-device-lost";
constexpr char kStorageBounds[] = "VUID-vkCmdDispatch-storageBuffers-06936";

class UnmarkedTest : public WatchedTest {};

TEST_F(UnmarkedTest, LostWithoutMarkers) {
  const VkPipeline pipeline = MakePipeline();
  const VkCommandBuffer first = RecordTwo(pipeline, "first");
  const VkCommandBuffer second = RecordTwo(pipeline, "second");
  EXPECT_THAT(marks_[first], Not(Contains(Field(&Mark::command, "top"))));
  EXPECT_THAT(extensions_, Not(Contains("VK_AMD_buffer_marker")));
  driver().config().hold_work = true;
  EXPECT_EQ(Submit(Queue(), {first, second}), VK_SUCCESS);
  WriteFault(first, 1);
  driver().FailNext<vk::QueueWaitIdle>(VK_ERROR_DEVICE_LOST, 2);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_ERROR_DEVICE_LOST);
  EXPECT_THAT(ExpectMessage(kStorageBounds).text, HasSubstr(" The device is lost."));
  const std::string text = ExpectMessage(kLost).text;
  EXPECT_THAT(text, HasSubstr("vkQueueWaitIdle(): The device is lost. One submission with instrumented shaders was "
                              "pending. On VkQueue "));
  EXPECT_THAT(text, HasSubstr("[first] had begun and not ended."));
  EXPECT_THAT(text, HasSubstr("[second] was pending; how far it came is not known."));
  EXPECT_THAT(text, HasSubstr("gpuav_markers = true"));
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_ERROR_DEVICE_LOST);
  ExpectNothing();
}

class DeviceLostTest : public WatchedTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = WatchedTest::Options();
    options.settings.emplace_back("gpuav_markers", true);
    return options;
  }
  void SetMarks(VkCommandBuffer commands, uint32_t begun, uint32_t ended) {
    *WordsAt(begun_.at(commands)) = begun;
    *WordsAt(ended_.at(commands)) = ended;
  }
  // The marker that a recording left in this place.
  uint64_t MarkAt(VkCommandBuffer commands, size_t index) { return marks_.at(commands).at(index).value; }
  void Render(VkCommandBuffer commands, VkRenderingFlags flags) {
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .flags = flags, .renderArea = {{0, 0}, {4, 4}}, .layerCount = 1};
    vk.CmdBeginRendering(commands, &info);
    vk.CmdEndRendering(commands);
  }
  std::string CommandsOf(VkCommandBuffer commands) {
    std::string names;
    for (const Mark& mark : marks_.at(commands)) names += mark.command + ' ';
    return names;
  }
};

TEST_F(DeviceLostTest, HangHasAName) {
  EXPECT_THAT(extensions_, Contains("VK_AMD_buffer_marker"));
  const VkPipeline pipeline = MakePipeline();
  SetName(VK_OBJECT_TYPE_PIPELINE, pipeline, "writer");
  SetName(VK_OBJECT_TYPE_QUEUE, Queue(), "main");
  const VkCommandBuffer before = RecordTwo(pipeline, "before");
  const VkCommandBuffer frame = RecordTwo(pipeline, "frame");
  const VkCommandBuffer late = RecordTwo(pipeline, "late");
  EXPECT_EQ(CommandsOf(frame), "bottom top dispatch bottom top dispatch bottom ");
  driver().config().hold_work = true;
  const VkFence fence = MakeFence();
  EXPECT_EQ(Submit(Queue(), {before, frame}, {.fence = fence}), VK_SUCCESS);
  EXPECT_EQ(Submit(Queue(), {late}), VK_SUCCESS);
  SetMarks(before, 2, 3);
  SetMarks(frame, 2, 2);
  WriteFault(frame, 1);
  driver().FailNext<vk::WaitForFences>(VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), VK_ERROR_DEVICE_LOST);
  EXPECT_THAT(ExpectMessage(kStorageBounds).text, HasSubstr(" The device is lost."));
  const test::Message message = ExpectMessage(kLost);
  EXPECT_EQ(message.severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
  EXPECT_THAT(message.text, HasSubstr("vkWaitForFences(): The device is lost. 2 submissions with marked command "
                                      "buffers were pending. On VkQueue "));
  EXPECT_THAT(message.text, HasSubstr("[main]: VkCommandBuffer "));
  EXPECT_THAT(message.text, HasSubstr("[before] had ended. VkCommandBuffer "));
  EXPECT_THAT(message.text, HasSubstr("[frame] had begun and not ended. 1 of its 2 actions had ended; these had begun "
                                      "and not ended: vkCmdDispatch(), recorded as command 5, with VkPipeline "));
  EXPECT_THAT(message.text, HasSubstr("[writer], labels: lights. On VkQueue "));
  EXPECT_THAT(message.text, HasSubstr("[late] had not begun."));
  EXPECT_THAT(message.text, Not(HasSubstr("gpuav_markers")));
  ASSERT_EQ(message.objects.size(), 5u);
  EXPECT_EQ(message.objects[0].name, "main");
  EXPECT_EQ(message.objects[3].name, "writer");
}

TEST_F(DeviceLostTest, IsSaidOnceAndNothingIsLeft) {
  const VkPipeline pipeline = MakePipeline();
  const VkCommandBuffer frame = RecordTwo(pipeline, "frame");
  driver().config().hold_work = true;
  const VkFence fence = MakeFence();
  EXPECT_EQ(Submit(Queue(), {frame}, {.fence = fence}), VK_SUCCESS);
  for (const vk::CommandId id : {vk::CommandId::kGetFenceStatus, vk::CommandId::kQueueSubmit2,
                                 vk::CommandId::kQueueSubmit, vk::CommandId::kDeviceWaitIdle}) {
    driver().FailNext(id, VK_ERROR_DEVICE_LOST, 1000);
  }
  EXPECT_EQ(vk.GetFenceStatus(device, fence), VK_ERROR_DEVICE_LOST);
  ExpectMessage(kLost);
  EXPECT_EQ(vk.GetFenceStatus(device, fence), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(Submit(Queue(), {RecordTwo(pipeline, "next")}), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.DeviceWaitIdle(device), VK_ERROR_DEVICE_LOST);
  ExpectNothing();
  Destroy();
  for (const VkObjectType type :
       {VK_OBJECT_TYPE_BUFFER, VK_OBJECT_TYPE_DEVICE_MEMORY, VK_OBJECT_TYPE_FENCE, VK_OBJECT_TYPE_DESCRIPTOR_POOL,
        VK_OBJECT_TYPE_COMMAND_POOL, VK_OBJECT_TYPE_PIPELINE_LAYOUT}) {
    EXPECT_EQ(driver().LiveObjects(type), 0u) << type;
  }
}

TEST_F(DeviceLostTest, SubmissionFindsIt) {
  const VkPipeline pipeline = MakePipeline();
  const VkCommandBuffer frame = RecordTwo(pipeline, "frame");
  driver().config().hold_work = true;
  EXPECT_EQ(Submit(Queue(), {frame}), VK_SUCCESS);
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(Submit(Queue(), {RecordTwo(pipeline, "next")}), VK_ERROR_DEVICE_LOST);
  const std::string text = ExpectMessage(kLost).text;
  EXPECT_THAT(
      text, HasSubstr("vkQueueSubmit2(): The device is lost. One submission with marked command buffers was pending."));
  EXPECT_THAT(text, HasSubstr("[frame] had not begun."));
  EXPECT_THAT(text, Not(HasSubstr("[next]")));
}

TEST_F(DeviceLostTest, OurOwnSubmissionFindsIt) {
  const VkCommandBuffer frame = RecordTwo(MakePipeline(), "frame");
  driver().config().hold_work = true;
  driver().FailNext<vk::QueueSubmit>(VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(Submit(Queue(), {frame}), VK_SUCCESS);
  EXPECT_THAT(ExpectMessage(kLost).text, HasSubstr("[frame] had not begun."));
}

TEST_F(DeviceLostTest, OtherCommandsFindIt) {
  driver().FailNext<vk::GetEventStatus>(VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.GetEventStatus(device, MakeEvent()), VK_ERROR_DEVICE_LOST);
  EXPECT_THAT(
      ExpectMessage(kLost).text,
      HasSubstr("vkGetEventStatus(): The device is lost. No submission with marked command buffers was pending."));
}

TEST_F(DeviceLostTest, MarkersBeginAnewWithEachExecution) {
  const VkCommandBuffer frame = RecordTwo(MakePipeline(), "frame");
  EXPECT_EQ(Submit(Queue(), {frame}), VK_SUCCESS);
  SetMarks(frame, 2, 3);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
  driver().config().hold_work = true;
  EXPECT_EQ(Submit(Queue(), {frame}), VK_SUCCESS);
  driver().FailNext<vk::QueueWaitIdle>(VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_ERROR_DEVICE_LOST);
  EXPECT_THAT(ExpectMessage(kLost).text, HasSubstr("[frame] had not begun."));
}

TEST_F(DeviceLostTest, WithoutInstrumentedShaders) {
  const test::Buffer buffer = MakeBuffer(64);
  const VkCommandBuffer copies =
      Record([&](VkCommandBuffer commands) { vk.CmdFillBuffer(commands, buffer, 0, 64, 0); });
  SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, copies, "copies");
  EXPECT_EQ(CommandsOf(copies), "bottom top fill bottom ");
  driver().config().hold_work = true;
  EXPECT_EQ(Submit(Queue(), {copies}), VK_SUCCESS);
  SetMarks(copies, 1, 1);
  driver().FailNext<vk::QueueWaitIdle>(VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_ERROR_DEVICE_LOST);
  EXPECT_THAT(ExpectMessage(kLost).text,
              HasSubstr("[copies] had begun and not ended. 0 of its 1 action had ended; these had begun and not ended: "
                        "vkCmdFillBuffer(), recorded as command 1."));
}

TEST_F(DeviceLostTest, SuspendedRenderingHasNoEnd) {
  const test::Buffer buffer = MakeBuffer(64);
  const VkCommandBuffer suspended = Record([&](VkCommandBuffer commands) {
    vk.CmdFillBuffer(commands, buffer, 0, 64, 0);
    Render(commands, VK_RENDERING_SUSPENDING_BIT);
  });
  const VkCommandBuffer resumed =
      Record([&](VkCommandBuffer commands) { Render(commands, VK_RENDERING_RESUMING_BIT); });
  SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, suspended, "suspended");
  EXPECT_EQ(CommandsOf(suspended), "bottom top fill ");
  EXPECT_EQ(CommandsOf(resumed), "bottom ");
  driver().config().hold_work = true;
  EXPECT_EQ(Submit(Queue(), {suspended, resumed}), VK_SUCCESS);
  SetMarks(suspended, 1, 1);
  driver().FailNext<vk::QueueWaitIdle>(VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_ERROR_DEVICE_LOST);
  EXPECT_THAT(ExpectMessage(kLost).text, HasSubstr("[suspended] had begun. 0 of its 1 action had ended;"));
}

TEST_F(DeviceLostTest, SecondaryMaySuspendRendering) {
  const VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .pInheritanceInfo = &inheritance};
  EXPECT_EQ(vk.BeginCommandBuffer(secondary, &begin), VK_SUCCESS);
  Render(secondary, VK_RENDERING_SUSPENDING_BIT);
  EXPECT_EQ(vk.EndCommandBuffer(secondary), VK_SUCCESS);
  const VkCommandBuffer primary =
      Record([&](VkCommandBuffer commands) { vk.CmdExecuteCommands(commands, 1, &secondary); });
  EXPECT_EQ(marks_.count(secondary), 0u);
  EXPECT_EQ(marks_.count(primary), 0u);
}

class LostPropertiesTest : public DeviceLostTest {
  test::DeviceOptions Options() override {
    test::DeviceOptions options = DeviceLostTest::Options();
    options.settings.emplace_back("message_format_json", true);
    return options;
  }
};

TEST_F(LostPropertiesTest, NameWhatRuns) {
  const VkPipeline pipeline = MakePipeline();
  SetName(VK_OBJECT_TYPE_PIPELINE, pipeline, "writer");
  const VkCommandBuffer frame = RecordTwo(pipeline, "frame");
  driver().config().hold_work = true;
  EXPECT_EQ(Submit(Queue(), {frame}), VK_SUCCESS);
  SetMarks(frame, 2, 2);
  driver().FailNext<vk::QueueWaitIdle>(VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_ERROR_DEVICE_LOST);
  const json submission = json::parse(ExpectMessage(kLost).text)["properties"]["submissions"].at(0);
  EXPECT_EQ(submission["queue"]["type"], "VkQueue");
  const json executed = submission["command_buffers"].at(0);
  EXPECT_EQ(executed["command_buffer"]["name"], "frame");
  EXPECT_EQ(executed["state"], "begun");
  EXPECT_EQ(executed["actions"], 2);
  EXPECT_EQ(executed["ended_actions"], 1);
  const json running = executed["running"].at(0);
  EXPECT_EQ(running["command"], "vkCmdDispatch");
  EXPECT_EQ(running["position"], 5);
  EXPECT_EQ(running["pipeline"]["name"], "writer");
  EXPECT_EQ(running["labels"], json({"lights"}));
}

class CheckpointsTest : public DeviceLostTest {
 protected:
  void SetUp() override {
    driver().config().disabled_extensions.insert("VK_AMD_buffer_marker");
    DeviceLostTest::SetUp();
  }
  void SetCheckpoints(uint64_t top, uint64_t bottom) {
    const auto checkpoint = [](VkPipelineStageFlagBits stage, uint64_t marker) {
      return VkCheckpointDataNV{.sType = VK_STRUCTURE_TYPE_CHECKPOINT_DATA_NV,
                                .stage = stage,
                                .pCheckpointMarker = reinterpret_cast<void*>(marker)};
    };
    driver().config().checkpoints = {checkpoint(VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, top),
                                     checkpoint(VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, bottom)};
  }
  // The message when the device is lost with these pending.
  std::string Lose(const std::vector<VkCommandBuffer>& command_buffers) {
    driver().config().hold_work = true;
    EXPECT_EQ(Submit(Queue(), command_buffers), VK_SUCCESS);
    driver().FailNext<vk::QueueWaitIdle>(VK_ERROR_DEVICE_LOST);
    EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_ERROR_DEVICE_LOST);
    return ExpectMessage(kLost).text;
  }
};

TEST_F(CheckpointsTest, HangHasAName) {
  EXPECT_THAT(extensions_, Contains("VK_NV_device_diagnostic_checkpoints"));
  const VkPipeline pipeline = MakePipeline();
  const VkCommandBuffer before = RecordTwo(pipeline, "before");
  const VkCommandBuffer frame = RecordTwo(pipeline, "frame");
  const VkCommandBuffer late = RecordTwo(pipeline, "late");
  EXPECT_EQ(CommandsOf(frame), "checkpoint dispatch checkpoint dispatch checkpoint ");
  // The second action of the frame is begun, the first is not ended.
  SetCheckpoints(MarkAt(frame, 2), MarkAt(frame, 0));
  const std::string text = Lose({before, frame, late});
  EXPECT_THAT(text, HasSubstr("[before] had ended."));
  EXPECT_THAT(text, HasSubstr("[frame] had begun and not ended. 0 of its 2 actions had ended; these had begun and not "
                              "ended: vkCmdDispatch(), recorded as command 3, with VkPipeline "));
  EXPECT_THAT(text, HasSubstr("; vkCmdDispatch(), recorded as command 5, with VkPipeline "));
  EXPECT_THAT(text, HasSubstr("[late] had not begun."));
}

TEST_F(CheckpointsTest, SecondaryHangs) {
  const VkPipeline pipeline = MakePipeline();
  const VkDescriptorSet set = MakeWrittenSet();
  const VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .pInheritanceInfo = &inheritance};
  EXPECT_EQ(vk.BeginCommandBuffer(secondary, &begin), VK_SUCCESS);
  vk.CmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vk.CmdBindDescriptorSets(secondary, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set, 0, nullptr);
  vk.CmdDispatch(secondary, 1, 1, 1);
  EXPECT_EQ(vk.EndCommandBuffer(secondary), VK_SUCCESS);
  const VkCommandBuffer primary =
      Record([&](VkCommandBuffer commands) { vk.CmdExecuteCommands(commands, 1, &secondary); });
  SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, secondary, "secondary");
  SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, primary, "primary");
  SetCheckpoints(MarkAt(secondary, 0), MarkAt(secondary, 0));
  const std::string text = Lose({primary});
  EXPECT_THAT(text, HasSubstr("[primary] had begun and not ended. VkCommandBuffer "));
  EXPECT_THAT(text, HasSubstr("[secondary] had begun and not ended. 0 of its 1 action had ended; these had begun and "
                              "not ended: vkCmdDispatch(), recorded as command 3, with "));
}

TEST_F(CheckpointsTest, DriverThatKnowsNothing) {
  EXPECT_THAT(Lose({RecordTwo(MakePipeline(), "frame")}),
              HasSubstr("[frame] was pending; how far it came is not known."));
}

class FillsTest : public DeviceLostTest {
 protected:
  void SetUp() override {
    driver().config().disabled_extensions.insert("VK_AMD_buffer_marker");
    driver().config().disabled_extensions.insert("VK_NV_device_diagnostic_checkpoints");
    DeviceLostTest::SetUp();
  }
  void SetFills(VkCommandBuffer commands, uint32_t begun, uint32_t ended) {
    *WordsAt(fills_.at(commands).front()) = begun;
    *WordsAt(fills_.at(commands).back()) = ended;
  }
};

TEST_F(FillsTest, BeforeTheFirstActionAndAtTheEnd) {
  EXPECT_EQ(CommandsOf(RecordTwo(MakePipeline(), "frame")), "fill dispatch dispatch barrier fill ");
  const auto commands_of = [&](VkRenderingFlags flags) {
    return CommandsOf(Record([&](VkCommandBuffer commands) { Render(commands, flags); }));
  };
  EXPECT_EQ(commands_of(0), "fill barrier fill ");
  EXPECT_EQ(commands_of(VK_RENDERING_RESUMING_BIT), "barrier fill ");
  EXPECT_EQ(commands_of(VK_RENDERING_SUSPENDING_BIT), "fill ");
}

TEST_F(FillsTest, TellBegunFromEnded) {
  const VkPipeline pipeline = MakePipeline();
  std::vector<VkCommandBuffer> commands;
  for (const char* name : {"before", "frame", "late"}) commands.push_back(RecordTwo(pipeline, name));
  driver().config().hold_work = true;
  EXPECT_EQ(Submit(Queue(), commands), VK_SUCCESS);
  SetFills(commands[0], 1, 1);
  SetFills(commands[1], 1, 0);
  driver().FailNext<vk::QueueWaitIdle>(VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_ERROR_DEVICE_LOST);
  const std::string text = ExpectMessage(kLost).text;
  EXPECT_THAT(text, HasSubstr("[before] had ended."));
  EXPECT_THAT(text, HasSubstr("[frame] had begun and not ended. VkCommandBuffer "));
  EXPECT_THAT(text, HasSubstr("[late] had not begun."));
}

TEST_F(FillsTest, NoneInsideOfARenderPass) {
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  const VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  const VkCommandBufferInheritanceRenderingInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
      .colorAttachmentCount = 1,
      .pColorAttachmentFormats = &format,
      .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                      .pNext = &rendering};
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                          .pInheritanceInfo = &inheritance};
  EXPECT_EQ(vk.BeginCommandBuffer(secondary, &begin), VK_SUCCESS);
  EXPECT_EQ(vk.EndCommandBuffer(secondary), VK_SUCCESS);
  EXPECT_EQ(marks_.count(secondary), 0u);
}

}  // namespace
}  // namespace assay::gpuav
