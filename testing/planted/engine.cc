// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/planted/engine.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <thread>

#include "gtest/gtest.h"
#include "testing/planted/commands.h"
#include "testing/planted/shaders/triangle_vert.h"
#include "testing/shaders.h"

namespace assay::planted {
namespace {

bool HasExtensions(const test::Functions& vk, VkPhysicalDevice physical_device, const std::vector<const char*>& names) {
  uint32_t count = 0;
  vk.EnumerateDeviceExtensionProperties(physical_device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vk.EnumerateDeviceExtensionProperties(physical_device, nullptr, &count, extensions.data());
  return std::ranges::all_of(names, [&](std::string_view name) {
    return std::ranges::any_of(extensions, [&](const auto& extension) { return extension.extensionName == name; });
  });
}

}  // namespace

Resource Storage(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize range) {
  return {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {buffer, offset, range}};
}
Resource Uniform(VkBuffer buffer) { return {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, {buffer, 0, 256}}; }
Resource DynamicStorage(VkBuffer buffer) {
  return {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, {buffer, 0, kDynamicRange}};
}
Resource Sampled(const Texture& texture, VkImageLayout layout) {
  return {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, {}, {VK_NULL_HANDLE, texture.view, layout}};
}
Resource StorageImage(const Texture& texture) {
  return {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, {}, {VK_NULL_HANDLE, texture.view, VK_IMAGE_LAYOUT_GENERAL}};
}
Resource InputAttachment(const Texture& texture) {
  return {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
          {},
          {VK_NULL_HANDLE, texture.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL}};
}

namespace {

bool HasSparseBuffers(const test::Functions& vk, VkPhysicalDevice gpu, const VkQueueFamilyProperties& family) {
  VkPhysicalDeviceFeatures features = {};
  vk.GetPhysicalDeviceFeatures(gpu, &features);
  return (family.queueFlags & VK_QUEUE_SPARSE_BINDING_BIT) != 0 && features.sparseBinding == VK_TRUE &&
         features.sparseResidencyBuffer == VK_TRUE && features.sparseResidencyAliased == VK_TRUE;
}

}  // namespace

bool Engine::Start(const Needs& needs) {
  // Programs flush the ranges that they have written, and invalidate the ranges that they are going to read.
  test::DeviceOptions options = {.settings = {{"syncval_mapped_ranges", true}}};
  VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, .accelerationStructure = VK_TRUE};
  VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .transformFeedback = VK_TRUE};
  if (needs.acceleration_structures) {
    options.device_extensions = {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                 VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME};
    options.features = &structures;
  }
  if (needs.transform_feedback) {
    options.device_extensions = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME};
    options.features = &feedback;
  }
  VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT, .conditionalRendering = VK_TRUE};
  if (needs.conditional_rendering) {
    options.device_extensions = {VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME};
    options.features = &conditional;
  }
  CreateInstance(options);
  VkQueueFamilyProperties families[2] = {};
  uint32_t family_count = 2;
  vk.GetPhysicalDeviceQueueFamilyProperties(physical_device, &family_count, families);
  if ((needs.second_queue_family & ~families[1].queueFlags) != 0) return false;
  if (needs.sparse_buffers && !HasSparseBuffers(vk, physical_device, families[0])) return false;
  if (needs.presentation && vk.CreateHeadlessSurfaceEXT == nullptr) return false;
  if (!HasExtensions(vk, physical_device, options.device_extensions)) return false;
  CreateDevice(options);
  sampler_ = MakeSampler();
  return true;
}

Buffer Engine::MakeBuffer(const char* name, VkDeviceSize size) {
  const Buffer buffer = TestDevice::MakeBuffer(size);
  SetName(VK_OBJECT_TYPE_BUFFER, buffer.handle, name);
  return buffer;
}

Texture Engine::MakeTexture(const char* name, const VkImageCreateInfo& info) {
  Texture texture = {MakeImage(info)};
  texture.view = MakeView(texture);
  SetName(VK_OBJECT_TYPE_IMAGE, texture.handle, name);
  return texture;
}

Texture Engine::MakeTexture(const char* name, VkFormat format, uint32_t levels, uint32_t layers) {
  Texture texture = {MakeImage(format, kSide, kSide, 0, levels, layers)};
  texture.view = MakeView(texture);
  SetName(VK_OBJECT_TYPE_IMAGE, texture.handle, name);
  return texture;
}

