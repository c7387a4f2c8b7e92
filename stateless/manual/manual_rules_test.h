// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_MANUAL_MANUAL_RULES_TEST_H_
#define ASSAY_STATELESS_MANUAL_MANUAL_RULES_TEST_H_

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "stateless/manual/manual_rules.h"
#include "vk/extension_info.h"
#include "vk/feature_info.h"
#include "vk/struct_info.h"
#include "vk/struct_traits.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// For the negative tests of the manual rules. A test changes one thing in a correct structure and expects the rule's
// id. The correct structure is the positive counterpart, and so is the changed one where a feature or extension allows
// it.
namespace assay::stateless {

// What allows the changed structure of a case: a feature, an extension, or nothing.
struct Allowance {
  Allowance() = default;
  // Not explicit: a case names what allows it.
  Allowance(vk::FeatureId id) : feature(id) {}
  Allowance(vk::ExtensionId id) : extension(id) {}

  bool is_none() const { return !feature.has_value() && !extension.has_value(); }

  std::optional<vk::FeatureId> feature;
  std::optional<vk::ExtensionId> extension;
};

// Keeps the reported ids. The device has one feature or extension or none, or all but that one.
class TestContext : public RuleContext {
 public:
  enum class Has { kOnly, kAllBut };
  TestContext(Has has, Allowance named) : has_(has), named_(named) { SetLimits(limits_); }

  static void SetLimits(VkPhysicalDeviceLimits& limits) {
    limits.maxViewportDimensions[0] = 4096;
    limits.maxViewportDimensions[1] = 2048;
    limits.viewportBoundsRange[0] = -8192;
    limits.viewportBoundsRange[1] = 8191;
    limits.maxSamplerAnisotropy = 16;
    limits.maxSamplerLodBias = 4;
  }

  const VkPhysicalDeviceLimits& limits() const override { return limits_; }
  bool HasFeature(vk::FeatureId feature) const override { return (named_.feature == feature) == IsOnly(); }
  bool HasExtension(vk::ExtensionId extension) const override { return (named_.extension == extension) == IsOnly(); }
  void Report(vk::VuidIndex vuid, std::initializer_list<RulePart> path, std::string text,
              std::string fix) const override {
    EXPECT_GT(path.size(), 0u);
    EXPECT_TRUE(text.ends_with(".") && fix.ends_with(".")) << text << fix;
    ids_.emplace_back(vk::GetVuid(vuid).id);
  }

  const std::vector<std::string>& ids() const { return ids_; }

 private:
  bool IsOnly() const { return has_ == Has::kOnly; }

  const Has has_;
  const Allowance named_;
  VkPhysicalDeviceLimits limits_{};
  mutable std::vector<std::string> ids_;
};

template <class T>
struct Case {
  // Without "VUID-" and the owner.
  std::string rule;
  std::function<void(T&)> change;
  Allowance allowed_by;
};

// The name of a command, or of a structure that has an sType.
template <class T>
std::string_view OwnerOf() {
  if constexpr (requires { T::kName; }) {
    return T::kName;
  } else {
    return vk::FindStruct(vk::kStructureTypeOf<T>)->name;
  }
}

// The ids that are reported on a device that has only the named feature or extension, or all but that.
template <class T>
std::vector<std::string> Check(std::string_view owner, const T& structure,
                               TestContext::Has has = TestContext::Has::kOnly, Allowance named = {}) {
  const TestContext context(has, named);
  FindManualCheck(owner)(&structure, context);
  return context.ids();
}

// Called with the owner, the changed structure, the id and the allowance of each case, if it is set. A test of the
// whole layer makes a call with the structure (layer/violated_manual_rules_test.cc).
using OnCase =
    std::function<void(std::string_view owner, const void* changed, const std::string& id, const Allowance&)>;
inline OnCase& GetOnCase() {
  static OnCase on_case;
  return on_case;
}

// The changed structure of a case is reported, whatever else the device has, but not where it has what allows it.
template <class T>
void TryChanged(std::string_view owner, const T& changed, const std::string& rule, const Allowance& allowed_by) {
  using Has = TestContext::Has;
  const std::string id = "VUID-" + std::string(owner) + "-" + rule;
  if (GetOnCase()) GetOnCase()(owner, &changed, id, allowed_by);
  EXPECT_EQ(Check(owner, changed), std::vector<std::string>{id});
  if (allowed_by.is_none()) return;
  EXPECT_EQ(Check(owner, changed, Has::kOnly, allowed_by), std::vector<std::string>()) << id;
  EXPECT_EQ(Check(owner, changed, Has::kAllBut, allowed_by), std::vector<std::string>{id});
}

template <class T>
void TryAll(std::string_view owner, const T& correct, const std::vector<Case<T>>& cases) {
  ASSERT_NE(FindManualCheck(owner), nullptr) << owner;
  EXPECT_EQ(Check(owner, correct), std::vector<std::string>()) << owner;
  for (const Case<T>& each : cases) {
    T changed = correct;
    each.change(changed);
    TryChanged(owner, changed, each.rule, each.allowed_by);
  }
}
template <class T>
void TryAll(const T& correct, const std::vector<Case<T>>& cases) {
  TryAll(OwnerOf<T>(), correct, cases);
}

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_MANUAL_MANUAL_RULES_TEST_H_
