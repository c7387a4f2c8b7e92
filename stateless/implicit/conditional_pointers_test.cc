// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The states of a graphics pipeline that are read. In these tests, each pointer that may be garbage is garbage.

#include "stateless/implicit/conditional_pointers.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

namespace assay::stateless {
namespace {

using States = std::set<std::string, std::less<>>;

const States kAll = {
    "pStages",           "pVertexInputState",  "pInputAssemblyState", "pViewportState", "pRasterizationState",
    "pMultisampleState", "pDepthStencilState", "pColorBlendState"};

States Without(States states, std::initializer_list<const char*> left_out) {
  for (const char* state : left_out) states.erase(state);
  return states;
}

// A pipeline that renders to a color and a depth attachment without a render pass.
class ConditionalPointersTest : public ::testing::Test {
 protected:
  void SetDynamic(std::vector<VkDynamicState> states) {
    states_ = std::move(states);
    dynamic_.dynamicStateCount = static_cast<uint32_t>(states_.size());
    dynamic_.pDynamicStates = states_.data();
    create_.pDynamicState = &dynamic_;
  }
  // Adds the structure at the beginning of the chain.
  template <class T>
  void Chain(T& structure) {
    structure.pNext = create_.pNext;
    create_.pNext = &structure;
  }

  States ReadStates() const {
    States read;
    const vk::StructInfo& info = *vk::FindStruct(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
    for (const vk::MemberInfo& member : info.members) {
      if (IsConditionalPointer(info, member) && IsKnownToBeRead(member, &create_, nullptr)) read.emplace(member.name);
    }
    return read;
  }

  VkFormat format_ = VK_FORMAT_R8G8B8A8_UNORM;
  VkPipelineRenderingCreateInfo rendering_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                              .colorAttachmentCount = 1,
                                              .pColorAttachmentFormats = &format_,
                                              .depthAttachmentFormat = VK_FORMAT_D32_SFLOAT};
  VkPipelineShaderStageCreateInfo stage_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                            .stage = VK_SHADER_STAGE_VERTEX_BIT};
  VkPipelineRasterizationStateCreateInfo rasterization_ = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  VkPipelineDynamicStateCreateInfo dynamic_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  std::vector<VkDynamicState> states_;
  VkGraphicsPipelineCreateInfo create_ = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                          .pNext = &rendering_,
                                          .stageCount = 1,
                                          .pStages = &stage_,
                                          .pRasterizationState = &rasterization_};
};

TEST_F(ConditionalPointersTest, OfAWholePipeline) { EXPECT_EQ(ReadStates(), kAll); }

TEST_F(ConditionalPointersTest, TessellationWithItsStages) {
  VkPipelineShaderStageCreateInfo stages[3] = {stage_, stage_, stage_};
  create_.pStages = stages;
  create_.stageCount = 3;
  stages[1].stage = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
  EXPECT_FALSE(ReadStates().contains("pTessellationState"));
  stages[2].stage = VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
  EXPECT_TRUE(ReadStates().contains("pTessellationState"));
  SetDynamic({VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT});
  EXPECT_FALSE(ReadStates().contains("pTessellationState"));
}

TEST_F(ConditionalPointersTest, MeshShadersHaveNoVertices) {
  stage_.stage = VK_SHADER_STAGE_MESH_BIT_EXT;
  EXPECT_EQ(ReadStates(), Without(kAll, {"pVertexInputState", "pInputAssemblyState"}));
}

TEST_F(ConditionalPointersTest, DiscardedRasterization) {
  rasterization_.rasterizerDiscardEnable = VK_TRUE;
  EXPECT_EQ(ReadStates(), States({"pStages", "pVertexInputState", "pInputAssemblyState", "pRasterizationState"}));
  // The pipeline then does not define whether rasterization is discarded.
  SetDynamic({VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE});
  EXPECT_EQ(ReadStates(), kAll);
}

