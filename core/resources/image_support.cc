// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/resources/image_support.h"

#include <algorithm>
#include <cstdint>

#include "absl/types/span.h"
#include "core/resources/resource_ids.h"
#include "vk/chain.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

// What the driver says.
struct SupportFacts {
  static constexpr std::string_view kOwner = "VkImageCreateInfo";

  const VkImageCreateInfo& info;
  // The least of all answers.
  VkImageFormatProperties limits = {{~0U, ~0U, ~0U}, ~0U, ~0U, ~0U, 0};
  bool is_supported = false;
  // Whether the modifier, or one of several, is not supported.
  bool has_wrong_modifier = false;
  // Whether one of the types of external memory does not go with another one.
  bool has_wrong_handle_type = false;

  template <class T>
  bool Has() const {
    return vk::FindInChain<T>(info.pNext) != nullptr;
  }
};
using S = const SupportFacts&;

constexpr CreationRule<SupportFacts> kRules[] = {
    {"VkImageDrmFormatModifierListCreateInfoEXT-pDrmFormatModifiers-02263",
     "VkImageDrmFormatModifierListCreateInfoEXT.pDrmFormatModifiers", "the image",
     [](S s) { return s.has_wrong_modifier && s.Has<VkImageDrmFormatModifierListCreateInfoEXT>(); }},
    {"VkImageDrmFormatModifierExplicitCreateInfoEXT-drmFormatModifier-02264",
     "VkImageDrmFormatModifierExplicitCreateInfoEXT.drmFormatModifier", "the image",
     [](S s) { return s.has_wrong_modifier && s.Has<VkImageDrmFormatModifierExplicitCreateInfoEXT>(); }},
    {"imageCreateMaxMipLevels-02251", "format", "imageType and tiling and usage and flags",
     [](S s) { return !s.is_supported && !s.has_wrong_modifier; }},
    {"pNext-00990", "VkExternalMemoryImageCreateInfo.handleTypes", "what the driver is compatible with",
     [](S s) { return s.has_wrong_handle_type; }},
    {"extent-02252", "extent.width", "VkImageFormatProperties.maxExtent.width",
     [](S s) { return s.info.extent.width > s.limits.maxExtent.width; }},
    {"extent-02253", "extent.height", "VkImageFormatProperties.maxExtent.height",
     [](S s) { return s.info.extent.height > s.limits.maxExtent.height; }},
    {"extent-02254", "extent.depth", "VkImageFormatProperties.maxExtent.depth",
     [](S s) { return s.info.extent.depth > s.limits.maxExtent.depth; }},
    {"mipLevels-02255", "mipLevels", "VkImageFormatProperties.maxMipLevels",
     [](S s) { return s.info.mipLevels > s.limits.maxMipLevels; }},
    {"arrayLayers-02256", "arrayLayers", "VkImageFormatProperties.maxArrayLayers",
     [](S s) { return s.info.arrayLayers > s.limits.maxArrayLayers; }},
    {"samples-02258", "samples", "VkImageFormatProperties.sampleCounts",
     [](S s) { return (s.info.samples & s.limits.sampleCounts) == 0; }},
};

// A copy of the structure, if the image's chain has one, in front of another chain.
template <class T>
class Link {
 public:
  Link(const VkImageCreateInfo& info, const void*& chain) {
    const T* const found = vk::FindInChain<T>(info.pNext);
    if (found == nullptr) return;
    copy_ = *found;
    copy_.pNext = chain;
    chain = &copy_;
  }

 private:
  T copy_;
};

void TakeLeast(const VkImageFormatProperties& answer, VkImageFormatProperties& least) {
  const auto take = [](uint32_t value, uint32_t& smallest) { smallest = std::min(smallest, value); };
  take(answer.maxExtent.width, least.maxExtent.width);
  take(answer.maxExtent.height, least.maxExtent.height);
  take(answer.maxExtent.depth, least.maxExtent.depth);
  take(answer.maxMipLevels, least.maxMipLevels);
  take(answer.maxArrayLayers, least.maxArrayLayers);
  least.sampleCounts &= answer.sampleCounts;
}

absl::Span<const uint64_t> ModifiersOf(const VkImageCreateInfo& info) {
  if (const auto* one = vk::FindInChain<VkImageDrmFormatModifierExplicitCreateInfoEXT>(info.pNext))
    return {&one->drmFormatModifier, 1};
  const auto* const list = vk::FindInChain<VkImageDrmFormatModifierListCreateInfoEXT>(info.pNext);
  if (list == nullptr || list->pDrmFormatModifiers == nullptr) return {};
  return {list->pDrmFormatModifiers, list->drmFormatModifierCount};
}

