// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DESCRIPTOR_UPDATES_DESCRIPTOR_UPDATE_RULES_H_
#define ASSAY_CORE_DESCRIPTOR_UPDATES_DESCRIPTOR_UPDATE_RULES_H_

// What is written to descriptors, and copied between them.
//
//   where   the binding is in the set, has that type, and has enough descriptors from the array element on, together
//           with the bindings after it, which a write or copy may continue in
//   what    buffers and image views were created with the usage that the type needs; of buffers, the offset and range
//           are inside of them, aligned, and not too large; image views fit the layout, and samplers that are immutable
//   copies  between sets that may both be updated after they are bound, or may not
//
//   data    that vkGetDescriptorEXT makes of views, samplers and addresses: these are valid, or may be null
//
// A write of vkUpdateDescriptorSets and one that is pushed have the same rules. Of a null
// descriptor, only whether it may be null is checked. Updates with templates are checked when the template is made
// (core/set_layouts), and what a descriptor is when it is used in core/descriptors.

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "core/set_layouts/handle_map.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/feature_info.h"

namespace assay::core {

// What descriptors may be, by the device's features.
struct DescriptorFeatures {
  explicit DescriptorFeatures(const dispatch::Device& device)
      : may_be_null(device.HasFeature(vk::FeatureId::kNullDescriptor)),
        may_store_slices(device.HasFeature(vk::FeatureId::kImage2DViewOf3D)),
        may_sample_slices(device.HasFeature(vk::FeatureId::kSampler2DViewOf3D)),
        may_compare(!device.IsEnabled(vk::ExtensionId::kKhrPortabilitySubset) ||
                    device.HasFeature(vk::FeatureId::kMutableComparisonSamplers)) {}

  const bool may_be_null;
  // 2D views of 3D images, as storage images and others.
  const bool may_store_slices;
  const bool may_sample_slices;
  // Samplers that are not immutable ones.
  const bool may_compare;
};

// The types that the mutable descriptors of set layouts may have.
class MutableTypes {
 public:
  void Note(VkDescriptorSetLayout layout, const VkDescriptorSetLayoutCreateInfo& info);
  void Forget(VkDescriptorSetLayout layout) { lists_.Erase(layout); }
  // True for what is not known, as of a layout that was destroyed.
  bool MayHave(const state::DescriptorSetLayout& layout, uint32_t binding, VkDescriptorType type) const;

 private:
  struct Lists {
    // The driver may give the handle to another layout while sets have this one.
    const state::DescriptorSetLayout* of = nullptr;
    std::map<uint32_t, std::vector<VkDescriptorType>> by_binding;
  };
  HandleMap<std::shared_ptr<const Lists>> lists_;
};

// The validator.
class DescriptorUpdateRules {
 public:
  // `state` must outlive this.
  explicit DescriptorUpdateRules(const state::DeviceState& state)
      : state_(state),
        limits_(state.device().physical_device->properties.limits),
        sizes_(state.device().physical_device->Find<VkPhysicalDeviceDescriptorBufferPropertiesEXT>()),
        features_(state.device()) {}

  void PreCallValidate(const vk::UpdateDescriptorSets& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdPushDescriptorSet& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdPushDescriptorSet2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::GetDescriptorEXT& call, messages::Report& report) const;

  void PostCallRecord(const vk::CreateDescriptorSetLayout& call, VkResult result) {
    if (result == VK_SUCCESS) types_.Note(*call.pSetLayout, *call.pCreateInfo);
  }
  void PreCallRecord(const vk::DestroyDescriptorSetLayout& call) { types_.Forget(call.descriptorSetLayout); }

 private:
  // What the forms of the command have in common.
  struct Pushes {
    VkPipelineLayout layout;
    uint32_t set;
    absl::Span<const VkWriteDescriptorSet> writes;
  };
  void CheckPushes(const Pushes& pushes, const messages::Location& where, messages::Report& report) const;

  const state::DeviceState& state_;
  const VkPhysicalDeviceLimits& limits_;
  // Null if they are not known.
  const VkPhysicalDeviceDescriptorBufferPropertiesEXT* const sizes_;
  const DescriptorFeatures features_;
  MutableTypes types_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DESCRIPTOR_UPDATES_DESCRIPTOR_UPDATE_RULES_H_
