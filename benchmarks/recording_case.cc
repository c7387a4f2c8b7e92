// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/recording_case.h"

#include <span>

#include "benchmarks/dispatch_shader.h"

namespace assay::benchmarks {

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

}  // namespace assay::benchmarks
