// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/device_groups/device_group_rules.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::Items;
using vk::CommandId;
using vk::Vuid;

constexpr struct {
  CommandId command;
  vk::VuidIndex rule;
} kFeatureRules[] = {
    {CommandId::kGetBufferDeviceAddress, Vuid("VUID-vkGetBufferDeviceAddress-device-03325")},
    {CommandId::kGetBufferOpaqueCaptureAddress, Vuid("VUID-vkGetBufferOpaqueCaptureAddress-device-03327")},
    {CommandId::kGetDeviceMemoryOpaqueCaptureAddress, Vuid("VUID-vkGetDeviceMemoryOpaqueCaptureAddress-device-03335")},
    {CommandId::kCreateAccelerationStructureKHR, Vuid("VUID-vkCreateAccelerationStructureKHR-device-03489")},
    {CommandId::kGetAccelerationStructureBuildSizesKHR,
     Vuid("VUID-vkGetAccelerationStructureBuildSizesKHR-device-03618")},
    {CommandId::kGetAccelerationStructureDeviceAddressKHR,
     Vuid("VUID-vkGetAccelerationStructureDeviceAddressKHR-device-03504")},
    {CommandId::kCreateMicromapEXT, Vuid("VUID-vkCreateMicromapEXT-device-07432")},
    {CommandId::kGetMicromapBuildSizesEXT, Vuid("VUID-vkGetMicromapBuildSizesEXT-device-07440")},
    {CommandId::kGetBufferOpaqueCaptureDescriptorDataEXT,
     Vuid("VUID-vkGetBufferOpaqueCaptureDescriptorDataEXT-device-08074")},
    {CommandId::kGetImageOpaqueCaptureDescriptorDataEXT,
     Vuid("VUID-vkGetImageOpaqueCaptureDescriptorDataEXT-device-08078")},
    {CommandId::kGetImageViewOpaqueCaptureDescriptorDataEXT,
     Vuid("VUID-vkGetImageViewOpaqueCaptureDescriptorDataEXT-device-08082")},
    {CommandId::kGetSamplerOpaqueCaptureDescriptorDataEXT,
     Vuid("VUID-vkGetSamplerOpaqueCaptureDescriptorDataEXT-device-08086")},
    {CommandId::kGetAccelerationStructureOpaqueCaptureDescriptorDataEXT,
     Vuid("VUID-vkGetAccelerationStructureOpaqueCaptureDescriptorDataEXT-device-08090")},
};

uint32_t SizeOf(const VkDeviceCreateInfo& info) {
  const auto* const group = vk::FindInChain<VkDeviceGroupDeviceCreateInfo>(info.pNext);
  return group != nullptr ? std::max(group->physicalDeviceCount, 1u) : 1;
}

}  // namespace

DeviceGroupRules::DeviceGroupRules(const dispatch::Device& device, const VkDeviceCreateInfo& info)
    : device_(device), size_(SizeOf(info)) {}

void DeviceGroupRules::Attach(dispatch::HookBuilder& builder) {
  builder.Attach(*this);
  if (size_ == 1 || device_.HasFeature(vk::FeatureId::kBufferDeviceAddressMultiDevice)) return;
  // The feature of VK_EXT_buffer_device_address is enough for its own command.
  const bool has_ext = device_.HasFeature(vk::FeatureId::kBufferDeviceAddressMultiDeviceEXT);
  for (const auto& rule : kFeatureRules) {
    if (!has_ext || rule.command != CommandId::kGetBufferDeviceAddress)
      builder.AttachValidate(rule.command, this, &CheckFeature);
  }
}

void DeviceGroupRules::CheckFeature(void* self, const void*, dispatch::Slot*, Report& report) {
  const auto* const rule = std::ranges::find(kFeatureRules, report.command(), [](const auto& r) { return r.command; });
  const auto& rules = *static_cast<const DeviceGroupRules*>(self);
  rules.Require(
      false, rule->rule, report.location(),
      "The device has several physical devices, but the feature bufferDeviceAddressMultiDevice is not enabled.",
      report);
}

