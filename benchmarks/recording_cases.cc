// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands that are recorded. Within a command buffer no two of them conflict, or a barrier stands between them.

#include "benchmarks/dispatch_shader.h"
#include "benchmarks/recording_case.h"

namespace assay::benchmarks {
namespace {

constexpr VkDeviceSize kCopySize = 256;
constexpr VkDeviceSize kBufferSize = kCopySize * kCommands;

// Each copy writes a place of its own, as uploads from a ring do.
class Copy : public RecordingCase {
 public:
  explicit Copy(test::TestDevice& device)
      : RecordingCase(device), sources_(device, kBufferSize), destinations_(device, kBufferSize) {}

  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) {
      VkDeviceSize offset = i * kCopySize;
      VkBufferCopy region = {offset, offset, kCopySize};
      vk.CmdCopyBuffer(commands_, sources_[i], destinations_[i], 1, &region);
    }
  }
  bool MakeHazard() override {
    VkBufferCopy region = {0, 0, kCopySize};
    for (uint32_t i = 0; i < 2; ++i) vk.CmdCopyBuffer(commands_, sources_[i], destinations_[0], 1, &region);
    return true;
  }
  bool MakeInvalidCall() override {
    VkBufferCopy region = {0, 0, kCopySize};
    vk.CmdCopyBuffer(commands_, VK_NULL_HANDLE, destinations_[0], 1, &region);
    return true;
  }

 private:
  BufferRing sources_;
  BufferRing destinations_;
};

class Fill : public RecordingCase {
 public:
  explicit Fill(test::TestDevice& device) : RecordingCase(device), buffers_(device, kBufferSize) {}

  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) vk.CmdFillBuffer(commands_, buffers_[i], i * kCopySize, kCopySize, i);
  }
  bool MakeHazard() override {
    for (uint32_t i = 0; i < 2; ++i) vk.CmdFillBuffer(commands_, buffers_[0], 0, kCopySize, i);
    return true;
  }
  bool MakeInvalidCall() override {
    vk.CmdFillBuffer(commands_, VK_NULL_HANDLE, 0, kCopySize, 0);
    return true;
  }

 private:
  BufferRing buffers_;
};

class Dispatch : public RecordingCase {
 public:
  explicit Dispatch(test::TestDevice& device) : RecordingCase(device), pipeline_(device) {}

  void RecordFirst() override {
    pipeline_.Bind(commands_);
    pipeline_.BindSet(commands_, 0);
  }
  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) pipeline_.Dispatch(commands_);
  }
  bool MakeHazard() override {
    vk.CmdFillBuffer(commands_, pipeline_.buffer(1), 0, VK_WHOLE_SIZE, 0);
    pipeline_.BindSet(commands_, 1);
    pipeline_.Dispatch(commands_);
    return true;
  }

 protected:
  ReadingPipeline pipeline_;
};

// A set is bound before each dispatch; the two count as one.
class DispatchOtherSets : public Dispatch {
 public:
  using Dispatch::Dispatch;

  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) {
      pipeline_.BindSet(commands_, i);
      pipeline_.Dispatch(commands_);
    }
  }
  bool MakeInvalidCall() override {
    vk.CmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, VK_NULL_HANDLE, 0, 0, nullptr, 0, nullptr);
    return true;
  }
};

// Barriers with something to order: copies were recorded before, and what they wrote is read after.
class AfterCopies : public RecordingCase {
 public:
  explicit AfterCopies(test::TestDevice& device)
      : RecordingCase(device), sources_(device, kBufferSize), destinations_(device, kBufferSize) {}

  void RecordFirst() override {
    for (uint32_t i = 0; i < 4 * kBuffers; ++i) {
      VkBufferCopy region = {i * kCopySize, i * kCopySize, kCopySize};
      vk.CmdCopyBuffer(commands_, sources_[i], destinations_[i], 1, &region);
    }
  }
  void RecordLast() override {
    if (!broken_) Read();
  }
  bool MakeHazard() override {
    Read();
    broken_ = true;
    return true;
  }

 protected:
  // To where nothing has been read or written.
  void Read() {
    VkBufferCopy region = {0, kBufferSize - kCopySize, kCopySize};
    vk.CmdCopyBuffer(commands_, destinations_[0], sources_[0], 1, &region);
  }

  bool broken_ = false;
  BufferRing sources_;
  BufferRing destinations_;
};

class GlobalBarrier : public AfterCopies {
 public:
  using AfterCopies::AfterCopies;

