// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_WATCHED_TEST_H_
#define ASSAY_GPUAV_WATCHED_TEST_H_

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gpuav/driver_test.h"
#include "spirv_instrument/runtime/error_codes.h"
#include "spirv_instrument/runtime/layout.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// Watches what the driver gets, so that a test can write to our memory what shaders and markers would.
class WatchedTest : public GpuavDriverTest {
 protected:
  void SetUp() override {
    driver().SetObserver([this](vk::CommandId id, const void* parameters) { Watch(id, parameters); });
    Create(Options());
  }

  // Two dispatches.
  VkCommandBuffer RecordTwo(VkPipeline pipeline, const char* name) {
    const VkDescriptorSet set = MakeWrittenSet();
    const VkCommandBuffer commands = Record([&](VkCommandBuffer buffer) {
      const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "lights"};
      vk.CmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.CmdBindDescriptorSets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set, 0, nullptr);
      vk.CmdDispatch(buffer, 1, 1, 1);
      vk.CmdBeginDebugUtilsLabelEXT(buffer, &label);
      vk.CmdDispatch(buffer, 1, 1, 1);
      vk.CmdEndDebugUtilsLabelEXT(buffer);
    });
    SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, commands, name);
    return commands;
  }

  // Writes a record as the first shader would: an access past the end of the buffer at binding 0.
  void WriteFault(VkCommandBuffer commands, uint32_t instruction) {
    namespace si = spirv_instrument;
    const Place& errors = errors_of_sets_[sets_[commands]];
    uint32_t* const words = WordsAt(errors);
    uint32_t* const record = words + si::kStreamHeaderWords + words[si::kReservedWord];
    words[si::kReservedWord] += si::kErrorRecordWords;
    std::fill_n(record, si::kErrorRecordWords, 0u);
    record[si::kRecordSizeWord] = si::kErrorRecordWords;
    record[si::kRecordCodeWord] = static_cast<uint32_t>(si::ErrorCode::kBufferOutOfBounds);
    record[si::kRecordShaderWord] = 1;
    record[si::kRecordInstructionWord] = instruction;
    record[si::kRecordStageWord] = 5;
    record[si::kRecordDataWord + 3] = 68;
    record[si::kRecordDataWord + 4] = 64;
  }

  struct Place {
    VkBuffer buffer;
    VkDeviceSize offset;
    auto operator<=>(const Place&) const = default;
  };
  uint32_t* WordsAt(const Place& place) {
    return reinterpret_cast<uint32_t*>(driver().MappedBytes(memory_[place.buffer]) + place.offset);
  }

  // What commands were recorded, by name, with what they mark.
  struct Mark {
    std::string command;
    uint64_t value;
  };
  std::map<VkCommandBuffer, std::vector<Mark>> marks_;
  std::map<VkCommandBuffer, Place> begun_;
  std::map<VkCommandBuffer, Place> ended_;
  std::map<VkCommandBuffer, std::vector<Place>> fills_;
  std::vector<std::string> extensions_;

 private:
  template <class C>
  static const C& As(const void* parameters) {
    return *static_cast<const C*>(parameters);
  }

  void Watch(vk::CommandId id, const void* parameters) {
    switch (id) {
      case vk::CommandId::kCreateDevice: {
        const VkDeviceCreateInfo& info = *As<vk::CreateDevice>(parameters).pCreateInfo;
        extensions_.assign(info.ppEnabledExtensionNames, info.ppEnabledExtensionNames + info.enabledExtensionCount);
        break;
      }
      case vk::CommandId::kBindBufferMemory: {
        const auto& call = As<vk::BindBufferMemory>(parameters);
        memory_[call.buffer] = call.memory;
        break;
      }
      case vk::CommandId::kUpdateDescriptorSets: {
        const auto& call = As<vk::UpdateDescriptorSets>(parameters);
        for (uint32_t i = 0; i < call.descriptorWriteCount; ++i) {
          const VkWriteDescriptorSet& write = call.pDescriptorWrites[i];
          if (write.dstBinding != spirv_instrument::kErrorsBinding || write.pBufferInfo == nullptr) continue;
          errors_of_sets_[write.dstSet] = {write.pBufferInfo->buffer, write.pBufferInfo->offset};
        }
        break;
      }
      case vk::CommandId::kCmdBindDescriptorSets: {
        const auto& call = As<vk::CmdBindDescriptorSets>(parameters);
        if (call.dynamicOffsetCount != 0) sets_[call.commandBuffer] = call.pDescriptorSets[0];
        break;
      }
      case vk::CommandId::kCmdWriteBufferMarkerAMD: {
        const auto& call = As<vk::CmdWriteBufferMarkerAMD>(parameters);
        const bool is_top = call.pipelineStage == VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;
        (is_top ? begun_ : ended_)[call.commandBuffer] = {call.dstBuffer, call.dstOffset};
        marks_[call.commandBuffer].push_back({is_top ? "top" : "bottom", call.marker});
        break;
      }
      case vk::CommandId::kCmdSetCheckpointNV: {
        const auto& call = As<vk::CmdSetCheckpointNV>(parameters);
        marks_[call.commandBuffer].push_back({"checkpoint", reinterpret_cast<uint64_t>(call.pCheckpointMarker)});
        break;
      }
      case vk::CommandId::kCmdFillBuffer: {
        const auto& call = As<vk::CmdFillBuffer>(parameters);
        marks_[call.commandBuffer].push_back({"fill", call.data});
        fills_[call.commandBuffer].push_back({call.dstBuffer, call.dstOffset});
        break;
      }
      case vk::CommandId::kCmdPipelineBarrier:
        marks_[As<vk::CmdPipelineBarrier>(parameters).commandBuffer].push_back({"barrier", 0});
        break;
      case vk::CommandId::kCmdDispatch:
        marks_[As<vk::CmdDispatch>(parameters).commandBuffer].push_back({"dispatch", 0});
        break;
      default:
        break;
    }
  }

  std::map<VkBuffer, VkDeviceMemory> memory_;
  std::map<VkDescriptorSet, Place> errors_of_sets_;
  std::map<VkCommandBuffer, VkDescriptorSet> sets_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_WATCHED_TEST_H_