void DeviceGroupRules::CheckMask(uint32_t mask, vk::VuidIndex rule, const Location& where, Report& report) const {
  if (size_ >= 32 || mask >> size_ == 0) [[likely]]
    return;
  Require(false, rule, where,
          absl::StrCat("(0x", absl::Hex(mask), ") has bits beyond the ", size_, " physical devices of the device."),
          report);
}
void DeviceGroupRules::CheckIndex(uint32_t index, vk::VuidIndex rule, const Location& where, Report& report) const {
  if (index < size_) [[likely]]
    return;
  Require(false, rule, where,
          absl::StrCat("(", index, ") is not less than the number of physical devices of the device (", size_, ")."),
          report);
}
void DeviceGroupRules::CheckCount(uint32_t count, uint32_t other, vk::VuidIndex rule, const Location& where,
                                  Report& report) const {
  Require(count == 0 || count == other, rule, where, absl::StrCat("(", count, ") is neither 0 nor ", other, "."),
          report);
}
void DeviceGroupRules::CheckIndices(const uint32_t* indices, uint32_t count, std::string_view member,
                                    vk::VuidIndex rule, const Location& where, Report& report) const {
  for (uint32_t i = 0; i < Items(indices, count).size(); ++i)
    CheckIndex(indices[i], rule, where.Dot(member, i), report);
}

void DeviceGroupRules::PreCallValidate(const vk::AllocateMemory& call, Report& report) const {
  if (call.pAllocateInfo == nullptr) return;
  const auto* const flags = vk::FindInChain<VkMemoryAllocateFlagsInfo>(call.pAllocateInfo->pNext);
  if (flags == nullptr || (flags->flags & VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT) == 0) return;
  const Location command = report.location();
  const Location info = command.Dot("pAllocateInfo");
  CheckMask(flags->deviceMask, Vuid("VUID-VkMemoryAllocateFlagsInfo-deviceMask-00675"),
            info.Next("VkMemoryAllocateFlagsInfo", "deviceMask"), report);
}

void DeviceGroupRules::PreCallValidate(const vk::BindBufferMemory2& call, Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; i < Items(call.pBindInfos, call.bindInfoCount).size(); ++i) {
    const auto* const group = vk::FindInChain<VkBindBufferMemoryDeviceGroupInfo>(call.pBindInfos[i].pNext);
    if (group == nullptr) continue;
    const Location info = command.Dot("pBindInfos", i);
    const Location where = info.Next("VkBindBufferMemoryDeviceGroupInfo");
    CheckCount(group->deviceIndexCount, size_, Vuid("VUID-VkBindBufferMemoryDeviceGroupInfo-deviceIndexCount-01606"),
               where.Dot("deviceIndexCount"), report);
    CheckIndices(group->pDeviceIndices, group->deviceIndexCount, "pDeviceIndices",
                 Vuid("VUID-VkBindBufferMemoryDeviceGroupInfo-pDeviceIndices-01607"), where, report);
  }
}
void DeviceGroupRules::PreCallValidate(const vk::BindImageMemory2& call, Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; i < Items(call.pBindInfos, call.bindInfoCount).size(); ++i) {
    const auto* const group = vk::FindInChain<VkBindImageMemoryDeviceGroupInfo>(call.pBindInfos[i].pNext);
    if (group == nullptr) continue;
    const Location info = command.Dot("pBindInfos", i);
    const Location where = info.Next("VkBindImageMemoryDeviceGroupInfo");
    CheckCount(group->deviceIndexCount, size_, Vuid("VUID-VkBindImageMemoryDeviceGroupInfo-deviceIndexCount-01634"),
               where.Dot("deviceIndexCount"), report);
    CheckIndices(group->pDeviceIndices, group->deviceIndexCount, "pDeviceIndices",
                 Vuid("VUID-VkBindImageMemoryDeviceGroupInfo-pDeviceIndices-01635"), where, report);
    CheckCount(group->splitInstanceBindRegionCount, size_ * size_,
               Vuid("VUID-VkBindImageMemoryDeviceGroupInfo-splitInstanceBindRegionCount-01636"),
               where.Dot("splitInstanceBindRegionCount"), report);
  }
}

