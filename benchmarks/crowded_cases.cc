// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Cases among many objects (crowd.h). What is alive, recorded and pending beside what a call uses is what they are
// about.

#include <cstdint>
#include <vector>

#include "benchmarks/crowd.h"
#include "benchmarks/recording_case.h"

namespace assay::benchmarks {
namespace {

constexpr uint32_t kPipelines = 50;
constexpr uint32_t kCopyRounds = 4;
constexpr uint32_t kCopies = Crowd::kBuffers / 2;
constexpr VkDeviceSize kCopyBytes = 4096;

class CrowdedPipeline : public Case {
 public:
  explicit CrowdedPipeline(test::TestDevice& device)
      : device_(device.device), vk(device.vk), crowd_(Crowd::Of(device)) {}

  void Run() override {
    for (uint32_t i = 0; i < kPipelines; ++i) CreateAndDestroy(crowd_.pipeline_info());
  }
  bool MakeInvalidCall() override {
    VkGraphicsPipelineCreateInfo info = crowd_.pipeline_info();
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    CreateAndDestroy(info);
    return true;
  }
  // The fragment shader's entry point has another name.
  bool MakeInvalidUse() override {
    VkGraphicsPipelineCreateInfo info = crowd_.pipeline_info();
    std::vector<VkPipelineShaderStageCreateInfo> stages(info.pStages, info.pStages + info.stageCount);
    stages.back().pName = "other";
    info.pStages = stages.data();
    CreateAndDestroy(info);
    return true;
  }

 private:
  void CreateAndDestroy(const VkGraphicsPipelineCreateInfo& info) {
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateGraphicsPipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device_, pipeline, nullptr);
  }

  VkDevice device_;
  const test::Functions& vk;
  Crowd& crowd_;
};

class CrowdedRecording : public RecordingCase {
 public:
  explicit CrowdedRecording(test::TestDevice& device) : RecordingCase(device), crowd_(Crowd::Of(device)) {}

 protected:
  Crowd& crowd_;
};

// 128 copies that have nothing in common, and a barrier; the barrier counts as part of the copies.
class CrowdedCopy : public CrowdedRecording {
 public:
  using CrowdedRecording::CrowdedRecording;

  void Run() override {
    const VkMemoryBarrier barrier = CopyToCopyBarrier();
    for (uint32_t round = 0; round < kCopyRounds; ++round) {
      for (uint32_t i = 0; i < kCopies; ++i) Copy(crowd_.buffer(i), i);
      vk.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier,
                            0, nullptr, 0, nullptr);
    }
  }
  bool MakeHazard() override {
    for (uint32_t i = 0; i < 2; ++i) Copy(crowd_.buffer(i), 0);
    return true;
  }
  bool MakeInvalidCall() override {
    Copy(VK_NULL_HANDLE, 0);
    return true;
  }
  bool MakeInvalidUse() override {
    const VkBufferCopy region = {Crowd::kBufferSize, 0, kCopyBytes};
    vk.CmdCopyBuffer(commands_, crowd_.buffer(0), crowd_.buffer(kCopies), 1, &region);
    return true;
  }

 private:
  void Copy(VkBuffer from, uint32_t i) {
    const VkDeviceSize offset = i * kCopyBytes % Crowd::kBufferSize;
    const VkBufferCopy region = {offset, offset, kCopyBytes};
    vk.CmdCopyBuffer(commands_, from, crowd_.buffer(kCopies + i), 1, &region);
  }
};

// What is bound and pushed before a draw counts as part of it.
class CrowdedDraw : public CrowdedRecording {
 public:
  using CrowdedRecording::CrowdedRecording;

  void RecordFirst() override { crowd_.BeginDraws(commands_, Crowd::kMeasured); }
  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) crowd_.Draw(commands_, Crowd::kMeasured, i);
  }
  void RecordLast() override { vk.CmdEndRendering(commands_); }
  bool MakeHazard() override {
    vk.CmdEndRendering(commands_);
    vk.CmdFillBuffer(commands_, crowd_.vertices(Crowd::kMeasured), 0, VK_WHOLE_SIZE, 0);
    RecordFirst();
    crowd_.Draw(commands_, Crowd::kMeasured, 0);
    return true;
  }
  bool MakeInvalidCall() override {
    vk.CmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, VK_NULL_HANDLE, 0, 0, nullptr, 0, nullptr);
    return true;
  }
};

// The set that is bound before a dispatch and the barrier after it count as part of it.
class CrowdedDispatch : public CrowdedRecording {
 public:
  using CrowdedRecording::CrowdedRecording;

