// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_PLANTED_ENGINE_H_
#define ASSAY_TESTING_PLANTED_ENGINE_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "testing/loader.h"
#include "testing/message_log.h"
#include "testing/planted/access.h"
#include "testing/test_device.h"
#include "vk/vulkan.h"

namespace assay::planted {

class Commands;
using test::Buffer;

// The width and height of images and renderings, in pixels.
inline constexpr uint32_t kSide = 64;
// The bytes of a buffer, unless its program says otherwise. An image fits in them too.
inline constexpr VkDeviceSize kBytes = VkDeviceSize{kSide} * kSide * 4;
inline constexpr VkFormat kColorFormat = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;

// The capabilities of the device that a program needs.
struct Needs {
  // The capabilities that queue family 1 must have, or 0 if there need not be a second family.
  VkQueueFlags second_queue_family = 0;
  bool presentation = false;
  bool acceleration_structures = false;
  bool transform_feedback = false;
  bool conditional_rendering = false;
  // Buffers that need not have all of their memory, or that share it.
  bool sparse_buffers = false;
};

// An image, and a view of all of it.
struct Texture : test::Image {
  VkImageView view = VK_NULL_HANDLE;
};

// A resource as a shader sees it. Its place in a list is its binding.
struct Resource {
  VkDescriptorType type;
  VkDescriptorBufferInfo buffer = {};
  VkDescriptorImageInfo image = {};
};
Resource Storage(VkBuffer buffer, VkDeviceSize offset = 0, VkDeviceSize range = VK_WHOLE_SIZE);
Resource Uniform(VkBuffer buffer);
// A storage buffer of kDynamicRange bytes, from the offset that is given when the set is bound.
Resource DynamicStorage(VkBuffer buffer);
inline constexpr VkDeviceSize kDynamicRange = 256;
Resource Sampled(const Texture& texture, VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
Resource StorageImage(const Texture& texture);
Resource InputAttachment(const Texture& texture);

// A pipeline with its descriptor set.
struct Pipeline {
  VkPipeline handle = VK_NULL_HANDLE;
  VkPipelineBindPoint bind_point = VK_PIPELINE_BIND_POINT_COMPUTE;
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
};

// The differences from a pipeline that draws a white triangle to one color target.
struct Material {
  std::vector<Resource> resources = {};
  // SPIR-V.
  std::span<const uint32_t> vertex = {};
  std::span<const uint32_t> fragment = {};
  uint32_t vertex_buffers = 0;
  std::vector<VkFormat> color_formats = {kColorFormat};
  VkFormat depth_format = VK_FORMAT_UNDEFINED;
  bool depth_write = true;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkRenderPass render_pass = VK_NULL_HANDLE;
  uint32_t subpass = 0;
};

// A swapchain on a surface without a display.
struct Window {
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  std::vector<Texture> images;
};

using Recorder = std::function<void(Commands&)>;

// A device with the parts that every engine has around it. The objects that it makes live as long as it does.
class Engine : public test::TestDevice {
 public:
  Engine(const test::Loader& loader, test::MessageLog& log) : TestDevice(loader, log), log_(log) {}

  // False if the GPU does not have something that the program needs.
  bool Start(const Needs& needs);

  Buffer MakeBuffer(const char* name, VkDeviceSize size = kBytes);
  Texture MakeTexture(const char* name, VkFormat format = kColorFormat, uint32_t levels = 1, uint32_t layers = 1);
  Texture MakeMultisampled(const char* name);
  Texture MakeDepth(const char* name) { return MakeTexture(name, kDepthFormat); }
  // The same image, with a view of one level.
  Texture LevelOf(const Texture& texture, uint32_t level);

  // A pipeline with a compute shader that reads and writes these storage buffers, or with the given shader.
  Pipeline MakeCompute(const std::vector<VkBuffer>& reads, const std::vector<VkBuffer>& writes);
  Pipeline MakeCompute(std::span<const uint32_t> shader, const std::vector<Resource>& resources);
  Pipeline MakeGraphics(const Material& material = {});
  // Another descriptor set for the same pipeline.
  Pipeline WithResources(const Pipeline& pipeline, const std::vector<Resource>& resources);

  Window MakeWindow();
  uint32_t Acquire(const Window& window, VkSemaphore semaphore);
  void Present(const Window& window, uint32_t image, std::vector<VkSemaphore> waits);

  VkCommandBuffer Record(const Recorder& recorder, uint32_t family = 0);
  VkCommandBuffer RecordSecondary(const Recorder& recorder);
  // Records, submits to the first queue and waits for it.
  void Run(const Recorder& recorder);
  // The same, but does not wait.
  void Submit(const Recorder& recorder, const SubmitOptions& options = {});
  using TestDevice::Submit;
  void WaitIdle();
  // Lets the GPU finish, without asking Vulkan whether it has. So a command that comes too early does no harm.
  void LetFinish();
  // From now on, calls with a reported mistake do not reach the driver, which they might crash.
  void SkipWrongCalls() { log_.set_callback_result(VK_TRUE); }
  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, VkPipelineStageFlags2 stages, uint64_t value = 0);

 private:
  Pipeline MakeLayout(VkPipelineBindPoint bind_point, const std::vector<Resource>& resources);
  void Write(VkDescriptorSet set, const std::vector<Resource>& resources);
  Texture MakeTexture(const char* name, const VkImageCreateInfo& info);

  test::MessageLog& log_;
  VkSampler sampler_ = VK_NULL_HANDLE;
};

}  // namespace assay::planted

#endif  // ASSAY_TESTING_PLANTED_ENGINE_H_
