// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands that access a buffer.

#include <utility>

#include "syncval/command_matrix/command_matrix.h"
#include "syncval/shaders/captured.h"
#include "testing/shaders.h"

namespace assay::syncval::command_matrix {
namespace {

constexpr VkPipelineStageFlags2 kIndirectStage = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
constexpr VkAccessFlags2 kIndirectRead = VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT;
constexpr VkPipelineStageFlags2 kFeedback = VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT;
constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;

}  // namespace

Commands CommandMatrix::BufferTransfers() {
  const VkBuffer buffer = target.buffer, other = MakeBuffer(kSize);
  const VkImage image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8);
  const VkQueryPool queries = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 32);
  const matrix::Kind* const read = KindOf(kCopy, kRead);
  const matrix::Kind* const written = KindOf(kCopy, kWrite);
  const matrix::Kind* const cleared = KindOf(kClear, kWrite);
  const auto copy2 = [this](VkCommandBuffer c, VkBuffer from, VkBuffer to, VkDeviceSize src, VkDeviceSize dst) {
    const VkBufferCopy2 region = {VK_STRUCTURE_TYPE_BUFFER_COPY_2, nullptr, src, dst, kSize};
    const VkCopyBufferInfo2 info = {VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2, nullptr, from, to, 1, &region};
    vk.CmdCopyBuffer2(c, &info);
  };
  const VkBufferImageCopy region = {
      .bufferOffset = kOffset, .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {8, 8, 1}};
  const VkBufferImageCopy2 region2 = {.sType = VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2,
                                      .bufferOffset = kOffset,
                                      .imageSubresource = region.imageSubresource,
                                      .imageExtent = region.imageExtent};
  return {
      {"CopyBuffer from", read, [=, this](VkCommandBuffer c) { Copy(c, buffer, other, {kOffset, 0, kSize}); }},
      {"CopyBuffer to", written, [=, this](VkCommandBuffer c) { Copy(c, other, buffer, {0, kOffset, kSize}); }},
      {"CopyBuffer2 from", read, [=](VkCommandBuffer c) { copy2(c, buffer, other, kOffset, 0); }},
      {"CopyBuffer2 to", written, [=](VkCommandBuffer c) { copy2(c, other, buffer, 0, kOffset); }},
      {"CopyBufferToImage", read,
       [=, this](VkCommandBuffer c) { vk.CmdCopyBufferToImage(c, buffer, image, kGeneral, 1, &region); }},
      {"CopyImageToBuffer", written,
       [=, this](VkCommandBuffer c) { vk.CmdCopyImageToBuffer(c, image, kGeneral, buffer, 1, &region); }},
      {"CopyBufferToImage2", read,
       [=, this](VkCommandBuffer c) {
         const VkCopyBufferToImageInfo2 info = {
             VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2, nullptr, buffer, image, kGeneral, 1, &region2};
         vk.CmdCopyBufferToImage2(c, &info);
       }},
      {"CopyImageToBuffer2", written,
       [=, this](VkCommandBuffer c) {
         const VkCopyImageToBufferInfo2 info = {
             VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2, nullptr, image, kGeneral, buffer, 1, &region2};
         vk.CmdCopyImageToBuffer2(c, &info);
       }},
      {"CopyQueryPoolResults", written,
       [=, this](VkCommandBuffer c) {
         vk.CmdCopyQueryPoolResults(c, queries, 0, 32, buffer, kOffset, 8, VK_QUERY_RESULT_64_BIT);
       }},
      {"FillBuffer", cleared, [=, this](VkCommandBuffer c) { Fill(c, buffer, kOffset, kSize); }},
      {"UpdateBuffer", cleared,
       [=, this](VkCommandBuffer c) {
         constexpr uint8_t kData[kSize] = {};
         vk.CmdUpdateBuffer(c, buffer, kOffset, kSize, kData);
       }},
  };
}

