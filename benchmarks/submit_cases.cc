// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The submission of a recorded command buffer. Between submissions the host waits, so that they do not conflict with
// each other.

#include "benchmarks/recording_case.h"

namespace assay::benchmarks {
namespace {

class Submit : public Case {
 public:
  explicit Submit(test::TestDevice& device)
      : device_(device),
        vk(device.vk),

        queue_(device.Queue()),
        fence_(device.MakeFence()) {}

  void Run() override {
    VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &command_buffer_};
    vk.QueueSubmit(queue_, 1, &info, fence_);
  }
  // Submits with nothing between another command buffer that writes what this one uses.
  bool MakeHazard() override {
    VkCommandBuffer other =
        device_.Record([&](VkCommandBuffer commands) { vk.CmdFillBuffer(commands, UsedFirst(), 0, VK_WHOLE_SIZE, 0); });
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &other};
    vk.QueueSubmit(queue_, 1, &info, VK_NULL_HANDLE);
    Run();
    return true;
  }
  void CleanUp() override {
    vk.WaitForFences(device_.device, 1, &fence_, VK_TRUE, UINT64_MAX);
    vk.ResetFences(device_.device, 1, &fence_);
  }

 protected:
  // A buffer that the command buffer uses before its first barrier.
  virtual VkBuffer UsedFirst() const = 0;

  test::TestDevice& device_;
  const test::Functions& vk;

  VkCommandBuffer command_buffer_ = VK_NULL_HANDLE;

 private:
  VkQueue queue_;
  VkFence fence_;
};

class SubmitCopies : public Submit {
 public:
  explicit SubmitCopies(test::TestDevice& device)
      : Submit(device), sources_(device, kBytes * kCommands), destinations_(device, kBytes * kCommands) {
    command_buffer_ = device.Record([&](VkCommandBuffer commands) {
      for (uint32_t i = 0; i < kCommands; ++i) {
        VkBufferCopy region = {i * kBytes, i * kBytes, kBytes};
        vk.CmdCopyBuffer(commands, sources_[i], destinations_[i], 1, &region);
      }
    });
  }

 protected:
  VkBuffer UsedFirst() const override { return destinations_[0]; }

 private:
  // Of each copy.
  static constexpr VkDeviceSize kBytes = 256;

  BufferRing sources_;
  BufferRing destinations_;
};

// Dispatches, copies and barriers in equal parts.
class SubmitMix : public Submit {
 public:
  explicit SubmitMix(test::TestDevice& device) : Submit(device), pipeline_(device), buffers_(device, 65536) {
    command_buffer_ = device.Record([&](VkCommandBuffer commands) {
      pipeline_.Bind(commands);
      VkMemoryBarrier barrier = CopyToCopyBarrier();
      VkBufferCopy region = {0, 0, 65536};
      for (uint32_t i = 0; i < kCommands / 4; ++i) {
        pipeline_.BindSet(commands, i);
        pipeline_.Dispatch(commands);
        vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier,
                              0, nullptr, 0, nullptr);
        vk.CmdCopyBuffer(commands, buffers_[i], buffers_[i + 1], 1, &region);
      }
    });
  }

 protected:
  VkBuffer UsedFirst() const override { return pipeline_.buffer(0); }

 private:
  ReadingPipeline pipeline_;
  BufferRing buffers_;
};

}  // namespace

std::vector<CaseInfo> SubmitCases() {
  return {
      {"submit_500_copies", 1, &Make<SubmitCopies>},
      {"submit_500_mixed", 1, &Make<SubmitMix>},
  };
}

}  // namespace assay::benchmarks
