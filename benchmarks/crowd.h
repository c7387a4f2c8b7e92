// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_BENCHMARKS_CROWD_H_
#define ASSAY_BENCHMARKS_CROWD_H_

#include <array>
#include <cstdint>

#include "testing/test_device.h"
#include "vk/vulkan.h"

namespace assay::benchmarks {

// The parameters of a plain graphics pipeline with dynamic rendering, one vertex binding, and dynamic viewport and
// scissor. Its members point to each other.
class CrowdPipelineInfo {
 public:
  CrowdPipelineInfo(VkShaderModule vertex, VkShaderModule fragment, VkPipelineLayout layout);
  CrowdPipelineInfo(const CrowdPipelineInfo&) = delete;
  CrowdPipelineInfo& operator=(const CrowdPipelineInfo&) = delete;

  const VkGraphicsPipelineCreateInfo& info() const { return info_; }

 private:
  std::array<VkPipelineShaderStageCreateInfo, 2> stages_;
  VkVertexInputBindingDescription binding_;
  VkVertexInputAttributeDescription attribute_;
  VkPipelineVertexInputStateCreateInfo vertex_input_;
  VkPipelineInputAssemblyStateCreateInfo assembly_;
  VkPipelineViewportStateCreateInfo viewport_;
  VkPipelineRasterizationStateCreateInfo rasterization_;
  VkPipelineMultisampleStateCreateInfo multisample_;
  VkPipelineDepthStencilStateCreateInfo depth_;
  VkPipelineColorBlendAttachmentState blend_attachment_;
  VkPipelineColorBlendStateCreateInfo blend_;
  std::array<VkDynamicState, 2> dynamic_states_;
  VkPipelineDynamicStateCreateInfo dynamic_;
  VkFormat format_;
  VkPipelineRenderingCreateInfo rendering_;
  VkGraphicsPipelineCreateInfo info_;
};

// A program that has run for a while: 256 buffers, 128 descriptor sets and some thousand other objects are alive,
// command buffers are recorded and pending, and ten thousand frames are behind it.
//
// Buffers and sets come in shares. The commands of one share touch nothing of another's.
class Crowd {
 public:
  static constexpr uint32_t kShares = 4;
  // In a share.
  static constexpr uint32_t kShareSets = 32;
  static constexpr uint32_t kShareBuffers = 64;
  static constexpr uint32_t kBuffers = kShares * kShareBuffers;
  static constexpr uint32_t kSets = kShares * kShareSets;
  static constexpr VkDeviceSize kBufferSize = 65536;

  enum Share : uint32_t {
    // What the cases measure uses this share.
    kMeasured,
    // Command buffers that are recorded and not submitted, and the frames of the past.
    kRecorded,
    // Command buffers that a case may submit before the measured one.
    kApart,
    // Command buffers that are pending for as long as the crowd lives, on the second queue of the first family.
    kPending,
  };

  // The crowd of a device. The first call makes it, which takes a while. It lives as long as the device.
  static Crowd& Of(test::TestDevice& device);

  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  VkBuffer buffer(uint32_t i) const { return buffers_[i % kBuffers]; }
  // Set i of a share. Its bindings 0 to 3 are the share's buffers 2i to 2i + 3.
  VkDescriptorSet set(Share share, uint32_t i) const { return sets_[share * kShareSets + i % kShareSets]; }
  VkBuffer vertices(Share share) const { return vertices_[share]; }
  // The first buffer of set(share, i).
  VkBuffer FirstBuffer(Share share, uint32_t i) const {
    return buffers_[share * kShareBuffers + 2 * i % kShareBuffers];
  }
  const VkGraphicsPipelineCreateInfo& pipeline_info() const { return pipeline_info_.info(); }

  // A barrier for the share's attachment, the beginning of rendering to it, and pipeline, viewport and scissor.
  void BeginDraws(VkCommandBuffer commands, Share share) const;
  // Binds set(share, i), pushes constants, binds vertices, draws.
  void Draw(VkCommandBuffer commands, Share share, uint32_t i) const {
    BindSet(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, share, i);
    const std::array<float, 4> constants = {};
    const VkDeviceSize offset = 0;
    vk.CmdPushConstants(commands, layout_, VK_SHADER_STAGE_ALL, 0, sizeof(constants), constants.data());
    vk.CmdBindVertexBuffers(commands, 0, 1, &vertices_[share], &offset);
    vk.CmdDraw(commands, 3, 1, 0, 0);
  }
  // BeginDraws(), draws with the sets in turn, and the end of rendering.
  void RecordDraws(VkCommandBuffer commands, Share share, uint32_t count) const;

  void BindCompute(VkCommandBuffer commands) const;
  // Binds set(share, i), dispatches, and makes what was written available and visible to later dispatches.
  void DispatchAndBarrier(VkCommandBuffer commands, Share share, uint32_t i) const {
    BindSet(commands, VK_PIPELINE_BIND_POINT_COMPUTE, share, i);
    vk.CmdDispatch(commands, 1, 1, 1);
    const VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_SHADER_WRITE_BIT,
                                     VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1,
                          &barrier, 0, nullptr, 0, nullptr);
  }

 private:
  explicit Crowd(test::TestDevice& device);

  void MakeSets();
  void MakeTargets();
  void MakeOthers();
  void RunFrames();
  void MakeCommandBuffers();
  void BindSet(VkCommandBuffer commands, VkPipelineBindPoint point, Share share, uint32_t i) const {
    vk.CmdBindDescriptorSets(commands, point, layout_, 0, 1, &sets_[share * kShareSets + i % kShareSets], 0, nullptr);
  }

  test::TestDevice& device_;
  const test::Functions& vk;
  const VkDescriptorSetLayout set_layout_;
  const VkPipelineLayout layout_;
  const CrowdPipelineInfo pipeline_info_;
  VkPipeline draw_ = VK_NULL_HANDLE;
  VkPipeline compute_ = VK_NULL_HANDLE;
  std::array<VkBuffer, kBuffers> buffers_;
  std::array<VkDescriptorSet, kSets> sets_;
  std::array<VkBuffer, kShares> vertices_;
  std::array<VkImageView, kShares> targets_;
};

}  // namespace assay::benchmarks

#endif  // ASSAY_BENCHMARKS_CROWD_H_