Texture Engine::MakeMultisampled(const char* name) {
  return MakeTexture(name, {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                            .imageType = VK_IMAGE_TYPE_2D,
                            .format = kColorFormat,
                            .extent = {kSide, kSide, 1},
                            .mipLevels = 1,
                            .arrayLayers = 1,
                            .samples = VK_SAMPLE_COUNT_4_BIT,
                            .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                     VK_IMAGE_USAGE_TRANSFER_DST_BIT});
}

Texture Engine::LevelOf(const Texture& texture, uint32_t level) {
  Texture part = texture;
  part.view = MakeView(VkImageViewCreateInfo{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                             .image = texture,
                                             .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                             .format = texture.info.format,
                                             .subresourceRange = {texture.Range().aspectMask, level, 1, 0, 1}});
  return part;
}

Pipeline Engine::MakeLayout(VkPipelineBindPoint bind_point, const std::vector<Resource>& resources) {
  std::vector<test::Binding> bindings;
  for (uint32_t i = 0; i < resources.size(); ++i) {
    const bool is_input = resources[i].type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    const VkShaderStageFlags stages = is_input ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_ALL;
    bindings.push_back({.binding = i, .type = resources[i].type, .stages = stages});
  }
  Pipeline pipeline = {.bind_point = bind_point};
  if (resources.empty()) {
    pipeline.layout = MakePipelineLayout({});
    return pipeline;
  }
  pipeline.set_layout = MakeSetLayout(bindings);
  pipeline.layout = MakePipelineLayout({pipeline.set_layout});
  return WithResources(pipeline, resources);
}

Pipeline Engine::WithResources(const Pipeline& pipeline, const std::vector<Resource>& resources) {
  Pipeline other = pipeline;
  other.set = MakeSet(pipeline.set_layout);
  Write(other.set, resources);
  return other;
}

void Engine::Write(VkDescriptorSet set, const std::vector<Resource>& resources) {
  for (uint32_t i = 0; i < resources.size(); ++i) {
    const Resource& resource = resources[i];
    if (resource.buffer.buffer != VK_NULL_HANDLE) {
      WriteBuffer(set, i, resource.type, resource.buffer.buffer, resource.buffer.offset, resource.buffer.range);
    } else {
      WriteImage(set, i, resource.type, resource.image.imageView, resource.image.imageLayout, sampler_);
    }
  }
}

Pipeline Engine::MakeCompute(const std::vector<VkBuffer>& reads, const std::vector<VkBuffer>& writes) {
  std::vector<VkBuffer> buffers = reads;
  test::StorageAccesses accesses;
  for (uint32_t i = 0; i < reads.size(); ++i) accesses.reads.push_back(i);
  for (VkBuffer written : writes) {
    const auto at = std::ranges::find(buffers, written) - buffers.begin();
    accesses.writes.push_back(static_cast<uint32_t>(at));
    if (at == std::ssize(buffers)) buffers.push_back(written);
  }
  std::vector<Resource> resources;
  resources.reserve(buffers.size());
  for (VkBuffer buffer : buffers) resources.push_back(Storage(buffer));
  return MakeCompute(test::AssembleSpirv(test::ComputeShader(accesses)), resources);
}

Pipeline Engine::MakeCompute(std::span<const uint32_t> shader, const std::vector<Resource>& resources) {
  Pipeline pipeline = MakeLayout(VK_PIPELINE_BIND_POINT_COMPUTE, resources);
  pipeline.handle = MakeComputePipeline(pipeline.layout, MakeShader(shader));
  return pipeline;
}

Pipeline Engine::MakeGraphics(const Material& material) {
  Pipeline pipeline = MakeLayout(VK_PIPELINE_BIND_POINT_GRAPHICS, material.resources);
  test::GraphicsOptions options = {
      .color_formats = material.color_formats,
      .depth_format = material.depth_format,
      .render_pass = material.render_pass,
      .subpass = material.subpass,
      .vertex_bindings = material.vertex_buffers,
      .depth_write = material.depth_write,
      .samples = material.samples,
  };
  if (!material.vertex.empty()) {
    options.vertex = MakeShader(material.vertex);
  } else if (material.vertex_buffers == 0) {
    options.vertex = MakeShader(k_triangle_vert);
  }
  if (!material.fragment.empty()) options.fragment = MakeShader(material.fragment);
  pipeline.handle = MakeGraphicsPipeline(pipeline.layout, options);
  return pipeline;
}

