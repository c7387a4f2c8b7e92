// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_EVERY_SET_TEST_H_
#define ASSAY_GPUAV_EVERY_SET_TEST_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "gpuav/driver_test.h"
#include "vk/chain.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// An application may use every descriptor set: gpuav_reserve_binding_slot is false. Over the mock driver.
namespace assay::gpuav {

inline constexpr VkShaderStageFlags kVertex = VK_SHADER_STAGE_VERTEX_BIT;
inline constexpr VkShaderStageFlags kFragment = VK_SHADER_STAGE_FRAGMENT_BIT;
inline constexpr VkShaderStageFlags kCompute = VK_SHADER_STAGE_COMPUTE_BIT;
inline constexpr VkShaderStageFlags kAll = VK_SHADER_STAGE_ALL;

// A range: stages, offset, bytes.
using Range = std::tuple<VkShaderStageFlags, uint32_t, uint32_t>;

// A push: layout, stages, offset, and what is pushed.
struct Push {
  VkPipelineLayout layout;
  VkShaderStageFlags stages;
  uint32_t offset;
  std::vector<uint32_t> words;
};

// Notes what reaches the driver.
class EverySetTest : public GpuavDriverTest {
 protected:
  void SetUp() override {
    driver().SetObserver([this](vk::CommandId id, const void* parameters) { Watch(id, parameters); });
    Create(Options());
    offset_ = driver().config().limits.maxPushConstantsSize - 8;
  }
  test::DeviceOptions Options() override {
    return {.settings = {{"gpuav_enable", true}, {"validate_sync", false}, {"gpuav_reserve_binding_slot", false}},
            .core_features = false};
  }

  // A layout with all sets, of which the first is that of MakeLayout().
  VkPipelineLayout MakeFullLayout(const std::vector<VkPushConstantRange>& ranges = {}) {
    MakeLayout();
    std::vector<VkDescriptorSetLayout> sets(DeviceSets(), MakeSetLayout({}));
    sets[0] = set_layout_;
    return MakeLayoutWith(sets, ranges);
  }
  VkPipelineLayout MakeLayoutWith(const std::vector<VkDescriptorSetLayout>& sets,
                                  const std::vector<VkPushConstantRange>& ranges) {
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = static_cast<uint32_t>(sets.size()),
                                             .pSetLayouts = sets.data(),
                                             .pushConstantRangeCount = static_cast<uint32_t>(ranges.size()),
                                             .pPushConstantRanges = ranges.data()};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreatePipelineLayout(device, &info, nullptr, &layout), VK_SUCCESS);
    Defer(layout, [this, layout] { vk.DestroyPipelineLayout(device, layout, nullptr); });
    return layout;
  }
  // What the driver gets of these ranges.
  std::vector<Range> Down(const std::vector<VkPushConstantRange>& ranges) {
    MakeLayoutWith({}, ranges);
    return ranges_;
  }
  void Dispatch(VkCommandBuffer commands, VkPipeline pipeline, VkPipelineLayout layout, VkDescriptorSet set) {
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    vk.CmdDispatch(commands, 1, 1, 1);
  }
  static uint64_t AddressOf(const Push& push) {
    uint64_t address = 0;
    std::memcpy(&address, push.words.data(), sizeof(address));
    return address;
  }

  uint32_t offset_ = 0;
  // Of the layout that was made last.
  std::vector<Range> ranges_;
  size_t sets_ = 0;
  std::vector<Push> pushes_;
  std::vector<uint32_t> bound_;
  std::vector<VkMemoryAllocateFlags> memory_flags_;
  std::vector<size_t> module_words_;
  // Of the device: nothing for no structure.
  std::optional<bool> has_addresses_;
  bool has_core_structure_ = false;
  std::vector<std::string> extensions_;

 private:
  void Watch(vk::CommandId id, const void* parameters) {
    if (id == vk::CommandId::kCreateDevice) {
      WatchDevice(*static_cast<const vk::CreateDevice*>(parameters)->pCreateInfo);
    } else if (id == vk::CommandId::kCreatePipelineLayout) {
      const VkPipelineLayoutCreateInfo& info = *static_cast<const vk::CreatePipelineLayout*>(parameters)->pCreateInfo;
      sets_ = info.setLayoutCount;
      ranges_.clear();
      for (uint32_t i = 0; i < info.pushConstantRangeCount; ++i) {
        const VkPushConstantRange& range = info.pPushConstantRanges[i];
        ranges_.emplace_back(range.stageFlags, range.offset, range.size);
      }
    } else if (id == vk::CommandId::kCmdPushConstants) {
      const auto& call = *static_cast<const vk::CmdPushConstants*>(parameters);
      const auto* words = static_cast<const uint32_t*>(call.pValues);
      pushes_.push_back({call.layout, call.stageFlags, call.offset, {words, words + call.size / 4}});
    } else if (id == vk::CommandId::kCmdBindDescriptorSets) {
      bound_.push_back(static_cast<const vk::CmdBindDescriptorSets*>(parameters)->firstSet);
    } else if (id == vk::CommandId::kAllocateMemory) {
      const auto* flags = vk::FindInChain<VkMemoryAllocateFlagsInfo>(
          static_cast<const vk::AllocateMemory*>(parameters)->pAllocateInfo->pNext);
      memory_flags_.push_back(flags != nullptr ? flags->flags : 0);
    } else if (id == vk::CommandId::kCreateShaderModule) {
      module_words_.push_back(static_cast<const vk::CreateShaderModule*>(parameters)->pCreateInfo->codeSize / 4);
    }
  }

  void WatchDevice(const VkDeviceCreateInfo& info) {
    has_addresses_.reset();
    if (const auto* core = vk::FindInChain<VkPhysicalDeviceVulkan12Features>(info.pNext)) {
      has_core_structure_ = true;
      has_addresses_ = core->bufferDeviceAddress == VK_TRUE;
    }
    if (const auto* own = vk::FindInChain<VkPhysicalDeviceBufferDeviceAddressFeatures>(info.pNext)) {
      has_addresses_ = own->bufferDeviceAddress == VK_TRUE;
    }
    extensions_.assign(info.ppEnabledExtensionNames, info.ppEnabledExtensionNames + info.enabledExtensionCount);
  }
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_EVERY_SET_TEST_H_
