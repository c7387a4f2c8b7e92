// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands whose shader accesses the target through a descriptor.

#include <string>
#include <vector>

#include "syncval/command_matrix/command_matrix.h"

namespace assay::syncval::command_matrix {

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
