// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Buffers and their views; subresources of images; devices without queues.

#include "core/resources/resource_test.h"
#include "vk/chain.h"

namespace assay::core {
namespace {

using Info = VkBufferCreateInfo;
using ViewInfo = VkBufferViewCreateInfo;

constexpr VkBufferUsageFlags kUniform = VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT;
constexpr VkExternalMemoryHandleTypeFlags kFd = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr auto kPushed = VK_BUFFER_USAGE_PUSH_DESCRIPTORS_DESCRIPTOR_BUFFER_BIT_EXT;

class BufferTest : public ResourceTest {
 protected:
  void RunBuffers(const std::vector<Case<Info>>& cases) {
    const Info correct = {.size = 64, .usage = kUniform};
    Run("VkBufferCreateInfo", correct, cases, vk.CreateBuffer, vk.DestroyBuffer);
  }
  void SetMemory(Info& i, VkExternalMemoryHandleTypeFlags types) {
    Chain<VkExternalMemoryBufferCreateInfo>(i).handleTypes = types;
  }
};

TEST_F(BufferTest, Buffers) {
  ChangeProperties<VkExternalBufferProperties>([](auto& p) { p.externalMemoryProperties.compatibleHandleTypes = kFd; });
  ChangeProperties<VkPhysicalDeviceDescriptorBufferPropertiesEXT>(
      [](auto& p) { p.bufferlessPushDescriptors = VK_TRUE; });
  Start({VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME}, {"videoEncodeAV1"}, {"VK_EXT_buffer_device_address"});
  RunBuffers({
      {"None-09499", [](Info& i) { i.usage |= 0x80000000; }},
      {"sharingMode-00913", [&](Info& i) { SetFamilies(i, 0, nullptr); }},
      {"sharingMode-01419", [&](Info& i) { SetFamilies(i, 1, families_); }},
      {"", [&](Info& i) { SetFamilies(i, 0, families_); }},
      {"deviceAddress-02604", [&](Info& i) { Chain<VkBufferDeviceAddressCreateInfoEXT>(i).deviceAddress = 64; }},
      {"opaqueCaptureAddress-03337",
       [&](Info& i) { Chain<VkBufferOpaqueCaptureAddressCreateInfo>(i).opaqueCaptureAddress = 64; }},
      {"pNext-01571",
       [&](Info& i) {
         Chain<VkDedicatedAllocationBufferCreateInfoNV>(i).dedicatedAllocation = VK_TRUE,
         i.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
       }},
      {"pNext-10249", [&](Info& i) { SetAv1Encoder(i); }},
      {"usage-04813", [](Info& i) { i.usage = VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR; }},
      {"usage-04814", [](Info& i) { i.usage = VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR; }},
      {"", [&](Info& i) { i.usage = VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR, SetEncoder(i); }},
      {"usage-08103", [](Info& i) { i.usage = kPushed; }},
      {"usage-08102", [](Info& i) { i.usage = kPushed | VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT; }},
      {"pNext-00920", [&](Info& i) { SetMemory(i, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT); }},
      {"", [&](Info& i) { SetMemory(i, kFd); }},
  });
}

// Usages of 64 bits replace the others, for the driver, too.
TEST_F(BufferTest, ExternalMemoryOfWideUsages) {
  Start();
  VkBufferUsageFlags2 asked = 0;
  driver().Observe<vk::GetPhysicalDeviceExternalBufferProperties>([&](const auto& call) {
    const auto* const wide = vk::FindInChain<VkBufferUsageFlags2CreateInfo>(call.pExternalBufferInfo->pNext);
    if (wide != nullptr) asked = wide->usage;
  });
  RunBuffers({{"", [&](Info& i) {
                 SetMemory(i, kFd), Chain<VkBufferUsageFlags2CreateInfo>(i).usage = kStorage, i.usage = 0;
               }}});
  EXPECT_EQ(asked, kStorage);
}

TEST_F(BufferTest, Views) {
  SetFeatures(VK_FORMAT_R8_UINT, 0, VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT);
  driver().config().limits.maxTexelBufferElements = 65536;
  Start();
  const auto own = [&](ViewInfo& i, VkBufferUsageFlags2 usage) {
    Chain<VkBufferUsageFlags2CreateInfo>(i).usage = usage;
  };
  const ViewInfo correct = {.buffer = MakeBuffer(64, kUniform), .format = VK_FORMAT_R8G8B8A8_UINT, .range = 64};
  const VkBuffer stored = MakeBuffer(64, kStorage);
  const VkBuffer large = MakeBuffer(VkDeviceSize{65537} * 4, kUniform);
  const std::vector<Case<ViewInfo>> cases = {
      {"format-08778", [](ViewInfo& i) { i.format = VK_FORMAT_R8_UINT; }},
      {"format-08779", [&](ViewInfo& i) { i.format = VK_FORMAT_R8_UINT, i.buffer = stored; }},
      {"pNext-08780", [&](ViewInfo& i) { own(i, kUniform | VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT); }},
      {"pNext-08781", [&](ViewInfo& i) { own(i, kStorage); }},
      {"", [&](ViewInfo& i) { own(i, kUniform); }},
      {"pNext-06782", [&](ViewInfo& i) { ExportMetal(i); }},
      {"range-00929", [](ViewInfo& i) { i.range = 62; }},
      {"range-00930", [&](ViewInfo& i) { i.buffer = large, i.range = VkDeviceSize{65537} * 4; }},
      {"range-04059", [&](ViewInfo& i) { i.buffer = large, i.range = VK_WHOLE_SIZE; }},
      {"", [](ViewInfo& i) { i.range = VK_WHOLE_SIZE; }},
  };
  Run("VkBufferViewCreateInfo", correct, cases, vk.CreateBufferView, vk.DestroyBufferView);
}

// An image, and a subresource of it.
struct Subresource {
  VkImageCreateInfo image = PlainImage(VK_IMAGE_TILING_LINEAR);
  VkImageSubresource of = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};

