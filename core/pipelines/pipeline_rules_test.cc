// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "core/pipelines/pipeline_setup.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

constexpr std::string_view kMeshShader = R"(
    OpCapability MeshShadingEXT
    OpExtension "SPV_EXT_mesh_shader"
    OpMemoryModel Logical GLSL450
    OpEntryPoint MeshEXT %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    OpExecutionMode %main OutputVertices 3
    OpExecutionMode %main OutputPrimitivesEXT 1
    OpExecutionMode %main OutputTrianglesEXT
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %zero = OpConstant %uint 0
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpSetMeshOutputsEXT %zero %zero
    OpReturn
    OpFunctionEnd)";

// Through the whole layer.
class PipelineRulesTest : public test::ValidationTest {
 protected:
  void SetUp() override {}

  void Start(const PipelineSetup& setup) {
    driver().config().disabled_features = setup.without;
    driver().config().disabled_extensions.clear();
    for (const auto& [format, features] : setup.formats) {
      driver().config().formats[format] = {VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3, nullptr, features, features, 0};
    }
    driver().config().adjust_properties = [&setup](VkBaseOutStructure* properties) {
      for (const auto& limit : setup.limits) limit(properties);
    };
    test::DeviceOptions options;
    options.api_version = setup.api_version;
    options.device_extensions = setup.extensions;
    options.features = features_.Enable(setup.extensions, setup.without);
    Create(options);
    driver().config().adjust_properties = nullptr;
  }

