// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_IMPLICIT_CONDITIONAL_POINTERS_H_
#define ASSAY_STATELESS_IMPLICIT_CONDITIONAL_POINTERS_H_

#include <array>
#include <cstdint>
#include <optional>

#include "vk/dynamic_state_rules.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

// Pointers that the implementation ignores in some cases: the states of a graphics pipeline, the inheritance
// information of a command buffer. They may be garbage then, so the registry has no rule for the pointers themselves.
namespace assay::stateless {

// Whether the member is such a pointer, and some calls show that the implementation reads it.
bool IsConditionalPointer(const vk::StructInfo& info, const vk::MemberInfo& member);

// Whether the implementation certainly reads the pointer of this structure. parameters are those of the command. False
// where state decides (whether a subpass has a depth attachment), since a pointer that may be garbage is never
// dereferenced.
bool IsKnownToBeRead(const vk::MemberInfo& member, const void* structure, const void* parameters);

// What decides about the pointers of a graphics pipeline. It is read once for all of them.
struct PipelineFacts {
  explicit PipelineFacts(const VkGraphicsPipelineCreateInfo& info);

  const VkGraphicsPipelineCreateInfo* create;
  // The parts of a pipeline that the structure describes. A pipeline library, or a pipeline made of libraries, has only
  // the parts that it declares.
  VkGraphicsPipelineLibraryFlagsEXT parts;
  // None if the pipeline does not read them.
  VkShaderStageFlags stages = 0;
  // A bit for each dynamic state, by vk::DynamicStateIndex().
  std::array<uint64_t, (vk::kDynamicStateCount + 63) / 64> dynamic = {};
  // Rasterization state in another library is not known here. Then the parts after it are assumed to be read.
  bool rasterizes = true;
};

// The same for the pointers of one structure after the other: what they have in common is found once.
class KnownPointers {
 public:
  explicit KnownPointers(const void* parameters) : parameters_(parameters) {}

  bool IsRead(const vk::MemberInfo& member, const void* structure);

 private:
  const void* const parameters_;
  // Of the graphics pipeline that was asked about last.
  std::optional<PipelineFacts> pipeline_;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_IMPLICIT_CONDITIONAL_POINTERS_H_
