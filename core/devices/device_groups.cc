// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A device has one or several physical devices. Their indices are less than their number, and masks have no other bits.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/devices/device_rules.h"
#include "vk/chain.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using vk::Vuid;

std::string Wrong(uint32_t value, uint32_t group_size, std::string_view what) {
  return absl::StrCat("(", value, ") is no ", what, " of a device with ", group_size, " physical devices.");
}

}  // namespace

bool DeviceRules::AreIndices(const uint32_t* indices, uint32_t count) const {
  return std::ranges::all_of(state::Items(indices, count), [&](uint32_t index) { return index < group_size_; });
}

uint32_t DeviceRules::FirstMask(VkCommandBuffer commands) const {
  if (!has_masks_.load(std::memory_order_relaxed)) return ~0U;
  return masks_.Find(commands).value_or(~0U);
}

void DeviceRules::PreCallValidate(const vk::GetDeviceGroupPeerMemoryFeatures& call, Report& report) const {
  const uint32_t heaps = device_.physical_device->memory_properties.memoryHeapCount;
  const auto error = [&](vk::VuidIndex id, std::string_view parameter, const std::string& text) {
    report.Error(id, {messages::Object(call.device)}, report.location().Dot(parameter), text);
  };
  if (call.heapIndex >= heaps)
    error(Vuid("VUID-vkGetDeviceGroupPeerMemoryFeatures-heapIndex-00691"), "heapIndex",
          absl::StrCat("(", call.heapIndex, ") is not less than memoryHeapCount (", heaps, ")."));
  if (call.localDeviceIndex >= group_size_)
    error(Vuid("VUID-vkGetDeviceGroupPeerMemoryFeatures-localDeviceIndex-00692"), "localDeviceIndex",
          Wrong(call.localDeviceIndex, group_size_, "index"));
  if (call.remoteDeviceIndex >= group_size_)
    error(Vuid("VUID-vkGetDeviceGroupPeerMemoryFeatures-remoteDeviceIndex-00693"), "remoteDeviceIndex",
          Wrong(call.remoteDeviceIndex, group_size_, "index"));
}

void DeviceRules::PreCallValidate(const vk::BeginCommandBuffer& call, Report& report) const {
  if (call.pBeginInfo == nullptr || call.pBeginInfo->pNext == nullptr) return;
  const auto* const group = vk::FindInChain<VkDeviceGroupCommandBufferBeginInfo>(call.pBeginInfo->pNext);
  if (group == nullptr || IsMask(group->deviceMask)) return;
  report.Error(Vuid("VUID-VkDeviceGroupCommandBufferBeginInfo-deviceMask-00106"),
               {messages::Object(call.commandBuffer)},
               report.location().Dot("pBeginInfo").Next("VkDeviceGroupCommandBufferBeginInfo", "deviceMask"),
               Wrong(group->deviceMask, group_size_, "mask"));
}

void DeviceRules::PostCallRecord(const vk::BeginCommandBuffer& call, VkResult result) {
  const auto* const group =
      result == VK_SUCCESS ? vk::FindInChain<VkDeviceGroupCommandBufferBeginInfo>(call.pBeginInfo->pNext) : nullptr;
  if (group != nullptr) {
    masks_.Set(call.commandBuffer, group->deviceMask);
    has_masks_.store(true, std::memory_order_relaxed);
  } else if (has_masks_.load(std::memory_order_relaxed)) {
    masks_.Erase(call.commandBuffer);
  }
}

void DeviceRules::PreCallValidate(const vk::CmdSetDeviceMask& call, Report& report) const {
  const auto error = [&](vk::VuidIndex id, const std::string& text) {
    report.Error(id, {messages::Object(call.commandBuffer)}, report.location().Dot("deviceMask"), text);
  };
  if (!IsMask(call.deviceMask)) {
    error(Vuid("VUID-vkCmdSetDeviceMask-deviceMask-00108"), Wrong(call.deviceMask, group_size_, "mask"));
  } else if (const uint32_t first = FirstMask(call.commandBuffer); (call.deviceMask & ~first) != 0) {
    error(Vuid("VUID-vkCmdSetDeviceMask-deviceMask-00110"),
          absl::StrCat("(", call.deviceMask, ") has bits that the command buffer was not begun with (", first, ")."));
  }
}

