// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/runner/work.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "spirv_instrument/corpus/runner/images.h"
#include "spirv_instrument/corpus/runner/ray_tracing.h"
#include "testing/functions.h"

namespace assay::spirv_instrument::corpus {
namespace {

// The views and the extent of the color attachments.
struct Targets {
  std::vector<VkRenderingAttachmentInfo> attachments;
  VkExtent3D extent = {1, 1, 1};
};

absl::StatusOr<Targets> MakeTargets(Objects& objects, const BoundWork& work) {
  Targets targets;
  for (const std::string& name : work.setup->targets) {
    const Image* image = work.resources->FindImage(name);
    if (image == nullptr) return absl::NotFoundError(absl::StrCat("there is no image ", name));
    const Element element = {.all_levels = false};
    absl::StatusOr<VkImageView> view = MakeView(objects, *image->description, image->handle, element);
    if (!view.ok()) return view.status();
    targets.attachments.push_back({.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                   .imageView = *view,
                                   .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                   .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                   .storeOp = VK_ATTACHMENT_STORE_OP_STORE});
    targets.extent = image->description->extent;
  }
  return targets;
}

struct VertexBuffers {
  struct Bound {
    uint32_t binding;
    VkBuffer buffer;
    VkDeviceSize offset;
  };
  std::vector<Bound> bound;
  VkBuffer indices = VK_NULL_HANDLE;
};

absl::StatusOr<VertexBuffers> FindVertexBuffers(const BoundWork& work) {
  VertexBuffers result;
  for (const VertexBufferDescription& description : work.setup->vertex_buffers) {
    const Buffer* buffer = work.resources->FindBuffer(description.buffer);
    if (buffer == nullptr) return absl::NotFoundError(absl::StrCat("there is no buffer ", description.buffer));
    result.bound.push_back({description.binding, buffer->handle, description.offset});
  }
  if (work.setup->work.kind == Work::Kind::kDrawIndexed) {
    const Buffer* buffer = work.resources->FindBuffer(work.setup->work.index_buffer);
    if (buffer == nullptr) return absl::NotFoundError("there is no index buffer");
    result.indices = buffer->handle;
  }
  return result;
}

void BindAll(const test::Functions& vk, VkCommandBuffer commands, const BoundWork& work) {
  const VkPipelineBindPoint bind_point = work.pipeline.bind_point;
  vk.CmdBindPipeline(commands, bind_point, work.pipeline.handle);
  for (const DescriptorSet& set : work.sets) {
    vk.CmdBindDescriptorSets(commands, bind_point, work.layout, set.number, 1, &set.set,
                             static_cast<uint32_t>(set.dynamic_offsets.size()), set.dynamic_offsets.data());
  }
  if (!work.push_constants.empty()) {
    vk.CmdPushConstants(commands, work.layout, VK_SHADER_STAGE_ALL, 0,
                        static_cast<uint32_t>(work.push_constants.size()), work.push_constants.data());
  }
}

void Draw(const test::Functions& vk, VkCommandBuffer commands, const Work& work, const VertexBuffers& buffers) {
  for (const VertexBuffers::Bound& bound : buffers.bound) {
    vk.CmdBindVertexBuffers(commands, bound.binding, 1, &bound.buffer, &bound.offset);
  }
  switch (work.kind) {
    case Work::Kind::kDrawMeshTasks:
      vk.CmdDrawMeshTasksEXT(commands, work.size[0], work.size[1], work.size[2]);
      break;
    case Work::Kind::kDrawIndexed:
      vk.CmdBindIndexBuffer(commands, buffers.indices, 0, VK_INDEX_TYPE_UINT32);
      vk.CmdDrawIndexed(commands, work.vertices, work.instances, work.first_vertex, 0, work.first_instance);
      break;
    default:
      vk.CmdDraw(commands, work.vertices, work.instances, work.first_vertex, work.first_instance);
  }
}

void Render(const test::Functions& vk, VkCommandBuffer commands, const BoundWork& work, const Targets& targets,
            const VertexBuffers& buffers) {
  VkRenderingInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
      .renderArea = {{0, 0}, {targets.extent.width, targets.extent.height}},
      .layerCount = 1,
      .colorAttachmentCount = static_cast<uint32_t>(targets.attachments.size()),
      .pColorAttachments = targets.attachments.data(),
  };
  vk.CmdBeginRendering(commands, &rendering);
  Draw(vk, commands, work.setup->work, buffers);
  vk.CmdEndRendering(commands);
}

void MakeVisibleToHost(const test::Functions& vk, VkCommandBuffer commands) {
  const VkMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_MEMORY_READ_BIT,
  };
  vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, nullptr, 0,
                        nullptr);
}

}  // namespace

absl::Status Execute(Objects& objects, const BoundWork& work) {
  absl::StatusOr<Targets> targets = MakeTargets(objects, work);
  if (!targets.ok()) return targets.status();
  absl::StatusOr<VertexBuffers> buffers = FindVertexBuffers(work);
  if (!buffers.ok()) return buffers.status();
  ShaderBindingTable table;
  const Work& description = work.setup->work;
  if (description.kind == Work::Kind::kTraceRays) {
    absl::StatusOr<ShaderBindingTable> made = MakeShaderBindingTable(objects, work.pipeline.handle, work.stages);
    if (!made.ok()) return made.status();
    table = *made;
  }
  return objects.Execute([&](VkCommandBuffer commands) {
    const test::Functions& vk = objects.vk();
    const std::array<uint32_t, 3>& size = description.size;
    BindAll(vk, commands, work);
    if (description.kind == Work::Kind::kDispatch) {
      vk.CmdDispatch(commands, size[0], size[1], size[2]);
    } else if (description.kind == Work::Kind::kTraceRays) {
      vk.CmdTraceRaysKHR(commands, &table.generation, &table.miss, &table.hit, &table.callable, size[0], size[1],
                         size[2]);
    } else {
      Render(vk, commands, work, *targets, *buffers);
    }
    MakeVisibleToHost(vk, commands);
  });
}

}  // namespace assay::spirv_instrument::corpus
