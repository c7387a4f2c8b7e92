// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/explicit/explicit_step.h"

#include <cstddef>
#include <string_view>

#include "vk/walk/load_store.h"

namespace assay::stateless {
namespace {

// Members of 32 bits that a chained structure replaces, since newer bits need 64.
struct Replacement {
  std::string_view member;
  std::string_view type;
  VkStructureType by;
};
constexpr Replacement kReplacements[] = {
    {"flags", "VkPipelineCreateFlags", VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO},
    {"usage", "VkBufferUsageFlags", VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO},
};
constexpr size_t kReplacingOffset = sizeof(VkBaseInStructure);
static_assert(offsetof(VkPipelineCreateFlags2CreateInfo, flags) == kReplacingOffset);
static_assert(offsetof(VkBufferUsageFlags2CreateInfo, usage) == kReplacingOffset);

uint64_t SaturatedSum(uint64_t a, uint64_t b) { return a + b < a ? UINT64_MAX : a + b; }

}  // namespace

VkStructureType ReplacedBy(const vk::StructInfo& info, const vk::MemberInfo& member) {
  for (const Replacement& replacement : kReplacements) {
    if (member.name != replacement.member || member.type_name != replacement.type) continue;
    for (const vk::TypeIndex link : info.extended_by) {
      if (vk::Structs()[link].structure_type == replacement.by) return replacement.by;
    }
  }
  return VK_STRUCTURE_TYPE_MAX_ENUM;
}

uint64_t LoadNumber(const ExplicitStep& step, const ExplicitBases& bases) {
  if (step.replaced_by != VK_STRUCTURE_TYPE_MAX_ENUM) {
    const void* const link = FindLink(bases.at[step.base], step.replaced_by);
    if (link != nullptr) return vk::Load<uint64_t>(link, kReplacingOffset);
  }
  const uint64_t value = LoadAt(step, bases);
  if (step.plus.size == 0) return value;
  const uint64_t plus = LoadAt(step.plus, bases);
  return step.is_signed ? value + plus : SaturatedSum(value, plus);
}

uint64_t OperandOf(const ExplicitStep& step, const ExplicitBases& bases) {
  return step.other.size != 0 ? LoadAt(step.other, bases) : step.operand;
}

}  // namespace assay::stateless
