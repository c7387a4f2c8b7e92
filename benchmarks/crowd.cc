// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/crowd.h"

#include <memory>
#include <span>

#include "benchmarks/crowd_compute_shader.h"
#include "benchmarks/crowd_fragment_shader.h"
#include "benchmarks/crowd_vertex_shader.h"

namespace assay::benchmarks {
namespace {

constexpr VkExtent2D kExtent = {64, 64};
constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;
constexpr uint32_t kConstantBytes = 16;
constexpr uint32_t kPastFrames = 10000;
constexpr uint32_t kFramesInFlight = 3;
constexpr uint32_t kRecordedCommandBuffers = 64;
constexpr uint32_t kRecordedDraws = 64;
constexpr uint32_t kPendingCommandBuffers = 8;
constexpr uint32_t kPendingDraws = 500;

VkPipelineShaderStageCreateInfo Stage(VkShaderStageFlagBits stage, VkShaderModule module) {
  return {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = stage, .module = module, .pName = "main"};
}

// Holds the crowd of the device that exists.
std::unique_ptr<Crowd>& TheCrowd() {
  static std::unique_ptr<Crowd> crowd;
  return crowd;
}

}  // namespace

CrowdPipelineInfo::CrowdPipelineInfo(VkShaderModule vertex, VkShaderModule fragment, VkPipelineLayout layout)
    : stages_{Stage(VK_SHADER_STAGE_VERTEX_BIT, vertex), Stage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment)},
      binding_{0, 16, VK_VERTEX_INPUT_RATE_VERTEX},
      attribute_{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0},
      vertex_input_{.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                    .vertexBindingDescriptionCount = 1,
                    .pVertexBindingDescriptions = &binding_,
                    .vertexAttributeDescriptionCount = 1,
                    .pVertexAttributeDescriptions = &attribute_},
      assembly_{.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
      viewport_{.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1},
      rasterization_{.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1},
      multisample_{.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                   .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT},
      depth_{.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO, .depthCompareOp = VK_COMPARE_OP_LESS},
      blend_attachment_{.colorWriteMask = 0xf},
      blend_{.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
             .attachmentCount = 1,
             .pAttachments = &blend_attachment_},
      dynamic_states_{VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR},
      dynamic_{.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
               .dynamicStateCount = 2,
               .pDynamicStates = dynamic_states_.data()},
      format_(kFormat),
      rendering_{.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                 .colorAttachmentCount = 1,
                 .pColorAttachmentFormats = &format_},
      info_{.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
            .pNext = &rendering_,
            .stageCount = 2,
            .pStages = stages_.data(),
            .pVertexInputState = &vertex_input_,
            .pInputAssemblyState = &assembly_,
            .pViewportState = &viewport_,
            .pRasterizationState = &rasterization_,
            .pMultisampleState = &multisample_,
            .pDepthStencilState = &depth_,
            .pColorBlendState = &blend_,
            .pDynamicState = &dynamic_,
            .layout = layout} {}

Crowd& Crowd::Of(test::TestDevice& device) {
  std::unique_ptr<Crowd>& crowd = TheCrowd();
  if (crowd == nullptr) {
    crowd.reset(new Crowd(device));
    device.Defer(uint64_t{0}, [] { TheCrowd().reset(); });
  }
  return *crowd;
}

Crowd::Crowd(test::TestDevice& device)
    : device_(device),
      vk(device.vk),
      set_layout_(device.MakeSetLayout({{0}, {1}, {2}, {3}})),
      layout_(device.MakePipelineLayout({set_layout_}, kConstantBytes)),
      pipeline_info_(device.MakeShader(std::span(kCrowdVertexShader)),
                     device.MakeShader(std::span(kCrowdFragmentShader)), layout_) {
  vk.CreateGraphicsPipelines(device.device, VK_NULL_HANDLE, 1, &pipeline_info(), nullptr, &draw_);
  device.Defer(draw_, [&device, pipeline = draw_] { device.vk.DestroyPipeline(device.device, pipeline, nullptr); });
  compute_ = device.MakeComputePipeline(layout_, device.MakeShader(std::span(kCrowdComputeShader)));
  MakeSets();
  MakeTargets();
  MakeOthers();
  RunFrames();
  MakeCommandBuffers();
}

void Crowd::MakeSets() {
  for (VkBuffer& buffer : buffers_) buffer = device_.MakeBuffer(kBufferSize);
  for (VkBuffer& buffer : vertices_) buffer = device_.MakeBuffer(kBufferSize);
  for (uint32_t share = 0; share < kShares; ++share) {
    for (uint32_t i = 0; i < kShareSets; ++i) {
      const VkDescriptorSet set = sets_[share * kShareSets + i] = device_.MakeSet(set_layout_);
      for (uint32_t b = 0; b < 4; ++b) {
        device_.WriteBuffer(set, b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                            buffers_[share * kShareBuffers + (2 * i + b) % kShareBuffers]);
      }
    }
  }
}

// The attachments, in the layout in which they stay.
void Crowd::MakeTargets() {
  const VkCommandBuffer commands = device_.Record([&](VkCommandBuffer c) {
    for (VkImageView& view : targets_) {
      const test::Image image = device_.MakeImage(kFormat, kExtent.width, kExtent.height);
      view = device_.MakeView(image);
      const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                            .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                            .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                            .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                            .image = image,
                                            .subresourceRange = image.Range()};
      vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0,
                            nullptr, 0, nullptr, 1, &barrier);
    }
  });
  device_.Submit(device_.Queue(), {commands});
  vk.DeviceWaitIdle(device_.device);
}

