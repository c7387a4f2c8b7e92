// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/object_frame.h"

#include <cstdint>
#include <memory>
#include <span>

#include "benchmarks/dispatch_shader.h"

namespace assay::benchmarks {
namespace {

constexpr uint32_t kSide = 16;
constexpr VkDeviceSize kSize = 4096;
constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;
constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
constexpr VkPipelineStageFlags kAll = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;

VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value) {
  return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0};
}

}  // namespace

struct ObjectFrames::Objects {
  VkCommandPool command_pool = VK_NULL_HANDLE;
  VkCommandBuffer commands[2] = {};
  test::Buffer buffer, texels;
  VkBufferView texel_view = VK_NULL_HANDLE;
  test::Image image;
  VkImageView view = VK_NULL_HANDLE;
  VkSampler sampler = VK_NULL_HANDLE;
  VkRenderPass render_pass = VK_NULL_HANDLE;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  VkShaderModule shader = VK_NULL_HANDLE;
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipelineCache cache = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkDescriptorPool descriptor_pool = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
  VkDescriptorUpdateTemplate update_template = VK_NULL_HANDLE;
  VkPrivateDataSlot private_data = VK_NULL_HANDLE;
  VkQueryPool queries = VK_NULL_HANDLE;
  VkEvent event = VK_NULL_HANDLE;
  VkSemaphore semaphore = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
};

ObjectFrames::ObjectFrames(test::TestDevice& device)
    : device_(device), vk(device.vk), timeline_(device.MakeTimeline()), lasting_(Make()) {}

ObjectFrames::~ObjectFrames() { Destroy(*lasting_); }

void ObjectFrames::Run() {
  const std::unique_ptr<Objects> objects = Make();
  for (VkCommandBuffer commands : objects->commands) {
    device_.Begin(commands);
    Record(commands, *objects);
    Record(commands, *lasting_);
    device_.End(commands);
  }
  Submit(*objects);
  Destroy(*objects);
}

std::unique_ptr<ObjectFrames::Objects> ObjectFrames::Make() {
  auto made = std::make_unique<Objects>();
  const VkDevice device = device_.device;
  made->command_pool = device_.MakeCommandPool();
  const VkCommandBufferAllocateInfo commands = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr,
                                                made->command_pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 2};
  vk.AllocateCommandBuffers(device, &commands, made->commands);
  made->buffer = device_.MakeBuffer(kSize);
  made->texels = device_.MakeBuffer(kSize);
  const VkBufferViewCreateInfo texel_view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                             .buffer = made->texels,
                                             .format = VK_FORMAT_R32_UINT,
                                             .range = VK_WHOLE_SIZE};
  vk.CreateBufferView(device, &texel_view, nullptr, &made->texel_view);
  made->image = device_.MakeImage(kFormat, kSide, kSide);
  made->view = device_.MakeView(made->image);
  made->sampler = device_.MakeSampler();

  const VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                               .format = kFormat,
                                               .samples = VK_SAMPLE_COUNT_1_BIT,
                                               .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                               .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                               .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
  const VkAttachmentReference2 reference = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                            .layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                            .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
  const VkSubpassDescription2 subpass = {
      .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .colorAttachmentCount = 1, .pColorAttachments = &reference};
  made->render_pass = device_.MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                              .attachmentCount = 1,
                                              .pAttachments = &attachment,
                                              .subpassCount = 1,
                                              .pSubpasses = &subpass});
  made->framebuffer = device_.MakeFramebuffer(made->render_pass, {made->view}, kSide, kSide);

  made->shader = device_.MakeShader(std::span(kDispatchShader));
  made->set_layout = device_.MakeSetLayout({{0}, {1}, {2}, {3}});
  made->layout = device_.MakePipelineLayout({made->set_layout});
  const VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  vk.CreatePipelineCache(device, &cache, nullptr, &made->cache);
  const VkComputePipelineCreateInfo pipeline = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                                .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                          .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                          .module = made->shader,
                                                          .pName = "main"},
                                                .layout = made->layout};
  vk.CreateComputePipelines(device, made->cache, 1, &pipeline, nullptr, &made->pipeline);

  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4};
  const VkDescriptorPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
  vk.CreateDescriptorPool(device, &pool, nullptr, &made->descriptor_pool);
  const VkDescriptorSetAllocateInfo set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr,
                                           made->descriptor_pool, 1, &made->set_layout};
  vk.AllocateDescriptorSets(device, &set, &made->set);
  const VkDescriptorUpdateTemplateEntry entry = {.descriptorCount = 1,
                                                 .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  const VkDescriptorUpdateTemplateCreateInfo update = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
      .descriptorUpdateEntryCount = 1,
      .pDescriptorUpdateEntries = &entry,
      .descriptorSetLayout = made->set_layout};
  vk.CreateDescriptorUpdateTemplate(device, &update, nullptr, &made->update_template);
  const VkDescriptorBufferInfo first = {made->buffer, 0, VK_WHOLE_SIZE};
  vk.UpdateDescriptorSetWithTemplate(device, made->set, made->update_template, &first);
  for (uint32_t i = 1; i < 4; ++i) {
    device_.WriteBuffer(made->set, i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, made->buffer);
  }

  const VkPrivateDataSlotCreateInfo slot = {.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
  vk.CreatePrivateDataSlot(device, &slot, nullptr, &made->private_data);
  made->queries = device_.MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 2);
  made->event = device_.MakeEvent();
  made->semaphore = device_.MakeSemaphore();
  made->fence = device_.MakeFence();
  return made;
}

