// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/command_matrix/command_matrix.h"

#include <algorithm>
#include <utility>

#include "testing/shaders.h"

namespace assay::syncval::command_matrix {
namespace {

using matrix::Dependency;

VkShaderStageFlags StagesOf(const std::vector<std::pair<VkShaderStageFlagBits, std::vector<uint32_t>>>& shaders) {
  VkShaderStageFlags stages = 0;
  for (const auto& [stage, words] : shaders) stages |= stage;
  return stages;
}

}  // namespace

void Append(Commands& commands, Commands more) {
  for (Command& command : more) commands.push_back(std::move(command));
}

VkImageSubresourceRange Target::Level(uint32_t level) const { return {image.Range().aspectMask, level, 1, 0, 1}; }
VkImageSubresourceLayers Target::Layers() const { return {image.Range().aspectMask, 0, 0, 1}; }

test::DeviceOptions CommandMatrix::Options() {
  test::DeviceOptions options = SyncTest::Options();
  options.device_extensions = {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                               VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
                               VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
                               VK_KHR_RAY_TRACING_MAINTENANCE_1_EXTENSION_NAME,
                               VK_KHR_RAY_QUERY_EXTENSION_NAME,
                               VK_KHR_VIDEO_QUEUE_EXTENSION_NAME,
                               VK_KHR_VIDEO_DECODE_QUEUE_EXTENSION_NAME,
                               VK_KHR_VIDEO_ENCODE_QUEUE_EXTENSION_NAME,
                               VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME,
                               VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
                               VK_EXT_MESH_SHADER_EXTENSION_NAME,
                               VK_EXT_MULTI_DRAW_EXTENSION_NAME};
  return options;
}

const matrix::RegistrySync& CommandMatrix::Registry() {
  static const auto* const registry = new matrix::RegistrySync(matrix::ReadRegistrySync());
  return *registry;
}

const matrix::Expectation& CommandMatrix::Specification() {
  static const auto* const expectation = new matrix::Expectation(Registry());
  return *expectation;
}

const matrix::Kind* CommandMatrix::KindOf(VkPipelineStageFlags2 stage, VkAccessFlags2 access) {
  for (const matrix::Kind& kind : Specification().kinds()) {
    if (kind.stage == stage && kind.access == access && (stage != 0 || kind.is_transition)) return &kind;
  }
  ADD_FAILURE() << "no kind of stage " << std::hex << stage << " and access " << access;
  return &Specification().kinds().front();
}

HazardKind CommandMatrix::TakeHazard() {
  const std::vector<test::Message> found = messages.Take();
  if (found.empty()) return HazardKind::kNone;
  EXPECT_EQ(found.size(), 1u) << found.back().text;
  constexpr std::pair<std::string_view, HazardKind> kIds[] = {
      {kReadAfterWrite, HazardKind::kReadAfterWrite},
      {kWriteAfterRead, HazardKind::kWriteAfterRead},
      {kWriteAfterWrite, HazardKind::kWriteAfterWrite},
      {"SYNC-HAZARD-READ-RACING-WRITE", HazardKind::kReadRacingWrite},
      {"SYNC-HAZARD-WRITE-RACING-READ", HazardKind::kWriteRacingRead},
      {"SYNC-HAZARD-WRITE-RACING-WRITE", HazardKind::kWriteRacingWrite}};
  for (const auto& [id, kind] : kIds) {
    if (found.front().id == id) return kind;
  }
  ADD_FAILURE() << found.front().id << ": " << found.front().text;
  return HazardKind::kNone;
}

void CommandMatrix::RecordDependencies(VkCommandBuffer c, absl::Span<const Dependency> dependencies, bool is_transition,
                                       BarrierCommand command) {
  std::vector<VkMemoryBarrier2> globals;
  std::vector<VkBufferMemoryBarrier2> buffers;
  std::vector<VkImageMemoryBarrier2> images;
  for (const Dependency& dependency : dependencies) {
    const Masks masks = {dependency.flags.src_stages, dependency.flags.src_access, dependency.flags.dst_stages,
                         dependency.flags.dst_access};
    if (!is_transition && !dependency.is_of_range) {
      globals.push_back(MemoryBarrier(masks));
    } else if (target.image != VK_NULL_HANDLE) {
      images.push_back(ImageBarrier(masks, target.image, target.Level(dependency.covers ? 0 : 1),
                                    VK_IMAGE_LAYOUT_GENERAL,
                                    is_transition ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL : VK_IMAGE_LAYOUT_GENERAL));
    } else {
      buffers.push_back({.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                         .srcStageMask = masks.src_stages,
                         .srcAccessMask = masks.src_access,
                         .dstStageMask = masks.dst_stages,
                         .dstAccessMask = masks.dst_access,
                         .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                         .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                         .buffer = target.buffer,
                         .offset = dependency.covers ? kOffset : 0,
                         .size = dependency.covers ? kSize : kOffset});
    }
  }
  if (command == BarrierCommand::kPipelineBarrier2) return Barriers(c, globals, buffers, images);
  if (command == BarrierCommand::kEvent2) {
    return RecordEventDependency(c, {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                     .memoryBarrierCount = static_cast<uint32_t>(globals.size()),
                                     .pMemoryBarriers = globals.data(),
                                     .bufferMemoryBarrierCount = static_cast<uint32_t>(buffers.size()),
                                     .pBufferMemoryBarriers = buffers.data(),
                                     .imageMemoryBarrierCount = static_cast<uint32_t>(images.size()),
                                     .pImageMemoryBarriers = images.data()});
  }

  // One at a time, since the stages are of them all.
  const auto narrow = [](VkFlags64 flags) { return static_cast<VkFlags>(flags); };
  for (const VkMemoryBarrier2& global : globals)
    Barrier1(c, narrow(global.srcStageMask), narrow(global.srcAccessMask), narrow(global.dstStageMask),
             narrow(global.dstAccessMask));
  for (const VkBufferMemoryBarrier2& buffer : buffers) {
    const VkBufferMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                           .srcAccessMask = narrow(buffer.srcAccessMask),
                                           .dstAccessMask = narrow(buffer.dstAccessMask),
                                           .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .buffer = buffer.buffer,
                                           .offset = buffer.offset,
                                           .size = buffer.size};
    vk.CmdPipelineBarrier(c, narrow(buffer.srcStageMask), narrow(buffer.dstStageMask), 0, 0, nullptr, 1, &barrier, 0,
                          nullptr);
  }
  for (const VkImageMemoryBarrier2& image : images) {
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .srcAccessMask = narrow(image.srcAccessMask),
                                          .dstAccessMask = narrow(image.dstAccessMask),
                                          .oldLayout = image.oldLayout,
                                          .newLayout = image.newLayout,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = image.image,
                                          .subresourceRange = image.subresourceRange};
    vk.CmdPipelineBarrier(c, narrow(image.srcStageMask), narrow(image.dstStageMask), 0, 0, nullptr, 0, nullptr, 1,
                          &barrier);
  }
}

