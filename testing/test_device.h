// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_TEST_DEVICE_H_
#define ASSAY_TESTING_TEST_DEVICE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "testing/functions.h"
#include "testing/loader.h"
#include "testing/message_log.h"
#include "vk/struct_traits.h"
#include "vk/vulkan.h"

// A test device, with shorthands for tests. It is over the mock driver (InProcessLoader) or any other (SystemLoader),
// with or without a layer.
//
// The Make functions return objects in their plainest valid form, from create infos that need no sType. The device
// destroys them, newest first, unless the test did so before. The test fails if a command that should return VK_SUCCESS
// does not.
namespace assay::test {

// A structure with its sType, from one without: Typed(VkEventCreateInfo{.flags = VK_EVENT_CREATE_DEVICE_ONLY_BIT}).
template <class T>
T Typed(T structure) {
  structure.sType = vk::kStructureTypeOf<T>;
  return structure;
}
// The same without a chain, from the members behind that.
template <class T, class... Members>
T Of(const Members&... members) {
  return T(vk::kStructureTypeOf<T>, nullptr, members...);
}

// Structures of chains and what they point to, which live as long as this.
class Links {
 public:
  // A new structure of the chain; it needs no sType.
  template <class T, class Info>
  T& Chain(Info& info, const T& value = {}) {
    T* const link = Keep(Typed(value));
    link->pNext = const_cast<void*>(static_cast<const void*>(info.pNext));
    info.pNext = link;
    return *link;
  }
  // A copy of a value that structures point to.
  template <class T>
  T* Keep(const T& value) {
    const auto kept = std::make_shared<T>(value);
    links_.push_back(kept);
    return kept.get();
  }

 private:
  std::vector<std::shared_ptr<void>> links_;
};

// A 2D image of that size in both directions, with one mip level, array layer and sample.
inline VkImageCreateInfo ImageInfo(VkFormat format, uint32_t size, VkImageUsageFlags usage) {
  return {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
          .imageType = VK_IMAGE_TYPE_2D,
          .format = format,
          .extent = {size, size, 1},
          .mipLevels = 1,
          .arrayLayers = 1,
          .samples = VK_SAMPLE_COUNT_1_BIT,
          .usage = usage};
}

struct DeviceOptions {
  uint32_t api_version = VK_API_VERSION_1_4;
  // In addition to VK_EXT_debug_utils and, if there are such extensions, VK_KHR_surface and VK_EXT_headless_surface.
  std::vector<const char*> instance_extensions;
  // In addition to VK_KHR_swapchain, which comes with VK_KHR_surface.
  std::vector<const char*> device_extensions;
  // The layer's settings: {"validate_sync", true}.
  std::vector<std::pair<std::string, bool>> settings;
  std::vector<VkLayerSettingEXT> other_settings;
  // Whether to enable all features of the driver in the core versions up to api_version.
  bool core_features = true;
  // More structures for VkDeviceCreateInfo's chain.
  void* features = nullptr;
  // The layer that the settings are for.
  const char* layer_name = "VK_LAYER_ASSAY_validation";
  // The number of queues of each family, for the families that exist.
  std::vector<uint32_t> queue_counts = {2, 1, 1};
};

struct Buffer {
  VkBuffer handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  // In bytes.
  VkDeviceSize size = 0;
  operator VkBuffer() const { return handle; }
};

struct Image {
  VkImage handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkImageCreateInfo info = {};
  operator VkImage() const { return handle; }
  // The range has all aspects of the format.
  VkImageSubresourceRange Range() const;
  VkImageSubresourceLayers Layers(uint32_t mip_level = 0) const;
};

struct Binding {
  uint32_t binding = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  uint32_t count = 1;
  VkShaderStageFlags stages = VK_SHADER_STAGE_ALL;
  const VkSampler* immutable_samplers = nullptr;
};

struct GraphicsOptions {
  // For dynamic rendering. Ignored if there is a render pass.
  std::vector<VkFormat> color_formats = {VK_FORMAT_R8G8B8A8_UNORM};
  VkFormat depth_format = VK_FORMAT_UNDEFINED;
  VkRenderPass render_pass = VK_NULL_HANDLE;
  uint32_t subpass = 0;
  // The number of vertex buffers. Each has one VK_FORMAT_R32G32B32A32_SFLOAT attribute with the number of its binding.
  uint32_t vertex_bindings = 0;
  bool depth_write = false;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  // If null, a default shader. The default fragment shader writes every color attachment.
  VkShaderModule vertex = VK_NULL_HANDLE;
  VkShaderModule fragment = VK_NULL_HANDLE;
  // If null, there is no geometry shader.
  VkShaderModule geometry = VK_NULL_HANDLE;
  // More attributes, of a binding 0 of 64 bytes.
  std::vector<VkVertexInputAttributeDescription> attributes = {};
  VkBool32 alpha_to_coverage = VK_FALSE;
  VkBool32 rasterizer_discard = VK_FALSE;
};

class TestDevice {
 public:
  TestDevice(const Loader& loader, MessageLog& log) : loader_(loader), log_(log) {}
  ~TestDevice() { Destroy(); }
  TestDevice(const TestDevice&) = delete;
  TestDevice& operator=(const TestDevice&) = delete;

