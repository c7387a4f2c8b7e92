// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_MANUAL_MANUAL_RULES_TEST_H_
#define ASSAY_STATELESS_MANUAL_MANUAL_RULES_TEST_H_

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "stateless/manual/manual_rules.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// For the negative tests of the manual rules. A test changes one thing in a correct structure and expects the rule's
// id. The correct structure is the positive counterpart, and so is the changed one where a feature or extension allows
// it.
namespace assay::stateless {

// Keeps the reported ids. A device with everything has every feature and extension.
class TestContext : public RuleContext {
 public:
  explicit TestContext(bool has_everything) : has_everything_(has_everything) {
    limits_.maxViewportDimensions[0] = 4096;
    limits_.maxViewportDimensions[1] = 2048;
    limits_.viewportBoundsRange[0] = -8192;
    limits_.viewportBoundsRange[1] = 8191;
    limits_.maxSamplerAnisotropy = 16;
    limits_.maxSamplerLodBias = 4;
  }

  const VkPhysicalDeviceLimits& limits() const override { return limits_; }
  bool HasFeature(vk::FeatureId) const override { return has_everything_; }
  bool HasExtension(vk::ExtensionId) const override { return has_everything_; }
  void Report(vk::VuidIndex vuid, std::initializer_list<RulePart> path, std::string text,
              std::string fix) const override {
    EXPECT_GT(path.size(), 0u);
    EXPECT_TRUE(text.ends_with(".") && fix.ends_with(".")) << text << fix;
    ids_.emplace_back(vk::GetVuid(vuid).id);
  }

  const std::vector<std::string>& ids() const { return ids_; }

 private:
  const bool has_everything_;
  VkPhysicalDeviceLimits limits_{};
  mutable std::vector<std::string> ids_;
};

template <class T>
struct Case {
  std::string id;
  std::function<void(T&)> change;
  // Whether a feature or extension allows it.
  bool is_allowed_by_feature = false;
};

template <class T>
std::vector<std::string> Check(std::string_view owner, const T& structure, bool has_everything) {
  const TestContext context(has_everything);
  FindManualCheck(owner)(&structure, context);
  return context.ids();
}

template <class T>
void TryAll(std::string_view owner, const T& correct, const std::vector<Case<T>>& cases) {
  ASSERT_NE(FindManualCheck(owner), nullptr) << owner;
  EXPECT_EQ(Check(owner, correct, false), std::vector<std::string>()) << owner;
  for (const Case<T>& each : cases) {
    T changed = correct;
    each.change(changed);
    EXPECT_EQ(Check(owner, changed, false), std::vector<std::string>{each.id});
    if (each.is_allowed_by_feature) {
      EXPECT_EQ(Check(owner, changed, true), std::vector<std::string>()) << each.id;
    }
  }
}

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_MANUAL_MANUAL_RULES_TEST_H_
