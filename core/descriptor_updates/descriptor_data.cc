// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptors that the application gets, to put them into descriptor buffers (vkGetDescriptorEXT).

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/descriptor_updates/descriptor_update_rules.h"
#include "core/descriptor_updates/update_check.h"
#include "vk/enum_info.h"
#include "vk/format_info.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using state::DeviceState;
using vk::kNoVuid;
using vk::Vuid;

using Data = VkDescriptorDataEXT;
using Limits = VkPhysicalDeviceDescriptorBufferPropertiesEXT;

// A type of descriptors: the rules, and the members of the union and of the properties that it has. Of images and of
// buffers, one of both pointers is null.
struct DataRule {
  VkDescriptorType type;
  std::string_view member;
  const VkDescriptorImageInfo* Data::* image;
  const VkDescriptorAddressInfoEXT* Data::* buffer;
  // Without nullDescriptor.
  vk::VuidIndex not_null;
  vk::VuidIndex is_valid;
  // Of texel buffers.
  vk::VuidIndex in_limit;
  size_t Limits::* size;
  // With robustBufferAccess.
  size_t Limits::* robust_size;
};
constexpr DataRule kRules[] = {
    {VK_DESCRIPTOR_TYPE_SAMPLER, "pSampler", nullptr, nullptr, kNoVuid, kNoVuid, kNoVuid,
     &Limits::samplerDescriptorSize, nullptr},
    {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, "pCombinedImageSampler", &Data::pCombinedImageSampler, nullptr,
     Vuid("VUID-VkDescriptorDataEXT-type-08034"), Vuid("VUID-VkDescriptorGetInfoEXT-type-08020"), kNoVuid,
     &Limits::combinedImageSamplerDescriptorSize, nullptr},
    {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, "pInputAttachmentImage", &Data::pInputAttachmentImage, nullptr, kNoVuid,
     Vuid("VUID-VkDescriptorGetInfoEXT-type-08021"), kNoVuid, &Limits::inputAttachmentDescriptorSize, nullptr},
    {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, "pSampledImage", &Data::pSampledImage, nullptr,
     Vuid("VUID-VkDescriptorDataEXT-type-08035"), Vuid("VUID-VkDescriptorGetInfoEXT-type-08022"), kNoVuid,
     &Limits::sampledImageDescriptorSize, nullptr},
    {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, "pStorageImage", &Data::pStorageImage, nullptr,
     Vuid("VUID-VkDescriptorDataEXT-type-08036"), Vuid("VUID-VkDescriptorGetInfoEXT-type-08023"), kNoVuid,
     &Limits::storageImageDescriptorSize, nullptr},
    {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, "pUniformTexelBuffer", nullptr, &Data::pUniformTexelBuffer,
     Vuid("VUID-VkDescriptorDataEXT-type-08037"), Vuid("VUID-VkDescriptorGetInfoEXT-type-08024"),
     Vuid("VUID-VkDescriptorGetInfoEXT-type-09427"), &Limits::uniformTexelBufferDescriptorSize,
     &Limits::robustUniformTexelBufferDescriptorSize},
    {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, "pStorageTexelBuffer", nullptr, &Data::pStorageTexelBuffer,
     Vuid("VUID-VkDescriptorDataEXT-type-08038"), Vuid("VUID-VkDescriptorGetInfoEXT-type-08025"),
     Vuid("VUID-VkDescriptorGetInfoEXT-type-09428"), &Limits::storageTexelBufferDescriptorSize,
     &Limits::robustStorageTexelBufferDescriptorSize},
    {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, "pUniformBuffer", nullptr, &Data::pUniformBuffer,
     Vuid("VUID-VkDescriptorDataEXT-type-08039"), Vuid("VUID-VkDescriptorGetInfoEXT-type-08026"), kNoVuid,
     &Limits::uniformBufferDescriptorSize, &Limits::robustUniformBufferDescriptorSize},
    {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, "pStorageBuffer", nullptr, &Data::pStorageBuffer,
     Vuid("VUID-VkDescriptorDataEXT-type-08040"), Vuid("VUID-VkDescriptorGetInfoEXT-type-08027"), kNoVuid,
     &Limits::storageBufferDescriptorSize, &Limits::robustStorageBufferDescriptorSize},
    {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, "accelerationStructure", nullptr, nullptr,
     Vuid("VUID-VkDescriptorDataEXT-type-08041"), kNoVuid, kNoVuid, &Limits::accelerationStructureDescriptorSize,
     nullptr},
    {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV, "accelerationStructure", nullptr, nullptr,
     Vuid("VUID-VkDescriptorDataEXT-type-08042"), kNoVuid, kNoVuid, &Limits::accelerationStructureDescriptorSize,
     nullptr},
};

bool IsNull(const DataRule& rule, const Data& data) {
  if (rule.buffer != nullptr) return data.*rule.buffer == nullptr;
  if (rule.image == nullptr) return data.accelerationStructure == 0;
  const VkDescriptorImageInfo* const image = data.*rule.image;
  return image == nullptr || image->imageView == VK_NULL_HANDLE;
}

void CheckImage(const DataRule& rule, const VkDescriptorImageInfo& image, const Location& where,
                const UpdateCheck& check) {
  const bool may_be_null = rule.type != VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  check.Require((may_be_null && image.imageView == VK_NULL_HANDLE) ||
                    DeviceState::Get<state::ImageView>(image.imageView) != nullptr,
                rule.is_valid, where.Dot("imageView"), [] { return "is not a valid VkImageView."; });
  check.Require(rule.type != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ||
                    DeviceState::Get<state::Sampler>(image.sampler) != nullptr,
                Vuid("VUID-VkDescriptorGetInfoEXT-type-08019"), where.Dot("sampler"),
                [] { return "is not a valid VkSampler."; });
}