  void Set(VkFormat format, VkImageAspectFlags aspects) {
    image.format = format;
    of.aspectMask = aspects;
  }
};

TEST_F(BufferTest, Subresources) {
  Start();
  using S = Subresource;
  const std::vector<Case<S>> cases = {
      {"mipLevel-01716", [](S& s) { s.of.mipLevel = 1; }},
      {"arrayLayer-01717", [](S& s) { s.of.arrayLayer = 1; }},
      {"aspectMask-00997", [](S& s) { s.Set(VK_FORMAT_D24_UNORM_S8_UINT, 6); }},
      {"tiling-08717", [](S& s) { s.Set(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_IMAGE_ASPECT_COLOR_BIT); }},
      {"", [](S& s) { s.Set(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_IMAGE_ASPECT_PLANE_1_BIT); }},
      {"format-04462", [](S& s) { s.Set(VK_FORMAT_D16_UNORM, VK_IMAGE_ASPECT_STENCIL_BIT); }},
      {"format-04463", [](S& s) { s.Set(VK_FORMAT_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT); }},
      {"format-04464", [](S& s) { s.of.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT; }},
      {"format-08886", [](S& s) { s.of.aspectMask = VK_IMAGE_ASPECT_PLANE_0_BIT; }},
  };
  VkSubresourceLayout old = {};
  VkSubresourceLayout2 layout = {.sType = VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2};
  const auto get = [&](const S& s) { vk.GetImageSubresourceLayout(device, MakeImage(s.image), &s.of, &old); };
  Run("vkGetImageSubresourceLayout", S(), cases, get);
  Run("vkGetImageSubresourceLayout2", S(), cases, [&](const S& s) {
    const VkImageSubresource2 subresource = {VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2, nullptr, s.of};
    vk.GetImageSubresourceLayout2(device, MakeImage(s.image), &subresource, &layout);
  });
  Run("VkDeviceImageSubresourceInfo", S(), cases, [&](const S& s) {
    const VkImageSubresource2 subresource = {VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2, nullptr, s.of};
    const auto info = test::Of<VkDeviceImageSubresourceInfo>(&s.image, &subresource);
    vk.GetDeviceImageSubresourceLayout(device, &info, &layout);
  });
  Run("vkGetImageSubresourceLayout", S(), {{"image-07790", [](S& s) { s.image.tiling = VK_IMAGE_TILING_OPTIMAL; }}},
      get);
  auto modifier = test::Of<VkImageDrmFormatModifierPropertiesEXT>();
  const SkipCalls skip(*this);
  vk.GetImageDrmFormatModifierPropertiesEXT(device, MakeImage(S().image), &modifier);
  ExpectMessages({"VUID-vkGetImageDrmFormatModifierPropertiesEXT-image-02272"});
}

TEST_F(BufferTest, WithoutQueues) {
  driver().config().queue_families = {{VK_QUEUE_PROTECTED_BIT, 1, 64, {1, 1, 1}}};
  Create({.queue_counts = {1}});
  const auto expect = [&](const char* rule) { ExpectMessages({absl::StrCat("VUID-vkCreate", rule)}); };
  const VkBuffer buffer = MakeBuffer(64, kUniform);
  expect("Buffer-device-09664");
  const VkBufferViewCreateInfo of_buffer = {.buffer = buffer, .format = VK_FORMAT_R8G8B8A8_UINT, .range = 64};
  CreateOnce(vk.CreateBufferView, vk.DestroyBufferView, of_buffer);
  expect("BufferView-device-09665");
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  expect("Image-device-09666");
  MakeView(image);
  expect("ImageView-device-09667");
  MakeSampler();
  expect("Sampler-device-09668");
  MakeQueryPool(VK_QUERY_TYPE_OCCLUSION, 1);
  expect("QueryPool-device-09663");
  const VkRenderPass pass2 = MakeRenderPass({}, {VkSubpassDescription2{}});
  expect("RenderPass2-device-10001");
  MakeFramebuffer(pass2, {}, 16, 16);
  expect("Framebuffer-device-10002");
  const VkSubpassDescription subpass = {};
  CreateOnce(vk.CreateRenderPass, vk.DestroyRenderPass, {.subpassCount = 1, .pSubpasses = &subpass});
  expect("RenderPass-device-10000");
}

}  // namespace
}  // namespace assay::core
