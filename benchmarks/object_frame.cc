// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/object_frame.h"

#include <span>

#include "benchmarks/dispatch_shader.h"
#include "testing/shaders.h"

namespace assay::benchmarks {
namespace {

constexpr uint32_t kSide = 16;
constexpr VkDeviceSize kSize = 4096;
constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;
constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
constexpr VkPipelineStageFlags kAll = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
constexpr uint32_t kSampled = 4;
constexpr uint32_t kTexels = 5;

VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value) {
  return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0};
}

}  // namespace

struct ObjectFrames::Objects {
  VkCommandPool command_pool = VK_NULL_HANDLE;
  VkCommandBuffer commands[2] = {};
  VkCommandBuffer secondary = VK_NULL_HANDLE;
  test::Buffer buffer, texels;
  VkBufferView texel_view = VK_NULL_HANDLE;
  test::Image image;
  VkImageView view = VK_NULL_HANDLE;
  VkSampler sampler = VK_NULL_HANDLE;
  VkSamplerYcbcrConversion conversion = VK_NULL_HANDLE;
  VkRenderPass render_pass = VK_NULL_HANDLE;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  VkShaderModule compute_module = VK_NULL_HANDLE, vertex_module = VK_NULL_HANDLE, fragment_module = VK_NULL_HANDLE;
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipelineCache cache = VK_NULL_HANDLE;
  VkPipeline compute = VK_NULL_HANDLE, draw = VK_NULL_HANDLE;
  VkDescriptorPool descriptor_pool = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
  VkDescriptorUpdateTemplate update_template = VK_NULL_HANDLE;
  VkPrivateDataSlot private_data = VK_NULL_HANDLE;
  VkQueryPool queries = VK_NULL_HANDLE;
  VkEvent event = VK_NULL_HANDLE;
  VkSemaphore semaphore = VK_NULL_HANDLE, timeline = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  test::Buffer structure_buffer;
  VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
  VkShaderEXT shader = VK_NULL_HANDLE;
  VkDeferredOperationKHR operation = VK_NULL_HANDLE;
};

std::vector<const char*> ObjectFrames::DeviceExtensions() {
  return {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
          VK_EXT_SHADER_OBJECT_EXTENSION_NAME};
}

void* ObjectFrames::DeviceFeatures() {
  static VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, .accelerationStructure = VK_TRUE};
  static VkPhysicalDeviceShaderObjectFeaturesEXT shaders = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, nullptr, VK_TRUE};
  shaders.pNext = &structures;
  return &shaders;
}

ObjectFrames::ObjectFrames(test::TestDevice& device)
    : device_(device),
      vk(device.vk),
      vertex_code_(test::AssembleSpirv(test::VertexShader(0))),
      fragment_code_(test::AssembleSpirv(test::FragmentShader(1))),
      timeline_(device.MakeTimeline()),
      lasting_(Make()) {}

ObjectFrames::~ObjectFrames() {
  vk.DeviceWaitIdle(device_.device);
  for (const std::unique_ptr<Objects>& objects : in_flight_) {
    if (objects != nullptr) Destroy(*objects);
  }
  Destroy(*lasting_);
}

void ObjectFrames::Run() {
  std::unique_ptr<Objects>& objects = in_flight_[number_++ % in_flight_.size()];
  if (objects != nullptr) {
    vk.WaitForFences(device_.device, 1, &objects->fence, VK_TRUE, UINT64_MAX);
    Destroy(*objects);
  }
  objects = Make();
  for (VkCommandBuffer commands : objects->commands) {
    device_.Begin(commands);
    Record(commands, *objects);
    Record(commands, *lasting_);
    device_.End(commands);
  }
  Submit(*objects);
}

std::unique_ptr<ObjectFrames::Objects> ObjectFrames::Make() {
  auto made = std::make_unique<Objects>();
  MakeResources(*made);
  MakePipelines(*made);
  MakeDescriptors(*made);
  MakeOfExtensions(*made);
  MakeCommandBuffers(*made);
  const VkPrivateDataSlotCreateInfo slot = {.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
  vk.CreatePrivateDataSlot(device_.device, &slot, nullptr, &made->private_data);
  vk.SetPrivateData(device_.device, VK_OBJECT_TYPE_IMAGE, reinterpret_cast<uint64_t>(made->image.handle),
                    made->private_data, 7);
  made->queries = device_.MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 2);
  made->event = device_.MakeEvent();
  made->semaphore = device_.MakeSemaphore();
  made->timeline = device_.MakeTimeline();
  made->fence = device_.MakeFence();
  return made;
}