void ObjectFrames::UseEvent(VkCommandBuffer c, VkEvent event) {
  const VkMemoryBarrier all = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                               VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
  const auto barrier = [&] { vk.CmdPipelineBarrier(c, kAll, kAll, 0, 1, &all, 0, nullptr, 0, nullptr); };
  vk.CmdSetEvent(c, event, kTransfer);
  vk.CmdWaitEvents(c, 1, &event, kTransfer, kTransfer, 0, nullptr, 0, nullptr, 0, nullptr);
  barrier();
  vk.CmdResetEvent(c, event, kAll);
  barrier();
}

void ObjectFrames::Record(VkCommandBuffer c, const Objects& objects) {
  UseEvent(c, objects.event);
  vk.CmdResetQueryPool(c, objects.queries, 0, 2);
  for (uint32_t i = 0; i < 2; ++i) {
    vk.CmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, objects.queries, i);
  }
  vk.CmdFillBuffer(c, objects.buffer, 0, VK_WHOLE_SIZE, 7);
  vk.CmdFillBuffer(c, objects.texels, 0, VK_WHOLE_SIZE, 7);
  UseEvent(c, objects.event);
  vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, objects.pipeline);
  vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, objects.layout, 0, 1, &objects.set, 0, nullptr);
  vk.CmdDispatch(c, 1, 1, 1);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                       .renderPass = objects.render_pass,
                                       .framebuffer = objects.framebuffer,
                                       .renderArea = {{0, 0}, {kSide, kSide}},
                                       .clearValueCount = 1,
                                       .pClearValues = &clear};
  vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vk.CmdEndRenderPass(c);
  UseEvent(c, objects.event);
}

void ObjectFrames::Submit(const Objects& objects) {
  const VkSemaphoreSubmitInfo between = At(objects.semaphore, 0);
  device_.Submit(device_.Queue(), {objects.commands[0]}, {.signals = {between, At(timeline_, ++time_)}});
  device_.Submit(device_.Queue(), {objects.commands[1]},
                 {.waits = {between}, .signals = {At(timeline_, ++time_)}, .fence = objects.fence});
  vk.WaitForFences(device_.device, 1, &objects.fence, VK_TRUE, UINT64_MAX);
}

void ObjectFrames::Destroy(const Objects& objects) {
  const VkDevice device = device_.device;
  vk.DestroyDescriptorUpdateTemplate(device, objects.update_template, nullptr);
  vk.DestroyDescriptorPool(device, objects.descriptor_pool, nullptr);
  vk.DestroyPrivateDataSlot(device, objects.private_data, nullptr);
  vk.DestroyPipeline(device, objects.pipeline, nullptr);
  vk.DestroyPipelineCache(device, objects.cache, nullptr);
  vk.DestroyBufferView(device, objects.texel_view, nullptr);
  device_.DestroyNow(objects.fence);
  device_.DestroyNow(objects.semaphore);
  device_.DestroyNow(objects.event);
  device_.DestroyNow(objects.queries);
  device_.DestroyNow(objects.layout);
  device_.DestroyNow(objects.set_layout);
  device_.DestroyNow(objects.shader);
  device_.DestroyNow(objects.framebuffer);
  device_.DestroyNow(objects.render_pass);
  device_.DestroyNow(objects.sampler);
  device_.DestroyNow(objects.view);
  device_.DestroyNow(objects.image);
  device_.DestroyNow(objects.image.memory);
  for (const test::Buffer& buffer : {objects.buffer, objects.texels}) {
    device_.DestroyNow(buffer);
    device_.DestroyNow(buffer.memory);
  }
  device_.DestroyNow(objects.command_pool);
}

}  // namespace assay::benchmarks
