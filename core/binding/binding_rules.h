// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BINDING_BINDING_RULES_H_
#define ASSAY_CORE_BINDING_BINDING_RULES_H_

// What commands bind or push for the draws, dispatches and traces after them.
//
//   pipelines       of the kind of the bind point, no libraries, and for command buffers that may be protected or not
//   shader objects  of the stages that they are bound to
//   descriptor sets identically defined as the layout's, with an offset for each dynamic descriptor, which stays inside
//                   of the buffer
//   push constants  for exactly those stages that the layout has for each byte
//   buffers         of descriptors: how many; sets in them, whose layouts are for that, and sets of embedded samplers
//   descriptors     that are pushed, alone or with a template: to the layout's set for such
//
// Each of them needs a queue family that supports its bind point or stages. Commands come in several forms, whose rules
// have one name in all of them (vk/families/vuid_families.h): a check is written once.
//
// All of these are about one command. What a draw needs to be bound is in core/draw.

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/feature_info.h"

namespace assay::core {

// The validator.
class BindingRules {
 public:
  explicit BindingRules(const dispatch::Device& device)
      : device_(device),
        buffer_limits_(device.physical_device->Find<VkPhysicalDeviceDescriptorBufferPropertiesEXT>()),
        may_be_null_(device.HasFeature(vk::FeatureId::kGraphicsPipelineLibrary)),
        has_protected_access_(device.HasFeature(vk::FeatureId::kPipelineProtectedAccess)),
        may_push_(device.IsEnabled(vk::ExtensionId::kKhrPushDescriptor) ||
                  device.HasFeature(vk::FeatureId::kPushDescriptor)) {}

  void PreCallValidate(const vk::CmdBindPipeline& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBindShadersEXT& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBindShadingRateImageNV& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBindInvocationMaskHUAWEI& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdBindDescriptorSets& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBindDescriptorSets2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdPushConstants& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdPushConstants2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdPushDescriptorSet& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdPushDescriptorSet2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdPushDescriptorSetWithTemplate& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdPushDescriptorSetWithTemplate2& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdBindDescriptorBuffersEXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdSetDescriptorBufferOffsetsEXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdSetDescriptorBufferOffsets2EXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdBindDescriptorBufferEmbeddedSamplersEXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdBindDescriptorBufferEmbeddedSamplers2EXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;

 private:
  const dispatch::Device& device_;
  // Null if they are not known.
  const VkPhysicalDeviceDescriptorBufferPropertiesEXT* const buffer_limits_;
  // Whether descriptor sets may be VK_NULL_HANDLE.
  const bool may_be_null_;
  const bool has_protected_access_;
  // Whether descriptors may be pushed.
  const bool may_push_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_BINDING_BINDING_RULES_H_