void DeviceRules::CheckRenderPass(VkCommandBuffer commands, const void* chain, const Location& where,
                                  Report& report) const {
  const auto* const group = vk::FindInChain<VkDeviceGroupRenderPassBeginInfo>(chain);
  if (group == nullptr) return;
  const auto error = [&](vk::VuidIndex id, std::string_view member, const std::string& text) {
    report.Error(id, {messages::Object(commands)}, where.Next("VkDeviceGroupRenderPassBeginInfo", member), text);
  };
  if (!IsMask(group->deviceMask)) {
    error(Vuid("VUID-VkDeviceGroupRenderPassBeginInfo-deviceMask-00905"), "deviceMask",
          Wrong(group->deviceMask, group_size_, "mask"));
  } else if (const uint32_t first = FirstMask(commands); (group->deviceMask & ~first) != 0) {
    error(Vuid("VUID-VkDeviceGroupRenderPassBeginInfo-deviceMask-00907"), "deviceMask",
          absl::StrCat("(", group->deviceMask, ") has bits that the command buffer was not begun with (", first, ")."));
  }
  if (group->deviceRenderAreaCount != 0 && group->deviceRenderAreaCount != group_size_)
    error(Vuid("VUID-VkDeviceGroupRenderPassBeginInfo-deviceRenderAreaCount-00908"), "deviceRenderAreaCount",
          Wrong(group->deviceRenderAreaCount, group_size_, "number of areas"));
}

void DeviceRules::PreCallValidate(const vk::CmdBeginRenderPass& call, Report& report) const {
  if (call.pRenderPassBegin != nullptr && call.pRenderPassBegin->pNext != nullptr)
    CheckRenderPass(call.commandBuffer, call.pRenderPassBegin->pNext, report.location().Dot("pRenderPassBegin"),
                    report);
}
void DeviceRules::PreCallValidate(const vk::CmdBeginRenderPass2& call, Report& report) const {
  if (call.pRenderPassBegin != nullptr && call.pRenderPassBegin->pNext != nullptr)
    CheckRenderPass(call.commandBuffer, call.pRenderPassBegin->pNext, report.location().Dot("pRenderPassBegin"),
                    report);
}
void DeviceRules::PreCallValidate(const vk::CmdBeginRendering& call, Report& report) const {
  if (call.pRenderingInfo != nullptr && call.pRenderingInfo->pNext != nullptr)
    CheckRenderPass(call.commandBuffer, call.pRenderingInfo->pNext, report.location().Dot("pRenderingInfo"), report);
}

void DeviceRules::PreCallValidate(const vk::QueueSubmit& call, Report& report) const {
  for (uint32_t i = 0; call.pSubmits != nullptr && i < call.submitCount; ++i) {
    const auto* const group = vk::FindInChain<VkDeviceGroupSubmitInfo>(call.pSubmits[i].pNext);
    if (group == nullptr) continue;
    const auto error = [&](vk::VuidIndex id, std::string_view member, std::string_view what) {
      report.Error(id, {messages::Object(call.queue)},
                   report.location().Dot("pSubmits", i).Next("VkDeviceGroupSubmitInfo", member),
                   absl::StrCat("has an element that is no ", what, " of a device with ", group_size_,
                                " physical devices."));
    };
    constexpr auto kIndices = Vuid("VUID-VkDeviceGroupSubmitInfo-pWaitSemaphoreDeviceIndices-00085");
    if (!AreIndices(group->pWaitSemaphoreDeviceIndices, group->waitSemaphoreCount)) {
      error(kIndices, "pWaitSemaphoreDeviceIndices", "index");
    } else if (!AreIndices(group->pSignalSemaphoreDeviceIndices, group->signalSemaphoreCount)) {
      error(kIndices, "pSignalSemaphoreDeviceIndices", "index");
    }
    if (!std::ranges::all_of(state::Items(group->pCommandBufferDeviceMasks, group->commandBufferCount),
                             [&](uint32_t mask) { return IsMask(mask); }))
      error(Vuid("VUID-VkDeviceGroupSubmitInfo-pCommandBufferDeviceMasks-00086"), "pCommandBufferDeviceMasks", "mask");
  }
}

void DeviceRules::PreCallValidate(const vk::QueueBindSparse& call, Report& report) const {
  for (uint32_t i = 0; call.pBindInfo != nullptr && i < call.bindInfoCount; ++i) {
    const auto* const group = vk::FindInChain<VkDeviceGroupBindSparseInfo>(call.pBindInfo[i].pNext);
    if (group == nullptr || (group->resourceDeviceIndex < group_size_ && group->memoryDeviceIndex < group_size_))
      continue;
    const bool is_resource = group->resourceDeviceIndex >= group_size_;
    report.Error(
        Vuid("VUID-VkDeviceGroupBindSparseInfo-resourceDeviceIndex-01118"), {messages::Object(call.queue)},
        report.location()
            .Dot("pBindInfo", i)
            .Next("VkDeviceGroupBindSparseInfo", is_resource ? "resourceDeviceIndex" : "memoryDeviceIndex"),
        Wrong(is_resource ? group->resourceDeviceIndex : group->memoryDeviceIndex, group_size_, "index"));
  }
}

}  // namespace assay::core
