// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Buffers and their views.

#include <algorithm>

#include "core/resources/creation_check.h"
#include "core/resources/resource_facts.h"
#include "core/resources/resource_ids.h"
#include "core/resources/resource_rules.h"

namespace assay::core {
namespace {

struct BufferFacts {
  static constexpr std::string_view kOwner = "VkBufferCreateInfo";

  const dispatch::Device& device;
  const VkBufferCreateInfo& info;
  const VkBufferUsageFlags2CreateInfo* wide = vk::FindInChain<VkBufferUsageFlags2CreateInfo>(info.pNext);

  VkBufferUsageFlags2 usage() const { return wide != nullptr ? wide->usage : info.usage; }
  bool Uses(VkBufferUsageFlags2 bits) const { return (usage() & bits) != 0; }
  bool IsReplayed() const { return (info.flags & VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT) != 0; }
  bool NeedsProfile(VkBufferUsageFlags2 bits) const {
    return Uses(bits) && (info.flags & VK_BUFFER_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR) == 0;
  }
  bool HasUnknownUsage() const {
    VkBufferUsageFlags2 known = 0;
    for (const vk::EnumValue& bit : vk::GetEnumInfo(vk::EnumId::kBufferUsageFlagBits).values) known |= bit.value;
    return wide == nullptr && (info.usage & ~known) != 0;
  }
  // Whether a type of external memory does not go with another one.
  bool HasWrongHandleType() const {
    const auto* const external = vk::FindInChain<VkExternalMemoryBufferCreateInfo>(info.pNext);
    const auto ask = dispatch::Next<vk::GetPhysicalDeviceExternalBufferProperties>(device.instance.next);
    if (external == nullptr || ask == nullptr) return false;
    // It replaces the usage.
    VkBufferUsageFlags2CreateInfo own_usage = wide != nullptr ? *wide : VkBufferUsageFlags2CreateInfo{};
    own_usage.pNext = nullptr;
    for (VkExternalMemoryHandleTypeFlags left = external->handleTypes; left != 0; left &= left - 1) {
      const VkExternalMemoryHandleTypeFlags type = left & (~left + 1);
      const VkPhysicalDeviceExternalBufferInfo question = {
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO, wide != nullptr ? &own_usage : nullptr, info.flags,
          info.usage, static_cast<VkExternalMemoryHandleTypeFlagBits>(type)};
      VkExternalBufferProperties answer = {VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
      ask(device.physical_device->handle, &question, &answer);
      if ((external->handleTypes & ~answer.externalMemoryProperties.compatibleHandleTypes) != 0) return true;
    }
    return false;
  }
};
using B = const BufferFacts&;

constexpr VkBufferUsageFlags2 kDescriptors =
    VK_BUFFER_USAGE_2_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT | VK_BUFFER_USAGE_2_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT;
constexpr VkBufferUsageFlags2 kPushed = VK_BUFFER_USAGE_2_PUSH_DESCRIPTORS_DESCRIPTOR_BUFFER_BIT_EXT;

constexpr CreationRule<BufferFacts> kBufferRules[] = {
    {"None-09499", "usage", "VkBufferUsageFlagBits", [](B b) { return b.HasUnknownUsage(); }},
    {"sharingMode-00913", "pQueueFamilyIndices", "sharingMode and queueFamilyIndexCount",
     [](B b) { return LacksFamilies(b.info); }},
    {"sharingMode-01419", "pQueueFamilyIndices", "itself, or the device's families",
     [](B b) { return HasWrongFamily(b.device, b.info); }},
    {"deviceAddress-02604", "VkBufferDeviceAddressCreateInfoEXT.deviceAddress", "flags",
     [](B b) {
       const auto* const fixed = vk::FindInChain<VkBufferDeviceAddressCreateInfoEXT>(b.info.pNext);
       return fixed != nullptr && fixed->deviceAddress != 0 && !b.IsReplayed();
     }},
    {"VkBufferCreateInfo-opaqueCaptureAddress-03337", "VkBufferOpaqueCaptureAddressCreateInfo.opaqueCaptureAddress",
     "flags",
     [](B b) {
       const auto* const fixed = vk::FindInChain<VkBufferOpaqueCaptureAddressCreateInfo>(b.info.pNext);
       return fixed != nullptr && fixed->opaqueCaptureAddress != 0 && !b.IsReplayed();
     }},
    {"pNext-01571", "flags", "VkDedicatedAllocationBufferCreateInfoNV.dedicatedAllocation",
     [](B b) {
       constexpr VkBufferCreateFlags kSparse = VK_BUFFER_CREATE_SPARSE_BINDING_BIT |
                                               VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT |
                                               VK_BUFFER_CREATE_SPARSE_ALIASED_BIT;
       const auto* const dedicated = vk::FindInChain<VkDedicatedAllocationBufferCreateInfoNV>(b.info.pNext);
       return dedicated != nullptr && dedicated->dedicatedAllocation == VK_TRUE && (b.info.flags & kSparse) != 0;
     }},
    {"pNext-10249", "pNext", "no feature videoEncodeAV1",
     [](B b) { return EncodesAv1(b.info.pNext) && !b.device.HasFeature(vk::FeatureId::kVideoEncodeAV1); }},
    {"usage-04813", "usage", "no video profile that decodes",
     [](B b) {
       return b.NeedsProfile(VK_BUFFER_USAGE_2_VIDEO_DECODE_SRC_BIT_KHR | VK_BUFFER_USAGE_2_VIDEO_DECODE_DST_BIT_KHR) &&
              !HasProfileBeside(b.info.pNext, kEncodes);
     }},
    {"usage-04814", "usage", "no video profile that encodes",
     [](B b) {
       return b.NeedsProfile(VK_BUFFER_USAGE_2_VIDEO_ENCODE_SRC_BIT_KHR | VK_BUFFER_USAGE_2_VIDEO_ENCODE_DST_BIT_KHR) &&
              !HasProfileBeside(b.info.pNext, kDecodes);
     }},
    {"usage-08103", "usage", "itself", [](B b) { return b.Uses(kPushed) && !b.Uses(kDescriptors); }},
    {"usage-08102", "usage", "VkPhysicalDeviceDescriptorBufferPropertiesEXT.bufferlessPushDescriptors",
     [](B b) {
       const auto* const limits = b.device.physical_device->Find<VkPhysicalDeviceDescriptorBufferPropertiesEXT>();
       return b.Uses(kPushed) && limits != nullptr && limits->bufferlessPushDescriptors == VK_TRUE;
     }},
    {"pNext-00920", "VkExternalMemoryBufferCreateInfo.handleTypes", "what the driver is compatible with",
     [](B b) { return b.HasWrongHandleType(); }},
};

struct BufferViewFacts {
  static constexpr std::string_view kOwner = "VkBufferViewCreateInfo";