  void Run() override {
    VkMemoryBarrier barrier = CopyToCopyBarrier();
    for (uint32_t i = 0; i < kCommands; ++i) {
      vk.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier,
                            0, nullptr, 0, nullptr);
    }
  }
  bool MakeInvalidCall() override {
    VkMemoryBarrier barrier = CopyToCopyBarrier();
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2;
    vk.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0,
                          nullptr, 0, nullptr);
    return true;
  }
};

class BufferBarrier : public AfterCopies {
 public:
  using AfterCopies::AfterCopies;

  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) Record(destinations_[i]);
  }
  bool MakeInvalidCall() override {
    Record(VK_NULL_HANDLE);
    return true;
  }

 private:
  void Record(VkBuffer buffer) {
    VkBufferMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .buffer = buffer,
        .size = VK_WHOLE_SIZE,
    };
    vk.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 1,
                          &barrier, 0, nullptr);
  }
};

// To transfer destination and back, in turns.
class ImageBarrier : public RecordingCase {
 public:
  explicit ImageBarrier(test::TestDevice& device) : RecordingCase(device) {
    for (VkImage& image : images_) image = device.MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 256, 256);
  }

  void RecordFirst() override { Transition(kBuffers, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_UNDEFINED); }
  void Run() override { Transition(kCommands, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL); }
  bool MakeHazard() override {
    // The transitions make copies wait for them, but not clears. Transitions themselves wait for one another.
    VkClearColorValue color = {};
    VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vk.CmdClearColorImage(commands_, images_[0], VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
    return true;
  }
  bool MakeInvalidCall() override {
    images_[0] = VK_NULL_HANDLE;
    Transition(1, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    return true;
  }

 private:
  // Each round over the images goes from one layout to the other, and the next round back; from UNDEFINED it is to
  // GENERAL.
  void Transition(uint32_t count, VkImageLayout from, VkImageLayout to) {
    VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
        .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
        .dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    for (uint32_t i = 0; i < count; ++i) {
      bool back = i / kBuffers % 2 == 1;
      barrier.oldLayout = back ? to : from;
      barrier.newLayout = from == VK_IMAGE_LAYOUT_UNDEFINED ? VK_IMAGE_LAYOUT_GENERAL : back ? from : to;
      barrier.image = images_[i % kBuffers];
      vk.CmdPipelineBarrier2(commands_, &info);
    }
  }

  std::array<VkImage, kBuffers> images_;
};

// Whole buffers copied round and round, a barrier before each copy; the two count as one.
class CopyAndBarrier : public RecordingCase {
 public:
  explicit CopyAndBarrier(test::TestDevice& device) : RecordingCase(device), buffers_(device, kBufferSize) {}

  void Run() override {
    VkMemoryBarrier barrier = CopyToCopyBarrier();
    VkBufferCopy region = {0, 0, kBufferSize};
    for (uint32_t i = 0; i < kCommands; ++i) {
      vk.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier,
                            0, nullptr, 0, nullptr);
      vk.CmdCopyBuffer(commands_, buffers_[i], buffers_[i + 1], 1, &region);
    }
  }
  bool MakeHazard() override {
    VkBufferCopy region = {0, 0, kBufferSize};
    for (uint32_t i = 0; i < 2; ++i) vk.CmdCopyBuffer(commands_, buffers_[i], buffers_[i + 1], 1, &region);
    return true;
  }
  bool MakeInvalidCall() override {
    VkBufferCopy region = {0, 0, kBufferSize};
    vk.CmdCopyBuffer(commands_, VK_NULL_HANDLE, buffers_[0], 1, &region);
    return true;
  }

 private:
  BufferRing buffers_;
};

// Draws of one triangle to the same attachment, which rasterization orders.
class Draw : public RecordingCase {
 public:
  explicit Draw(test::TestDevice& device)
      : RecordingCase(device),
        view_(device.MakeView(device.MakeImage(VK_FORMAT_R8G8B8A8_UNORM, kExtent.width, kExtent.height))),
        vertices_(device.MakeBuffer(1024)),
        pipeline_(device.MakeGraphicsPipeline(device.MakePipelineLayout({}), {.vertex_bindings = 1})) {}

  void RecordFirst() override {
    VkRenderingAttachmentInfo attachment = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = view_,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = {{0, 0}, kExtent},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &attachment,
    };
    vk.CmdBeginRendering(commands_, &info);
    vk.CmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
    device_.SetViewportAndScissor(commands_, kExtent.width, kExtent.height);
    VkDeviceSize offset = 0;
    vk.CmdBindVertexBuffers(commands_, 0, 1, &vertices_, &offset);
  }
  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) vk.CmdDraw(commands_, 3, 1, 0, 0);
  }
  void RecordLast() override { vk.CmdEndRendering(commands_); }
  bool MakeHazard() override {
    vk.CmdEndRendering(commands_);
    vk.CmdFillBuffer(commands_, vertices_, 0, VK_WHOLE_SIZE, 0);
    VkMemoryBarrier between = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                               VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT};
    vk.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                          VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 1, &between, 0, nullptr, 0, nullptr);
    RecordFirst();
    vk.CmdDraw(commands_, 3, 1, 0, 0);
    return true;
  }
  bool MakeInvalidCall() override {
    vk.CmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, VK_NULL_HANDLE);
    return true;
  }

 protected:
  static constexpr VkExtent2D kExtent = {256, 256};
  VkImageView view_;
  VkBuffer vertices_;
  VkPipeline pipeline_;
};

