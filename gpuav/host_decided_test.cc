// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gpuav/driver_test.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// Pipelines that leave checks to the host.
namespace assay::gpuav {
namespace {

using ::testing::ElementsAre;

class HostDecidedTest : public GpuavDriverTest {
 protected:
  void SetUp() override {
    driver().SetObserver([this](vk::CommandId id, const void* parameters) {
      if (id == vk::CommandId::kCreateShaderModule) {
        words_.push_back(static_cast<const vk::CreateShaderModule*>(parameters)->pCreateInfo->codeSize / 4);
      } else if (id == vk::CommandId::kCreateComputePipelines) {
        Note(static_cast<const vk::CreateComputePipelines*>(parameters)->pCreateInfos[0]);
      } else if (id == vk::CommandId::kCmdBindPipeline) {
        bound_.push_back(static_cast<const vk::CmdBindPipeline*>(parameters)->pipeline);
      }
    });
    GpuavDriverTest::SetUp();
  }

  // What the driver got for a pipeline.
  struct Made {
    VkPipelineCreateFlags flags;
    VkPipelineLayout layout;
    std::string entry_point;
    // Of the first specialization constant.
    uint32_t constant_id = 0;
    uint32_t value = 0;
  };
  void Note(const VkComputePipelineCreateInfo& info) {
    Made made = {.flags = info.flags, .layout = info.layout, .entry_point = info.stage.pName};
    if (const VkSpecializationInfo* specialization = info.stage.pSpecializationInfo; specialization != nullptr) {
      const VkSpecializationMapEntry& entry = specialization->pMapEntries[0];
      made.constant_id = entry.constantID;
      std::memcpy(&made.value, static_cast<const char*>(specialization->pData) + entry.offset, entry.size);
    }
    made_.push_back(made);
  }

  // Writes a word at a constant place of binding 0.
  VkShaderModule MakeConstantWriter() { return MakeShader(test::ComputeShader({.writes = {0}})); }
  VkDescriptorSet MakeSetOfSize(VkDeviceSize size) {
    const VkDescriptorSet set = MakeSet(set_layout_);
    WriteBuffer(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MakeBuffer(size));
    return set;
  }
  void Bind(VkCommandBuffer commands, VkDescriptorSet set) {
    vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set, 0, nullptr);
  }

  std::vector<size_t> words_;
  std::vector<Made> made_;
  std::vector<VkPipeline> bound_;
};

TEST_F(HostDecidedTest, ShaderStaysAsItIsWhereAllIsKnown) {
  MakeLayout();
  const VkPipeline pipeline = MakeComputePipeline(layout_, MakeConstantWriter());
  EXPECT_EQ(words_.size(), 1u);
  const VkDescriptorSet set = MakeSetOfSize(64);
  Record([&](VkCommandBuffer commands) {
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    Bind(commands, set);
    vk.CmdDispatch(commands, 1, 1, 1);
    vk.CmdDispatch(commands, 1, 1, 1);
  });
  EXPECT_EQ(bound_.size(), 1u);
  EXPECT_EQ(made_.size(), 1u);
}

TEST_F(HostDecidedTest, OnePipelineChecksEverythingWhereAConditionDoesNotHold) {
  MakeLayout();
  const VkPipeline pipeline = MakeComputePipeline(layout_, MakeConstantWriter());
  const VkDescriptorSet good = MakeSetOfSize(64);
  // The word is not in it.
  const VkDescriptorSet bad = MakeSetOfSize(2);
  const auto record = [&] {
    bound_.clear();
    Record([&](VkCommandBuffer commands) {
      vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      Bind(commands, good);
      vk.CmdDispatch(commands, 1, 1, 1);
      Bind(commands, bad);
      vk.CmdDispatch(commands, 1, 1, 1);
      vk.CmdDispatch(commands, 1, 1, 1);
      Bind(commands, good);
      vk.CmdDispatch(commands, 1, 1, 1);
      Bind(commands, bad);
      vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.CmdDispatch(commands, 1, 1, 1);
    });
  };
  record();
  ASSERT_EQ(bound_.size(), 5u);
  const VkPipeline original = bound_[0];
  const VkPipeline checking = bound_[1];
  EXPECT_NE(original, checking);
  EXPECT_THAT(bound_, ElementsAre(original, checking, original, original, checking));
  record();
  EXPECT_THAT(bound_, ElementsAre(original, checking, original, original, checking));
  // It was made once, with the reserved set's checks.
  EXPECT_EQ(made_.size(), 2u);
  ASSERT_EQ(words_.size(), 2u);
  EXPECT_GT(words_[1], words_[0]);
  DestroyNow(pipeline);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_PIPELINE), 0u);
}