void ObjectFrames::MakeResources(Objects& made) {
  made.buffer = device_.MakeBuffer(kSize);
  made.texels = device_.MakeBuffer(kSize);
  const VkBufferViewCreateInfo texel_view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                             .buffer = made.texels,
                                             .format = VK_FORMAT_R32_UINT,
                                             .range = VK_WHOLE_SIZE};
  vk.CreateBufferView(device_.device, &texel_view, nullptr, &made.texel_view);
  made.image = device_.MakeImage(kFormat, kSide, kSide);
  made.view = device_.MakeView(made.image);
  made.sampler = device_.MakeSampler();
  device_.SetName(VK_OBJECT_TYPE_IMAGE, made.image.handle, "image");
  const VkSamplerYcbcrConversionCreateInfo conversion = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
      .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
      .ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY,
      .ycbcrRange = VK_SAMPLER_YCBCR_RANGE_ITU_FULL,
      .xChromaOffset = VK_CHROMA_LOCATION_MIDPOINT,
      .yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT,
      .chromaFilter = VK_FILTER_NEAREST};
  vk.CreateSamplerYcbcrConversion(device_.device, &conversion, nullptr, &made.conversion);
}

void ObjectFrames::MakePipelines(Objects& made) {
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
  made.render_pass = device_.MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                             .attachmentCount = 1,
                                             .pAttachments = &attachment,
                                             .subpassCount = 1,
                                             .pSubpasses = &subpass});
  made.framebuffer = device_.MakeFramebuffer(made.render_pass, {made.view}, kSide, kSide);

  made.compute_module = device_.MakeShader(std::span(kDispatchShader));
  made.vertex_module = device_.MakeShader(std::span(vertex_code_));
  made.fragment_module = device_.MakeShader(std::span(fragment_code_));
  made.set_layout = device_.MakeSetLayout({{0},
                                           {1},
                                           {2},
                                           {3},
                                           {kSampled, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                                           {kTexels, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER}});
  made.layout = device_.MakePipelineLayout({made.set_layout});
  const VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  vk.CreatePipelineCache(device_.device, &cache, nullptr, &made.cache);
  const VkComputePipelineCreateInfo compute = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                               .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                         .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                         .module = made.compute_module,
                                                         .pName = "main"},
                                               .layout = made.layout};
  vk.CreateComputePipelines(device_.device, made.cache, 1, &compute, nullptr, &made.compute);
  made.draw = device_.MakeGraphicsPipeline(
      made.layout, {.render_pass = made.render_pass, .vertex = made.vertex_module, .fragment = made.fragment_module});
}

void ObjectFrames::MakeDescriptors(Objects& made) {
  const VkDevice device = device_.device;
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4},
                                        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1},
                                        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1}};
  const VkDescriptorPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 3, .pPoolSizes = sizes};
  vk.CreateDescriptorPool(device, &pool, nullptr, &made.descriptor_pool);
  const VkDescriptorSetAllocateInfo set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr,
                                           made.descriptor_pool, 1, &made.set_layout};
  vk.AllocateDescriptorSets(device, &set, &made.set);
  const VkDescriptorUpdateTemplateEntry entry = {.descriptorCount = 1,
                                                 .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  const VkDescriptorUpdateTemplateCreateInfo update = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
      .descriptorUpdateEntryCount = 1,
      .pDescriptorUpdateEntries = &entry,
      .descriptorSetLayout = made.set_layout};
  vk.CreateDescriptorUpdateTemplate(device, &update, nullptr, &made.update_template);
  const VkDescriptorBufferInfo first = {made.buffer, 0, VK_WHOLE_SIZE};
  vk.UpdateDescriptorSetWithTemplate(device, made.set, made.update_template, &first);
  for (uint32_t i = 1; i < 4; ++i) {
    device_.WriteBuffer(made.set, i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, made.buffer);
  }
  device_.WriteImage(made.set, kSampled, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, made.view, VK_IMAGE_LAYOUT_GENERAL,
                     made.sampler);
  const VkWriteDescriptorSet texels = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = made.set,
                                       .dstBinding = kTexels,
                                       .descriptorCount = 1,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                       .pTexelBufferView = &made.texel_view};
  vk.UpdateDescriptorSets(device, 1, &texels, 0, nullptr);
}

void ObjectFrames::MakeOfExtensions(Objects& made) {
  const VkDevice device = device_.device;
  made.structure_buffer = device_.MakeBuffer(
      kSize, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  const VkAccelerationStructureCreateInfoKHR structure = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
      .buffer = made.structure_buffer,
      .size = kSize,
      .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR};
  vk.CreateAccelerationStructureKHR(device, &structure, nullptr, &made.structure);
  const VkAccelerationStructureDeviceAddressInfoKHR address = {
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR, nullptr, made.structure};
  vk.GetAccelerationStructureDeviceAddressKHR(device, &address);
  const VkShaderCreateInfoEXT shader = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = sizeof(kDispatchShader),
                                        .pCode = kDispatchShader,
                                        .pName = "main",
                                        .setLayoutCount = 1,
                                        .pSetLayouts = &made.set_layout};
  vk.CreateShadersEXT(device, 1, &shader, nullptr, &made.shader);
  vk.CreateDeferredOperationKHR(device, nullptr, &made.operation);
  vk.GetDeferredOperationMaxConcurrencyKHR(device, made.operation);
}