// What engines bind before a draw, each time: pipeline, vertex and index buffer, push constants, a dynamic state. The
// six count as one.
class DrawWithState : public Draw {
 public:
  explicit DrawWithState(test::TestDevice& device)
      : Draw(device), indices_(device.MakeBuffer(1024)), layout_(device.MakePipelineLayout({}, 16)) {}

  void Run() override {
    const std::array<uint32_t, 4> constants = {};
    const VkRect2D scissor = {{0, 0}, kExtent};
    VkDeviceSize offset = 0;
    for (uint32_t i = 0; i < kCommands; ++i) {
      vk.CmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
      vk.CmdBindVertexBuffers(commands_, 0, 1, &vertices_, &offset);
      vk.CmdBindIndexBuffer(commands_, indices_, 0, VK_INDEX_TYPE_UINT16);
      vk.CmdPushConstants(commands_, layout_, VK_SHADER_STAGE_ALL, 0, sizeof(constants), constants.data());
      vk.CmdSetScissor(commands_, 0, 1, &scissor);
      vk.CmdDrawIndexed(commands_, 3, 1, 0, 0, 0);
    }
  }

 private:
  VkBuffer indices_;
  VkPipelineLayout layout_;
};

// Each draw with another pipeline and other vertices than the one before; bind and draw count as one.
class DrawOtherState : public Draw {
 public:
  explicit DrawOtherState(test::TestDevice& device)
      : Draw(device),
        other_pipeline_(device.MakeGraphicsPipeline(device.MakePipelineLayout({}), {.vertex_bindings = 1})),
        buffers_(device, kBufferSize) {}

  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) {
      const VkBuffer vertices = buffers_[i];
      const VkDeviceSize offset = i * 16;
      vk.CmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, i % 2 == 0 ? pipeline_ : other_pipeline_);
      vk.CmdBindVertexBuffers(commands_, 0, 1, &vertices, &offset);
      vk.CmdDraw(commands_, 3, 1, 0, 0);
    }
  }

 private:
  VkPipeline other_pipeline_;
  BufferRing buffers_;
};

}  // namespace

ReadingPipeline::ReadingPipeline(test::TestDevice& device) : vk(device.vk), buffers_(device, kBufferSize) {
  VkDescriptorSetLayout set_layout = device.MakeSetLayout({{0}, {1}, {2}, {3}});
  layout_ = device.MakePipelineLayout({set_layout});
  pipeline_ = device.MakeComputePipeline(layout_, device.MakeShader(std::span(kDispatchShader)));
  for (uint32_t i = 0; i < kBuffers; ++i) {
    sets_[i] = device.MakeSet(set_layout);
    for (uint32_t b = 0; b < 4; ++b) {
      device.WriteBuffer(sets_[i], b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffers_[i + b]);
    }
  }
}

void ReadingPipeline::Bind(VkCommandBuffer commands) const {
  vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
}

void ReadingPipeline::BindSet(VkCommandBuffer commands, uint32_t i) const {
  vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &sets_[i % kBuffers], 0, nullptr);
}

void ReadingPipeline::Dispatch(VkCommandBuffer commands) const { vk.CmdDispatch(commands, 1, 1, 1); }

std::vector<CaseInfo> RecordingCases() {
  return {
      {"copy", kCommands, &Make<Copy>},
      {"fill", kCommands, &Make<Fill>},
      {"draw", kCommands, &Make<Draw>},
      {"draw_with_state", kCommands, &Make<DrawWithState>},
      {"draw_other_state", kCommands, &Make<DrawOtherState>},
      {"dispatch", kCommands, &Make<Dispatch>},
      {"bind_and_dispatch", kCommands, &Make<DispatchOtherSets>},
      {"barrier", kCommands, &Make<GlobalBarrier>},
      {"buffer_barrier", kCommands, &Make<BufferBarrier>},
      {"image_barrier2", kCommands, &Make<ImageBarrier>},
      {"copy_and_barrier", kCommands, &Make<CopyAndBarrier>},
  };
}

}  // namespace assay::benchmarks