void CommandMatrix::RecordEventDependency(VkCommandBuffer c, const VkDependencyInfo& info) {
  while (events_.size() < 8) events_.push_back(MakeEvent());
  const VkEvent event = events_[next_event_++ % events_.size()];
  vk.CmdSetEvent2(c, event, &info);
  vk.CmdWaitEvents2(c, 1, &event, &info);
}

// ---- Pipelines and rendering

VkPipeline CommandMatrix::MakePipeline(PipelineOptions options) {
  const VkShaderStageFlags given = StagesOf(options.shaders);
  const auto add = [&](VkShaderStageFlagBits stage) {
    if ((given & stage) == 0) options.shaders.emplace_back(stage, EmptyShader(stage));
  };
  const VkShaderStageFlags tessellation =
      VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
  const bool is_mesh = (given & (VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT)) != 0;
  add(is_mesh ? VK_SHADER_STAGE_MESH_BIT_EXT : VK_SHADER_STAGE_VERTEX_BIT);
  if ((given & tessellation) != 0) {
    add(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
    add(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
  }
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  for (const auto& [stage, words] : options.shaders) {
    stages.push_back({.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = stage,
                      .module = MakeShader(words),
                      .pName = "main"});
  }
  const VkVertexInputBindingDescription binding = {0, 16, VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
  const uint32_t inputs = options.has_vertices ? 1 : 0;
  const VkPipelineVertexInputStateCreateInfo vertex_input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = inputs,
      .pVertexBindingDescriptions = &binding,
      .vertexAttributeDescriptionCount = inputs,
      .pVertexAttributeDescriptions = &attribute};
  const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = (given & tessellation) != 0 ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  const VkPipelineTessellationStateCreateInfo patches = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 3};
  const VkPipelineViewportStateCreateInfo viewport = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
  const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .rasterizerDiscardEnable = options.rasterizes ? VK_FALSE : VK_TRUE,
      .lineWidth = 1};
  const VkPipelineMultisampleStateCreateInfo multisample = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  options.depth.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
  const VkPipelineColorBlendAttachmentState written = {.colorWriteMask = options.color_writes};
  const uint32_t colors = options.color_writes != 0 ? 1 : 0;
  const VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                     .attachmentCount = colors,
                                                     .pAttachments = &written};
  const VkDynamicState dynamic_states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                    .dynamicStateCount = 2,
                                                    .pDynamicStates = dynamic_states};
  const VkFormat color_format = VK_FORMAT_R8G8B8A8_UNORM;
  const VkPipelineRenderingCreateInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
      .colorAttachmentCount = colors,
      .pColorAttachmentFormats = &color_format,
      .depthAttachmentFormat = options.depth.depthTestEnable ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_UNDEFINED};
  const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .pNext = options.render_pass == VK_NULL_HANDLE ? &rendering : nullptr,
      .stageCount = static_cast<uint32_t>(stages.size()),
      .pStages = stages.data(),
      .pVertexInputState = &vertex_input,
      .pInputAssemblyState = &assembly,
      .pTessellationState = &patches,
      .pViewportState = &viewport,
      .pRasterizationState = &rasterization,
      .pMultisampleState = &multisample,
      .pDepthStencilState = &options.depth,
      .pColorBlendState = &blend,
      .pDynamicState = &dynamic,
      .layout = options.layout != VK_NULL_HANDLE ? options.layout : MakePipelineLayout({}),
      .renderPass = options.render_pass};
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
  Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

