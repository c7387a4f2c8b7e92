// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A fragment shader with an array of textures, over a square.

#include <cstdint>

#include "testing/gpu/cost/drawing.h"
#include "testing/gpu/cost/measured_device.h"
#include "testing/gpu/cost/shaders/bindless_frag.h"
#include "testing/gpu/cost/shaders/triangle_vert.h"

namespace assay::test {
namespace {

constexpr uint32_t kTextures = 64;
constexpr uint32_t kTextureWidth = 256;
constexpr VkDescriptorType kSampled = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;

// A texture of one color, ready to be sampled.
VkImageView MakeTexture(MeasuredDevice& device, float shade) {
  TestDevice& vulkan = device.device();
  const Image image = vulkan.MakeImage(VK_FORMAT_R8G8B8A8_UNORM, kTextureWidth, kTextureWidth,
                                       VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  device.Run([&](VkCommandBuffer commands) {
    ChangeLayout(device, commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    const VkClearColorValue color = {.float32 = {shade, shade, shade, 1}};
    const VkImageSubresourceRange range = image.Range();
    device.vk().CmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1, &range);
    ChangeLayout(device, commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                 VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  });
  return vulkan.MakeView(image);
}

}  // namespace

void MeasureFragments(MeasuredDevice& device) {
  TestDevice& vulkan = device.device();
  const VkDescriptorSetLayout set_layout = vulkan.MakeSetLayout({{0, kSampled, kTextures}});
  const VkDescriptorSet set = vulkan.MakeSet(set_layout);
  const VkSampler sampler = vulkan.MakeSampler();
  for (uint32_t i = 0; i < kTextures; ++i) {
    vulkan.WriteImage(set, 0, kSampled, MakeTexture(device, static_cast<float>(i) / kTextures),
                      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, sampler, i);
  }
  const VkPipelineLayout layout = vulkan.MakePipelineLayout({set_layout});
  const VkPipeline pipeline = vulkan.MakeGraphicsPipeline(
      layout, {.vertex = vulkan.MakeShader(k_triangle_vert), .fragment = vulkan.MakeShader(k_bindless_frag)});
  const DrawTarget target(device, device.sizes().width);
  const Functions& vk = device.vk();
  const double time = device.GpuMicroseconds(
      [&](VkCommandBuffer commands) {
        vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, nullptr);
      },
      [&](VkCommandBuffer commands) {
        target.Begin(commands);
        vk.CmdDraw(commands, 3, 1, 0, 0);
        vk.CmdEndRendering(commands);
      });
  PrintResult("bindless_fragments", time, "us");
}

}  // namespace assay::test
