// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Calls that are not recorded: descriptors, command buffers, objects.

#include "benchmarks/recording_case.h"

namespace assay::benchmarks {
namespace {

// One call writes the four storage buffers of a set.
class UpdateDescriptorSets : public Case {
 public:
  explicit UpdateDescriptorSets(test::TestDevice& device)
      : device_(device.device), vk(device.vk), pipeline_(device), buffers_(device, 4096) {}

  void Run() override {
    VkDescriptorBufferInfo infos[4];
    VkWriteDescriptorSet writes[4];
    for (uint32_t i = 0; i < kCommands; ++i) {
      for (uint32_t b = 0; b < 4; ++b) {
        infos[b] = {buffers_[i + b], 0, VK_WHOLE_SIZE};
        writes[b] = {
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = pipeline_.set(i),
            .dstBinding = b,
            .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .pBufferInfo = &infos[b],
        };
      }
      vk.UpdateDescriptorSets(device_, 4, writes, 0, nullptr);
    }
  }

 private:
  VkDevice device_;
  const test::Functions& vk;
  ReadingPipeline pipeline_;
  BufferRing buffers_;
};

class EmptyCommandBuffer : public Case {
 public:
  explicit EmptyCommandBuffer(test::TestDevice& device) : vk(device.vk), commands_(device.MakeCommandBuffer()) {}

  void Run() override {
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    for (uint32_t i = 0; i < kCommands; ++i) {
      vk.BeginCommandBuffer(commands_, &info);
      vk.EndCommandBuffer(commands_);
      vk.ResetCommandBuffer(commands_, 0);
    }
  }

 private:
  const test::Functions& vk;
  VkCommandBuffer commands_;
};

class CreateDestroyBuffer : public Case {
 public:
  explicit CreateDestroyBuffer(test::TestDevice& device) : device_(device.device), vk(device.vk) {}

  void Run() override {
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 4096, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    for (uint32_t i = 0; i < kCommands; ++i) {
      VkBuffer buffer = VK_NULL_HANDLE;
      vk.CreateBuffer(device_, &info, nullptr, &buffer);
      vk.DestroyBuffer(device_, buffer, nullptr);
    }
  }

 private:
  VkDevice device_;
  const test::Functions& vk;
};

}  // namespace

std::vector<CaseInfo> ObjectCases() {
  return {
      {"update_descriptor_sets", kCommands, &Make<UpdateDescriptorSets>},
      {"empty_command_buffer", kCommands, &Make<EmptyCommandBuffer>},
      {"create_destroy_buffer", kCommands, &Make<CreateDestroyBuffer>},
  };
}

}  // namespace assay::benchmarks
