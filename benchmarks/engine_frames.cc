// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/engine_frames.h"

#include <span>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/dispatch_shader.h"

namespace assay::benchmarks {
namespace {

constexpr uint32_t kFramesPerBuffer = 16;
constexpr uint32_t kFramesPerSwapchain = 64;
constexpr VkDeviceSize kSize = 4096;

constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
constexpr VkPipelineStageFlags2 kClear = VK_PIPELINE_STAGE_2_CLEAR_BIT;
constexpr VkPipelineStageFlags2 kTransfer = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 kColor = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
constexpr VkAccessFlags2 kRead = VK_ACCESS_2_TRANSFER_READ_BIT;
constexpr VkAccessFlags2 kWrite = VK_ACCESS_2_TRANSFER_WRITE_BIT;
constexpr VkAccessFlags2 kReadWrite = kRead | kWrite;

VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value, VkPipelineStageFlags2 stages) {
  return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value, stages, 0};
}

void Barrier(const test::Functions& vk, VkCommandBuffer c, VkPipelineStageFlags2 src_stages, VkAccessFlags2 src_access,
             VkPipelineStageFlags2 dst_stages, VkAccessFlags2 dst_access) {
  const VkMemoryBarrier2 barrier = {
      VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, nullptr, src_stages, src_access, dst_stages, dst_access};
  const VkDependencyInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barrier};
  vk.CmdPipelineBarrier2(c, &info);
}