void CheckAddress(const DataRule& rule, const VkDescriptorAddressInfoEXT& info, const DeviceState& state,
                  const Location& where, const UpdateCheck& check) {
  if (info.address == 0) return;
  const auto& addresses = state.buffer_addresses();
  const auto buffers = addresses.Find(info.address);
  check.Require(!buffers.empty() || !addresses.KnowsAll() || !state.structure_addresses().Find(info.address).empty(),
                rule.is_valid, where.Dot("address"), [&] {
                  return absl::StrCat("(0x", absl::Hex(info.address),
                                      ") is in none of the buffers that have an address.");
                });
  VkDeviceSize left = buffers.empty() ? VK_WHOLE_SIZE : 0;
  for (const auto& buffer : buffers) left = std::max(left, buffer->device_address + buffer->size - info.address);
  check.Require(info.range == VK_WHOLE_SIZE || info.range <= left, Vuid("VUID-VkDescriptorAddressInfoEXT-range-08045"),
                where.Dot("range"), [&] {
                  return absl::StrCat("(", info.range, ") is greater than what the buffer has from address on (", left,
                                      ").");
                });
  if (rule.in_limit == kNoVuid) return;
  check.Require(info.format != VK_FORMAT_UNDEFINED, Vuid("VUID-VkDescriptorAddressInfoEXT-None-09508"),
                where.Dot("format"), [] { return "is VK_FORMAT_UNDEFINED, but the descriptor is of a texel buffer."; });
  const vk::FormatInfo* const format = vk::GetFormatInfo(info.format);
  const uint32_t most = state.device().physical_device->limits.maxTexelBufferElements;
  if (format == nullptr || format->block_size == 0 || info.range == VK_WHOLE_SIZE) return;
  const uint64_t texels = info.range / format->block_size * format->texels_per_block;
  check.Require(texels <= most, rule.in_limit, where.Dot("range"), [&] {
    return absl::StrCat("(", info.range, ") has ", texels, " texels, more than maxTexelBufferElements (", most, ").");
  });
}

void CheckSize(const DataRule& rule, const vk::GetDescriptorEXT& call, const Limits* limits,
               const dispatch::Device& device, const Location& where, const UpdateCheck& check) {
  const size_t size = limits != nullptr ? limits->*rule.size : 0;
  if (size == 0 || call.dataSize == size) return;
  if (rule.robust_size != nullptr && call.dataSize == limits->*rule.robust_size) return;
  vk::VuidIndex id = Vuid("VUID-vkGetDescriptorEXT-dataSize-08125");
  if (rule.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) {
    const auto* const density = device.physical_device->Find<VkPhysicalDeviceDescriptorBufferDensityMapPropertiesEXT>();
    if (density != nullptr && call.dataSize == density->combinedImageSamplerDensityMapDescriptorSize) return;
    const VkDescriptorImageInfo* const image = call.pDescriptorInfo->data.pCombinedImageSampler;
    const auto* const view = image != nullptr ? DeviceState::Get<state::ImageView>(image->imageView) : nullptr;
    const bool is_null = image == nullptr || image->imageView == VK_NULL_HANDLE;
    if (view == nullptr && !is_null) return;
    if (view != nullptr && view->is_converting) {
      // How many of them it has, only the driver knows.
      if (call.dataSize % size == 0) return;
      id = Vuid("VUID-vkGetDescriptorEXT-descriptorType-09469");
    } else if (is_null) {
      id = Vuid("VUID-vkGetDescriptorEXT-pDescriptorInfo-09507");
    }
  }
  check.Require(false, id, where.Dot("dataSize"), [&] {
    return absl::StrCat("(", call.dataSize, ") is not the size of a descriptor of type ",
                        vk::EnumName(vk::EnumId::kDescriptorType, rule.type), " (", size, ").");
  });
}

}  // namespace

void DescriptorUpdateRules::PreCallValidate(const vk::GetDescriptorEXT& call, messages::Report& report) const {
  if (call.pDescriptorInfo == nullptr) return;
  const Data& data = call.pDescriptorInfo->data;
  const auto* const rule = std::ranges::find(kRules, call.pDescriptorInfo->type, &DataRule::type);
  if (rule == std::end(kRules)) return;
  const Location command = report.location();
  const Location info = command.Dot("pDescriptorInfo");
  const Location union_of = info.Dot("data");
  const Location where = union_of.Dot(rule->member);
  const UpdateCheck check(Object(call.device), where, report);
  CheckSize(*rule, call, sizes_, state_.device(), command, check);
  if (rule->not_null != kNoVuid &&
      !check.Require(features_.may_be_null || !IsNull(*rule, data), rule->not_null, where,
                     [] { return "is a null descriptor, but the feature nullDescriptor is not enabled."; })) {
    return;
  }
  if (rule->image != nullptr && data.*rule->image != nullptr) CheckImage(*rule, *(data.*rule->image), where, check);
  if (rule->buffer != nullptr && data.*rule->buffer != nullptr)
    CheckAddress(*rule, *(data.*rule->buffer), state_, where, check);
}

}  // namespace assay::core
