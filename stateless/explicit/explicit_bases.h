// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_EXPLICIT_EXPLICIT_BASES_H_
#define ASSAY_STATELESS_EXPLICIT_EXPLICIT_BASES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "stateless/implicit/path.h"
#include "vk/rules/explicit_rule_info.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

// The structures in which the numbers of a rule are: its owner, and those to which its hops lead.
namespace assay::stateless {

struct ExplicitBases {
  // The owner is the first.
  std::array<const void*, 4> at{};
  // In arrays.
  std::array<uint32_t, 4> index{};
};

// A number in one of the structures: its offset and size in bytes.
struct ExplicitNumber {
  uint32_t offset = 0;
  uint8_t base = 0;
  // 0 for none.
  uint8_t size = 0;
  bool is_signed = false;
};

// The number at the place, of which vk::TargetOf() gives the target.
ExplicitNumber NumberAt(const vk::ExplicitPlace& place, const vk::ExplicitTarget& target);
// A signed one of 32 bits is extended.
uint64_t LoadAt(const ExplicitNumber& number, const ExplicitBases& bases);

// The structure in the pNext chain; null if there is none. Every link must be a valid address.
const void* FindLink(const void* structure, VkStructureType type);

// Follows a rule's hops, from the hop with that index on, and visits each combination of structures until a visit
// returns false. False if one did. A pointer that leads nowhere has no visits.
using VisitBases = absl::FunctionRef<bool(const ExplicitBases&)>;
bool FollowHops(const vk::StructInfo& owner, const vk::ExplicitRuleInfo& rule, size_t hop, ExplicitBases& bases,
                VisitBases visit);

// Calls f with the path to one of the structures. where is the path to the owner.
void WithPathTo(uint8_t base, const vk::StructInfo& owner, const vk::ExplicitRuleInfo& rule, const ExplicitBases& bases,
                const Step* where, absl::FunctionRef<void(const Step*)> f);

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_EXPLICIT_EXPLICIT_BASES_H_