Commands CommandMatrix::DrawInputs() {
  const VkBuffer buffer = target.buffer;
  const VkPipeline plain = MakePlainPipeline();
  const VkPipeline with_vertices = MakePipeline(
      {.shaders = {{VK_SHADER_STAGE_VERTEX_BIT, test::AssembleSpirv(test::VertexShader(1))}}, .has_vertices = true});
  const matrix::Kind* const vertices =
      KindOf(VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT, VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT);
  const matrix::Kind* const indices = KindOf(VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT);
  const VkDeviceSize offset = kOffset, size = kSize;
  const VkMultiDrawInfoEXT draws[] = {{0, 3}};
  const VkMultiDrawIndexedInfoEXT indexed_draws[] = {{0, 3, 0}};
  return {
      {"Draw with vertex buffer", vertices,
       [=, this](VkCommandBuffer c) {
         vk.CmdBindVertexBuffers(c, 0, 1, &buffer, &offset);
         RenderNothing(c, with_vertices, [&](VkCommandBuffer) { vk.CmdDraw(c, 3, 1, 0, 0); });
       }},
      {"Draw with vertex buffer of BindVertexBuffers2", vertices,
       [=, this](VkCommandBuffer c) {
         vk.CmdBindVertexBuffers2(c, 0, 1, &buffer, &offset, &size, nullptr);
         RenderNothing(c, with_vertices, [&](VkCommandBuffer) { vk.CmdDraw(c, 3, 1, 0, 0); });
       }},
      {"DrawMulti with vertex buffer", vertices,
       [=, this](VkCommandBuffer c) {
         vk.CmdBindVertexBuffers(c, 0, 1, &buffer, &offset);
         RenderNothing(c, with_vertices,
                       [&](VkCommandBuffer) { vk.CmdDrawMultiEXT(c, 1, draws, 1, 0, sizeof(draws[0])); });
       }},
      {"DrawIndexed", indices,
       [=, this](VkCommandBuffer c) {
         vk.CmdBindIndexBuffer(c, buffer, kOffset, VK_INDEX_TYPE_UINT32);
         RenderNothing(c, plain, [&](VkCommandBuffer) { vk.CmdDrawIndexed(c, 3, 1, 0, 0, 0); });
       }},
      {"DrawIndexed with BindIndexBuffer2", indices,
       [=, this](VkCommandBuffer c) {
         vk.CmdBindIndexBuffer2(c, buffer, kOffset, kSize, VK_INDEX_TYPE_UINT16);
         RenderNothing(c, plain, [&](VkCommandBuffer) { vk.CmdDrawIndexed(c, 3, 1, 0, 0, 0); });
       }},
      {"DrawMultiIndexed", indices,
       [=, this](VkCommandBuffer c) {
         vk.CmdBindIndexBuffer(c, buffer, kOffset, VK_INDEX_TYPE_UINT32);
         RenderNothing(c, plain, [&](VkCommandBuffer) {
           vk.CmdDrawMultiIndexedEXT(c, 1, indexed_draws, 1, 0, sizeof(indexed_draws[0]), nullptr);
         });
       }},
      {"BeginConditionalRendering",
       KindOf(VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT, VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT),
       [=, this](VkCommandBuffer c) {
         const VkConditionalRenderingBeginInfoEXT info = {VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
                                                          nullptr, buffer, kOffset, 0};
         vk.CmdBeginConditionalRenderingEXT(c, &info);
         vk.CmdEndConditionalRenderingEXT(c);
       }},
  };
}

