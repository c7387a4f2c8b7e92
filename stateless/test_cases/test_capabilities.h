// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_TEST_CAPABILITIES_H_
#define ASSAY_STATELESS_TEST_CASES_TEST_CAPABILITIES_H_

#include <algorithm>
#include <cstdint>
#include <optional>

#include "stateless/explicit/device_capabilities.h"
#include "stateless/test_cases/test_limit.h"
#include "vk/rules/explicit_rule_info.h"
#include "vk/vulkan.h"

namespace assay::stateless {

// A test device to which a rule applies. Its limits are small. It has every feature, but the rule's absent features
// only if is_enabled.
class TestCapabilities : public DeviceCapabilities {
 public:
  TestCapabilities(const vk::ExplicitRuleInfo& rule, bool is_enabled) : rule_(rule), is_enabled_(is_enabled) {}

  bool HasFeature(vk::FeatureId feature) const override {
    const auto absent = vk::AbsentFeatures(rule_);
    return is_enabled_ || std::ranges::find(absent, feature) == absent.end();
  }
  std::optional<uint64_t> Limit(uint16_t index) const override { return TestLimit(vk::Limits()[index]); }
  // The rules under test do not read these.
  const VkPhysicalDeviceLimits& CoreLimits() const override { return limits_; }
  bool HasExtension(vk::ExtensionId) const override { return true; }
  uint32_t ApiVersion() const override { return rule_.before == 0 ? VK_API_VERSION_1_4 : VK_API_VERSION_1_0; }

 private:
  const vk::ExplicitRuleInfo& rule_;
  const bool is_enabled_;
  VkPhysicalDeviceLimits limits_{};
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_TEST_CAPABILITIES_H_