TEST_F(HostDecidedTest, SecondPipelineIsMadeLikeTheFirst) {
  MakeLayout();
  const uint32_t data[2] = {7, 8};
  const VkSpecializationMapEntry entry = {.constantID = 3, .offset = 4, .size = 4};
  const VkSpecializationInfo specialization = {
      .mapEntryCount = 1, .pMapEntries = &entry, .dataSize = sizeof(data), .pData = data};
  const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT | VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = MakeConstantWriter(),
                .pName = "main",
                .pSpecializationInfo = &specialization},
      .layout = layout_};
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
  const VkDescriptorSet set = MakeSetOfSize(2);
  Record([&](VkCommandBuffer commands) {
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    Bind(commands, set);
    vk.CmdDispatch(commands, 1, 1, 1);
  });
  ASSERT_EQ(made_.size(), 2u);
  EXPECT_EQ(made_[1].flags, VkPipelineCreateFlags{VK_PIPELINE_CREATE_DISPATCH_BASE_BIT});
  EXPECT_EQ(made_[1].layout, made_[0].layout);
  EXPECT_EQ(made_[1].entry_point, "main");
  EXPECT_EQ(made_[1].constant_id, 3u);
  EXPECT_EQ(made_[1].value, 8u);
  vk.DestroyPipeline(device, pipeline, nullptr);
}

TEST_F(HostDecidedTest, HostDecidesNothingOfDescriptorsThatMayChange) {
  const VkDescriptorBindingFlags flags = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
  const VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
      .bindingCount = 1,
      .pBindingFlags = &flags};
  const VkDescriptorSetLayoutBinding binding = {.binding = 0,
                                                .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                .descriptorCount = 1,
                                                .stageFlags = VK_SHADER_STAGE_ALL};
  const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                .pNext = &binding_flags,
                                                .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT,
                                                .bindingCount = 1,
                                                .pBindings = &binding};
  ASSERT_EQ(vk.CreateDescriptorSetLayout(device, &info, nullptr, &set_layout_), VK_SUCCESS);
  layout_ = MakePipelineLayout({set_layout_});
  MakeComputePipeline(layout_, MakeConstantWriter());
  ASSERT_EQ(words_.size(), 2u);
  EXPECT_GT(words_[1], words_[0]);
  vk.DestroyDescriptorSetLayout(device, set_layout_, nullptr);
}

class GeneratedCommandsTest : public HostDecidedTest {
  test::DeviceOptions Options() override {
    test::DeviceOptions options = HostDecidedTest::Options();
    options.device_extensions = {VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME, VK_KHR_MAINTENANCE_5_EXTENSION_NAME,
                                 VK_EXT_SHADER_OBJECT_EXTENSION_NAME};
    options.settings.emplace_back("validate_core", false);
    options.settings.emplace_back("stateless_param", false);
    return options;
  }
};

// They may name the pipeline that is bound.
TEST_F(GeneratedCommandsTest, RunTheApplicationsPipeline) {
  MakeLayout();
  const VkPipeline pipeline = MakeComputePipeline(layout_, MakeConstantWriter());
  const VkDescriptorSet bad = MakeSetOfSize(2);
  const VkGeneratedCommandsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                           .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT};
  Record([&](VkCommandBuffer commands) {
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    Bind(commands, bad);
    vk.CmdExecuteGeneratedCommandsEXT(commands, VK_FALSE, &info);
    EXPECT_EQ(bound_.size(), 1u);
    vk.CmdDispatch(commands, 1, 1, 1);
    vk.CmdExecuteGeneratedCommandsEXT(commands, VK_FALSE, &info);
    vk.CmdDispatch(commands, 1, 1, 1);
    vk.CmdPreprocessGeneratedCommandsEXT(commands, &info, commands);
  });
  ASSERT_EQ(bound_.size(), 5u);
  EXPECT_THAT(bound_, ElementsAre(bound_[0], bound_[1], bound_[0], bound_[1], bound_[0]));
  EXPECT_NE(bound_[0], bound_[1]);
}

TEST_F(GeneratedCommandsTest, PipelineThatIsNotBoundAnyMoreStaysSo) {
  MakeLayout();
  const VkPipeline pipeline = MakeComputePipeline(layout_, MakeConstantWriter());
  const VkDescriptorSet bad = MakeSetOfSize(2);
  const VkGeneratedCommandsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                           .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT};
  Record([&](VkCommandBuffer commands) {
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    Bind(commands, bad);
    vk.CmdDispatch(commands, 1, 1, 1);
    EXPECT_EQ(bound_.size(), 2u);
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    vk.CmdBindShadersEXT(commands, 1, &stage, nullptr);
    vk.CmdPreprocessGeneratedCommandsEXT(commands, &info, commands);
  });
  EXPECT_EQ(bound_.size(), 2u);
}

class LeftPipelineTest : public HostDecidedTest {
  test::DeviceOptions Options() override {
    test::DeviceOptions options = HostDecidedTest::Options();
    options.settings.emplace_back("object_lifetime", false);
    return options;
  }
};

TEST_F(LeftPipelineTest, OursGoesBeforeTheDevice) {
  MakeLayout();
  const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                      .module = MakeConstantWriter(),
                                                      .pName = "main"},
                                            .layout = layout_};
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
  const VkDescriptorSet set = MakeSetOfSize(2);
  Record([&](VkCommandBuffer commands) {
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    Bind(commands, set);
    vk.CmdDispatch(commands, 1, 1, 1);
  });
  EXPECT_EQ(made_.size(), 2u);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_PIPELINE), 2u);
  Destroy();
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_PIPELINE), 1u);
}

}  // namespace
}  // namespace assay::gpuav
