// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A program that renders frames for as long as it is told to (--submissions=N), and says what that costs as it goes on:
// time of the thread for each submission, and memory. Over the mock driver both are the layer's. Fails if either grows,
// or if the layer has anything to say.
//
// A frame is what an engine's is: it uploads on a transfer queue, computes on another, executes a command buffer that
// was recorded once, draws to the image that it acquired, and presents it. Three are in flight. Some buffers are new
// every few frames, and the swapchain is after 64 frames, behind fences alone. As often, a frame makes, uses and
// destroys an object of each kind (object_frame.h).

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "benchmarks/dispatch_shader.h"
#include "benchmarks/object_frame.h"
#include "testing/message_log.h"
#include "testing/system_loader.h"
#include "testing/test_device.h"
#include "vk/vulkan.h"

namespace assay::benchmarks {
namespace {

constexpr uint32_t kFrames = 3;
constexpr uint32_t kSubmissionsPerFrame = 4;
constexpr uint32_t kFramesPerBuffer = 16;
constexpr uint32_t kFramesPerSwapchain = 64;
constexpr uint32_t kFramesPerObjectFrame = 64;
constexpr VkDeviceSize kSize = 4096;

constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
constexpr VkPipelineStageFlags2 kClear = VK_PIPELINE_STAGE_2_CLEAR_BIT;
constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 kColor = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
constexpr VkAccessFlags2 kWrite = VK_ACCESS_2_TRANSFER_WRITE_BIT;
constexpr VkAccessFlags2 kReadWrite = VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT;

class Soak {
 public:
  explicit Soak(test::TestDevice& device) : device_(device), vk(device.vk) {
    surface_ = device.MakeSurface();
    MakeSwapchain();
    timeline_ = device.MakeTimeline();
    history_ = MakeBuffer();
    for (VkBuffer& buffer : read_) buffer = MakeBuffer();
    pipeline_layout_ = device.MakePipelineLayout({set_layout_ = device.MakeSetLayout({{0}, {1}, {2}, {3}})});
    compute_ = device.MakeComputePipeline(pipeline_layout_, device.MakeShader(std::span(kDispatchShader)));
    draw_ = device.MakeGraphicsPipeline(device.MakePipelineLayout({}),
                                        {.color_formats = {VK_FORMAT_B8G8R8A8_UNORM}, .vertex_bindings = 1});
    RecordOnce();
    for (Frame& frame : frames_) MakeFrame(frame);
    object_frames_.emplace(device);
  }
  // Everything is complete after this.
  void Finish() {
    vk.DeviceWaitIdle(device_.device);
    object_frames_.reset();
  }

  void RenderFrame() {
    Frame& frame = frames_[number_ % kFrames];
    vk.WaitForFences(device_.device, 1, &frame.fence, VK_TRUE, UINT64_MAX);
    vk.ResetFences(device_.device, 1, &frame.fence);
    if (number_ % kFramesPerSwapchain == kFramesPerSwapchain - 1) RemakeSwapchain(frame);
    if (number_ / kFrames % kFramesPerBuffer == 0) RemakeVertices(frame);
    uint32_t image = 0;
    vk.AcquireNextImageKHR(device_.device, swapchain_, UINT64_MAX, frame.acquired, VK_NULL_HANDLE, &image);
    Upload(frame);
    Compute(frame);
    device_.Submit(device_.Queue(0), {once_}, {.waits = {At(timeline_, time_, kAll)}});
    Draw(frame, image);
    Present(image);
    if (number_ % kFramesPerObjectFrame == 0) object_frames_->Run();
    ++number_;
  }