VkPipeline CommandMatrix::MakeRayTracingPipeline(VkPipelineLayout layout, const std::vector<uint32_t>& ray_generation) {
  const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                 .stage = VK_SHADER_STAGE_RAYGEN_BIT_KHR,
                                                 .module = MakeShader(ray_generation),
                                                 .pName = "main"};
  const VkRayTracingShaderGroupCreateInfoKHR group = {
      .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
      .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
      .generalShader = 0,
      .closestHitShader = VK_SHADER_UNUSED_KHR,
      .anyHitShader = VK_SHADER_UNUSED_KHR,
      .intersectionShader = VK_SHADER_UNUSED_KHR};
  const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                                  .stageCount = 1,
                                                  .pStages = &stage,
                                                  .groupCount = 1,
                                                  .pGroups = &group,
                                                  .maxPipelineRayRecursionDepth = 1,
                                                  .layout = layout};
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateRayTracingPipelinesKHR(device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_SUCCESS);
  Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

VkPipeline CommandMatrix::MakePlainPipeline() { return MakePipeline({}); }
VkPipeline CommandMatrix::MakeMeshPipeline() {
  return MakePipeline({.shaders = {{VK_SHADER_STAGE_MESH_BIT_EXT, EmptyShader(VK_SHADER_STAGE_MESH_BIT_EXT)}}});
}

void CommandMatrix::Render(VkCommandBuffer c, const Attachment& color, const Attachment& depth,
                           const std::function<void(VkCommandBuffer)>& commands) {
  const auto info_of = [](const Attachment& attachment) {
    return VkRenderingAttachmentInfo{
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = attachment.view,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .resolveMode = attachment.resolve != VK_NULL_HANDLE ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT : VK_RESOLVE_MODE_NONE,
        .resolveImageView = attachment.resolve,
        .resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .loadOp = attachment.load,
        .storeOp = attachment.store};
  };
  const VkRenderingAttachmentInfo color_info = info_of(color), depth_info = info_of(depth);
  const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                .renderArea = {{0, 0}, {kSide, kSide}},
                                .layerCount = 1,
                                .colorAttachmentCount = color.view != VK_NULL_HANDLE ? 1u : 0u,
                                .pColorAttachments = &color_info,
                                .pDepthAttachment = depth.view != VK_NULL_HANDLE ? &depth_info : nullptr};
  vk.CmdBeginRendering(c, &info);
  commands(c);
  vk.CmdEndRendering(c);
}

void CommandMatrix::RenderNothing(VkCommandBuffer c, VkPipeline pipeline,
                                  const std::function<void(VkCommandBuffer)>& commands) {
  vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  Render(c, {}, {}, commands);
}

// ---- Other objects