TEST_F(ConditionalPointersTest, WithoutAttachments) {
  rendering_.depthAttachmentFormat = VK_FORMAT_UNDEFINED;
  EXPECT_EQ(ReadStates(), Without(kAll, {"pDepthStencilState"}));
  rendering_.stencilAttachmentFormat = VK_FORMAT_S8_UINT;
  format_ = VK_FORMAT_UNDEFINED;
  EXPECT_EQ(ReadStates(), Without(kAll, {"pColorBlendState"}));
  create_.pNext = nullptr;
  EXPECT_EQ(ReadStates(), Without(kAll, {"pDepthStencilState", "pColorBlendState"}));
}

TEST_F(ConditionalPointersTest, WithARenderPassAttachmentsAreUnknown) {
  create_.renderPass = reinterpret_cast<VkRenderPass>(uint64_t{8});
  EXPECT_EQ(ReadStates(), Without(kAll, {"pDepthStencilState", "pColorBlendState"}));
}

TEST_F(ConditionalPointersTest, DynamicStates) {
  const std::pair<const char*, std::vector<VkDynamicState>> kCases[] = {
      {"pVertexInputState", {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT}},
      {"pInputAssemblyState", {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE}},
      {"pViewportState", {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT}},
      {"pRasterizationState",
       {VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
        VK_DYNAMIC_STATE_POLYGON_MODE_EXT, VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_FRONT_FACE,
        VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, VK_DYNAMIC_STATE_DEPTH_BIAS, VK_DYNAMIC_STATE_LINE_WIDTH}},
      {"pMultisampleState",
       {VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
        VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT}},
      {"pDepthStencilState",
       {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
        VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP,
        VK_DYNAMIC_STATE_DEPTH_BOUNDS}},
      {"pColorBlendState",
       {VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, VK_DYNAMIC_STATE_LOGIC_OP_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
        VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT,
        VK_DYNAMIC_STATE_BLEND_CONSTANTS}},
  };
  for (const auto& [ignored, states] : kCases) {
    SetDynamic(states);
    EXPECT_EQ(ReadStates(), Without(kAll, {ignored}));
    // One that is not dynamic is enough.
    SetDynamic({states.begin(), states.end() - 1});
    EXPECT_EQ(ReadStates(), kAll) << ignored;
  }
}

TEST_F(ConditionalPointersTest, LibrariesHaveOnlyTheirPart) {
  VkGraphicsPipelineLibraryCreateInfoEXT library = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
      .flags = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT};
  Chain(library);
  EXPECT_EQ(ReadStates(), States({"pVertexInputState", "pInputAssemblyState"}));
  library.flags = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
  EXPECT_EQ(ReadStates(), States({"pStages", "pRasterizationState", "pViewportState"}));
  create_.pRasterizationState = nullptr;
  library.flags = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
  EXPECT_EQ(ReadStates(), States({"pStages", "pDepthStencilState"}));
  create_.renderPass = reinterpret_cast<VkRenderPass>(uint64_t{8});
  EXPECT_EQ(ReadStates(), States({"pStages", "pMultisampleState"}));
  create_.renderPass = VK_NULL_HANDLE;
  library.flags = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
  EXPECT_EQ(ReadStates(), States({"pMultisampleState", "pColorBlendState"}));
}

TEST_F(ConditionalPointersTest, LinkedPipelinesAndOtherLibrariesHaveNone) {
  VkPipeline library = reinterpret_cast<VkPipeline>(uint64_t{8});
  VkPipelineLibraryCreateInfoKHR libraries = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                              .pLibraries = &library};
  Chain(libraries);
  EXPECT_EQ(ReadStates(), kAll);
  libraries.libraryCount = 1;
  EXPECT_EQ(ReadStates(), States());
  libraries.libraryCount = 0;
  create_.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  EXPECT_EQ(ReadStates(), States());
  // Replaces flags.
  VkPipelineCreateFlags2CreateInfo flags = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO};
  Chain(flags);
  EXPECT_EQ(ReadStates(), kAll);
  flags.flags = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR;
  EXPECT_EQ(ReadStates(), States());
}

}  // namespace
}  // namespace assay::stateless
