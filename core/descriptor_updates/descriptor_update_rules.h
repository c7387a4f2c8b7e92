// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DESCRIPTOR_UPDATES_DESCRIPTOR_UPDATE_RULES_H_
#define ASSAY_CORE_DESCRIPTOR_UPDATES_DESCRIPTOR_UPDATE_RULES_H_

// What is written to descriptors, and copied between them.
//
//   where   the binding is in the set, has that type, and has enough descriptors from the array element on, together
//           with the bindings after it, which a write or copy may continue in
//   what    buffers and image views were created with the usage that the type needs; of buffers, the offset and range
//           are inside of them, aligned, and not too large
//   copies  between sets that may both be updated after they are bound, or may not
//
// A write of vkUpdateDescriptorSets and one that is pushed have the same rules. Of a null
// descriptor, only whether it may be null is checked. Updates with templates are checked when the template is made
// (core/set_layouts), and what a descriptor is when it is used in core/descriptors.

#include <cstdint>

#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/feature_info.h"

namespace assay::core {

// The validator.
class DescriptorUpdateRules {
 public:
  explicit DescriptorUpdateRules(const dispatch::Device& device)
      : limits_(device.physical_device->properties.limits),
        may_be_null_(device.HasFeature(vk::FeatureId::kNullDescriptor)) {}

  void PreCallValidate(const vk::UpdateDescriptorSets& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdPushDescriptorSet& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdPushDescriptorSet2& call, dispatch::Slot& slot, messages::Report& report) const;

 private:
  // What the forms of the command have in common.
  struct Pushes {
    VkPipelineLayout layout;
    uint32_t set;
    absl::Span<const VkWriteDescriptorSet> writes;
  };
  void CheckPushes(const Pushes& pushes, const messages::Location& where, messages::Report& report) const;

  const VkPhysicalDeviceLimits& limits_;
  const bool may_be_null_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DESCRIPTOR_UPDATES_DESCRIPTOR_UPDATE_RULES_H_
