// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_TEST_CASES_FAMILY_CASES_H_
#define ASSAY_CORE_TEST_CASES_FAMILY_CASES_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "vk/vuid.h"
#include "vk/vuid_owners.h"

// Test-only: cases of the rules that a family of commands shares. A case is one row, whichever commands have the rule:
// the number of the rule, and what makes a correct call wrong.
//
//     {"size-00115", [](BufferCopy& copy) { copy.size = 65; }}
//
// For each command that has the rule, and through the whole layer: the call is silent before the change, and reported
// under the command's id, and nothing else, after it. A row that no command has fails.
namespace assay::core {

// Parameters is what a call is made of; it begins as a correct one.
template <class Parameters>
struct FamilyCase {
  // What follows the owner in the id. Of several rules, with spaces between them, each command has one at most.
  std::string_view rule;
  void (*change)(Parameters&);
};

// The id of command C, or of a structure that its parameters lead to; kNoVuid if it has none of these rules. Unlike
// vk::FamilyVuid, for rules that are known at run time.
template <class C>
vk::VuidIndex FindFamilyVuid(std::string_view rules) {
  for (const std::string_view rule : absl::StrSplit(rules, ' ')) {
    for (const std::string_view owner : vk::VuidOwners<C>::kNames) {
      const vk::VuidIndex found = vk::FindVuidOf(owner, rule);
      if (found != vk::kNoVuid) return found;
    }
  }
  return vk::kNoVuid;
}

// The rule of an id: what follows its owner.
inline std::string RuleOf(vk::VuidIndex id) {
  const std::string_view text = vk::GetVuid(id).id;
  return std::string(text.substr(text.find('-', text.find('-') + 1) + 1));
}

// Those rules of the cases that are not among `found`, for a message.
template <class Cases>
std::string MissingRules(const Cases& cases, const std::set<std::string>& found) {
  std::string missing;
  for (const auto& row : cases) {
    for (const std::string_view rule : absl::StrSplit(row.rule, ' ')) {
      if (!found.contains(std::string(rule))) absl::StrAppend(&missing, rule, " ");
    }
  }
  return missing;
}

// Adds the ids of the rules for commands C, as far as these have them.
template <class... C>
void AddFamilyIds(absl::Span<const std::string_view> rules, std::vector<vk::VuidIndex>& ids) {
  for (const std::string_view rule : rules) {
    for (const vk::VuidIndex id : {FindFamilyVuid<C>(rule)...}) {
      if (id != vk::kNoVuid) ids.push_back(id);
    }
  }
}

// The ids of the cases for commands C.
template <class... C, class Parameters>
std::vector<vk::VuidIndex> IdsOf(absl::Span<const FamilyCase<Parameters>> cases) {
  std::vector<vk::VuidIndex> ids;
  for (const FamilyCase<Parameters>& row : cases) AddFamilyIds<C...>({&row.rule, 1}, ids);
  return ids;
}

}  // namespace assay::core

#endif  // ASSAY_CORE_TEST_CASES_FAMILY_CASES_H_
