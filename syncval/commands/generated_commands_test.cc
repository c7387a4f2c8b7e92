// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The preprocessing of device-generated commands: its input, its output, and where the output is executed.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;

constexpr VkPipelineStageFlags2 kPreprocess = VK_PIPELINE_STAGE_2_COMMAND_PREPROCESS_BIT_EXT;
constexpr VkAccessFlags2 kPreprocessRead = VK_ACCESS_2_COMMAND_PREPROCESS_READ_BIT_EXT;
constexpr VkAccessFlags2 kPreprocessWrite = VK_ACCESS_2_COMMAND_PREPROCESS_WRITE_BIT_EXT;
constexpr Masks kPreprocessToExecute = {kPreprocess, kPreprocessWrite, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                                        VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT};

class SyncGeneratedCommands : public SyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncTest::Options();
    options.device_extensions = {VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    SyncTest::SetUp();
    for (Buffer* buffer : {&sequences_, &count_, &output_}) *buffer = MakeBuffer(256);
  }
  VkDeviceAddress AddressOf(VkBuffer buffer) {
    VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
    return vk.GetBufferDeviceAddress(device, &info);
  }
  VkGeneratedCommandsInfoEXT Info() {
    return {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
            .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
            .indirectAddress = AddressOf(sequences_),
            .indirectAddressSize = 256,
            .preprocessAddress = AddressOf(output_),
            .preprocessSize = 256,
            .maxSequenceCount = 8,
            .sequenceCountAddress = AddressOf(count_)};
  }
  void Preprocess(VkCommandBuffer c) {
    const VkGeneratedCommandsInfoEXT info = Info();
    vk.CmdPreprocessGeneratedCommandsEXT(c, &info, c);
  }
  void Execute(VkCommandBuffer c, VkBool32 is_preprocessed) {
    const VkGeneratedCommandsInfoEXT info = Info();
    vk.CmdExecuteGeneratedCommandsEXT(c, is_preprocessed, &info);
  }
  Buffer sequences_, count_, output_;
};
class NegativeSyncGeneratedCommands : public SyncGeneratedCommands {};
class PositiveSyncGeneratedCommands : public SyncGeneratedCommands {};

