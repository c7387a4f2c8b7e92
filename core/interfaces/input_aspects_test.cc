// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The aspects of input attachments that fragment shaders read, through the whole layer.

#include "core/shader_stages/stage_text_test.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT;
constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
constexpr VkFormat kBoth = VK_FORMAT_D24_UNORM_S8_UINT;

// Reads input attachment 0 through a variable of the component type.
std::string ReadingShader(const std::string& component) {
  return Text(
      {.model = "Fragment",
       .capabilities = Capabilities("InputAttachment"),
       .variables = {{"%input", "UniformConstant", "%image", "DescriptorSet 0, Binding 0, InputAttachmentIndex 0"}},
       .globals = absl::StrCat("%image = OpTypeImage %", component, " SubpassData 0 0 0 2 Unknown\n",
                               "%origin = OpConstantComposite %v2int %i0 %i0\n"),
       .body =
           absl::StrCat("%loaded = OpLoad %image %input\n%texel = OpImageRead %v4", component, " %loaded %origin\n")});
}

class InputAspects : public test::ValidationTest {
 protected:
  void Read(const char* rule, const std::string& component, VkFormat format, VkImageAspectFlags aspects) {
    SCOPED_TRACE(absl::StrCat(component, " of format ", format, " and aspects ", aspects));
    const auto input = test::Of<VkAttachmentReference2>(0u, VK_IMAGE_LAYOUT_GENERAL, aspects);
    const VkRenderPass pass = MakeRenderPass({{.format = format,
                                               .samples = VK_SAMPLE_COUNT_1_BIT,
                                               .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                               .finalLayout = VK_IMAGE_LAYOUT_GENERAL}},
                                             {{.inputAttachmentCount = 1, .pInputAttachments = &input}});
    const VkPipelineLayout layout = MakePipelineLayout(
        {MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1, VK_SHADER_STAGE_FRAGMENT_BIT}})});
    MakeGraphicsPipeline(layout,
                         {.color_formats = {}, .render_pass = pass, .fragment = MakeShader(ReadingShader(component))});
    ExpectAlone("VkGraphicsPipelineCreateInfo", rule);
  }
};

TEST_F(InputAspects, OfTheMask) {
  Read("", "float", kBoth, kDepth);
  Read("", "float", kBoth, kDepth | kStencil);
  Read("", "uint", kBoth, kStencil);
  Read("", "uint", kBoth, kDepth | kStencil);
  Read("", "float", VK_FORMAT_D32_SFLOAT, kDepth);
  Read("", "uint", VK_FORMAT_S8_UINT, kStencil);
  Read("", "float", VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_ASPECT_COLOR_BIT);
}

TEST_F(InputAspects, OutsideOfTheMask) {
  Read("pStages-01565", "float", kBoth, kStencil);
  Read("pStages-01565", "uint", kBoth, kDepth);
}

}  // namespace
}  // namespace assay::core
