// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gpuav/driver_test.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"
#include "vk/chain.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// What the driver gets of pipelines that execution sets may have, and of commands that run them.
namespace assay::gpuav {
namespace {

using ::testing::ElementsAre;

class ExecutionSetTest : public GpuavDriverTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = GpuavDriverTest::Options();
    options.device_extensions = {VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME};
    options.features = &generated_;
    options.settings.emplace_back("validate_core", false);
    options.settings.emplace_back("stateless_param", false);
    return options;
  }

  void SetUp() override {
    driver().SetObserver([this](vk::CommandId id, const void* parameters) { Observe(id, parameters); });
    GpuavDriverTest::SetUp();
  }

  VkPipeline MakeBindable(VkShaderModule shader) {
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
    EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    Defer(pipeline, [this, pipeline] { vk.DestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  }
  VkPipeline MakeIdle() { return MakeBindable(MakeShader(test::ComputeShader({}))); }

  // With a token that binds pipelines of a set; `layout` may be null, and `next` gives it then.
  void MakeCommandsLayout(VkPipelineLayout layout, const void* next = nullptr) {
    const VkIndirectCommandsExecutionSetTokenEXT set = {.type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
                                                        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkIndirectCommandsLayoutTokenEXT tokens[] = {{.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
                                                        .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT,
                                                        .data = {.pExecutionSet = &set}},
                                                       {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
                                                        .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT,
                                                        .offset = 4}};
    const VkIndirectCommandsLayoutCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .pNext = next,
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
        .indirectStride = 16,
        .pipelineLayout = layout,
        .tokenCount = 2,
        .pTokens = tokens};
    VkIndirectCommandsLayoutEXT commands_layout = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateIndirectCommandsLayoutEXT(device, &info, nullptr, &commands_layout), VK_SUCCESS);
    Defer(commands_layout,
          [this, commands_layout] { vk.DestroyIndirectCommandsLayoutEXT(device, commands_layout, nullptr); });
  }

  void Bind(VkCommandBuffer commands, VkPipeline pipeline, VkDescriptorSet set) {
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set, 0, nullptr);
  }

  struct BoundSet {
    VkPipelineLayout layout;
    VkDescriptorSet set;
    uint32_t offsets;
    uint32_t first_offset;
  };
  static constexpr VkGeneratedCommandsInfoEXT kInfo = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                                       .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT};
  VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
      .deviceGeneratedCommands = VK_TRUE,
      .dynamicGeneratedPipelineLayout = VK_TRUE};
  size_t modules_ = 0;
  // The sets of pipeline layouts, as they were made.
  std::vector<std::vector<VkDescriptorSetLayout>> layouts_;
  // Those of pipelines, and those with which the application's sets were bound.
  std::vector<VkPipelineLayout> pipeline_layouts_;
  std::vector<VkPipelineLayout> bind_layouts_;
  // What was made last for generated commands.
  VkPipelineLayout commands_layout_ = VK_NULL_HANDLE;
  std::vector<VkDescriptorSetLayout> commands_sets_;
  // Our sets, as they were bound.
  std::vector<BoundSet> bound_;
  std::vector<std::string> recorded_;

 private:
  template <class C>
  static const C& As(const void* parameters) {
    return *static_cast<const C*>(parameters);
  }

  void Observe(vk::CommandId id, const void* parameters) {
    switch (id) {
      case vk::CommandId::kCreateShaderModule:
        ++modules_;
        break;
      case vk::CommandId::kCreateComputePipelines:
        pipeline_layouts_.push_back(As<vk::CreateComputePipelines>(parameters).pCreateInfos[0].layout);
        break;
      case vk::CommandId::kCreateIndirectCommandsLayoutEXT: {
        const auto& info = *As<vk::CreateIndirectCommandsLayoutEXT>(parameters).pCreateInfo;
        commands_layout_ = info.pipelineLayout;
        const auto* given = vk::FindInChain<VkPipelineLayoutCreateInfo>(info.pNext);
        if (given != nullptr) commands_sets_.assign(given->pSetLayouts, given->pSetLayouts + given->setLayoutCount);
        break;
      }
      case vk::CommandId::kCreatePipelineLayout: {
        const auto& info = *As<vk::CreatePipelineLayout>(parameters).pCreateInfo;
        layouts_.emplace_back(info.pSetLayouts, info.pSetLayouts + info.setLayoutCount);
        break;
      }
      case vk::CommandId::kCmdBindDescriptorSets: {
        const auto& call = As<vk::CmdBindDescriptorSets>(parameters);
        if (call.firstSet == 0) bind_layouts_.push_back(call.layout);
        if (call.firstSet + 1 != DeviceSets()) break;
        bound_.push_back({call.layout, call.pDescriptorSets[0], call.dynamicOffsetCount,
                          call.dynamicOffsetCount != 0 ? call.pDynamicOffsets[0] : 0});
        recorded_.emplace_back("set");
        break;
      }
      case vk::CommandId::kCmdDispatch:
        recorded_.emplace_back("dispatch");
        break;
      case vk::CommandId::kCmdPreprocessGeneratedCommandsEXT:
        recorded_.emplace_back("preprocess");
        break;
      case vk::CommandId::kCmdExecuteGeneratedCommandsEXT:
        recorded_.emplace_back("execute");
        break;
      default:
        break;
    }
  }
};

