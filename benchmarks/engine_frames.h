// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_BENCHMARKS_ENGINE_FRAMES_H_
#define ASSAY_BENCHMARKS_ENGINE_FRAMES_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "testing/test_device.h"
#include "vk/vulkan.h"

namespace assay::benchmarks {

// Frames like an engine's: each uploads on a transfer queue, computes on another, executes a command buffer that was
// recorded once, draws to the image that it acquired, and presents it. Three are in flight. Each command buffer that is
// recorded again has twenty different barriers. Some buffers are new every few frames, and the swapchain is after 64
// frames, behind fences alone. Objects have names and commands have labels, with the frame's number in them.
class EngineFrames {
 public:
  static constexpr uint32_t kSubmissions = 4;

  explicit EngineFrames(test::TestDevice& device);
  EngineFrames(const EngineFrames&) = delete;
  EngineFrames& operator=(const EngineFrames&) = delete;

  void Render();

 private:
  static constexpr uint32_t kFrames = 3;

  struct Frame {
    VkFence fence;
    VkSemaphore acquired;
    VkCommandBuffer upload, compute, draw;
    test::Buffer staging, vertices, particles, readback;
    VkDescriptorSet set;
  };
  struct SwapchainImage {
    VkImage image;
    VkImageView view;
    VkSemaphore rendered;
  };

  test::Buffer MakeBuffer();
  void MakeFrame(Frame& frame);
  void RemakeVertices(Frame& frame);
  void MakeSwapchain();
  void RemakeSwapchain(const Frame& waited);
  void RecordOnce();

  // Begins a command buffer that is recorded again in this frame, and gives it a name.
  void Begin(VkCommandBuffer commands, std::string_view what);
  // The same with a label around its commands, which may not be there on a queue for transfers alone.
  void BeginLabelled(VkCommandBuffer commands, std::string_view what);
  void EndLabelled(VkCommandBuffer commands);
  void Upload(Frame& frame);
  void Compute(Frame& frame);
  void Draw(Frame& frame, uint32_t image);
  void Present(uint32_t image);

  test::TestDevice& device_;
  const test::Functions& vk;
  VkSurfaceKHR surface_;
  VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
  std::vector<SwapchainImage> images_;
  VkSemaphore timeline_;
  uint64_t time_ = 0;
  uint64_t number_ = 0;
  test::Buffer history_;
  std::array<VkBuffer, 4> read_;
  VkDescriptorSetLayout set_layout_;
  VkPipelineLayout pipeline_layout_;
  VkPipeline compute_;
  VkPipeline draw_;
  VkCommandBuffer once_ = VK_NULL_HANDLE;
  std::array<Frame, kFrames> frames_;
};

}  // namespace assay::benchmarks

#endif  // ASSAY_BENCHMARKS_ENGINE_FRAMES_H_
