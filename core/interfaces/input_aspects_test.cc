// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The aspects of input attachments that fragment shaders read, through the whole layer.

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT;
constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;

// Reads input attachment 0 through a variable of the component type, and writes location 0.
std::string ReadingShader(const std::string& component) {
  return absl::StrCat(R"(
      OpCapability Shader
      OpCapability InputAttachment
      OpMemoryModel Logical GLSL450
      OpEntryPoint Fragment %main "main" %input %out
      OpExecutionMode %main OriginUpperLeft
      OpDecorate %out Location 0
      OpDecorate %input DescriptorSet 0
      OpDecorate %input Binding 0
      OpDecorate %input InputAttachmentIndex 0
      %void = OpTypeVoid
      %function = OpTypeFunction %void
      %float = OpTypeFloat 32
      %uint = OpTypeInt 32 0
      %int = OpTypeInt 32 1
      %vec_float = OpTypeVector %float 4
      %vec_uint = OpTypeVector %uint 4
      %ivec2 = OpTypeVector %int 2
      %image = OpTypeImage %)",
                      component, R"( SubpassData 0 0 0 2 Unknown
      %image_pointer = OpTypePointer UniformConstant %image
      %out_pointer = OpTypePointer Output %vec_float
      %input = OpVariable %image_pointer UniformConstant
      %out = OpVariable %out_pointer Output
      %i0 = OpConstant %int 0
      %f0 = OpConstant %float 0
      %origin = OpConstantComposite %ivec2 %i0 %i0
      %black = OpConstantComposite %vec_float %f0 %f0 %f0 %f0
      %main = OpFunction %void None %function
      %entry = OpLabel
      %loaded = OpLoad %image %input
      %texel = OpImageRead %vec_)",
                      component, R"( %loaded %origin
      OpStore %out %black
      OpReturn
      OpFunctionEnd)");
}

class InputAspects : public test::ValidationTest {
 protected:
  VkRenderPass RenderPassWith(VkFormat format, VkImageAspectFlags aspects) {
    const VkAttachmentDescription2 attachments[] = {{.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                                     .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                     .samples = VK_SAMPLE_COUNT_1_BIT,
                                                     .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                     .finalLayout = VK_IMAGE_LAYOUT_GENERAL},
                                                    {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                                     .format = format,
                                                     .samples = VK_SAMPLE_COUNT_1_BIT,
                                                     .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                     .finalLayout = VK_IMAGE_LAYOUT_GENERAL}};
    const VkAttachmentReference2 color = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 0, VK_IMAGE_LAYOUT_GENERAL,
                                          VK_IMAGE_ASPECT_COLOR_BIT};
    const VkAttachmentReference2 input = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 1, VK_IMAGE_LAYOUT_GENERAL,
                                          aspects};
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                           .inputAttachmentCount = 1,
                                           .pInputAttachments = &input,
                                           .colorAttachmentCount = 1,
                                           .pColorAttachments = &color};
    return MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                           .attachmentCount = 2,
                           .pAttachments = attachments,
                           .subpassCount = 1,
                           .pSubpasses = &subpass});
  }
  void Read(const std::string& component, VkFormat format, VkImageAspectFlags aspects) {
    const VkPipelineLayout layout = MakePipelineLayout(
        {MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1, VK_SHADER_STAGE_FRAGMENT_BIT}})});
    MakeGraphicsPipeline(layout, {.render_pass = RenderPassWith(format, aspects),
                                  .fragment = MakeShader(std::string_view(ReadingShader(component)))});
  }
};

TEST_F(InputAspects, OfTheMask) {
  Read("float", VK_FORMAT_D24_UNORM_S8_UINT, kDepth);
  Read("float", VK_FORMAT_D24_UNORM_S8_UINT, kDepth | kStencil);
  Read("uint", VK_FORMAT_D24_UNORM_S8_UINT, kStencil);
  Read("uint", VK_FORMAT_D24_UNORM_S8_UINT, kDepth | kStencil);
  Read("float", VK_FORMAT_D32_SFLOAT, kDepth);
  Read("uint", VK_FORMAT_S8_UINT, kStencil);
  Read("float", VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_ASPECT_COLOR_BIT);
}

TEST_F(InputAspects, OutsideOfTheMask) {
  Read("float", VK_FORMAT_D24_UNORM_S8_UINT, kStencil);
  ExpectMessage("VUID-VkGraphicsPipelineCreateInfo-pStages-01565");
  Read("uint", VK_FORMAT_D24_UNORM_S8_UINT, kDepth);
  ExpectMessage("VUID-VkGraphicsPipelineCreateInfo-pStages-01565");
}

}  // namespace
}  // namespace assay::core