void Transition(const test::Functions& vk, VkCommandBuffer c, VkImage image, VkAccessFlags2 src_access,
                VkAccessFlags2 dst_access, VkImageLayout from, VkImageLayout to) {
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

void Copy(const test::Functions& vk, VkCommandBuffer c, VkBuffer from, VkBuffer to) {
  const VkBufferCopy region = {0, 0, kSize};
  vk.CmdCopyBuffer(c, from, to, 1, &region);
}

// Stages that a queue supports, and accesses of them.
struct Scope {
  VkPipelineStageFlags2 stages;
  VkAccessFlags2 accesses;
};
constexpr Scope kTransferScopes[] = {{kCopy, kWrite},
                                     {kCopy, kReadWrite},
                                     {kTransfer, kWrite},
                                     {kTransfer, kReadWrite},
                                     {kAll, VK_ACCESS_2_MEMORY_WRITE_BIT}};
constexpr Scope kComputeScopes[] = {{kCopy, kReadWrite},
                                    {kClear, kWrite},
                                    {kCompute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                                    {kTransfer, kReadWrite},
                                    {kAll, VK_ACCESS_2_MEMORY_WRITE_BIT}};
constexpr Scope kGraphicsScopes[] = {{kCopy, kReadWrite},
                                     {kClear, kWrite},
                                     {kCompute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                                     {VK_PIPELINE_STAGE_2_BLIT_BIT, kReadWrite},
                                     {kColor, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT}};

// Twenty barriers that differ in their scopes.
void ManyBarriers(const test::Functions& vk, VkCommandBuffer c, std::span<const Scope, 5> scopes) {
  for (const Scope& from : scopes) {
    for (const Scope& to : scopes) {
      if (&from != &to) Barrier(vk, c, from.stages, from.accesses, to.stages, to.accesses);
    }
  }
}

VkDebugUtilsLabelEXT Label(const std::string& text) {
  return {VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, text.c_str(), {0, 1, 0, 1}};
}

}  // namespace

EngineFrames::EngineFrames(test::TestDevice& device)
    : device_(device), vk(device.vk), surface_(device.MakeSurface()), timeline_(device.MakeTimeline()) {
  MakeSwapchain();
  history_ = MakeBuffer();
  for (VkBuffer& buffer : read_) buffer = MakeBuffer();
  set_layout_ = device.MakeSetLayout({{0}, {1}, {2}, {3}});
  pipeline_layout_ = device.MakePipelineLayout({set_layout_});
  compute_ = device.MakeComputePipeline(pipeline_layout_, device.MakeShader(std::span(kDispatchShader)));
  draw_ = device.MakeGraphicsPipeline(device.MakePipelineLayout({}),
                                      {.color_formats = {VK_FORMAT_B8G8R8A8_UNORM}, .vertex_bindings = 1});
  device.SetName(VK_OBJECT_TYPE_PIPELINE, draw_, "draw");
  device.SetName(VK_OBJECT_TYPE_PIPELINE, compute_, "compute");
  RecordOnce();
  for (Frame& frame : frames_) MakeFrame(frame);
}

void EngineFrames::Render() {
  Frame& frame = frames_[number_ % kFrames];
  vk.WaitForFences(device_.device, 1, &frame.fence, VK_TRUE, UINT64_MAX);
  vk.ResetFences(device_.device, 1, &frame.fence);
  if (number_ % kFramesPerSwapchain == kFramesPerSwapchain - 1) RemakeSwapchain(frame);
  if (number_ / kFrames % kFramesPerBuffer == 0) RemakeVertices(frame);
  uint32_t image = 0;
  vk.AcquireNextImageKHR(device_.device, swapchain_, UINT64_MAX, frame.acquired, VK_NULL_HANDLE, &image);
  const std::string text = absl::StrCat("frame ", number_);
  const VkDebugUtilsLabelEXT label = Label(text);
  vk.QueueBeginDebugUtilsLabelEXT(device_.Queue(0), &label);
  Upload(frame);
  Compute(frame);
  device_.Submit(device_.Queue(0), {once_}, {.waits = {At(timeline_, time_, kAll)}});
  Draw(frame, image);
  Present(image);
  vk.QueueEndDebugUtilsLabelEXT(device_.Queue(0));
  ++number_;
}

// For all queues.
test::Buffer EngineFrames::MakeBuffer() {
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

void EngineFrames::MakeFrame(Frame& frame) {
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
  device_.SetName(VK_OBJECT_TYPE_BUFFER, frame.particles.handle, "particles");
  device_.SetName(VK_OBJECT_TYPE_BUFFER, frame.readback.handle, "readback");
}

void EngineFrames::RemakeVertices(Frame& frame) {
  device_.DestroyNow(frame.vertices);
  device_.DestroyNow(frame.vertices.memory);
  frame.vertices = MakeBuffer();
  device_.WriteBuffer(frame.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, frame.vertices);
  device_.SetName(VK_OBJECT_TYPE_BUFFER, frame.vertices.handle, absl::StrCat("vertices ", number_).c_str());
  device_.SetName(VK_OBJECT_TYPE_DEVICE_MEMORY, frame.vertices.memory, "memory of vertices");
}

void EngineFrames::MakeSwapchain() {
  swapchain_ = device_.MakeSwapchain(surface_);
  device_.SetName(VK_OBJECT_TYPE_SWAPCHAIN_KHR, swapchain_, absl::StrCat("swapchain ", number_).c_str());
  for (VkImage image : device_.SwapchainImages(swapchain_)) {
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = VK_FORMAT_B8G8R8A8_UNORM,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    images_.push_back({image, device_.MakeView(info), device_.MakeSemaphore()});
    device_.SetName(VK_OBJECT_TYPE_IMAGE_VIEW, images_.back().view, "back buffer");
  }
}

// The frame whose fence is reset has been waited for.
void EngineFrames::RemakeSwapchain(const Frame& waited) {
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

// In flight as often as frames are: a primary with a secondary.
void EngineFrames::RecordOnce() {
  VkCommandBuffer secondary = device_.MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  device_.Begin(secondary, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  Copy(vk, secondary, history_, read_[0]);
  device_.End(secondary);
  once_ = device_.MakeCommandBuffer();
  device_.Begin(once_, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  Barrier(vk, once_, kCopy | kClear, kWrite, kCopy | kClear, kReadWrite);
  vk.CmdFillBuffer(once_, history_, 0, VK_WHOLE_SIZE, 0);
  Barrier(vk, once_, kClear, kWrite, kCopy, kReadWrite);
  vk.CmdExecuteCommands(once_, 1, &secondary);
  device_.End(once_);
}

void EngineFrames::Begin(VkCommandBuffer commands, std::string_view what) {
  const std::string text = absl::StrCat(what, " of frame ", number_);
  device_.SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, commands, text.c_str());
  device_.Begin(commands);
}

void EngineFrames::BeginLabelled(VkCommandBuffer commands, std::string_view what) {
  Begin(commands, what);
  const std::string text = absl::StrCat(what, " of frame ", number_);
  const VkDebugUtilsLabelEXT label = Label(text);
  vk.CmdBeginDebugUtilsLabelEXT(commands, &label);
}

void EngineFrames::EndLabelled(VkCommandBuffer commands) {
  vk.CmdEndDebugUtilsLabelEXT(commands);
  device_.End(commands);
}

void EngineFrames::Upload(Frame& frame) {
  Begin(frame.upload, "upload");
  ManyBarriers(vk, frame.upload, kTransferScopes);
  Copy(vk, frame.upload, frame.staging, frame.vertices);
  device_.End(frame.upload);
  device_.Submit(device_.Queue(2), {frame.upload}, {.signals = {At(timeline_, ++time_, kCopy)}});
}

void EngineFrames::Compute(Frame& frame) {
  VkCommandBuffer c = frame.compute;
  BeginLabelled(c, "compute");
  ManyBarriers(vk, c, kComputeScopes);
  vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, compute_);
  vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout_, 0, 1, &frame.set, 0, nullptr);
  vk.CmdDispatch(c, 16, 1, 1);
  vk.CmdFillBuffer(c, frame.particles, 0, VK_WHOLE_SIZE, 1);
  EndLabelled(c);
  const uint64_t uploaded = time_;
  device_.Submit(device_.Queue(1), {c},
                 {.waits = {At(timeline_, uploaded, kCompute | kClear)}, .signals = {At(timeline_, ++time_, kAll)}});
}

void EngineFrames::Draw(Frame& frame, uint32_t image) {
  VkCommandBuffer c = frame.draw;
  BeginLabelled(c, "draw");
  ManyBarriers(vk, c, kGraphicsScopes);
  Copy(vk, c, frame.particles, frame.readback);
  Transition(vk, c, images_[image].image, 0, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, VK_IMAGE_LAYOUT_UNDEFINED,
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
  for (uint32_t i = 0; i < 8; ++i) {
    const std::string text = absl::StrCat("mesh ", i);
    const VkDebugUtilsLabelEXT label = Label(text);
    vk.CmdInsertDebugUtilsLabelEXT(c, &label);
    vk.CmdDraw(c, 3, 1, i * 3, 0);
  }
  vk.CmdEndRendering(c);
  Transition(vk, c, images_[image].image, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, 0,
             VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
  EndLabelled(c);
  device_.Submit(device_.Queue(0), {c},
                 {.waits = {At(timeline_, time_, kAll), At(frame.acquired, 0, kColor)},
                  .signals = {At(images_[image].rendered, 0, kAll)},
                  .fence = frame.fence});
}

void EngineFrames::Present(uint32_t image) {
  const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                 .waitSemaphoreCount = 1,
                                 .pWaitSemaphores = &images_[image].rendered,
                                 .swapchainCount = 1,
                                 .pSwapchains = &swapchain_,
                                 .pImageIndices = &image};
  vk.QueuePresentKHR(device_.Queue(0), &info);
}

}  // namespace assay::benchmarks
