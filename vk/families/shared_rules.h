// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_FAMILIES_SHARED_RULES_H_
#define ASSAY_VK_FAMILIES_SHARED_RULES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "vk/vuid.h"
#include "vk/vuid_owners.h"

// The rules that many commands share, as one list, for checks that are compiled once and not for each command. A rule
// is named by what follows the command in its id:
//
//     inline constexpr std::string_view kActionRules[] = {"None-08606", "None-08608"};
//     using ActionRule = SharedRule<kActionRules>;
//
//     ids = SharedRuleIds<kActionRules>("vkCmdDraw");
//     ids.Of(ActionRule("None-08608"))                 VUID-vkCmdDraw-None-08608
//
// A check refers to a rule by its name, which is in the list, or the check does not compile.
namespace assay::vk {

// Not constexpr, so that calling it during compilation is an error.
void ThisRuleIsNotInTheList();

template <const auto& kNames>
class SharedRule {
 public:
  template <size_t N>
  consteval SharedRule(const char (&name)[N]) {  // NOLINT(google-explicit-constructor): a name is the rule.
    const auto* const found = std::ranges::find(kNames, std::string_view(name, N - 1));
    if (found == std::end(kNames)) ThisRuleIsNotInTheList();
    index_ = static_cast<uint16_t>(found - std::begin(kNames));
  }

  constexpr size_t index() const { return index_; }
  constexpr std::string_view name() const { return kNames[index_]; }
  friend constexpr bool operator==(SharedRule, SharedRule) = default;

 private:
  uint16_t index_;
};

// The ids of one command.
template <const auto& kNames>
class SharedRuleIds {
 public:
  explicit SharedRuleIds(std::string_view command) {
    static_assert(AreKnown(), "a rule that no command has");
    for (size_t i = 0; i < ids_.size(); ++i) ids_[i] = FindVuidOf(command, kNames[i]);
  }

  // kNoVuid for a rule that the command does not have.
  VuidIndex Of(SharedRule<kNames> rule) const { return ids_[rule.index()]; }
  void Remove(SharedRule<kNames> rule) { ids_[rule.index()] = kNoVuid; }
  // Removes the rules that the other command does not have.
  void KeepOnly(const SharedRuleIds& other) {
    for (size_t i = 0; i < ids_.size(); ++i) {
      if (other.ids_[i] == kNoVuid) ids_[i] = kNoVuid;
    }
  }

  auto begin() const { return ids_.begin(); }
  auto end() const { return ids_.end(); }

 private:
  static consteval bool AreKnown() {
    return std::ranges::all_of(kNames, [](std::string_view name) {
      return std::binary_search(kVuidRuleHashes + 0, kVuidRuleHashes + kVuidRuleCount, VuidHash(name));
    });
  }

  std::array<VuidIndex, std::size(kNames)> ids_;
};

}  // namespace assay::vk

#endif  // ASSAY_VK_FAMILIES_SHARED_RULES_H_
