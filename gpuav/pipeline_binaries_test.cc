// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// VK_KHR_pipeline_binary, over the mock driver: what an application may keep for a run without the layer is of its own
// shaders and layouts.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gpuav/choice_test.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"
#include "vk/chain.h"
#include "vk/commands.h"

namespace assay::gpuav {
namespace {

using ::testing::ElementsAre;

class PipelineBinariesTest : public ChoiceTest {
 protected:
  void SetUp() override {
    test::DeviceOptions options = GpuavDriverTest::Options();
    options.device_extensions = {
        VK_KHR_PIPELINE_BINARY_EXTENSION_NAME,          VK_KHR_MAINTENANCE_5_EXTENSION_NAME,
        VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,     VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
        VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
        VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME};
    options.settings.emplace_back("validate_core", false);
    options.settings.emplace_back("stateless_param", false);
    feature_.pipelineBinaries = VK_TRUE;
    options.features = &feature_;
    Create(options);
    MakeLayout();
    shader_ = MakeWriter();
    driver().SetObserver([this](vk::CommandId id, const void* parameters) { Watch(id, parameters); });
  }

  // A pipeline with this chain.
  VkComputePipelineCreateInfo Info(const void* chain = nullptr) const {
    return {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .pNext = chain,
            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                      .module = shader_,
                      .pName = "main"},
            .layout = layout_};
  }
  VkPipeline Make(const VkComputePipelineCreateInfo& info) {
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    Defer(pipeline, [this, pipeline] { vk.DestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  }
  // Takes the layouts, and what else was seen, as what the driver got.
  struct Down {
    // Whether it is the application's module.
    bool is_original;
    bool is_captured;
    bool has_binaries;
    VkPipelineLayout layout;
  };
  // The driver's layout that the application's pipelines have, which is not the one with our set.
  VkPipelineLayout OriginalLayout() {
    Make(Info());
    const VkPipelineLayout layout = downs_[0].layout;
    EXPECT_NE(layout, dispatch::DriverHandle(layout_));
    downs_.clear();
    return layout;
  }

  VkPhysicalDevicePipelineBinaryFeaturesKHR feature_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR};
  VkPipelineCreateFlags2CreateInfo capture_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
                                               .flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR};
  VkShaderModule shader_ = VK_NULL_HANDLE;
  std::vector<Down> downs_;
  std::vector<VkPipelineLayout> asked_;
  std::vector<VkPipeline> captured_from_;

 private:
  template <class I>
  Down Read(const I& info, const VkPipelineShaderStageCreateInfo& stage) {
    const auto* flags = vk::FindInChain<VkPipelineCreateFlags2CreateInfo>(info.pNext);
    return {stage.module == dispatch::DriverHandle(shader_),
            flags != nullptr && (flags->flags & VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR) != 0,
            vk::FindInChain<VkPipelineBinaryInfoKHR>(info.pNext) != nullptr, info.layout};
  }
  void Ask(const VkPipelineCreateInfoKHR* info) {
    if (info != nullptr) asked_.push_back(vk::FindInChain<VkComputePipelineCreateInfo>(info->pNext)->layout);
  }

  void Watch(vk::CommandId id, const void* parameters) {
    if (id == vk::CommandId::kCreateComputePipelines) {
      const auto& info = *static_cast<const vk::CreateComputePipelines*>(parameters)->pCreateInfos;
      downs_.push_back(Read(info, info.stage));
    }
    if (id == vk::CommandId::kCreateRayTracingPipelinesKHR) {
      const auto& info = *static_cast<const vk::CreateRayTracingPipelinesKHR*>(parameters)->pCreateInfos;
      downs_.push_back(Read(info, info.pStages[0]));
    }
    if (id == vk::CommandId::kGetPipelineKeyKHR) {
      Ask(static_cast<const vk::GetPipelineKeyKHR*>(parameters)->pPipelineCreateInfo);
    }
    if (id == vk::CommandId::kCreatePipelineBinariesKHR) {
      const auto& info = *static_cast<const vk::CreatePipelineBinariesKHR*>(parameters)->pCreateInfo;
      if (info.pipeline != VK_NULL_HANDLE) captured_from_.push_back(info.pipeline);
      Ask(info.pPipelineCreateInfo);
    }
  }
};

TEST_F(PipelineBinariesTest, WhatIsCapturedIsTheApplications) {
  const VkPipeline pipeline = Make(Info(&capture_));
  ASSERT_EQ(downs_.size(), 2u);
  EXPECT_TRUE(downs_[0].is_original && downs_[0].is_captured);
  EXPECT_NE(downs_[0].layout, dispatch::DriverHandle(layout_));
  // The other one runs.
  EXPECT_FALSE(downs_[1].is_original || downs_[1].is_captured);
  EXPECT_EQ(downs_[1].layout, dispatch::DriverHandle(layout_));
  const VkPipelineBinaryCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                                              .pipeline = pipeline};
  VkPipelineBinaryHandlesInfoKHR handles = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR};
  EXPECT_EQ(vk.CreatePipelineBinariesKHR(device, &info, nullptr, &handles), VK_SUCCESS);
  EXPECT_THAT(captured_from_, ElementsAre(dispatch::DriverHandle(pipeline)));
  EXPECT_THAT(RecordedWith(pipeline), ElementsAre("original", "other", "set", "dispatch", "set", "dispatch"));
}

