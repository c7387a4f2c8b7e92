// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_MANUAL_MANUAL_RULES_H_
#define ASSAY_STATELESS_MANUAL_MANUAL_RULES_H_

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "vk/extension_id.h"
#include "vk/feature_id.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"
#include "vk/walk/load_store.h"

// Manual rules: explicit rules whose sentences registry/explicit_rules.py cannot read. They are written by hand, with
// one function for all rules of a structure or command, and a file for each family. The interpreter has walked the
// structure before, but its pointers may still be invalid addresses; Elements() is safe.
namespace assay::stateless {

// A member, or an element of one.
struct RulePart {
  static constexpr uint32_t kNoIndex = 0xffffffff;

  std::string_view member;
  uint32_t index = kNoIndex;
};

// The facts that a rule may need, and its report.
class RuleContext {
 public:
  virtual ~RuleContext() = default;

  virtual const VkPhysicalDeviceLimits& limits() const = 0;
  virtual bool HasFeature(vk::FeatureId feature) const = 0;
  // Whether the application names it.
  virtual bool HasExtension(vk::ExtensionId extension) const = 0;
  // text continues the path. text and fix are full sentences.
  virtual void Report(vk::VuidIndex vuid, std::initializer_list<RulePart> path, std::string text,
                      std::string fix) const = 0;
};

using ManualCheck = void (*)(const void* structure, const RuleContext& context);

struct ManualRules {
  // The name of a structure, or of a command for its parameters.
  std::string_view owner;
  ManualCheck check;
};

// A typed function as a row of a family's table.
template <class T, void (*check)(const T&, const RuleContext&)>
constexpr ManualRules Manual(std::string_view owner) {
  return {owner,
          [](const void* structure, const RuleContext& context) { check(*static_cast<const T*>(structure), context); }};
}

// The families.
std::span<const ManualRules> ManualRenderPassRules();
std::span<const ManualRules> ManualStateRules();
std::span<const ManualRules> ManualResourceRules();
std::span<const ManualRules> ManualInputRules();
std::span<const ManualRules> ManualCacheRules();
std::span<const ManualRules> ManualHostRules();
std::span<const ManualRules> ManualVideoRules();

// Null when there is none.
ManualCheck FindManualCheck(std::string_view owner);

// The elements of an array; none if its address is invalid.
template <class T>
std::span<const T> Elements(const T* first, uint32_t count) {
  return vk::IsAddress(first) ? std::span<const T>(first, count) : std::span<const T>();
}

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_MANUAL_MANUAL_RULES_H_