  // Makes instance and device. Destroy() destroys everything.
  void Create(const DeviceOptions& options = {});
  void CreateInstance(const DeviceOptions& options = {});
  void CreateDevice(const DeviceOptions& options = {});
  void Destroy();

  // All commands, for calls like vk.CmdCopyBuffer(...). Device commands come from vkGetDeviceProcAddr.
  Functions vk;
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;

  // Family 0 supports everything, family 1 compute and transfer, family 2 only transfer.
  VkQueue Queue(uint32_t family = 0, uint32_t index = 0);

  // A buffer with its own memory, which is device-local and host-visible. Usage 0 means every common usage.
  Buffer MakeBuffer(VkDeviceSize size, VkBufferUsageFlags usage = 0);
  Buffer MakeBuffer(const VkBufferCreateInfo& info);
  // The buffer has VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT.
  VkDeviceAddress AddressOf(VkBuffer buffer);
  VkMemoryRequirements RequirementsOf(VkBuffer buffer);
  VkMemoryRequirements RequirementsOf(VkImage image);
  // A buffer without memory.
  VkBuffer MakeUnboundBuffer(const VkBufferCreateInfo& info);
  VkDeviceMemory MakeMemory(VkDeviceSize size, uint32_t type, const void* next = nullptr);
  // Memory of the first allowed type that is device-local and host-visible, or else of the first allowed type.
  VkDeviceMemory MakeMemory(const VkMemoryRequirements& requirements, const void* next = nullptr);
  Image MakeImage(VkFormat format, uint32_t width, uint32_t height, VkImageUsageFlags usage = 0, uint32_t levels = 1,
                  uint32_t layers = 1);
  Image MakeImage(const VkImageCreateInfo& info);
  VkImage MakeUnboundImage(const VkImageCreateInfo& info);
  VkImageView MakeView(const Image& image);
  VkImageView MakeView(const VkImageViewCreateInfo& info);
  VkImageView MakeView(VkImage image, VkFormat format, const VkImageSubresourceRange& range,
                       VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D, const void* next = nullptr);
  VkSampler MakeSampler(const VkSamplerCreateInfo& info = {}) {
    return MakeFrom(info, vk.CreateSampler, vk.DestroySampler);
  }

  VkFence MakeFence(VkFenceCreateFlags flags = 0);
  VkSemaphore MakeSemaphore();
  VkSemaphore MakeTimeline(uint64_t initial_value = 0);
  VkEvent MakeEvent(VkEventCreateFlags flags = 0);
  VkQueryPool MakeQueryPool(VkQueryType type, uint32_t count, VkQueryPipelineStatisticFlags statistics = 0);

  VkCommandPool MakeCommandPool(uint32_t family = 0,
                                VkCommandPoolCreateFlags flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT);
  // A command buffer in the initial state, from its own pool.
  VkCommandBuffer MakeCommandBuffer(
      uint32_t family = 0, VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
      VkCommandPoolCreateFlags pool_flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT);
  void Begin(VkCommandBuffer command_buffer, VkCommandBufferUsageFlags flags = 0);
  void End(VkCommandBuffer command_buffer);
  // A new command buffer. `commands` records its commands.
  VkCommandBuffer Record(const std::function<void(VkCommandBuffer)>& commands, uint32_t family = 0,
                         VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY);