TEST_F(PipelineBinariesTest, OriginalLayoutHasTheApplicationsSets) {
  std::vector<size_t> sets;
  driver().Observe<vk::CreatePipelineLayout>([&](const vk::CreatePipelineLayout& call) {
    sets.push_back(call.pCreateInfo->setLayoutCount);
    EXPECT_EQ(call.pCreateInfo->pSetLayouts[0], dispatch::DriverHandle(set_layout_));
  });
  const VkPipelineLayout layout = MakePipelineLayout({set_layout_});
  EXPECT_THAT(sets, ElementsAre(std::min(DeviceSets(), 32u), 1u));
  const size_t layouts = driver().LiveObjects(VK_OBJECT_TYPE_PIPELINE_LAYOUT);
  DestroyNow(layout);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_PIPELINE_LAYOUT), layouts - 2);
}

TEST_F(PipelineBinariesTest, PipelineOfBinariesRunsAsItIs) {
  const VkPipelineLayout original = OriginalLayout();
  const VkPipelineBinaryKHR binary = VK_NULL_HANDLE;
  const VkPipelineBinaryInfoKHR binaries = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, .binaryCount = 1, .pPipelineBinaries = &binary};
  VkComputePipelineCreateInfo info = Info(&binaries);
  info.stage.module = VK_NULL_HANDLE;
  const VkPipeline pipeline = Make(info);
  ASSERT_EQ(downs_.size(), 1u);
  EXPECT_TRUE(downs_[0].has_binaries);
  EXPECT_EQ(downs_[0].layout, original);
  EXPECT_THAT(RecordedWith(pipeline), ElementsAre("original", "dispatch", "dispatch"));
}

TEST_F(PipelineBinariesTest, KeysAndTheInternalCacheAreAskedForTheApplications) {
  const VkPipelineLayout original = OriginalLayout();
  const VkComputePipelineCreateInfo compute = Info(&capture_);
  // Its pNext is no pointer to const.
  VkPipelineCreateInfoKHR wanted = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR,
                                    .pNext = const_cast<VkComputePipelineCreateInfo*>(&compute)};
  VkPipelineBinaryKeyKHR key = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
  EXPECT_EQ(vk.GetPipelineKeyKHR(device, &wanted, &key), VK_SUCCESS);
  const VkPipelineBinaryCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                                              .pPipelineCreateInfo = &wanted};
  VkPipelineBinaryHandlesInfoKHR handles = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR};
  EXPECT_EQ(vk.CreatePipelineBinariesKHR(device, &info, nullptr, &handles), VK_SUCCESS);
  EXPECT_THAT(asked_, ElementsAre(original, original));
  // The key of all pipelines.
  EXPECT_EQ(vk.GetPipelineKeyKHR(device, nullptr, &key), VK_SUCCESS);
}

TEST_F(PipelineBinariesTest, RayTracingPipelinesThatMayBeCapturedAreNotInstrumented) {
  const VkPipelineLayout original = OriginalLayout();
  const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                 .stage = VK_SHADER_STAGE_RAYGEN_BIT_KHR,
                                                 .module = shader_,
                                                 .pName = "main"};
  VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                            .stageCount = 1,
                                            .pStages = &stage,
                                            .layout = layout_};
  const auto make = [&](const void* chain, VkPipelineCreateFlags flags) {
    info.pNext = chain;
    info.flags = flags;
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateRayTracingPipelinesKHR(device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
              VK_SUCCESS);
    vk.DestroyPipeline(device, pipeline, nullptr);
  };
  make(&capture_, 0);
  make(nullptr, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR);
  make(nullptr, 0);
  ASSERT_EQ(downs_.size(), 3u);
  EXPECT_TRUE(downs_[0].is_original && downs_[1].is_original);
  EXPECT_EQ(downs_[0].layout, original);
  EXPECT_EQ(downs_[1].layout, original);
  EXPECT_FALSE(downs_[2].is_original);
  EXPECT_EQ(downs_[2].layout, dispatch::DriverHandle(layout_));
}