void DeviceGroupRules::PreCallValidate(const vk::CreateImage& call, Report& report) const {
  if (call.pCreateInfo == nullptr || size_ != 1) return;
  const Location command = report.location();
  const Location info = command.Dot("pCreateInfo");
  Require((call.pCreateInfo->flags & VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT) == 0,
          Vuid("VUID-VkImageCreateInfo-physicalDeviceCount-01421"), info.Dot("flags"),
          "has VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT, but the device has one physical device.", report);
}
void DeviceGroupRules::PreCallValidate(const vk::CreateSwapchainKHR& call, Report& report) const {
  if (call.pCreateInfo == nullptr || size_ != 1) return;
  const Location command = report.location();
  const Location info = command.Dot("pCreateInfo");
  Require((call.pCreateInfo->flags & VK_SWAPCHAIN_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT_KHR) == 0,
          Vuid("VUID-VkSwapchainCreateInfoKHR-physicalDeviceCount-01429"), info.Dot("flags"),
          "has VK_SWAPCHAIN_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT_KHR, but the device has one physical device.",
          report);
}

void DeviceGroupRules::PreCallValidate(const vk::AcquireNextImage2KHR& call, Report& report) const {
  if (call.pAcquireInfo == nullptr) return;
  const Location command = report.location();
  const Location info = command.Dot("pAcquireInfo");
  CheckMask(call.pAcquireInfo->deviceMask, Vuid("VUID-VkAcquireNextImageInfoKHR-deviceMask-01290"),
            info.Dot("deviceMask"), report);
}

void DeviceGroupRules::PreCallValidate(const vk::GetDeviceGroupPeerMemoryFeatures& call, Report& report) const {
  const Location command = report.location();
  const uint32_t heaps = device_.physical_device->memory_properties.memoryHeapCount;
  Require(call.heapIndex < heaps, Vuid("VUID-vkGetDeviceGroupPeerMemoryFeatures-heapIndex-00691"),
          command.Dot("heapIndex"),
          absl::StrCat("(", call.heapIndex, ") is not less than memoryHeapCount (", heaps, ")."), report);
  CheckIndex(call.localDeviceIndex, Vuid("VUID-vkGetDeviceGroupPeerMemoryFeatures-localDeviceIndex-00692"),
             command.Dot("localDeviceIndex"), report);
  CheckIndex(call.remoteDeviceIndex, Vuid("VUID-vkGetDeviceGroupPeerMemoryFeatures-remoteDeviceIndex-00693"),
             command.Dot("remoteDeviceIndex"), report);
}

void DeviceGroupRules::PreCallValidate(const vk::QueueSubmit& call, dispatch::Slot&, Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; i < Items(call.pSubmits, call.submitCount).size(); ++i) {
    const auto* const group = vk::FindInChain<VkDeviceGroupSubmitInfo>(call.pSubmits[i].pNext);
    if (group == nullptr) continue;
    const Location submit = command.Dot("pSubmits", i);
    const Location where = submit.Next("VkDeviceGroupSubmitInfo");
    constexpr vk::VuidIndex kIndices = Vuid("VUID-VkDeviceGroupSubmitInfo-pWaitSemaphoreDeviceIndices-00085");
    CheckIndices(group->pWaitSemaphoreDeviceIndices, group->waitSemaphoreCount, "pWaitSemaphoreDeviceIndices", kIndices,
                 where, report);
    CheckIndices(group->pSignalSemaphoreDeviceIndices, group->signalSemaphoreCount, "pSignalSemaphoreDeviceIndices",
                 kIndices, where, report);
    for (uint32_t j = 0; j < Items(group->pCommandBufferDeviceMasks, group->commandBufferCount).size(); ++j) {
      CheckMask(group->pCommandBufferDeviceMasks[j],
                Vuid("VUID-VkDeviceGroupSubmitInfo-pCommandBufferDeviceMasks-00086"),
                where.Dot("pCommandBufferDeviceMasks", j), report);
    }
  }
}
void DeviceGroupRules::PreCallValidate(const vk::QueueSubmit2& call, dispatch::Slot&, Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; i < Items(call.pSubmits, call.submitCount).size(); ++i) {
    const VkSubmitInfo2& info = call.pSubmits[i];
    const Location submit = command.Dot("pSubmits", i);
    for (uint32_t j = 0; j < Items(info.pCommandBufferInfos, info.commandBufferInfoCount).size(); ++j) {
      CheckMask(info.pCommandBufferInfos[j].deviceMask, Vuid("VUID-VkCommandBufferSubmitInfo-deviceMask-03891"),
                submit.Dot("pCommandBufferInfos", j), report);
    }
    if (size_ == 1) continue;
    const auto check = [&](const VkSemaphoreSubmitInfo* infos, uint32_t count, std::string_view member) {
      for (uint32_t j = 0; j < Items(infos, count).size(); ++j) {
        const Location semaphore = submit.Dot(member, j);
        CheckIndex(infos[j].deviceIndex, Vuid("VUID-VkSemaphoreSubmitInfo-device-03889"), semaphore.Dot("deviceIndex"),
                   report);
      }
    };
    check(info.pWaitSemaphoreInfos, info.waitSemaphoreInfoCount, "pWaitSemaphoreInfos");
    check(info.pSignalSemaphoreInfos, info.signalSemaphoreInfoCount, "pSignalSemaphoreInfos");
  }
}
void DeviceGroupRules::PreCallValidate(const vk::QueueBindSparse& call, dispatch::Slot&, Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; i < Items(call.pBindInfo, call.bindInfoCount).size(); ++i) {
    const auto* const group = vk::FindInChain<VkDeviceGroupBindSparseInfo>(call.pBindInfo[i].pNext);
    if (group == nullptr) continue;
    const Location info = command.Dot("pBindInfo", i);
    CheckIndex(std::max(group->resourceDeviceIndex, group->memoryDeviceIndex),
               Vuid("VUID-VkDeviceGroupBindSparseInfo-resourceDeviceIndex-01118"),
               info.Next("VkDeviceGroupBindSparseInfo",
                         group->resourceDeviceIndex >= size_ ? "resourceDeviceIndex" : "memoryDeviceIndex"),
               report);
  }
}