// The secondary command buffer is in flight as often as frames are.
void ObjectFrames::MakeCommandBuffers(Objects& made) {
  made.command_pool = device_.MakeCommandPool();
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, made.command_pool,
                                      VK_COMMAND_BUFFER_LEVEL_PRIMARY, 2};
  vk.AllocateCommandBuffers(device_.device, &info, made.commands);
  info.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
  info.commandBufferCount = 1;
  vk.AllocateCommandBuffers(device_.device, &info, &made.secondary);
  const VkCommandBufferInheritanceInfo inherited = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                    .renderPass = made.render_pass,
                                                    .framebuffer = made.framebuffer};
  const VkCommandBufferBeginInfo begin = {
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
      VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT | VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, &inherited};
  vk.BeginCommandBuffer(made.secondary, &begin);
  vk.CmdBindPipeline(made.secondary, VK_PIPELINE_BIND_POINT_GRAPHICS, made.draw);
  device_.SetViewportAndScissor(made.secondary, kSide, kSide);
  vk.CmdDraw(made.secondary, 3, 1, 0, 0);
  device_.End(made.secondary);
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
  vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, objects.compute);
  vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, objects.layout, 0, 1, &objects.set, 0, nullptr);
  vk.CmdDispatch(c, 1, 1, 1);
  const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
  vk.CmdBindShadersEXT(c, 1, &stage, &objects.shader);
  vk.CmdDispatch(c, 1, 1, 1);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                       .renderPass = objects.render_pass,
                                       .framebuffer = objects.framebuffer,
                                       .renderArea = {{0, 0}, {kSide, kSide}},
                                       .clearValueCount = 1,
                                       .pClearValues = &clear};
  vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
  vk.CmdExecuteCommands(c, 1, &objects.secondary);
  vk.CmdEndRenderPass(c);
  UseEvent(c, objects.event);
}

// The layout transitions of a render pass wait for nothing within the queue, so each frame waits for the one before.
void ObjectFrames::Submit(const Objects& objects) {
  const VkSemaphoreSubmitInfo before = At(timeline_, time_);
  const VkSemaphoreSubmitInfo between = At(objects.semaphore, 0);
  device_.Submit(device_.Queue(), {objects.commands[0]},
                 {.waits = {before}, .signals = {between, At(timeline_, ++time_)}});
  device_.Submit(
      device_.Queue(), {objects.commands[1]},
      {.waits = {between}, .signals = {At(timeline_, ++time_), At(objects.timeline, 1)}, .fence = objects.fence});
}

void ObjectFrames::Destroy(const Objects& objects) {
  const VkDevice device = device_.device;
  vk.DestroyDeferredOperationKHR(device, objects.operation, nullptr);
  vk.DestroyShaderEXT(device, objects.shader, nullptr);
  vk.DestroyAccelerationStructureKHR(device, objects.structure, nullptr);
  vk.DestroyDescriptorUpdateTemplate(device, objects.update_template, nullptr);
  vk.DestroyDescriptorPool(device, objects.descriptor_pool, nullptr);
  vk.DestroyPrivateDataSlot(device, objects.private_data, nullptr);
  vk.DestroyPipeline(device, objects.compute, nullptr);
  vk.DestroyPipelineCache(device, objects.cache, nullptr);
  vk.DestroyBufferView(device, objects.texel_view, nullptr);
  vk.DestroySamplerYcbcrConversion(device, objects.conversion, nullptr);
  device_.DestroyNow(objects.fence);
  device_.DestroyNow(objects.timeline);
  device_.DestroyNow(objects.semaphore);
  device_.DestroyNow(objects.event);
  device_.DestroyNow(objects.queries);
  device_.DestroyNow(objects.draw);
  device_.DestroyNow(objects.layout);
  device_.DestroyNow(objects.set_layout);
  for (VkShaderModule module : {objects.compute_module, objects.vertex_module, objects.fragment_module}) {
    device_.DestroyNow(module);
  }
  device_.DestroyNow(objects.framebuffer);
  device_.DestroyNow(objects.render_pass);
  device_.DestroyNow(objects.sampler);
  device_.DestroyNow(objects.view);
  device_.DestroyNow(objects.image);
  device_.DestroyNow(objects.image.memory);
  for (const test::Buffer& buffer : {objects.buffer, objects.texels, objects.structure_buffer}) {
    device_.DestroyNow(buffer);
    device_.DestroyNow(buffer.memory);
  }
  device_.DestroyNow(objects.command_pool);
}

}  // namespace assay::benchmarks
