// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Queries of the addresses, handles and captured data of objects: these have memory, usages and flags for that.

#include <string>
#include <string_view>

#include "core/memory/memory_rules.h"
#include "state/state.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using vk::Vuid;

// Reports that the object of pInfo is wrong.
template <class H>
void Require(bool holds, vk::VuidIndex rule, H handle, std::string_view member, std::string_view text, Report& report) {
  if (holds) return;
  const Location command = report.location();
  const Location info = command.Dot("pInfo");
  report.Error(rule, {Object(handle)}, info.Dot(member), std::string(text));
}

void CheckBuffer(const VkBufferDeviceAddressInfo* info, Report& report) {
  const auto* const buffer = info != nullptr ? DeviceState::Get<state::Buffer>(info->buffer) : nullptr;
  if (buffer == nullptr) return;
  Require(buffer->is_sparse() || buffer->memory ||
              (buffer->flags & VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT) != 0,
          Vuid("VUID-VkBufferDeviceAddressInfo-buffer-02600"), info->buffer, "buffer", "is not bound to memory.",
          report);
}

}  // namespace

void MemoryRules::PreCallValidate(const vk::GetBufferDeviceAddress& call, Report& report) const {
  CheckBuffer(call.pInfo, report);
}
void MemoryRules::PreCallValidate(const vk::GetBufferOpaqueCaptureAddress& call, Report& report) const {
  CheckBuffer(call.pInfo, report);
}

void MemoryRules::PreCallValidate(const vk::GetAccelerationStructureDeviceAddressKHR& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  const VkAccelerationStructureKHR handle = call.pInfo->accelerationStructure;
  const auto* const structure = DeviceState::Get<state::AccelerationStructure>(handle);
  if (structure == nullptr || !structure->buffer) return;
  const state::Buffer& buffer = *structure->buffer;
  Require(buffer.is_sparse() || buffer.memory, Vuid("VUID-vkGetAccelerationStructureDeviceAddressKHR-pInfo-09541"),
          handle, "accelerationStructure", "is in a buffer that is not bound to memory.", report);
  Require(buffer.has_device_address(), Vuid("VUID-vkGetAccelerationStructureDeviceAddressKHR-pInfo-09542"), handle,
          "accelerationStructure", "is in a buffer without VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT.", report);
}

void MemoryRules::PreCallValidate(const vk::GetAccelerationStructureHandleNV& call, Report& report) const {
  const auto* const structure = DeviceState::Get<state::AccelerationStructureNV>(call.accelerationStructure);
  const Location command = report.location();
  const auto require = [&](bool holds, vk::VuidIndex rule, std::string_view member, std::string_view text) {
    if (!holds) report.Error(rule, {Object(call.accelerationStructure)}, command.Dot(member), std::string(text));
  };
  require(structure == nullptr || structure->memory,
          Vuid("VUID-vkGetAccelerationStructureHandleNV-accelerationStructure-02787"), "accelerationStructure",
          "is not bound to memory.");
  require(call.dataSize >= sizeof(uint64_t), Vuid("VUID-vkGetAccelerationStructureHandleNV-dataSize-02240"), "dataSize",
          "is less than the 8 bytes of a handle.");
}

void MemoryRules::PreCallValidate(const vk::GetImageViewOpaqueCaptureDescriptorDataEXT& call, Report& report) const {
  const auto* const view = call.pInfo != nullptr ? DeviceState::Get<state::ImageView>(call.pInfo->imageView) : nullptr;
  if (view == nullptr) return;
  Require((view->flags & VK_IMAGE_VIEW_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT) != 0,
          Vuid("VUID-VkImageViewCaptureDescriptorDataInfoEXT-imageView-08083"), call.pInfo->imageView, "imageView",
          "was created without VK_IMAGE_VIEW_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT.", report);
}
void MemoryRules::PreCallValidate(const vk::GetAccelerationStructureOpaqueCaptureDescriptorDataEXT& call,
                                  Report& report) const {
  const auto* const structure = call.pInfo != nullptr
                                    ? DeviceState::Get<state::AccelerationStructure>(call.pInfo->accelerationStructure)
                                    : nullptr;
  if (structure == nullptr) return;
  Require((structure->create_flags & VK_ACCELERATION_STRUCTURE_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT) != 0,
          Vuid("VUID-VkAccelerationStructureCaptureDescriptorDataInfoEXT-accelerationStructure-08091"),
          call.pInfo->accelerationStructure, "accelerationStructure",
          "was created without VK_ACCELERATION_STRUCTURE_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT.", report);
}

void MemoryRules::CheckViewHandle(const VkImageViewHandleInfoNVX* info, Report& report) {
  const auto* const view = info != nullptr ? DeviceState::Get<state::ImageView>(info->imageView) : nullptr;
  if (view == nullptr) return;
  const bool is_storage = info->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  const VkImageUsageFlags usage = is_storage ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT;
  Require((view->image->usage & usage) != 0,
          is_storage ? Vuid("VUID-VkImageViewHandleInfoNVX-imageView-02657")
                     : Vuid("VUID-VkImageViewHandleInfoNVX-imageView-02656"),
          info->imageView, "imageView", "is of an image that was created without the usage that descriptorType needs.",
          report);
}

}  // namespace assay::core
