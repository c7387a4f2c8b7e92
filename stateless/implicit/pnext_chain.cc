// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/implicit/pnext_chain.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "vk/walk/load_store.h"

namespace assay::stateless {
namespace {

using vk::IsAddress;
using vk::StructInfo;

vk::TypeIndex IndexOf(const StructInfo& structure) {
  return static_cast<vk::TypeIndex>(&structure - vk::Structs().data());
}

bool Extends(const StructInfo& structure, const StructInfo& other) {
  return std::ranges::count(structure.extends, IndexOf(other)) != 0;
}

// Whether both are sTypes of one extension. An extension has a range of a thousand numbers, from a thousand million on.
// Versions have no ranges; there, related structures have neighbouring numbers.
bool AreOfOneRange(VkStructureType a, VkStructureType b) {
  constexpr int kFirstOfExtensions = 1000000000, kRange = 1000;
  if (a < kFirstOfExtensions || b < kFirstOfExtensions) return std::abs(int64_t{a} - int64_t{b}) == 1;
  return a / kRange == b / kRange;
}

bool IsIn(const VkBaseInStructure& first, VkStructureType type) {
  for (const VkBaseInStructure* link = &first; IsAddress(link); link = link->pNext) {
    if (link->sType == type) return true;
  }
  return false;
}

vk::VuidIndex TypeRule(const Programs& programs, const StructInfo& structure) {
  const std::span<const Op> ops = programs.Of(structure);
  return !ops.empty() && ops.front().code == OpCode::kStructureType ? ops.front().vuid : vk::kNoVuid;
}

}  // namespace

bool MayBeIn(const StructInfo& head, const VkBaseInStructure& first, const StructInfo& structure) {
  if (Extends(structure, head)) return true;
  for (const VkBaseInStructure* link = &first; IsAddress(link); link = link->pNext) {
    const StructInfo* const other = vk::FindStruct(link->sType);
    if (other != nullptr && Extends(structure, *other) && Extends(*other, head)) return true;
  }
  return false;
}

std::vector<SuggestedStruct> SuggestStructs(const Programs& programs, const EnabledApi& enabled, const StructInfo& head,
                                            const VkBaseInStructure& first, VkStructureType wrong) {
  const bool is_unset = wrong == VkStructureType{};
  std::vector<SuggestedStruct> suggested;
  for (const StructInfo& candidate : vk::Structs()) {
    if (!is_unset && !AreOfOneRange(wrong, candidate.structure_type)) continue;
    if (!MayBeIn(head, first, candidate)) continue;
    const bool again = (candidate.flags & vk::kStructAllowDuplicate) == 0 && IsIn(first, candidate.structure_type);
    if (!again && enabled.Has(candidate)) suggested.push_back({&candidate, TypeRule(programs, candidate)});
  }
  if (is_unset && suggested.size() != 1) suggested.clear();
  return suggested;
}

}  // namespace assay::stateless
