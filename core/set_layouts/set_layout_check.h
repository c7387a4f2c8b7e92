// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SET_LAYOUTS_SET_LAYOUT_CHECK_H_
#define ASSAY_CORE_SET_LAYOUTS_SET_LAYOUT_CHECK_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Private to the package.
namespace assay::core {

// The rules of one VkDescriptorSetLayoutCreateInfo.
class SetLayoutCheck {
 public:
  SetLayoutCheck(const dispatch::Device& device, const VkDescriptorSetLayoutCreateInfo& info, messages::Report& report);

  void Run(const messages::Location& where) const;

 private:
  bool Has(VkDescriptorSetLayoutCreateFlags flag) const { return (info_.flags & flag) != 0; }
  bool Lacks(vk::FeatureId feature) const { return !device_.HasFeature(feature); }
  VkDescriptorBindingFlags FlagsOf(size_t i) const { return i < flags_.size() ? flags_[i] : 0; }
  bool IsUpdatedLater(size_t i) const { return (FlagsOf(i) & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT) != 0; }

  void Error(vk::VuidIndex rule, const messages::Location& where, std::string text, std::string fix = {}) const {
    report_.Error(rule, {messages::Object(device_.handle)}, where, std::move(text), std::move(fix));
  }

  void CheckFlags(const messages::Location& where) const;
  void CheckNumbers(const messages::Location& where) const;
  void CheckBinding(uint32_t i, const messages::Location& where) const;
  void CheckEmbeddedSampler(const VkDescriptorSetLayoutBinding& binding, const messages::Location& where) const;
  void CheckBindingFlags(uint32_t i, const messages::Location& where) const;
  void CheckImmutableSamplers(const VkDescriptorSetLayoutBinding& binding, const messages::Location& where) const;
  void CheckMutableTypes(const messages::Location& where) const;
  void CheckTypeList(const VkMutableDescriptorTypeListEXT& list, bool is_mutable,
                     const messages::Location& where) const;

  const dispatch::Device& device_;
  const VkDescriptorSetLayoutCreateInfo& info_;
  const absl::Span<const VkDescriptorSetLayoutBinding> bindings_;
  // Of the bindings; fewer, or none, where the chain has fewer.
  absl::Span<const VkDescriptorBindingFlags> flags_;
  messages::Report& report_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SET_LAYOUTS_SET_LAYOUT_CHECK_H_
