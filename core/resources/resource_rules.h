// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RESOURCES_RESOURCE_RULES_H_
#define ASSAY_CORE_RESOURCES_RESOURCE_RULES_H_

// What images, buffers, their views, samplers and sampler Y'CBCR conversions are created with, as far as that needs
// more than one structure: the image of a view, chained structures, the features of formats, and what the driver says
// of images of a kind (vkGetPhysicalDeviceImageFormatProperties2). One structure alone is stateless's.
//
// Nearly all of these rules say "a member must not have this value beside that one". So a rule is a row: its id, the
// member, what it does not go with, and when (creation_check.h). The messages take values from the registry's
// description of the structures. Each file has the rows of one kind of object, and makes the facts that they ask about.
//
// The first broken rule of a member is reported: rows that are more general stand behind those that are more precise.
// The driver is asked about an image only if all other rules hold, and about a format once (core/formats).

#include <cstdint>
#include <optional>

#include "core/formats/format_features.h"
#include "core/set_layouts/handle_map.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

// What is noted of a sampler Y'CBCR conversion.
struct Conversion {
  VkFormat format;
  VkFilter chroma_filter;
  // Of VkExternalFormatANDROID or VkExternalFormatQNX; 0 without.
  uint64_t external_format;
  // Nothing if they are not known.
  std::optional<VkFormatFeatureFlags2> features;
};

// The validator.
class ResourceRules {
 public:
  explicit ResourceRules(const dispatch::Device& device) : device_(device), features_(device) {}

  void PreCallValidate(const vk::CreateImage& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateImageView& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateBuffer& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateBufferView& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateSampler& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateSamplerYcbcrConversion& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetImageSubresourceLayout& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetImageSubresourceLayout2& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetDeviceImageSubresourceLayout& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetImageDrmFormatModifierPropertiesEXT& call, messages::Report& report) const;

  void PostCallRecord(const vk::CreateImage& call, VkResult result);
  void PreCallRecord(const vk::DestroyImage& call) { external_formats_.Erase(call.image); }
  void PostCallRecord(const vk::CreateSamplerYcbcrConversion& call, VkResult result);
  void PreCallRecord(const vk::DestroySamplerYcbcrConversion& call) { conversions_.Erase(call.ycbcrConversion); }

 private:
  // Of VK_NULL_HANDLE and without a structure, nothing.
  std::optional<Conversion> Find(const VkSamplerYcbcrConversionInfo* info) const {
    return info != nullptr ? conversions_.Find(info->conversion) : std::nullopt;
  }

  template <class C>
  void CheckSubresource(const VkImageCreateInfo& of, const VkImageSubresource& subresource, messages::ObjectRef object,
                        const messages::Location& where, messages::Report& report) const;

  const dispatch::Device& device_;
  const FormatFeatures features_;
  HandleMap<Conversion> conversions_;
  // Of images that have one.
  HandleMap<uint64_t> external_formats_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RESOURCES_RESOURCE_RULES_H_