Commands CommandMatrix::IndirectCommands() {
  const VkBuffer buffer = target.buffer, other = MakeBuffer(kSize);
  const VkPipeline plain = MakePlainPipeline(), mesh = MakeMeshPipeline();
  const VkPipelineLayout layout = MakePipelineLayout({});
  const VkPipeline compute = MakeComputePipeline(layout, MakeShader(EmptyShader(VK_SHADER_STAGE_COMPUTE_BIT)));
  const VkPipeline rays = MakeRayTracingPipeline(layout, EmptyShader(VK_SHADER_STAGE_RAYGEN_BIT_KHR));
  const VkDeviceAddress address = AddressOf(buffer) + kOffset;
  const VkStridedDeviceAddressRegionKHR table = {AddressOf(MakeBuffer(64)), 64, 64}, none = {};
  const matrix::Kind* const read = KindOf(kIndirectStage, kIndirectRead);
  const auto draw = [this](VkPipeline pipeline, std::function<void(VkCommandBuffer)> commands) {
    return [=, this](VkCommandBuffer c) { RenderNothing(c, pipeline, commands); };
  };
  const auto indexed = [this](VkPipeline pipeline, VkBuffer indices, std::function<void(VkCommandBuffer)> commands) {
    return [=, this](VkCommandBuffer c) {
      vk.CmdBindIndexBuffer(c, indices, 0, VK_INDEX_TYPE_UINT16);
      RenderNothing(c, pipeline, commands);
    };
  };
  const auto trace = [this, rays](std::function<void(VkCommandBuffer)> commands) {
    return [=, this](VkCommandBuffer c) {
      vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, rays);
      commands(c);
    };
  };
  return {
      {"DispatchIndirect", read,
       [=, this](VkCommandBuffer c) {
         vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, compute);
         vk.CmdDispatchIndirect(c, buffer, kOffset);
       }},
      {"DrawIndirect", read,
       draw(plain, [=, this](VkCommandBuffer c) { vk.CmdDrawIndirect(c, buffer, kOffset, 2, 16); })},
      {"DrawIndexedIndirect", read,
       indexed(plain, other, [=, this](VkCommandBuffer c) { vk.CmdDrawIndexedIndirect(c, buffer, kOffset, 1, 20); })},
      {"DrawIndirectCount, count", read,
       draw(plain, [=, this](VkCommandBuffer c) { vk.CmdDrawIndirectCount(c, other, 0, buffer, kOffset, 1, 16); })},
      {"DrawIndirectCount", read,
       draw(plain, [=, this](VkCommandBuffer c) { vk.CmdDrawIndirectCount(c, buffer, kOffset, other, 0, 1, 16); }),
       true},
      {"DrawIndexedIndirectCount, count", read,
       indexed(plain, MakeBuffer(64),
               [=, this](VkCommandBuffer c) { vk.CmdDrawIndexedIndirectCount(c, other, 0, buffer, kOffset, 1, 20); })},
      {"DrawMeshTasksIndirect", read,
       draw(mesh, [=, this](VkCommandBuffer c) { vk.CmdDrawMeshTasksIndirectEXT(c, buffer, kOffset, 1, 12); })},
      {"DrawMeshTasksIndirectCount, count", read,
       draw(
           mesh,
           [=, this](VkCommandBuffer c) { vk.CmdDrawMeshTasksIndirectCountEXT(c, other, 0, buffer, kOffset, 1, 12); })},
      {"DrawMeshTasksIndirectCount", read,
       draw(mesh,
            [=, this](VkCommandBuffer c) { vk.CmdDrawMeshTasksIndirectCountEXT(c, buffer, kOffset, other, 0, 1, 12); }),
       true},
      {"TraceRaysIndirect", read,
       trace([=, this](VkCommandBuffer c) { vk.CmdTraceRaysIndirectKHR(c, &table, &none, &none, &none, address); })},
      {"TraceRaysIndirect2", read, trace([=, this](VkCommandBuffer c) { vk.CmdTraceRaysIndirect2KHR(c, address); })},
      {"TraceRays, ray generation table",
       KindOf(VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR, VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR),
       trace([=, this](VkCommandBuffer c) {
         const VkStridedDeviceAddressRegionKHR generation = {address, 16, 16};
         vk.CmdTraceRaysKHR(c, &generation, &none, &none, &none, 1, 1, 1);
       }),
       true},
  };
}