Window Engine::MakeWindow() {
  const VkSurfaceKHR surface = MakeSurface();
  VkBool32 supported = VK_FALSE;
  EXPECT_EQ(vk.GetPhysicalDeviceSurfaceSupportKHR(physical_device, 0, surface, &supported), VK_SUCCESS);
  VkSurfaceCapabilitiesKHR capabilities = {};
  EXPECT_EQ(vk.GetPhysicalDeviceSurfaceCapabilitiesKHR(physical_device, surface, &capabilities), VK_SUCCESS);
  uint32_t count = 1;
  VkSurfaceFormatKHR format = {};
  vk.GetPhysicalDeviceSurfaceFormatsKHR(physical_device, surface, &count, &format);
  const VkSwapchainCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
      .surface = surface,
      // The program may acquire two images at a time.
      .minImageCount = capabilities.minImageCount + 1,
      .imageFormat = format.format,
      .imageColorSpace = format.colorSpace,
      .imageExtent = {kSide, kSide},
      .imageArrayLayers = 1,
      .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
      .preTransform = capabilities.currentTransform,
      .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
      .presentMode = VK_PRESENT_MODE_FIFO_KHR,
      .clipped = VK_TRUE,
  };
  Window window;
  EXPECT_EQ(vk.CreateSwapchainKHR(device, &info, nullptr, &window.swapchain), VK_SUCCESS);
  Defer(window.swapchain, [=, this] { vk.DestroySwapchainKHR(device, window.swapchain, nullptr); });
  for (VkImage image : SwapchainImages(window.swapchain)) {
    Texture texture = {{.handle = image,
                        .info = {.imageType = VK_IMAGE_TYPE_2D,
                                 .format = format.format,
                                 .extent = {kSide, kSide, 1},
                                 .mipLevels = 1,
                                 .arrayLayers = 1}}};
    texture.view = MakeView(texture);
    window.images.push_back(texture);
  }
  return window;
}

uint32_t Engine::Acquire(const Window& window, VkSemaphore semaphore) {
  uint32_t image = 0;
  EXPECT_EQ(vk.AcquireNextImageKHR(device, window.swapchain, UINT64_MAX, semaphore, VK_NULL_HANDLE, &image),
            VK_SUCCESS);
  return image;
}

void Engine::Present(const Window& window, uint32_t image, std::vector<VkSemaphore> waits) {
  const VkPresentInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
      .waitSemaphoreCount = static_cast<uint32_t>(waits.size()),
      .pWaitSemaphores = waits.data(),
      .swapchainCount = 1,
      .pSwapchains = &window.swapchain,
      .pImageIndices = &image,
  };
  EXPECT_EQ(vk.QueuePresentKHR(Queue(), &info), VK_SUCCESS);
}

VkCommandBuffer Engine::Record(const Recorder& recorder, uint32_t family) {
  return TestDevice::Record(
      [&](VkCommandBuffer handle) {
        Commands commands(*this, handle);
        recorder(commands);
      },
      family);
}

VkCommandBuffer Engine::RecordSecondary(const Recorder& recorder) {
  const VkCommandBuffer handle = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  Begin(handle);
  Commands commands(*this, handle);
  recorder(commands);
  End(handle);
  return handle;
}

void Engine::Run(const Recorder& recorder) {
  Submit(recorder);
  WaitIdle();
}

void Engine::Submit(const Recorder& recorder, const SubmitOptions& options) {
  EXPECT_EQ(Submit(Queue(), {Record(recorder)}, options), VK_SUCCESS);
}

void Engine::WaitIdle() { EXPECT_EQ(vk.DeviceWaitIdle(device), VK_SUCCESS); }

void Engine::LetFinish() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

VkSemaphoreSubmitInfo Engine::At(VkSemaphore semaphore, VkPipelineStageFlags2 stages, uint64_t value) {
  return {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = semaphore, .value = value, .stageMask = stages};
}

}  // namespace assay::planted