  VkRenderPass RenderPassOf(const PipelineSetup& setup) {
    std::vector<VkAttachmentDescription2> attachments;
    std::vector<VkAttachmentReference2> colors;
    for (uint32_t i = 0; i < setup.rendering.colorAttachmentCount; ++i) {
      attachments.push_back({.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                             .format = setup.formats_of_colors[i],
                             .samples = setup.subpass_samples,
                             .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                             .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                             .finalLayout = VK_IMAGE_LAYOUT_GENERAL});
      colors.push_back({.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                        .attachment = i,
                        .layout = VK_IMAGE_LAYOUT_GENERAL,
                        .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT});
    }
    const VkAttachmentReference2 depth = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
        .attachment = setup.has_depth ? static_cast<uint32_t>(attachments.size()) : VK_ATTACHMENT_UNUSED,
        .layout = VK_IMAGE_LAYOUT_GENERAL};
    if (setup.has_depth) {
      attachments.push_back({.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                             .format = setup.rendering.depthAttachmentFormat,
                             .samples = setup.subpass_samples,
                             .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                             .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                             .finalLayout = VK_IMAGE_LAYOUT_GENERAL});
    }
    const VkAttachmentReference2 input = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                          .attachment = static_cast<uint32_t>(attachments.size()),
                                          .layout = VK_IMAGE_LAYOUT_GENERAL,
                                          .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    if (setup.input_samples != 0) {
      attachments.push_back({.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                             .format = VK_FORMAT_R8G8B8A8_UNORM,
                             .samples = static_cast<VkSampleCountFlagBits>(setup.input_samples),
                             .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                             .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                             .finalLayout = VK_IMAGE_LAYOUT_GENERAL});
    }
    const VkMultisampledRenderToSingleSampledInfoEXT single_sampled = {
        .sType = VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT,
        .multisampledRenderToSingleSampledEnable = VK_TRUE,
        .rasterizationSamples = static_cast<VkSampleCountFlagBits>(setup.single_sampled)};
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                           .pNext = setup.single_sampled != 0 ? &single_sampled : nullptr,
                                           .flags = setup.subpass_flags,
                                           .viewMask = setup.subpass_view_mask,
                                           .inputAttachmentCount = setup.input_samples != 0 ? 1u : 0u,
                                           .pInputAttachments = &input,
                                           .colorAttachmentCount = static_cast<uint32_t>(colors.size()),
                                           .pColorAttachments = colors.data(),
                                           .pDepthStencilAttachment = &depth};
    const std::vector<VkSubpassDescription2> subpasses(setup.subpass_count, subpass);
    return MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                           .attachmentCount = static_cast<uint32_t>(attachments.size()),
                           .pAttachments = attachments.data(),
                           .subpassCount = setup.subpass_count,
                           .pSubpasses = subpasses.data()});
  }

  VkPipelineLayout LayoutOf(const PipelineSetup& setup) {
    std::vector<VkDescriptorSetLayout> sets;
    sets.reserve(setup.layout.sets.size());
    for (const VkShaderStageFlags stages : setup.layout.sets) {
      sets.push_back(stages != 0 ? MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, stages}}) : VK_NULL_HANDLE);
    }
    const VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             nullptr,
                                             setup.layout.flags,
                                             static_cast<uint32_t>(sets.size()),
                                             sets.data(),
                                             static_cast<uint32_t>(setup.layout.ranges.size()),
                                             setup.layout.ranges.data()};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    vk.CreatePipelineLayout(device, &info, nullptr, &layout);
    layouts_.push_back(layout);
    return layout;
  }

  // Creates the pipeline; returns null if that fails.
  VkPipeline Make(PipelineSetup& setup) {
    const VkShaderModule vertex = MakeShader(test::VertexShader(1));
    const VkShaderModule fragment = MakeShader(test::FragmentShader(1));
    const bool has_mesh = std::ranges::find(setup.stages, VK_SHADER_STAGE_MESH_BIT_EXT) != setup.stages.end();
    const VkShaderModule mesh = has_mesh ? MakeShader(kMeshShader) : VK_NULL_HANDLE;
    const auto module_of = [&](VkShaderStageFlagBits stage) {
      if (stage == VK_SHADER_STAGE_FRAGMENT_BIT) return fragment;
      return stage == VK_SHADER_STAGE_MESH_BIT_EXT ? mesh : vertex;
    };
    std::vector<VkPipelineShaderStageCreateInfo> stages;
    stages.reserve(setup.stages.size());
    for (const VkShaderStageFlagBits stage : setup.stages) {
      stages.push_back({.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                        .stage = stage,
                        .module = module_of(stage),
                        .pName = "main"});
    }
    const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                      .dynamicStateCount = static_cast<uint32_t>(setup.dynamic.size()),
                                                      .pDynamicStates = setup.dynamic.data()};
    VkGraphicsPipelineCreateInfo info = setup.info;
    info.stageCount = static_cast<uint32_t>(stages.size());
    info.pStages = stages.data();
    if (!setup.dynamic.empty()) info.pDynamicState = &dynamic;
    if (setup.has_layout) info.layout = LayoutOf(setup);
    if (setup.has_render_pass) {
      info.renderPass = RenderPassOf(setup);
      messages.ExpectNothing();
    }
    std::vector<VkPipeline> libraries;
    libraries.reserve(setup.libraries.size());
    for (const auto& library : setup.libraries) {
      libraries.push_back(Make(*library));
      ExpectNothing();
    }
    const VkPipelineLibraryCreateInfoKHR linked = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, info.pNext,
                                                   static_cast<uint32_t>(libraries.size()), libraries.data()};
    if (!libraries.empty()) info.pNext = &linked;
    if (setup.base != nullptr) {
      info.basePipelineHandle = Make(*setup.base);
      ExpectNothing();
    }
    const VkPipelineCacheCreateInfo cache_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    VkPipelineCache cache = VK_NULL_HANDLE;
    if (setup.has_cache) vk.CreatePipelineCache(device, &cache_info, nullptr, &cache);
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateGraphicsPipelines(device, cache, 1, &info, nullptr, &pipeline);
    if (cache != VK_NULL_HANDLE) vk.DestroyPipelineCache(device, cache, nullptr);
    if (setup.base != nullptr) vk.DestroyPipeline(device, info.basePipelineHandle, nullptr);
    for (const VkPipeline library : libraries) vk.DestroyPipeline(device, library, nullptr);
    return pipeline;
  }

  void Run(const PipelineCase& row) {
    SCOPED_TRACE(row.id != nullptr ? row.id : "correct");
    PipelineSetup setup;
    row.change(setup);
    Start(setup);
    const SkipCalls skip(*this);
    const VkPipeline pipeline = Make(setup);
    if (row.other_id != nullptr) {
      ExpectMessages({row.id, row.other_id});
    } else if (row.id != nullptr) {
      ExpectMessage(row.id);
    }
    ExpectNothing();
    if (pipeline != VK_NULL_HANDLE) vk.DestroyPipeline(device, pipeline, nullptr);
    for (const VkPipelineLayout layout : layouts_) vk.DestroyPipelineLayout(device, layout, nullptr);
    layouts_.clear();
    Destroy();
    for (const auto& format : setup.formats) driver().config().formats.erase(format.first);
  }

  test::ExtensionFeatures features_;
  std::vector<VkPipelineLayout> layouts_;
};

TEST_F(PipelineRulesTest, State) {
  for (const PipelineCase& row : StateCases()) Run(row);
}
TEST_F(PipelineRulesTest, Output) {
  for (const PipelineCase& row : OutputCases()) Run(row);
}
TEST_F(PipelineRulesTest, ShadingRate) {
  for (const PipelineCase& row : ShadingRateCases()) Run(row);
}
TEST_F(PipelineRulesTest, Stage) {
  for (const PipelineCase& row : StageCases()) Run(row);
}
TEST_F(PipelineRulesTest, Target) {
  for (const PipelineCase& row : TargetCases()) Run(row);
}
TEST_F(PipelineRulesTest, Library) {
  for (const PipelineCase& row : LibraryCases()) Run(row);
}
TEST_F(PipelineRulesTest, Link) {
  for (const PipelineCase& row : LinkCases()) Run(row);
}
TEST_F(PipelineRulesTest, Call) {
  for (const PipelineCase& row : CallCases()) Run(row);
}
TEST_F(PipelineRulesTest, LocalRead) {
  for (const PipelineCase& row : LocalReadCases()) Run(row);
}
TEST_F(PipelineRulesTest, Chain) {
  for (const PipelineCase& row : ChainCases()) Run(row);
}

}  // namespace
}  // namespace assay::core