// VUID-VkIndirectExecutionSetPipelineInfoEXT-initialPipeline-11019.
TEST_F(ExecutionSetTest, OurSetHasNoDynamicOffset) {
  MakeLayout();
  ASSERT_EQ(layouts_.size(), 2u);
  ASSERT_EQ(layouts_[0].size(), DeviceSets());
  ASSERT_EQ(layouts_[1].size(), DeviceSets());
  EXPECT_TRUE(std::equal(layouts_[0].begin(), layouts_[0].end() - 1, layouts_[1].begin()));
  EXPECT_NE(layouts_[0].back(), layouts_[1].back());
  const VkPipeline writer = MakeBindable(MakeWriter());
  const VkPipeline idle = MakeIdle();
  const VkPipeline other = MakeComputePipeline(layout_, MakeWriter());
  const VkDescriptorSet set = MakeWrittenSet();
  Record([&](VkCommandBuffer commands) {
    Bind(commands, writer, set);
    vk.CmdDispatch(commands, 1, 1, 1);
    vk.CmdExecuteGeneratedCommandsEXT(commands, VK_FALSE, &kInfo);
    Bind(commands, idle, set);
    vk.CmdDispatch(commands, 1, 1, 1);
    vk.CmdExecuteGeneratedCommandsEXT(commands, VK_FALSE, &kInfo);
    Bind(commands, other, set);
    vk.CmdDispatch(commands, 1, 1, 1);
    vk.CmdExecuteGeneratedCommandsEXT(commands, VK_FALSE, &kInfo);
  });
  EXPECT_THAT(recorded_, ElementsAre("set", "dispatch", "set", "execute", "dispatch", "set", "execute", "set",
                                     "dispatch", "set", "execute"));
  ASSERT_EQ(pipeline_layouts_.size(), 3u);
  EXPECT_EQ(pipeline_layouts_[0], pipeline_layouts_[1]);
  EXPECT_NE(pipeline_layouts_[0], pipeline_layouts_[2]);
  EXPECT_EQ(bind_layouts_[0], pipeline_layouts_[2]);
  ASSERT_EQ(bound_.size(), 5u);
  for (size_t i = 0; i < bound_.size(); ++i) {
    const bool is_fixed = i < 3;
    EXPECT_EQ(bound_[i].layout, pipeline_layouts_[is_fixed ? 0 : 2]) << i;
    EXPECT_EQ(bound_[i].offsets, is_fixed ? 0u : 1u) << i;
  }
  EXPECT_NE(bound_[0].set, bound_[1].set);
  EXPECT_NE(bound_[1].set, bound_[2].set);
}

TEST_F(ExecutionSetTest, HostDecidesNothing) {
  MakeLayout();
  // At a constant place.
  const VkPipeline pipeline = MakeBindable(MakeShader(test::ComputeShader({.writes = {0}})));
  EXPECT_EQ(modules_, 2u);
  const VkDescriptorSet set = MakeSet(set_layout_);
  WriteBuffer(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MakeBuffer(2));
  Record([&](VkCommandBuffer commands) {
    Bind(commands, pipeline, set);
    vk.CmdDispatch(commands, 1, 1, 1);
  });
  EXPECT_EQ(pipeline_layouts_.size(), 1u);
}