class LinkedBinariesTest : public PipelineBinariesTest {
 protected:
  // A library of one shader.
  VkPipeline MakeLibrary(VkShaderStageFlagBits bit, VkShaderModule shader, const void* binaries = nullptr) {
    const VkGraphicsPipelineLibraryCreateInfoEXT part = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .pNext = const_cast<void*>(binaries),
        .flags = bit == VK_SHADER_STAGE_VERTEX_BIT
                     ? VkGraphicsPipelineLibraryFlagsEXT{VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT}
                     : VkGraphicsPipelineLibraryFlagsEXT{VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT}};
    const VkPipelineShaderStageCreateInfo stage = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = bit, .module = shader, .pName = "main"};
    const VkPipelineRasterizationStateCreateInfo rasterization = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkPipelineViewportStateCreateInfo viewport = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &part,
                                               .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR,
                                               .stageCount = 1,
                                               .pStages = &stage,
                                               .pViewportState = &viewport,
                                               .pRasterizationState = &rasterization,
                                               .layout = layout_};
    return MakeGraphics(info);
  }
  VkPipeline MakeGraphics(const VkGraphicsPipelineCreateInfo& info) {
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    Defer(pipeline, [this, pipeline] { vk.DestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  }
  // Of each pipeline that the driver gets for it, its libraries.
  std::vector<std::vector<VkPipeline>> Link(const std::vector<VkPipeline>& handles) {
    std::vector<std::vector<VkPipeline>> linked;
    driver().Observe<vk::CreateGraphicsPipelines>([&](const vk::CreateGraphicsPipelines& call) {
      const auto* info = vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(call.pCreateInfos->pNext);
      linked.emplace_back(info->pLibraries, info->pLibraries + info->libraryCount);
    });
    const VkPipelineLibraryCreateInfoKHR libraries = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                                      .libraryCount = static_cast<uint32_t>(handles.size()),
                                                      .pLibraries = handles.data()};
    MakeGraphics({.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &libraries, .layout = layout_});
    driver().SetObserver(nullptr);
    return linked;
  }
};

// What is linked has one layout, so that a shader with nothing to check is there twice, too.
TEST_F(LinkedBinariesTest, SecondOneIsLinkedOfSecondOnes) {
  const VkPipeline vertex = MakeLibrary(VK_SHADER_STAGE_VERTEX_BIT, MakeShader(test::VertexShader(1)));
  const VkPipeline fragment = MakeLibrary(VK_SHADER_STAGE_FRAGMENT_BIT, MakeShader(test::FragmentShader(1)));
  const auto linked = Link({vertex, fragment});
  ASSERT_EQ(linked.size(), 2u);
  const std::vector originals = {dispatch::DriverHandle(vertex), dispatch::DriverHandle(fragment)};
  EXPECT_EQ(linked[0], originals);
  EXPECT_NE(linked[1][0], originals[0]);
  EXPECT_NE(linked[1][1], originals[1]);
}

TEST_F(LinkedBinariesTest, WithALibraryOfBinariesThereIsNoSecondOne) {
  const VkPipelineBinaryKHR binary = VK_NULL_HANDLE;
  const VkPipelineBinaryInfoKHR binaries = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, .binaryCount = 1, .pPipelineBinaries = &binary};
  const VkPipeline vertex = MakeLibrary(VK_SHADER_STAGE_VERTEX_BIT, MakeShader(test::VertexShader(1)));
  const VkPipeline fragment = MakeLibrary(VK_SHADER_STAGE_FRAGMENT_BIT, VK_NULL_HANDLE, &binaries);
  const auto linked = Link({vertex, fragment});
  ASSERT_EQ(linked.size(), 1u);
  EXPECT_EQ(linked[0][0], dispatch::DriverHandle(vertex));
}

}  // namespace
}  // namespace assay::gpuav
