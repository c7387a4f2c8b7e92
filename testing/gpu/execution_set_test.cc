// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Device-generated commands that choose pipelines of an execution set.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"
#include "testing/gpu/shaders/full_screen_vert.h"
#include "testing/gpu/shaders/read_frag.h"
#include "testing/gpu/shaders/write_twice_comp.h"

namespace assay::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kBounds[] = "VUID-vkCmdExecuteGeneratedCommandsEXT-storageBuffers-06936";
constexpr std::string_view kNothing = R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main"
               OpExecutionMode %main LocalSize 1 1 1
       %void = OpTypeVoid
   %function = OpTypeFunction %void
       %main = OpFunction %void None %function
      %entry = OpLabel
               OpReturn
               OpFunctionEnd
)";

// A set of two pipelines. The second writes the words `index` and `index` + 8 of a buffer of 16.
class ExecutionSetTest : public GpuavTest {
 protected:
  // What a command reads: a VkDispatchIndirectCommand or VkDrawIndirectCommand.
  struct Sequence {
    uint32_t pipeline;
    uint32_t parameters[4];
  };

  void SetUp() override {
    features12_.pNext = &maintenance5_;
    maintenance5_.pNext = &generated_;
    Create({.device_extensions = {VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME}, .settings = Settings()});
    if (::testing::Test::HasFailure()) return;
    MakeLayout();
    second_ = MakeBindable(device_.MakeShader(k_write_twice_comp), "second");
  }
  virtual std::vector<std::pair<std::string, bool>> Settings() { return {}; }
  virtual void MakeLayout() {}