TEST_F(ExecutionSetTest, LayoutOfGeneratedCommandsIsThatOfThePipelines) {
  MakeLayout();
  MakeIdle();
  MakeCommandsLayout(layout_);
  EXPECT_EQ(commands_layout_, pipeline_layouts_[0]);
  const VkPipelineLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set_layout_};
  MakeCommandsLayout(VK_NULL_HANDLE, &info);
  EXPECT_EQ(commands_sets_, layouts_[1]);
}

// VUID-vkCmdExecuteGeneratedCommandsEXT-isPreprocessed-11048.
TEST_F(ExecutionSetTest, PreprocessedCommandsFindTheSameBound) {
  MakeLayout();
  const VkPipeline idle = MakeIdle();
  const VkPipeline other = MakeComputePipeline(layout_, MakeWriter());
  const VkDescriptorSet set = MakeWrittenSet();
  for (const VkPipeline pipeline : {idle, other}) {
    bound_.clear();
    recorded_.clear();
    const VkCommandBuffer state = MakeCommandBuffer();
    Begin(state);
    Bind(state, pipeline, set);
    Record([&](VkCommandBuffer commands) {
      vk.CmdPreprocessGeneratedCommandsEXT(commands, &kInfo, state);
      Bind(commands, pipeline, set);
      vk.CmdExecuteGeneratedCommandsEXT(commands, VK_TRUE, &kInfo);
    });
    End(state);
    EXPECT_THAT(recorded_, ElementsAre("set", "preprocess", "set", "execute"));
    ASSERT_EQ(bound_.size(), 2u);
    EXPECT_EQ(bound_[0].set, bound_[1].set);
    EXPECT_EQ(bound_[0].layout, bound_[1].layout);
    EXPECT_EQ(bound_[0].offsets, bound_[1].offsets);
    EXPECT_EQ(bound_[0].first_offset, bound_[1].first_offset);
  }
}

TEST_F(ExecutionSetTest, NothingIsLeft) {
  const VkPipeline pipeline = MakeBindable((MakeLayout(), MakeWriter()));
  const VkDescriptorSet set = MakeWrittenSet();
  Record([&](VkCommandBuffer commands) {
    Bind(commands, pipeline, set);
    for (int i = 0; i < 100; ++i) vk.CmdExecuteGeneratedCommandsEXT(commands, VK_FALSE, &kInfo);
  });
  ASSERT_EQ(bound_.size(), 100u);
  Destroy();
  for (const VkObjectType type : {VK_OBJECT_TYPE_PIPELINE_LAYOUT, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT,
                                  VK_OBJECT_TYPE_DESCRIPTOR_POOL, VK_OBJECT_TYPE_PIPELINE}) {
    EXPECT_EQ(driver().LiveObjects(type), 0u) << type;
  }
}

class ChosenExecutionSetTest : public ExecutionSetTest {
  test::DeviceOptions Options() override {
    test::DeviceOptions options = ExecutionSetTest::Options();
    options.other_settings = {
        {"VK_LAYER_ASSAY_validation", "gpuav_only_pipelines", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &text_}};
    return options;
  }
  const char* text_ = "*";
};

// They would have to be there twice.
TEST_F(ChosenExecutionSetTest, PipelinesAreAsTheApplicationMadeThem) {
  MakeLayout();
  const VkPipeline pipeline = MakeBindable(MakeWriter());
  EXPECT_EQ(modules_, 1u);
  EXPECT_EQ(pipeline_layouts_.size(), 1u);
  const VkDescriptorSet set = MakeWrittenSet();
  Record([&](VkCommandBuffer commands) {
    Bind(commands, pipeline, set);
    vk.CmdExecuteGeneratedCommandsEXT(commands, VK_FALSE, &kInfo);
  });
  EXPECT_THAT(recorded_, ElementsAre("execute"));
}

}  // namespace
}  // namespace assay::gpuav