Commands CommandMatrix::TransformFeedbacks() {
  const VkBuffer buffer = target.buffer;
  const VkPipeline plain = MakePlainPipeline();
  const VkPipeline capturing =
      MakePipeline({.shaders = {{VK_SHADER_STAGE_VERTEX_BIT, {std::begin(k_captured), std::end(k_captured)}}}});
  const VkDeviceSize offset = kOffset, size = kSize;
  return {
      {"DrawIndirectByteCount", KindOf(kIndirectStage, VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT),
       [=, this](VkCommandBuffer c) {
         RenderNothing(c, plain,
                       [&](VkCommandBuffer) { vk.CmdDrawIndirectByteCountEXT(c, 1, 0, buffer, kOffset, 0, 16); });
       }},
      {"BeginTransformFeedback, counter", KindOf(kFeedback, VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT),
       [=, this](VkCommandBuffer c) {
         RenderNothing(c, plain, [&](VkCommandBuffer) {
           vk.CmdBeginTransformFeedbackEXT(c, 0, 1, &buffer, &offset);
           vk.CmdEndTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
         });
       }},
      {"EndTransformFeedback, counters", KindOf(kFeedback, VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT),
       [=, this](VkCommandBuffer c) {
         // As many bytes as the other command with the fewest accesses.
         const VkBuffer buffers[] = {buffer, buffer, buffer, buffer};
         const VkDeviceSize offsets[] = {kOffset, kOffset + 4, kOffset + 8, kOffset + 12};
         RenderNothing(c, plain, [&](VkCommandBuffer) {
           vk.CmdBeginTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
           vk.CmdEndTransformFeedbackEXT(c, 0, 4, buffers, offsets);
         });
       }},
      {"Draw that is captured", KindOf(kFeedback, VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT),
       [=, this](VkCommandBuffer c) {
         vk.CmdBindTransformFeedbackBuffersEXT(c, 0, 1, &buffer, &offset, &size);
         RenderNothing(c, capturing, [&](VkCommandBuffer) {
           vk.CmdBeginTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
           vk.CmdDraw(c, 3, 1, 0, 0);
           vk.CmdEndTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
         });
       }},
  };
}

Commands CommandMatrix::Videos() {
  const VkBuffer buffer = target.buffer;
  return {
      {"DecodeVideo, bitstream",
       KindOf(VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR, VK_ACCESS_2_VIDEO_DECODE_READ_BIT_KHR),
       [=, this](VkCommandBuffer c) {
         const VkVideoDecodeInfoKHR info = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR,
                                            .srcBuffer = buffer,
                                            .srcBufferOffset = kOffset,
                                            .srcBufferRange = kSize};
         vk.CmdDecodeVideoKHR(c, &info);
       }},
      {"EncodeVideo, bitstream",
       KindOf(VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR, VK_ACCESS_2_VIDEO_ENCODE_WRITE_BIT_KHR),
       [=, this](VkCommandBuffer c) {
         const VkVideoEncodeInfoKHR info = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INFO_KHR,
                                            .dstBuffer = buffer,
                                            .dstBufferOffset = kOffset,
                                            .dstBufferRange = kSize};
         vk.CmdEncodeVideoKHR(c, &info);
       }},
  };
}

Commands CommandMatrix::BufferDescriptors() {
  Commands commands;
  for (const ShaderStage& stage : ShaderStages()) {
    for (const DescriptorAccess& access : BufferDescriptorAccesses())
      commands.push_back(ThroughDescriptor(stage, access));
  }
  return commands;
}

Commands CommandMatrix::AllBufferCommands() {
  Commands commands = BufferTransfers();
  Append(commands, DrawInputs());
  Append(commands, IndirectCommands());
  Append(commands, TransformFeedbacks());
  Append(commands, AccelerationStructures());
  Append(commands, Videos());
  Append(commands, BufferDescriptors());
  return commands;
}

}  // namespace assay::syncval::command_matrix