  struct SubmitOptions {
    std::vector<VkSemaphoreSubmitInfo> waits;
    std::vector<VkSemaphoreSubmitInfo> signals;
    VkFence fence = VK_NULL_HANDLE;
  };
  // A semaphore for these options, with the value of a timeline semaphore.
  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value = 0) {
    return Of<VkSemaphoreSubmitInfo>(semaphore, value, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  }
  void HostSignal(VkSemaphore timeline, uint64_t value) {
    const auto info = Of<VkSemaphoreSignalInfo>(timeline, value);
    vk.SignalSemaphore(device, &info);
  }
  // Submits with vkQueueSubmit2.
  VkResult Submit(VkQueue queue, std::vector<VkCommandBuffer> command_buffers, const SubmitOptions& options);
  VkResult Submit(VkQueue queue, std::vector<VkCommandBuffer> command_buffers) {
    return Submit(queue, std::move(command_buffers), SubmitOptions());
  }

  VkShaderModule MakeShader(std::span<const uint32_t> words);
  // A shader module from SPIR-V text.
  VkShaderModule MakeShader(std::string_view text);
  VkDescriptorSetLayout MakeSetLayout(const std::vector<Binding>& bindings, VkDescriptorSetLayoutCreateFlags flags = 0);
  VkPipelineLayout MakePipelineLayout(const std::vector<VkDescriptorSetLayout>& sets, uint32_t push_constant_size = 0);
  // A descriptor set from its own pool.
  VkDescriptorSet MakeSet(VkDescriptorSetLayout layout,
                          VkDescriptorPoolCreateFlags pool_flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT);
  void WriteBuffer(VkDescriptorSet set, uint32_t binding, VkDescriptorType type, VkBuffer buffer,
                   VkDeviceSize offset = 0, VkDeviceSize range = VK_WHOLE_SIZE, uint32_t element = 0);
  void WriteImage(VkDescriptorSet set, uint32_t binding, VkDescriptorType type, VkImageView view, VkImageLayout layout,
                  VkSampler sampler = VK_NULL_HANDLE, uint32_t element = 0);
  VkPipeline MakeComputePipeline(VkPipelineLayout layout, VkShaderModule shader);
  // Viewport and scissor are dynamic.
  VkPipeline MakeGraphicsPipeline(VkPipelineLayout layout, const GraphicsOptions& options = {});
  VkRenderPass MakeRenderPass(const VkRenderPassCreateInfo2& info);
  // The structures need no sType.
  VkRenderPass MakeRenderPass(std::vector<VkAttachmentDescription2> attachments,
                              std::vector<VkSubpassDescription2> subpasses,
                              std::vector<VkSubpassDependency2> dependencies = {});
  VkFramebuffer MakeFramebuffer(VkRenderPass render_pass, const std::vector<VkImageView>& views, uint32_t width,
                                uint32_t height, uint32_t layers = 1);
  // With a square render area.
  static VkRenderPassBeginInfo BeginInfo(VkRenderPass render_pass, VkFramebuffer framebuffer, uint32_t size = 64) {
    return {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, nullptr, render_pass, framebuffer, {{0, 0}, {size, size}}};
  }
  void PipelineBarrier(VkCommandBuffer command_buffer, const VkImageMemoryBarrier2& barrier) {
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    vk.CmdPipelineBarrier2(command_buffer, &info);
  }
  void SetViewportAndScissor(VkCommandBuffer command_buffer, uint32_t width, uint32_t height);

  VkSurfaceKHR MakeSurface();
  VkSwapchainKHR MakeSwapchain(VkSurfaceKHR surface, uint32_t image_count = 3, VkSwapchainKHR old = VK_NULL_HANDLE,
                               const void* next = nullptr);
  std::vector<VkImage> SwapchainImages(VkSwapchainKHR swapchain);

  // An object of any type, from a create info without sType, and the commands that create and destroy it:
  //
  //   MakeFrom(VkEventCreateInfo{.flags = VK_EVENT_CREATE_DEVICE_ONLY_BIT}, vk.CreateEvent, vk.DestroyEvent)
  template <class Info, class Handle>
  Handle MakeFrom(const Info& of,
                  VkResult(VKAPI_PTR* create)(VkDevice, const Info*, const VkAllocationCallbacks*, Handle*),
                  void(VKAPI_PTR* destroy)(VkDevice, Handle, const VkAllocationCallbacks*)) {
    const Info info = Typed(of);
    Handle made = VK_NULL_HANDLE;
    EXPECT_EQ(create(device, &info, nullptr, &made), VK_SUCCESS);
    Defer(made, [=, this] { destroy(device, made, nullptr); });
    return made;
  }
  // Creates an object with these commands, which may fail, and destroys it at once. The create info needs no sType.
  template <class Info, class Handle>
  void CreateOnce(VkResult(VKAPI_PTR* create)(VkDevice, const Info*, const VkAllocationCallbacks*, Handle*),
                  void(VKAPI_PTR* destroy)(VkDevice, Handle, const VkAllocationCallbacks*), const Info& of) {
    const Info info = Typed(of);
    Handle made = VK_NULL_HANDLE;
    create(device, &info, nullptr, &made);
    destroy(device, made, nullptr);
  }

  void SetName(VkObjectType type, uint64_t handle, const char* name);
  template <class Handle>
  void SetName(VkObjectType type, Handle handle, const char* name) {
    SetName(type, reinterpret_cast<uint64_t>(handle), name);
  }

  // Destroy() calls destroy(), before the functions that were deferred earlier.
  void Defer(uint64_t handle, std::function<void()> destroy);
  template <class Handle>
  void Defer(Handle handle, std::function<void()> destroy) {
    Defer(reinterpret_cast<uint64_t>(handle), std::move(destroy));
  }
  // Destroys an object of a Make function now.
  void DestroyNow(uint64_t handle);
  template <class Handle>
  void DestroyNow(Handle handle) {
    DestroyNow(reinterpret_cast<uint64_t>(handle));
  }
  void DestroyNow(const Buffer& buffer) { DestroyNow(buffer.handle); }
  void DestroyNow(const Image& image) { DestroyNow(image.handle); }
  // For an object that the test has destroyed, or leaks deliberately.
  void CancelDestroy(uint64_t handle);
  template <class Handle>
  void CancelDestroy(Handle handle) {
    CancelDestroy(reinterpret_cast<uint64_t>(handle));
  }

 private:
  struct Deferred {
    uint64_t handle;
    std::function<void()> destroy;
  };

  const Loader& loader_;
  MessageLog& log_;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  bool has_surfaces_ = false;
  std::vector<Deferred> deferred_;
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_TEST_DEVICE_H_