  void RecordFirst() override { crowd_.BindCompute(commands_); }
  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) crowd_.DispatchAndBarrier(commands_, Crowd::kMeasured, i);
  }
  bool MakeHazard() override {
    vk.CmdFillBuffer(commands_, crowd_.FirstBuffer(Crowd::kMeasured, 1), 0, VK_WHOLE_SIZE, 0);
    crowd_.DispatchAndBarrier(commands_, Crowd::kMeasured, 1);
    return true;
  }
  bool MakeInvalidCall() override {
    vk.CmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, VK_NULL_HANDLE, 0, 0, nullptr, 0, nullptr);
    return true;
  }
};

// Submits draws while another command buffer is pending on the queue.
class CrowdedSubmit : public Case {
 public:
  explicit CrowdedSubmit(test::TestDevice& device)
      : device_(device), vk(device.vk), crowd_(Crowd::Of(device)), queue_(device.Queue()), fence_(device.MakeFence()) {
    draws_ =
        device.Record([&](VkCommandBuffer commands) { crowd_.RecordDraws(commands, Crowd::kMeasured, kCommands); });
  }

  void Prepare() override { device_.Submit(queue_, {pending_}); }
  void Run() override {
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &draws_};
    vk.QueueSubmit(queue_, 1, &info, fence_);
  }
  void CleanUp() override {
    vk.WaitForFences(device_.device, 1, &fence_, VK_TRUE, UINT64_MAX);
    vk.ResetFences(device_.device, 1, &fence_);
  }
  // Submits before, with nothing between, another command buffer that writes the vertices.
  bool MakeHazard() override {
    device_.Submit(queue_, {device_.Record([&](VkCommandBuffer commands) {
                     vk.CmdFillBuffer(commands, crowd_.vertices(Crowd::kMeasured), 0, VK_WHOLE_SIZE, 0);
                   })});
    Run();
    return true;
  }
  bool MakeInvalidCall() override {
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
    vk.QueueSubmit(queue_, 1, &info, fence_);
    return true;
  }

 protected:
  test::TestDevice& device_;
  const test::Functions& vk;
  Crowd& crowd_;
  VkCommandBuffer pending_ = VK_NULL_HANDLE;

 private:
  VkQueue queue_;
  VkFence fence_;
  VkCommandBuffer draws_;
};

// The pending command buffer uploads what the draws read, and draws to the same attachment.
class SubmitAfterUse : public CrowdedSubmit {
 public:
  explicit SubmitAfterUse(test::TestDevice& device) : CrowdedSubmit(device) {
    pending_ = device.Record([&](VkCommandBuffer commands) {
      vk.CmdFillBuffer(commands, crowd_.vertices(Crowd::kMeasured), 0, VK_WHOLE_SIZE, 0);
      for (uint32_t i = 0; i < Crowd::kShareSets; ++i) {
        vk.CmdFillBuffer(commands, crowd_.FirstBuffer(Crowd::kMeasured, i), 0, VK_WHOLE_SIZE, i);
      }
      const VkMemoryBarrier uploaded = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                                        VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_SHADER_READ_BIT};
      vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                            VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT |
                                VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                            0, 1, &uploaded, 0, nullptr, 0, nullptr);
      crowd_.RecordDraws(commands, Crowd::kMeasured, kCommands);
    });
  }
};

// The pending command buffer has nothing in common with the draws.
class SubmitApart : public CrowdedSubmit {
 public:
  explicit SubmitApart(test::TestDevice& device) : CrowdedSubmit(device) {
    pending_ = device.Record([&](VkCommandBuffer commands) { crowd_.RecordDraws(commands, Crowd::kApart, kCommands); });
  }
};

Case* MakeCrowdedBuffer(test::TestDevice& device) {
  Crowd::Of(device);
  return MakeCreateDestroyBuffer(device);
}

}  // namespace

std::vector<CaseInfo> CrowdedCases() {
  return {
      {"crowded_create_destroy_pipeline", kPipelines, &Make<CrowdedPipeline>},
      {"crowded_create_destroy_buffer", kCommands, &MakeCrowdedBuffer},
      {"crowded_copy", kCopyRounds * kCopies, &Make<CrowdedCopy>},
      {"crowded_draw", kCommands, &Make<CrowdedDraw>},
      {"crowded_dispatch", kCommands, &Make<CrowdedDispatch>},
      {"crowded_submit", 1, &Make<SubmitAfterUse>},
      {"crowded_submit_apart", 1, &Make<SubmitApart>},
  };
}

}  // namespace assay::benchmarks
