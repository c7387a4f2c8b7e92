// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DESCRIPTORS_BOUND_ACCESSES_H_
#define ASSAY_CORE_DESCRIPTORS_BOUND_ACCESSES_H_

#include <string>
#include <string_view>

#include "core/descriptors/bound_descriptor_rules.h"
#include "core/descriptors/bound_shaders.h"
#include "state/state.h"
#include "vk/vulkan.h"

// Reports about the descriptors that shaders access. Private to the package.
namespace assay::core {

// Where a shader accesses a descriptor, for messages.
struct DescriptorAccess {
  const DescriptorRuleIds& ids;
  const BoundShaders& shaders;
  VkShaderStageFlagBits stage;
  const ResourceVariable& resource;
  messages::Report& report;

  // "The compute shader of VkPipeline … accesses binding 1 of set 0 as `as`, but the descriptor in VkDescriptorSet … is
  // `object`, `is`." Returns false if the command does not have the rule.
  bool Report(vk::VuidIndex rule, const messages::ObjectRef& object, std::string_view as, std::string_view is,
              std::string fix = {}) const;
  bool Report(DescriptorRule rule, const messages::ObjectRef& object, std::string_view as, std::string_view is,
              std::string fix = {}) const {
    return Report(ids.Of(rule), object, as, is, std::move(fix));
  }
  // "… accesses binding 1 of set 0 as `as`."
  bool ReportUse(vk::VuidIndex rule, const messages::ObjectRef& object, std::string_view as,
                 std::string fix = {}) const;
};

// Without protectedNoFault. `what`: "an image", which `object` is a view of. Returns whether it found nothing.
bool CheckProtection(const DescriptorAccess& access, const messages::ObjectRef& object, std::string_view what,
                     bool is_protected, bool is_written);

// What an access needs of the format of a view.
struct FeatureRule {
  ResourceAccess access;
  VkFormatFeatureFlags2 feature;
  DescriptorRule rule;
  std::string_view as;
  // Whether it is for storage whose Image Format is Unknown alone.
  bool is_without_format = false;
};

// "The fragment shader of VkPipeline …".
std::string ShaderText(const BoundShaders& shaders, VkShaderStageFlagBits stage, const messages::Reporter& reporter);
// "VkDescriptorSet …", or "the pushed set".
std::string SetText(const state::BoundSet& set, const messages::Reporter& reporter);
// "whose format FORMAT does not have FEATURE".
std::string MissingFeatureText(VkFormat format, VkFormatFeatureFlags2 feature);

}  // namespace assay::core

#endif  // ASSAY_CORE_DESCRIPTORS_BOUND_ACCESSES_H_