TEST_F(NegativeSyncGeneratedCommands, OutputTwice) {
  VkCommandBuffer c = Begun();
  Preprocess(c);
  Preprocess(c);
  const Masks fix = ParseFix(ExpectMessage(kWriteAfterWrite).text);
  EXPECT_EQ(fix.src_stages, kPreprocess);
  EXPECT_EQ(fix.src_access, kPreprocessWrite);
}
TEST_F(NegativeSyncGeneratedCommands, InputIsWritten) {
  VkCommandBuffer c = Begun();
  Fill(c, sequences_);
  Preprocess(c);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(NegativeSyncGeneratedCommands, CountIsWritten) {
  VkCommandBuffer c = Begun();
  Fill(c, count_);
  Preprocess(c);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(NegativeSyncGeneratedCommands, ExecutedWithoutABarrier) {
  VkCommandBuffer c = Begun();
  Preprocess(c);
  Execute(c, VK_TRUE);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncGeneratedCommands, InOrder) {
  VkCommandBuffer c = Begun();
  Fill(c, sequences_);
  Fill(c, count_);
  Barrier(c, {kClear, kWrite, kPreprocess, kPreprocessRead});
  Preprocess(c);
  Barrier(c, kPreprocessToExecute);
  Execute(c, VK_TRUE);
}
// Some of the sequences are not read.
TEST_F(PositiveSyncGeneratedCommands, APartOfTheInputIsWritten) {
  VkCommandBuffer c = Begun();
  Fill(c, sequences_, 128, 64);
  Preprocess(c);
}
// The execution preprocesses by itself.
TEST_F(PositiveSyncGeneratedCommands, NotPreprocessed) {
  VkCommandBuffer c = Begun();
  Preprocess(c);
  Execute(c, VK_FALSE);
}

// VK_NV_device_generated_commands.
class SyncGeneratedCommandsNV : public SyncGeneratedCommands {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncGeneratedCommands::Options();
    options.device_extensions = {VK_NV_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    SyncGeneratedCommands::SetUp();
    indices_ = MakeBuffer(256);
  }
  void PreprocessNV(VkCommandBuffer c, uint32_t streams = 1) {
    const VkGeneratedCommandsInfoNV info = InfoNV(streams);
    vk.CmdPreprocessGeneratedCommandsNV(c, &info);
  }
  void ExecuteNV(VkCommandBuffer c, VkBool32 is_preprocessed) {
    const VkGeneratedCommandsInfoNV info = InfoNV(1);
    vk.CmdExecuteGeneratedCommandsNV(c, is_preprocessed, &info);
  }
  Buffer indices_;

 private:
  VkGeneratedCommandsInfoNV InfoNV(uint32_t streams) {
    for (VkIndirectCommandsStreamNV& stream : streams_) stream = {sequences_, 0};
    return {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_NV,
            .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
            .streamCount = streams,
            .pStreams = streams_,
            .sequencesCount = 8,
            .preprocessBuffer = output_,
            .preprocessSize = 256,
            .sequencesCountBuffer = count_,
            .sequencesIndexBuffer = indices_};
  }
  VkIndirectCommandsStreamNV streams_[2] = {};
};
class NegativeSyncGeneratedCommandsNV : public SyncGeneratedCommandsNV {};
class PositiveSyncGeneratedCommandsNV : public SyncGeneratedCommandsNV {};

TEST_F(NegativeSyncGeneratedCommandsNV, OutputTwice) {
  VkCommandBuffer c = Begun();
  PreprocessNV(c);
  PreprocessNV(c);
  const Masks fix = ParseFix(ExpectMessage(kWriteAfterWrite).text);
  EXPECT_EQ(fix.src_stages, kPreprocess);
  EXPECT_EQ(fix.src_access, kPreprocessWrite);
}
TEST_F(NegativeSyncGeneratedCommandsNV, InputIsWritten) {
  for (const Buffer& buffer : {sequences_, count_, indices_}) {
    VkCommandBuffer c = Begun();
    Fill(c, buffer);
    PreprocessNV(c);
    ExpectMessage(kReadAfterWrite);
  }
}
TEST_F(NegativeSyncGeneratedCommandsNV, ExecutedWithoutABarrier) {
  VkCommandBuffer c = Begun();
  PreprocessNV(c);
  ExecuteNV(c, VK_TRUE);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncGeneratedCommandsNV, InOrder) {
  VkCommandBuffer c = Begun();
  for (const Buffer& buffer : {sequences_, count_, indices_}) Fill(c, buffer);
  Barrier(c, {kClear, kWrite, kPreprocess, kPreprocessRead});
  PreprocessNV(c);
  Barrier(c, kPreprocessToExecute);
  ExecuteNV(c, VK_TRUE);
}
// The sequences may use one of the streams alone.
TEST_F(PositiveSyncGeneratedCommandsNV, SeveralStreams) {
  VkCommandBuffer c = Begun();
  Fill(c, sequences_);
  PreprocessNV(c, 2);
}
// What the commands read is unknown, and so is what they order.
TEST_F(PositiveSyncGeneratedCommandsNV, ExecutedCommandsMayOrder) {
  const Buffer buffer = MakeBuffer(256);
  VkCommandBuffer c = Begun();
  Fill(c, buffer);
  Barrier(c, {kClear, kWrite, kCompute, kStorageRead});
  ExecuteNV(c, VK_FALSE);
  Barrier(c, {kCompute, 0, kClear, 0});
  Fill(c, buffer);
}
TEST_F(NegativeSyncGeneratedCommandsNV, PreprocessedCommandsDoNotOrder) {
  const Buffer buffer = MakeBuffer(256);
  VkCommandBuffer c = Begun();
  Fill(c, buffer);
  Barrier(c, {kClear, kWrite, kCompute, kStorageRead});
  PreprocessNV(c);
  Barrier(c, {kCompute, 0, kClear, 0});
  Fill(c, buffer);
  ExpectMessage(kWriteAfterWrite);
}

}  // namespace
}  // namespace assay::syncval