// Asks about one modifier, if it is not null, and one type of external memory, if it is not 0. Any other failure than
// that the format is not supported says nothing.
class Question {
 public:
  // `types` are all types of external memory.
  Question(const dispatch::Device& device, const VkImageCreateInfo& info, VkExternalMemoryHandleTypeFlags types)
      : device_(device),
        info_(info),
        types_(types),
        ask_(device.Includes(vk::ExtensionId::kKhrGetPhysicalDeviceProperties2)
                 ? dispatch::Next<vk::GetPhysicalDeviceImageFormatProperties2>(device.instance.next)
                 : nullptr) {}

  bool CanAsk() const { return ask_ != nullptr; }
  VkResult Ask(const uint64_t* modifier, VkExternalMemoryHandleTypeFlags type, SupportFacts& facts) const {
    const void* chain = nullptr;
    const Link<VkImageStencilUsageCreateInfo> stencil(info_, chain);
    const Link<VkImageFormatListCreateInfo> formats(info_, chain);
    const Link<VkImageCompressionControlEXT> compression(info_, chain);
    const Link<VkVideoProfileListInfoKHR> profiles(info_, chain);
    const Link<VkOpticalFlowImageFormatInfoNV> optical_flow(info_, chain);
    VkPhysicalDeviceImageDrmFormatModifierInfoEXT with_modifier = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT,
        chain,
        0,
        info_.sharingMode,
        info_.queueFamilyIndexCount,
        info_.pQueueFamilyIndices};
    if (modifier != nullptr) {
      with_modifier.drmFormatModifier = *modifier;
      chain = &with_modifier;
    }
    const VkPhysicalDeviceExternalImageFormatInfo with_memory = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO, chain,
        static_cast<VkExternalMemoryHandleTypeFlagBits>(type)};
    const VkPhysicalDeviceImageFormatInfo2 question = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
                                                       type != 0 ? &with_memory : chain,
                                                       info_.format,
                                                       info_.imageType,
                                                       info_.tiling,
                                                       info_.usage,
                                                       info_.flags};
    VkExternalImageFormatProperties memory = {VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES};
    VkImageFormatProperties2 answer = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, type != 0 ? &memory : nullptr};
    const VkResult result = ask_(device_.physical_device->handle, &question, &answer);
    if (result != VK_SUCCESS) return result;
    TakeLeast(answer.imageFormatProperties, facts.limits);
    if (type != 0 && (types_ & ~memory.externalMemoryProperties.compatibleHandleTypes) != 0)
      facts.has_wrong_handle_type = true;
    return result;
  }

 private:
  const dispatch::Device& device_;
  const VkImageCreateInfo& info_;
  const VkExternalMemoryHandleTypeFlags types_;
  const vk::GetPhysicalDeviceImageFormatProperties2::Function ask_;
};

}  // namespace

void AddImageSupportIds(std::vector<vk::VuidIndex>& ids) { AddIds(kRules, ids); }

void CheckImageSupport(const dispatch::Device& device, const VkImageCreateInfo& info, CreationCheck check) {
  const auto* const external = vk::FindInChain<VkExternalMemoryImageCreateInfo>(info.pNext);
  const VkExternalMemoryHandleTypeFlags types = external != nullptr ? external->handleTypes : 0;
  const Question question(device, info, types);
  if (!question.CanAsk()) return;
  const absl::Span<const uint64_t> modifiers = ModifiersOf(info);
  SupportFacts facts = {.info = info};
  for (size_t i = 0; i < std::max<size_t>(modifiers.size(), 1); ++i) {
    bool is_supported = false;
    VkExternalMemoryHandleTypeFlags left = types;
    do {
      const VkExternalMemoryHandleTypeFlags type = left & (~left + 1);
      const VkResult result = question.Ask(modifiers.empty() ? nullptr : &modifiers[i], type, facts);
      is_supported |= result != VK_ERROR_FORMAT_NOT_SUPPORTED;
      left &= ~type;
    } while (left != 0);
    facts.is_supported |= is_supported;
    facts.has_wrong_modifier |= !modifiers.empty() && !is_supported;
  }
  check.Name("VkImageFormatProperties", "VkImageFormatProperties", &facts.limits);
  check.Run(kRules, facts);
}

}  // namespace assay::core