VkImageView CommandMatrix::MakeLevelView(const test::Image& image) {
  return MakeView(VkImageViewCreateInfo{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = image.info.format,
                                        .subresourceRange = {image.Range().aspectMask, 0, 1, 0, 1}});
}

VkDeviceAddress CommandMatrix::AddressOf(VkBuffer buffer) {
  const VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
  return vk.GetBufferDeviceAddress(device, &info);
}

void CommandMatrix::WriteDescriptor(VkDescriptorSet set, const DescriptorAccess& access) {
  switch (access.type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      return WriteBuffer(set, 0, access.type, target.buffer, kOffset, kSize);
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER: {
      const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                           .buffer = target.buffer,
                                           .format = VK_FORMAT_R32_SFLOAT,
                                           .offset = kOffset,
                                           .range = kSize};
      VkBufferView view = VK_NULL_HANDLE;
      EXPECT_EQ(vk.CreateBufferView(device, &info, nullptr, &view), VK_SUCCESS);
      Defer(view, [=, this] { vk.DestroyBufferView(device, view, nullptr); });
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstSet = set,
                                          .descriptorCount = 1,
                                          .descriptorType = access.type,
                                          .pTexelBufferView = &view};
      return vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
    }
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR: {
      const VkAccelerationStructureKHR structure = MakeAccelerationStructure(target.buffer, kOffset);
      const VkWriteDescriptorSetAccelerationStructureKHR structures = {
          .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
          .accelerationStructureCount = 1,
          .pAccelerationStructures = &structure};
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .pNext = &structures,
                                          .dstSet = set,
                                          .descriptorCount = 1,
                                          .descriptorType = access.type};
      return vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
    }
    default:
      return WriteImage(set, 0, access.type, target.view, VK_IMAGE_LAYOUT_GENERAL);
  }
}

Command CommandMatrix::ThroughDescriptor(const ShaderStage& stage, const DescriptorAccess& access) {
  const VkDescriptorSetLayout set_layout = MakeSetLayout({{0, access.type}});
  const VkPipelineLayout layout = MakePipelineLayout({set_layout});
  const VkDescriptorSet set = MakeSet(set_layout);
  WriteDescriptor(set, access);
  const std::vector<uint32_t> shader = AccessShader(stage.stage, access);
  Command command = {.name = std::string(access.name) + " in " + std::string(stage.name) + " shader",
                     .kind = KindOf(stage.pipeline_stage, access.access)};
  const auto bind = [=, this](VkCommandBuffer c, VkPipelineBindPoint point, VkPipeline pipeline) {
    vk.CmdBindPipeline(c, point, pipeline);
    vk.CmdBindDescriptorSets(c, point, layout, 0, 1, &set, 0, nullptr);
  };
  if (stage.stage == VK_SHADER_STAGE_COMPUTE_BIT) {
    const VkPipeline pipeline = MakeComputePipeline(layout, MakeShader(shader));
    command.record = [=, this](VkCommandBuffer c) {
      bind(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.CmdDispatch(c, 1, 1, 1);
    };
    return command;
  }
  if (stage.stage == VK_SHADER_STAGE_RAYGEN_BIT_KHR) {
    const VkPipeline pipeline = MakeRayTracingPipeline(layout, shader);
    const VkStridedDeviceAddressRegionKHR table = {AddressOf(MakeBuffer(64)), 64, 64};
    command.record = [=, this](VkCommandBuffer c) {
      bind(c, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline);
      const VkStridedDeviceAddressRegionKHR none = {};
      vk.CmdTraceRaysKHR(c, &table, &none, &none, &none, 1, 1, 1);
    };
    return command;
  }
  const bool is_fragment = stage.stage == VK_SHADER_STAGE_FRAGMENT_BIT;
  const bool is_mesh = stage.stage == VK_SHADER_STAGE_TASK_BIT_EXT || stage.stage == VK_SHADER_STAGE_MESH_BIT_EXT;
  const VkPipeline pipeline =
      MakePipeline({.layout = layout, .shaders = {{stage.stage, shader}}, .rasterizes = is_fragment});
  command.record = [=, this](VkCommandBuffer c) {
    bind(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    Render(c, {}, {}, [&](VkCommandBuffer) {
      if (is_mesh) {
        vk.CmdDrawMeshTasksEXT(c, 1, 1, 1);
      } else {
        vk.CmdDraw(c, 3, 1, 0, 0);
      }
    });
  };
  return command;
}

}  // namespace assay::syncval::command_matrix