  VkPipeline MakeBindable(VkShaderModule shader, const char* name) {
    const VkPipelineCreateFlags2CreateInfo flags = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
                                                    .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .pNext = &flags,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .module = shader,
                                                        .pName = "main"},
                                              .layout = layout_};
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(device_.vk.CreateComputePipelines(device_.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
              VK_SUCCESS);
    device_.Defer(pipeline, [this, pipeline] { device_.vk.DestroyPipeline(device_.device, pipeline, nullptr); });
    device_.SetName(VK_OBJECT_TYPE_PIPELINE, pipeline, name);
    return pipeline;
  }

  // Makes the set, and what commands with it need.
  void MakeExecutionSet(VkPipeline initial, VkIndirectCommandsLayoutUsageFlagsEXT usage = 0) {
    initial_ = initial;
    const VkIndirectExecutionSetPipelineInfoEXT pipelines = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT,
        .initialPipeline = initial,
        .maxPipelineCount = 2};
    const VkIndirectExecutionSetCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
                                                      .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
                                                      .info = {.pPipelineInfo = &pipelines}};
    EXPECT_EQ(device_.vk.CreateIndirectExecutionSetEXT(device_.device, &info, nullptr, &execution_set_), VK_SUCCESS);
    device_.Defer(execution_set_,
                  [this] { device_.vk.DestroyIndirectExecutionSetEXT(device_.device, execution_set_, nullptr); });
    const VkWriteIndirectExecutionSetPipelineEXT write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_PIPELINE_EXT, .index = 1, .pipeline = second_};
    device_.vk.UpdateIndirectExecutionSetPipelineEXT(device_.device, execution_set_, 1, &write);
    MakeCommandsLayout(usage);
    MakeMemory();
  }

  void MakeCommandsLayout(VkIndirectCommandsLayoutUsageFlagsEXT usage) {
    const VkIndirectCommandsExecutionSetTokenEXT set_token = {.type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
                                                              .shaderStages = stages_};
    const VkIndirectCommandsLayoutTokenEXT tokens[] = {
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
         .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT,
         .data = {.pExecutionSet = &set_token}},
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
         .type = IsCompute() ? VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT : VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT,
         .offset = offsetof(Sequence, parameters)}};
    const VkIndirectCommandsLayoutCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .flags = usage,
        .shaderStages = stages_,
        .indirectStride = sizeof(Sequence),
        .pipelineLayout = layout_,
        .tokenCount = 2,
        .pTokens = tokens};
    EXPECT_EQ(device_.vk.CreateIndirectCommandsLayoutEXT(device_.device, &info, nullptr, &commands_layout_),
              VK_SUCCESS);
    device_.Defer(commands_layout_,
                  [this] { device_.vk.DestroyIndirectCommandsLayoutEXT(device_.device, commands_layout_, nullptr); });
  }

  void MakeMemory() {
    const VkGeneratedCommandsMemoryRequirementsInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
        .indirectExecutionSet = execution_set_,
        .indirectCommandsLayout = commands_layout_,
        .maxSequenceCount = kMostSequences};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    device_.vk.GetGeneratedCommandsMemoryRequirementsEXT(device_.device, &info, &requirements);
    preprocess_size_ = requirements.memoryRequirements.size;
    if (preprocess_size_ != 0) {
      const VkBufferUsageFlags2CreateInfo usage = {
          .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
          .usage = VK_BUFFER_USAGE_2_PREPROCESS_BUFFER_BIT_EXT | VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT};
      preprocessed_ = AddressOf(device_.MakeBuffer(VkBufferCreateInfo{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                                                      .pNext = &usage,
                                                                      .size = preprocess_size_,
                                                                      .usage = kAddress}));
    }
    sequences_ = device_.MakeBuffer(sizeof(Sequence) * kMostSequences, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | kAddress);
  }

  VkDeviceAddress AddressOf(VkBuffer buffer) {
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
    return device_.vk.GetBufferDeviceAddress(device_.device, &info);
  }

  VkGeneratedCommandsInfoEXT Info(const std::vector<Sequence>& sequences) {
    std::memcpy(Map(sequences_), sequences.data(), sequences.size() * sizeof(Sequence));
    return {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
            .shaderStages = stages_,
            .indirectExecutionSet = execution_set_,
            .indirectCommandsLayout = commands_layout_,
            .indirectAddress = AddressOf(sequences_),
            .indirectAddressSize = sizeof(Sequence) * sequences.size(),
            .preprocessAddress = preprocessed_,
            .preprocessSize = preprocess_size_,
            .maxSequenceCount = static_cast<uint32_t>(sequences.size())};
  }

  void Bind(VkCommandBuffer commands) {
    const VkPipelineBindPoint point = IsCompute() ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS;
    device_.vk.CmdBindPipeline(commands, point, initial_);
    device_.vk.CmdBindDescriptorSets(commands, point, layout_, 0, 1, &set_, 0, nullptr);
  }
  VkCommandBuffer RecordExecution(const std::vector<Sequence>& sequences) {
    const VkGeneratedCommandsInfoEXT info = Info(sequences);
    return device_.Record([&](VkCommandBuffer commands) {
      Bind(commands);
      device_.vk.CmdExecuteGeneratedCommandsEXT(commands, VK_FALSE, &info);
    });
  }

  bool IsCompute() const { return stages_ == VK_SHADER_STAGE_COMPUTE_BIT; }
  uint32_t Word(size_t index) { return static_cast<const uint32_t*>(Map(data_))[index]; }

  static constexpr uint32_t kMostSequences = 4;
  static constexpr VkBufferUsageFlags kAddress = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  VkPhysicalDeviceMaintenance5Features maintenance5_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .maintenance5 = VK_TRUE};
  VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
      .deviceGeneratedCommands = VK_TRUE};
  VkShaderStageFlags stages_ = VK_SHADER_STAGE_COMPUTE_BIT;
  VkPipeline initial_ = VK_NULL_HANDLE;
  VkPipeline second_ = VK_NULL_HANDLE;
  VkIndirectExecutionSetEXT execution_set_ = VK_NULL_HANDLE;
  VkIndirectCommandsLayoutEXT commands_layout_ = VK_NULL_HANDLE;
  VkDeviceAddress preprocessed_ = 0;
  VkDeviceSize preprocess_size_ = 0;
  Buffer sequences_;
};

