// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SET_LAYOUTS_SET_LAYOUT_RULES_H_
#define ASSAY_CORE_SET_LAYOUTS_SET_LAYOUT_RULES_H_

// Descriptor set layouts, pipeline layouts, descriptor update templates: what the parts of a layout must have in common
// with each other, with features and with limits. Pools of descriptors, and what a set layout needs of its pool.
//
// The limits of descriptors are rows of one table (descriptor_limits.h). Layouts are counted once, by kind of
// descriptor and shader stage; a row says which numbers are added and what they are compared with.
//
// A rule that only restates another is not reported: limits of layouts that may be updated after they are bound, while
// there is no such layout; dynamic buffers beside other bindings, if it is they that may be updated later.

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"

namespace assay::core {

// The validator.
class SetLayoutRules {
 public:
  explicit SetLayoutRules(const dispatch::Device& device) : device_(device) {}

  void PreCallValidate(const vk::CreateDescriptorSetLayout& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetDescriptorSetLayoutSupport& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetDescriptorSetLayoutSizeEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetDescriptorSetLayoutBindingOffsetEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreatePipelineLayout& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateDescriptorUpdateTemplate& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateDescriptorPool& call, messages::Report& report) const;
  void PreCallValidate(const vk::AllocateDescriptorSets& call, messages::Report& report) const;

 private:
  const dispatch::Device& device_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SET_LAYOUTS_SET_LAYOUT_RULES_H_