void DeviceGroupRules::PreCallValidate(const vk::BeginCommandBuffer& call, dispatch::Slot&, Report& report) const {
  if (call.pBeginInfo == nullptr) return;
  const auto* const group = vk::FindInChain<VkDeviceGroupCommandBufferBeginInfo>(call.pBeginInfo->pNext);
  if (group == nullptr) return;
  const Location command = report.location();
  const Location info = command.Dot("pBeginInfo");
  CheckMask(group->deviceMask, Vuid("VUID-VkDeviceGroupCommandBufferBeginInfo-deviceMask-00106"),
            info.Next("VkDeviceGroupCommandBufferBeginInfo", "deviceMask"), report);
}
void DeviceGroupRules::PreCallValidate(const vk::CmdSetDeviceMask& call, dispatch::Slot&, Report& report) const {
  const Location command = report.location();
  CheckMask(call.deviceMask, Vuid("VUID-vkCmdSetDeviceMask-deviceMask-00108"), command.Dot("deviceMask"), report);
}

void DeviceGroupRules::CheckInstance(const void* chain, const Location& where, Report& report) const {
  const auto* const group = vk::FindInChain<VkDeviceGroupRenderPassBeginInfo>(chain);
  if (group == nullptr) return;
  const Location info = where.Next("VkDeviceGroupRenderPassBeginInfo");
  CheckMask(group->deviceMask, Vuid("VUID-VkDeviceGroupRenderPassBeginInfo-deviceMask-00905"), info.Dot("deviceMask"),
            report);
  CheckCount(group->deviceRenderAreaCount, size_,
             Vuid("VUID-VkDeviceGroupRenderPassBeginInfo-deviceRenderAreaCount-00908"),
             info.Dot("deviceRenderAreaCount"), report);
}
void DeviceGroupRules::PreCallValidate(const vk::CmdBeginRenderPass& call, dispatch::Slot&, Report& report) const {
  const Location command = report.location();
  if (call.pRenderPassBegin != nullptr)
    CheckInstance(call.pRenderPassBegin->pNext, command.Dot("pRenderPassBegin"), report);
}
void DeviceGroupRules::PreCallValidate(const vk::CmdBeginRenderPass2& call, dispatch::Slot&, Report& report) const {
  const Location command = report.location();
  if (call.pRenderPassBegin != nullptr)
    CheckInstance(call.pRenderPassBegin->pNext, command.Dot("pRenderPassBegin"), report);
}
void DeviceGroupRules::PreCallValidate(const vk::CmdBeginRendering& call, dispatch::Slot&, Report& report) const {
  const Location command = report.location();
  if (call.pRenderingInfo != nullptr) CheckInstance(call.pRenderingInfo->pNext, command.Dot("pRenderingInfo"), report);
}

}  // namespace assay::core
