// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Draws.

#include <array>
#include <cstdint>
#include <vector>

#include "benchmarks/recording_case.h"

namespace assay::benchmarks {
namespace {

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
      const VkDeviceSize offset = VkDeviceSize{i} * 16;
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

std::vector<CaseInfo> DrawCases() {
  return {
      {"draw", kCommands, &Make<Draw>},
      {"draw_with_state", kCommands, &Make<DrawWithState>},
      {"draw_other_state", kCommands, &Make<DrawOtherState>},
  };
}

}  // namespace assay::benchmarks