TEST_F(ExecutionSetTest, FaultOfTheSecondPipeline) {
  MakeExecutionSet(MakeBindable(device_.MakeShader(k_write_at_comp), "first"));
  SetIndex(8);
  SubmitAndWait(RecordExecution({{0, {1, 1, 1}}}));
  EXPECT_EQ(Word(8), 7u);
  log_.ExpectNothing();
  SubmitAndWait(RecordExecution({{0, {1, 1, 1}}, {1, {1, 1, 1}}}));
  const Message message = log_.Expect(kBounds);
  EXPECT_THAT(message.text, HasSubstr("write_twice.comp:8: data.values[where.index + 8] = 8;"));
  EXPECT_THAT(message.text, HasSubstr("[second]"));
  EXPECT_THAT(message.text, Not(HasSubstr("[first]")));
  ASSERT_GE(message.objects.size(), 2u);
  EXPECT_EQ(message.objects[1].name, "second");
}

TEST_F(ExecutionSetTest, ValidCommandsAreSilent) {
  MakeExecutionSet(MakeBindable(device_.MakeShader(k_write_at_comp), "first"));
  SetIndex(3);
  SubmitAndWait(RecordExecution({{0, {2, 1, 1}}, {1, {1, 1, 1}}}));
  EXPECT_EQ(Word(3), 7u);
  EXPECT_EQ(Word(4), 7u);
  EXPECT_EQ(Word(11), 8u);
}

TEST_F(ExecutionSetTest, InitialPipelineHasNothingToCheck) {
  MakeExecutionSet(MakeBindable(device_.MakeShader(kNothing), "first"));
  SetIndex(7);
  SubmitAndWait(RecordExecution({{1, {1, 1, 1}}, {0, {1, 1, 1}}}));
  EXPECT_EQ(Word(7), 7u);
  EXPECT_EQ(Word(15), 8u);
  log_.ExpectNothing();
  SetIndex(8);
  SubmitAndWait(RecordExecution({{1, {1, 1, 1}}, {0, {1, 1, 1}}}));
  EXPECT_THAT(log_.Expect(kBounds).text, HasSubstr("[second]"));
}

TEST_F(ExecutionSetTest, OtherCommandsAroundIt) {
  MakeExecutionSet(MakeBindable(device_.MakeShader(k_write_at_comp), "first"));
  const VkPipeline other = MakePipeline();
  device_.SetName(VK_OBJECT_TYPE_PIPELINE, other, "other");
  const VkGeneratedCommandsInfoEXT info = Info({{1, {1, 1, 1}}});
  SetIndex(16);
  const VkCommandBuffer commands = device_.Record([&](VkCommandBuffer recording) {
    Dispatch(recording, other);
    Bind(recording);
    device_.vk.CmdDispatch(recording, 1, 1, 1);
    device_.vk.CmdExecuteGeneratedCommandsEXT(recording, VK_FALSE, &info);
    Dispatch(recording, second_);
    Dispatch(recording, other);
  });
  SubmitAndWait(commands);
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("[other]"));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("[first]"));
  // Each fault at once, since the host does not decide which pipeline runs.
  EXPECT_THAT(log_.Expect(kBounds).text, HasSubstr("[second]"));
  EXPECT_THAT(log_.Expect(kBounds).text, HasSubstr("[second]"));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("[second]"));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("[second]"));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("[other]"));
}

// What was preprocessed finds bound what it was preprocessed with; such commands check nothing.
TEST_F(ExecutionSetTest, PreprocessedCommandsComputeTheSame) {
  MakeExecutionSet(MakeBindable(device_.MakeShader(k_write_at_comp), "first"),
                   VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT);
  SetIndex(7);
  const VkGeneratedCommandsInfoEXT info = Info({{1, {1, 1, 1}}});
  const VkCommandBuffer state = device_.MakeCommandBuffer();
  device_.Begin(state);
  Bind(state);
  const VkCommandBuffer commands = device_.Record([&](VkCommandBuffer recording) {
    device_.vk.CmdPreprocessGeneratedCommandsEXT(recording, &info, state);
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_COMMAND_PREPROCESS_WRITE_BIT_EXT,
                                     .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT};
    device_.vk.CmdPipelineBarrier(recording, VK_PIPELINE_STAGE_COMMAND_PREPROCESS_BIT_EXT,
                                  VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
    Bind(recording);
    device_.vk.CmdExecuteGeneratedCommandsEXT(recording, VK_TRUE, &info);
  });
  device_.End(state);
  SubmitAndWait(commands);
  EXPECT_EQ(Word(7), 7u);
  EXPECT_EQ(Word(15), 8u);
}

