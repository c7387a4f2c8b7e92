// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_FAMILIES_VUID_FAMILIES_H_
#define ASSAY_VK_FAMILIES_VUID_FAMILIES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "vk/vuid.h"
#include "vk/vuid_owners.h"

// The ids of rules that a family of commands shares. A rule is named by what follows the owner in its id. The owner is
// the command, or a structure that its parameters lead to:
//
//     FamilyVuid<CmdCopyImage>("srcImage-07969")     VUID-vkCmdCopyImage-srcImage-07969
//     FamilyVuid<CmdCopyImage2>("srcImage-07969")    VUID-VkCopyImageInfo2-srcImage-07969
//     FamilyVuid<CmdBlitImage>("srcImage-07969")     kNoVuid
//
// So a check is written once, for all commands, and does nothing for those that have no such rule.
namespace assay::vk {

// kNoVuid where neither the command nor its structures have the rule. It does not compile if nobody has it.
template <class C, size_t N>
consteval VuidIndex FamilyVuid(const char (&rule)[N]) {
  const std::string_view text(rule, N - 1);
  if (!std::binary_search(kVuidRuleHashes + 0, kVuidRuleHashes + kVuidRuleCount, VuidHash(text))) {
    ThisValidUsageIdIsNotInTheRegistry();
  }
  for (const std::string_view owner : VuidOwners<C>::kNames) {
    const uint64_t hash = VuidHash(text, VuidHash("-", VuidHash(owner, VuidHash("VUID-"))));
    const auto* end = kVuidHashes + kVuidCount;
    const auto* found = std::lower_bound(kVuidHashes + 0, end, hash);
    if (found != end && *found == hash) return VuidIndex{static_cast<uint32_t>(found - kVuidHashes)};
  }
  return kNoVuid;
}

// One rule that has several numbers, of which a command has at most one: the id of that.
template <class C, size_t... N>
consteval VuidIndex AnyFamilyVuid(const char (&... rules)[N]) {
  VuidIndex found = kNoVuid;
  ((found = found == kNoVuid ? FamilyVuid<C>(rules) : found), ...);
  return found;
}

}  // namespace assay::vk

#endif  // ASSAY_VK_FAMILIES_VUID_FAMILIES_H_