void Crowd::MakeOthers() {
  for (uint32_t i = 0; i < 64; ++i) {
    const test::Image image = device_.MakeImage(kFormat, kExtent.width, kExtent.height);
    for (uint32_t view = 0; view < 16; ++view) device_.MakeView(image);
    device_.MakeSampler();
  }
  for (uint32_t i = 0; i < 512; ++i) {
    device_.MakeEvent();
    device_.MakeSemaphore();
    device_.MakeFence();
  }
}

// Each frame makes a buffer, dispatches, fills the buffer, and destroys it when it is complete.
void Crowd::RunFrames() {
  struct Frame {
    VkFence fence;
    VkCommandBuffer commands;
    VkDeviceMemory memory;
    VkBuffer buffer;
  };
  std::array<Frame, kFramesInFlight> frames;
  for (Frame& frame : frames) {
    frame = {device_.MakeFence(VK_FENCE_CREATE_SIGNALED_BIT), device_.MakeCommandBuffer(),
             device_.MakeBuffer(kBufferSize).memory, VK_NULL_HANDLE};
  }
  const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = kBufferSize, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  for (uint32_t n = 0; n < kPastFrames; ++n) {
    Frame& frame = frames[n % kFramesInFlight];
    vk.WaitForFences(device_.device, 1, &frame.fence, VK_TRUE, UINT64_MAX);
    vk.ResetFences(device_.device, 1, &frame.fence);
    vk.DestroyBuffer(device_.device, frame.buffer, nullptr);
    vk.CreateBuffer(device_.device, &info, nullptr, &frame.buffer);
    VkMemoryRequirements requirements = {};
    vk.GetBufferMemoryRequirements(device_.device, frame.buffer, &requirements);
    vk.BindBufferMemory(device_.device, frame.buffer, frame.memory, 0);
    device_.Begin(frame.commands);
    BindCompute(frame.commands);
    DispatchAndBarrier(frame.commands, kRecorded, n);
    vk.CmdFillBuffer(frame.commands, frame.buffer, 0, VK_WHOLE_SIZE, n);
    device_.End(frame.commands);
    device_.Submit(device_.Queue(), {frame.commands}, {.fence = frame.fence});
  }
  vk.DeviceWaitIdle(device_.device);
  for (const Frame& frame : frames) vk.DestroyBuffer(device_.device, frame.buffer, nullptr);
}

void Crowd::MakeCommandBuffers() {
  for (uint32_t i = 0; i < kRecordedCommandBuffers; ++i) {
    device_.Record([&](VkCommandBuffer commands) { RecordDraws(commands, kRecorded, kRecordedDraws); });
  }
  for (uint32_t i = 0; i < kPendingCommandBuffers; ++i) {
    const VkCommandBuffer pending =
        device_.Record([&](VkCommandBuffer commands) { RecordDraws(commands, kPending, kPendingDraws); });
    device_.Submit(device_.Queue(0, 1), {pending});
  }
}

void Crowd::BeginDraws(VkCommandBuffer commands, Share share) const {
  const VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                   VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT};
  vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                        VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                .imageView = targets_[share],
                                                .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
  const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                .renderArea = {{0, 0}, kExtent},
                                .layerCount = 1,
                                .colorAttachmentCount = 1,
                                .pColorAttachments = &attachment};
  vk.CmdBeginRendering(commands, &info);
  vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draw_);
  device_.SetViewportAndScissor(commands, kExtent.width, kExtent.height);
}

void Crowd::RecordDraws(VkCommandBuffer commands, Share share, uint32_t count) const {
  BeginDraws(commands, share);
  for (uint32_t i = 0; i < count; ++i) Draw(commands, share, i);
  vk.CmdEndRendering(commands);
}

void Crowd::BindCompute(VkCommandBuffer commands) const {
  vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute_);
}

}  // namespace assay::benchmarks