 private:
  struct Frame {
    VkFence fence;
    VkSemaphore acquired;
    VkCommandBuffer upload, compute, draw;
    test::Buffer staging, vertices, particles, readback;
    VkDescriptorSet set;
  };

  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value, VkPipelineStageFlags2 stages) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value, stages, 0};
  }

  // For all queues.
  test::Buffer MakeBuffer() {
    static constexpr uint32_t kFamilies[] = {0, 1, 2};
    return device_.MakeBuffer(
        VkBufferCreateInfo{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                           .size = kSize,
                           .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                           .sharingMode = VK_SHARING_MODE_CONCURRENT,
                           .queueFamilyIndexCount = 3,
                           .pQueueFamilyIndices = kFamilies});
  }
  void MakeFrame(Frame& frame) {
    frame.fence = device_.MakeFence(VK_FENCE_CREATE_SIGNALED_BIT);
    frame.acquired = device_.MakeSemaphore();
    frame.upload = device_.MakeCommandBuffer(2);
    frame.compute = device_.MakeCommandBuffer(1);
    frame.draw = device_.MakeCommandBuffer(0);
    frame.staging = MakeBuffer();
    frame.vertices = MakeBuffer();
    frame.particles = MakeBuffer();
    frame.readback = MakeBuffer();
    frame.set = device_.MakeSet(set_layout_);
    for (uint32_t i = 1; i < 4; ++i) {
      device_.WriteBuffer(frame.set, i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, read_[i]);
    }
    device_.WriteBuffer(frame.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, frame.vertices);
  }
  void RemakeVertices(Frame& frame) {
    device_.DestroyNow(frame.vertices);
    device_.DestroyNow(frame.vertices.memory);
    frame.vertices = MakeBuffer();
    device_.WriteBuffer(frame.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, frame.vertices);
  }

  void MakeSwapchain() {
    swapchain_ = device_.MakeSwapchain(surface_);
    for (VkImage image : device_.SwapchainImages(swapchain_)) {
      const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                          .image = image,
                                          .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                          .format = VK_FORMAT_B8G8R8A8_UNORM,
                                          .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
      images_.push_back({image, device_.MakeView(info), device_.MakeSemaphore()});
    }
  }
  // The frame whose fence is reset has been waited for.
  void RemakeSwapchain(const Frame& waited) {
    for (const Frame& frame : frames_) {
      if (&frame != &waited) vk.WaitForFences(device_.device, 1, &frame.fence, VK_TRUE, UINT64_MAX);
    }
    for (const SwapchainImage& image : images_) {
      device_.DestroyNow(image.view);
      device_.DestroyNow(image.rendered);
    }
    images_.clear();
    device_.DestroyNow(swapchain_);
    MakeSwapchain();
  }

  void Barrier(VkCommandBuffer c, VkPipelineStageFlags2 src_stages, VkAccessFlags2 src_access,
               VkPipelineStageFlags2 dst_stages, VkAccessFlags2 dst_access) {
    const VkMemoryBarrier2 barrier = {
        VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, nullptr, src_stages, src_access, dst_stages, dst_access};
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barrier};
    vk.CmdPipelineBarrier2(c, &info);
  }
  void Transition(VkCommandBuffer c, VkImage image, VkAccessFlags2 src_access, VkAccessFlags2 dst_access,
                  VkImageLayout from, VkImageLayout to) {
    const VkImageMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                           .srcStageMask = kColor,
                                           .srcAccessMask = src_access,
                                           .dstStageMask = kColor,
                                           .dstAccessMask = dst_access,
                                           .oldLayout = from,
                                           .newLayout = to,
                                           .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .image = image,
                                           .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    vk.CmdPipelineBarrier2(c, &info);
  }
  void Copy(VkCommandBuffer c, VkBuffer from, VkBuffer to) {
    const VkBufferCopy region = {0, 0, kSize};
    vk.CmdCopyBuffer(c, from, to, 1, &region);
  }

  // In flight as often as frames are: a primary with a secondary.
  void RecordOnce() {
    VkCommandBuffer secondary = device_.MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    device_.Begin(secondary, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    Copy(secondary, history_, read_[0]);
    device_.End(secondary);
    once_ = device_.MakeCommandBuffer();
    device_.Begin(once_, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    Barrier(once_, kCopy | kClear, kWrite, kCopy | kClear, kReadWrite);
    vk.CmdFillBuffer(once_, history_, 0, VK_WHOLE_SIZE, 0);
    Barrier(once_, kClear, kWrite, kCopy, kReadWrite);
    vk.CmdExecuteCommands(once_, 1, &secondary);
    device_.End(once_);
  }

  void Upload(Frame& frame) {
    device_.Begin(frame.upload);
    Copy(frame.upload, frame.staging, frame.vertices);
    device_.End(frame.upload);
    device_.Submit(device_.Queue(2), {frame.upload}, {.signals = {At(timeline_, ++time_, kCopy)}});
  }
  void Compute(Frame& frame) {
    device_.Begin(frame.compute);
    vk.CmdBindPipeline(frame.compute, VK_PIPELINE_BIND_POINT_COMPUTE, compute_);
    vk.CmdBindDescriptorSets(frame.compute, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout_, 0, 1, &frame.set, 0,
                             nullptr);
    vk.CmdDispatch(frame.compute, 16, 1, 1);
    vk.CmdFillBuffer(frame.compute, frame.particles, 0, VK_WHOLE_SIZE, 1);
    device_.End(frame.compute);
    const uint64_t uploaded = time_;
    device_.Submit(device_.Queue(1), {frame.compute},
                   {.waits = {At(timeline_, uploaded, kCompute | kClear)}, .signals = {At(timeline_, ++time_, kAll)}});
  }
  // Twenty barriers that differ in their scopes.
  void ManyBarriers(VkCommandBuffer c) {
    struct Scope {
      VkPipelineStageFlags2 stages;
      VkAccessFlags2 accesses;
    };
    static constexpr Scope kScopes[] = {{kCopy, kReadWrite},
                                        {kClear, kWrite},
                                        {kCompute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                                        {VK_PIPELINE_STAGE_2_BLIT_BIT, kReadWrite},
                                        {kColor, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT}};
    for (const Scope& from : kScopes) {
      for (const Scope& to : kScopes) {
        if (&from != &to) Barrier(c, from.stages, from.accesses, to.stages, to.accesses);
      }
    }
  }
  void Draw(Frame& frame, uint32_t image) {
    VkCommandBuffer c = frame.draw;
    device_.Begin(c);
    ManyBarriers(c);
    Copy(c, frame.particles, frame.readback);
    Transition(c, images_[image].image, 0, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, VK_IMAGE_LAYOUT_UNDEFINED,
               VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                             .imageView = images_[image].view,
                                             .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                             .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                             .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                       .renderArea = {{0, 0}, {16, 16}},
                                       .layerCount = 1,
                                       .colorAttachmentCount = 1,
                                       .pColorAttachments = &color};
    vk.CmdBeginRendering(c, &rendering);
    const VkDeviceSize offset = 0;
    vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, draw_);
    device_.SetViewportAndScissor(c, 16, 16);
    vk.CmdBindVertexBuffers(c, 0, 1, &frame.vertices.handle, &offset);
    for (uint32_t i = 0; i < 8; ++i) vk.CmdDraw(c, 3, 1, i * 3, 0);
    vk.CmdEndRendering(c);
    Transition(c, images_[image].image, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, 0,
               VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    device_.End(c);
    device_.Submit(device_.Queue(0), {c},
                   {.waits = {At(timeline_, time_, kAll), At(frame.acquired, 0, kColor)},
                    .signals = {At(images_[image].rendered, 0, kAll)},
                    .fence = frame.fence});
  }
  void Present(uint32_t image) {
    const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                   .waitSemaphoreCount = 1,
                                   .pWaitSemaphores = &images_[image].rendered,
                                   .swapchainCount = 1,
                                   .pSwapchains = &swapchain_,
                                   .pImageIndices = &image};
    vk.QueuePresentKHR(device_.Queue(0), &info);
  }

  struct SwapchainImage {
    VkImage image;
    VkImageView view;
    VkSemaphore rendered;
  };

  test::TestDevice& device_;
  const test::Functions& vk;
  VkSurfaceKHR surface_;
  VkSwapchainKHR swapchain_;
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
  VkCommandBuffer once_;
  std::array<Frame, kFrames> frames_;
  std::optional<ObjectFrames> object_frames_;
};

// Of the calling thread.
double Seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// What of the process is in memory, in bytes.
uint64_t Memory() {
  uint64_t total = 0;
  uint64_t resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * 4096;
}

struct Tenth {
  double nanoseconds;
  uint64_t memory;
};

// The first tenth warms up. Time is compared between the halves of what is left, so that a slow moment counts little.
bool IsFlat(const std::vector<Tenth>& tenths) {
  const uint64_t begin = tenths[1].memory;
  const bool grows = tenths.back().memory > begin + begin / 50 + (1 << 20);
  const auto fastest = [&](size_t first, size_t last) {
    double least = tenths[first].nanoseconds;
    for (size_t i = first; i < last; ++i) least = std::min(least, tenths[i].nanoseconds);
    return least;
  };
  const bool slows = fastest(6, 10) > 1.25 * fastest(1, 6);
  if (grows) std::printf("soak: the memory grows\n");
  if (slows) std::printf("soak: submissions become dearer\n");
  return !grows && !slows;
}

int Main(int argc, char** argv) {
  uint64_t submissions = 40000;
  for (int i = 1; i < argc; ++i) {
    std::string_view text = argv[i];
    if (!absl::ConsumePrefix(&text, "--submissions=") || !absl::SimpleAtoi(text, &submissions)) {
      std::fprintf(stderr, "usage: soak [--submissions=N]\n");
      return 2;
    }
  }
  test::SystemLoader loader;
  test::MessageLog log;
  test::TestDevice device(loader, log);
  device.Create({.api_version = VK_API_VERSION_1_3});
  if (device.device == VK_NULL_HANDLE) return 1;
  std::vector<Tenth> tenths;
  {
    Soak soak(device);
    const uint64_t frames = submissions / kSubmissionsPerFrame / 10;
    for (uint32_t tenth = 0; tenth < 10; ++tenth) {
      const double begin = Seconds();
      for (uint64_t i = 0; i < frames; ++i) soak.RenderFrame();
      const double seconds = Seconds() - begin;
      tenths.push_back({1e9 * seconds / static_cast<double>(frames * kSubmissionsPerFrame), Memory()});
      std::printf("soak: %lu submissions, %.0f ns each, %.2f MiB\n",
                  static_cast<unsigned long>((tenth + 1) * frames * kSubmissionsPerFrame), tenths.back().nanoseconds,
                  static_cast<double>(tenths.back().memory) / (1 << 20));
      std::fflush(stdout);
    }
    soak.Finish();
  }
  device.Destroy();
  bool is_silent = true;
  for (const test::Message& message : log.Take()) {
    if ((message.types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) == 0) continue;
    std::printf("%s\n", message.text.c_str());
    is_silent = false;
  }
  return is_silent && IsFlat(tenths) ? 0 : 1;
}

}  // namespace
}  // namespace assay::benchmarks

int main(int argc, char** argv) { return assay::benchmarks::Main(argc, argv); }
