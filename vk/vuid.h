// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_VUID_H_
#define ASSAY_VK_VUID_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "vk/vuid_hashes.h"

// A check names its id as a literal, Vuid("VUID-vkCmdCopyBuffer-size-00115"). It does not compile if the registry does
// not have the id. A rule that a family of commands shares is written once by its last part:
// CommandVuid<C>("None-08600").
namespace assay::vk {

// An id's index in the table that Vuids() returns.
enum class VuidIndex : uint32_t {};

// No id: the registry does not have such a rule, or the rule is switched off.
inline constexpr VuidIndex kNoVuid{0xffffffff};

// FNV-1a, 64 bits; the generator refuses a registry in which two ids collide.
constexpr uint64_t VuidHash(std::string_view text, uint64_t hash = 0xcbf29ce484222325u) {
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// Not constexpr and never defined: reached only when an id is not in the registry, which makes the constant expression
// ill-formed.
void ThisValidUsageIdIsNotInTheRegistry();

consteval VuidIndex VuidFromHash(uint64_t hash) {
  const auto* end = kVuidHashes + kVuidCount;
  const auto* found = std::lower_bound(kVuidHashes + 0, end, hash);
  if (found == end || *found != hash) ThisValidUsageIdIsNotInTheRegistry();
  return VuidIndex{static_cast<uint32_t>(found - kVuidHashes)};
}

template <size_t N>
consteval VuidIndex Vuid(const char (&id)[N]) {
  return VuidFromHash(VuidHash(std::string_view(id, N - 1)));
}

// The id of command C's form of a shared rule: "VUID-" + C::kName + "-" + rule.
template <class C, size_t N>
consteval VuidIndex CommandVuid(const char (&rule)[N]) {
  return VuidFromHash(VuidHash(std::string_view(rule, N - 1), VuidHash("-", VuidHash(C::kName, VuidHash("VUID-")))));
}

struct VuidInfo {
  // "VUID-vkCmdCopyBuffer-size-00115".
  std::string_view id;
  // The specification's sentence, as plain text (markup and entities resolved, white space folded).
  std::string_view text;
  // The chapter it is in, e.g. "chapters/copies.html".
  std::string_view page;
};

// The record of an id. Records are in the order of kVuidHashes.
VuidInfo GetVuid(VuidIndex index);
// Finds an id at run time; false when the registry has no such id.
bool FindVuid(std::string_view id, VuidIndex* index);
// Finds "VUID-owner-rule", for an owner such as "vkCmdCopyBuffer" and the rest of the id; kNoVuid when the registry has
// no such id.
VuidIndex FindVuidOf(std::string_view owner, std::string_view rule);
// The ids of a command or structure, in their order. Empty for a name that has none.
std::span<const VuidIndex> VuidsOf(std::string_view owner);

}  // namespace assay::vk

#endif  // ASSAY_VK_VUID_H_