  const dispatch::Device& device;
  const VkBufferViewCreateInfo& info;
  const state::Buffer& buffer;
  std::optional<VkFormatFeatureFlags2> features;
  const vk::FormatInfo* format = vk::GetFormatInfo(info.format);
  const VkBufferUsageFlags2CreateInfo* own_usage = vk::FindInChain<VkBufferUsageFlags2CreateInfo>(info.pNext);

  bool Lacks(VkBufferUsageFlags usage, VkFormatFeatureFlags2 feature) const {
    return ((own_usage != nullptr ? own_usage->usage : buffer.usage) & usage) != 0 && features &&
           (*features & feature) == 0;
  }
  bool IsWhole() const { return info.range == VK_WHOLE_SIZE; }
  // That there are more elements than the device allows in so many bytes. A limit of 0 is unknown.
  bool Exceeds(VkDeviceSize bytes) const {
    const uint32_t most = device.physical_device->limits.maxTexelBufferElements;
    return format != nullptr && most != 0 && bytes / format->block_size * format->texels_per_block > most;
  }
};
using T = const BufferViewFacts&;

constexpr VkBufferUsageFlags2 kTexels =
    VK_BUFFER_USAGE_2_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_2_STORAGE_TEXEL_BUFFER_BIT;
constexpr char kMostElements[] = "format and VkPhysicalDeviceLimits.maxTexelBufferElements";
constexpr CreationRule<BufferViewFacts> kViewRules[] = {
    {"format-08778", "format", "VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT",
     [](T t) {
       return t.Lacks(VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT);
     }},
    {"format-08779", "format", "VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT",
     [](T t) {
       return t.Lacks(VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT, VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT);
     }},
    {"pNext-08780", "VkBufferUsageFlags2CreateInfo.usage", "a view",
     [](T t) { return t.own_usage != nullptr && (t.own_usage->usage & ~kTexels) != 0; }},
    {"pNext-08781", "VkBufferUsageFlags2CreateInfo.usage", "the usage of the buffer",
     [](T t) { return t.own_usage != nullptr && (t.own_usage->usage & ~VkBufferUsageFlags2{t.buffer.usage}) != 0; }},
    {"pNext-06782", "VkExportMetalObjectCreateInfoEXT.exportObjectType", "a buffer view",
     [](T t) { return ExportsOther(t.info.pNext, VK_EXPORT_METAL_OBJECT_TYPE_METAL_TEXTURE_BIT_EXT); }},
    {"range-00929", "range", "format",
     [](T t) { return !t.IsWhole() && t.format != nullptr && t.info.range % t.format->block_size != 0; }},
    {"range-00930", "range", kMostElements, [](T t) { return !t.IsWhole() && t.Exceeds(t.info.range); }},
    {"range-04059", "range", kMostElements,
     [](T t) { return t.IsWhole() && t.Exceeds(t.buffer.Clamp(t.info.offset, VK_WHOLE_SIZE)); }},
};

}  // namespace

void AddBufferIds(std::vector<vk::VuidIndex>& ids) {
  AddIds(kBufferRules, ids);
  AddIds(kViewRules, ids);
}

void ResourceRules::PreCallValidate(const vk::CreateBuffer& call, messages::Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const BufferFacts facts = {.device = device_, .info = *call.pCreateInfo};
  const messages::Location command = report.location();
  const messages::Location where = command.Dot("pCreateInfo");
  CreationCheck(device_, messages::Object(call.device), "VkBufferCreateInfo", &facts.info, where, report)
      .Run(kBufferRules, facts);
}

void ResourceRules::PreCallValidate(const vk::CreateBufferView& call, messages::Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const VkBufferViewCreateInfo& info = *call.pCreateInfo;
  const auto* const buffer = state::DeviceState::Get<state::Buffer>(info.buffer);
  if (buffer == nullptr) return;
  const vk::FormatInfo* const format = vk::GetFormatInfo(info.format);
  const BufferViewFacts facts = {
      .device = device_,
      .info = info,
      .buffer = *buffer,
      .features = format != nullptr ? features_.OfBuffers(*format) : std::nullopt,
  };
  const messages::Location command = report.location();
  const messages::Location where = command.Dot("pCreateInfo");
  CreationCheck(device_, messages::Object(info.buffer), "VkBufferViewCreateInfo", &info, where, report)
      .Run(kViewRules, facts);
}

}  // namespace assay::core
