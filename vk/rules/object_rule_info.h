// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_RULES_OBJECT_RULE_INFO_H_
#define ASSAY_VK_RULES_OBJECT_RULE_INFO_H_

#include <array>
#include <cstdint>

#include "vk/command_id.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Explicit rules about an object that a command or a structure names, which registry/created reads from their
// sentences: how it was created, whether it has memory, and what lies within it. The rows are in object_rules.h.
namespace assay::vk {

enum class ObjectTest : uint8_t {
  // It was created with any of the bits; with none of them.
  kHas,
  kHasNot,
  // It is sparse, or bound to memory.
  kBound,
  // The offset is less than its size.
  kBelow,
  // The range from the offset does not end after it.
  kWithin,
  // It is no protected command buffer.
  kUnprotected,
};

// What kHas and kHasNot are about: usage, flags of a create info, or properties of a memory type.
enum class ObjectBits : uint8_t {
  kNone,
  kBufferUsageFlagBits,
  kBufferCreateFlagBits,
  kImageUsageFlagBits,
  kImageCreateFlagBits,
  kMemoryPropertyFlagBits,
  kDescriptorPoolCreateFlagBits,
  kDescriptorSetLayoutCreateFlagBits,
  kSamplerCreateFlagBits,
};

// The counts of commands in a range for which there is the rule.
enum class ObjectCount : uint8_t { kAny, kOne, kMore, kOneOrMore };

struct ObjectRule {
  static constexpr uint8_t kNoMember = 0xff;

  VuidIndex vuid;
  CommandId command;
  // Indices of members, from the parameters to the structure that has the handle.
  std::array<uint8_t, 3> path;
  uint8_t path_length;
  // If it is not 0, the structure is in the pNext chain of the path's end.
  VkStructureType chained;
  // The index of the handle, the array of handles, or the device address in a buffer, in that structure.
  uint8_t handle;
  // The index of flags in that structure; there is the rule if they have one of the bits.
  uint8_t flags;
  uint64_t flag_bits;
  ObjectTest test;
  ObjectBits kind;
  uint64_t bits;
  // Indices of numbers: the range has `more` bytes, or `count` times `stride` but for the last, which has `size`.
  uint8_t offset;
  uint8_t more;
  uint8_t stride;
  uint8_t count;
  ObjectCount counts;
  // In bytes.
  uint64_t size;
};

}  // namespace assay::vk

#endif  // ASSAY_VK_RULES_OBJECT_RULE_INFO_H_