// The second pipeline reads a buffer in its fragment shader, and the first has nothing to check.
TEST_F(ExecutionSetTest, Fragments) {
  stages_ = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
  static PFN_vkCreateGraphicsPipelines create;
  create = device_.vk.CreateGraphicsPipelines;
  device_.vk.CreateGraphicsPipelines = [](VkDevice device, VkPipelineCache cache, uint32_t count,
                                          const VkGraphicsPipelineCreateInfo* info,
                                          const VkAllocationCallbacks* allocator, VkPipeline* pipelines) {
    const VkPipelineCreateFlags2CreateInfo flags = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
                                                    .pNext = info->pNext,
                                                    .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
    VkGraphicsPipelineCreateInfo bindable = *info;
    bindable.pNext = &flags;
    return create(device, cache, count, &bindable, allocator, pipelines);
  };
  const VkShaderModule vertex = device_.MakeShader(k_full_screen_vert);
  second_ = device_.MakeGraphicsPipeline(layout_, {.vertex = vertex, .fragment = device_.MakeShader(k_read_frag)});
  device_.SetName(VK_OBJECT_TYPE_PIPELINE, second_, "second");
  MakeExecutionSet(device_.MakeGraphicsPipeline(layout_, {.vertex = vertex}));
  const auto draw = [this](const std::vector<Sequence>& sequences) {
    const VkGeneratedCommandsInfoEXT info = Info(sequences);
    SubmitAndWait(RecordRendering([&](VkCommandBuffer commands) {
      device_.SetViewportAndScissor(commands, 16, 16);
      Bind(commands);
      device_.vk.CmdExecuteGeneratedCommandsEXT(commands, VK_FALSE, &info);
    }));
  };
  SetIndex(15);
  draw({{1, {3, 1, 0, 0}}});
  SetIndex(20);
  draw({{0, {3, 1, 0, 0}}});
  log_.ExpectNothing();
  draw({{0, {3, 1, 0, 0}}, {1, {3, 1, 0, 0}}});
  const Message message = log_.Expect(kBounds);
  EXPECT_THAT(message.text, HasSubstr("It happened 256 times"));
  EXPECT_THAT(message.text, HasSubstr("[second]"));
  EXPECT_THAT(message.text, HasSubstr("read.frag:7"));
}

// Where the pipelines use every set, they find an address in push constants.
class ExecutionSetWithEverySetTest : public ExecutionSetTest {
 protected:
  std::vector<std::pair<std::string, bool>> Settings() override { return {{"gpuav_reserve_binding_slot", false}}; }
  void MakeLayout() override {
    VkPhysicalDeviceProperties properties = {};
    device_.vk.GetPhysicalDeviceProperties(device_.physical_device, &properties);
    std::vector<VkDescriptorSetLayout> sets(properties.limits.maxBoundDescriptorSets, device_.MakeSetLayout({}));
    sets[0] = set_layout_;
    layout_ = device_.MakePipelineLayout(sets);
  }
};

TEST_F(ExecutionSetWithEverySetTest, FaultOfTheSecondPipeline) {
  MakeExecutionSet(MakeBindable(device_.MakeShader(kNothing), "first"));
  SetIndex(8);
  SubmitAndWait(RecordExecution({{0, {1, 1, 1}}, {1, {1, 1, 1}}}));
  EXPECT_THAT(log_.Expect(kBounds).text, HasSubstr("[second]"));
}

}  // namespace
}  // namespace assay::test
