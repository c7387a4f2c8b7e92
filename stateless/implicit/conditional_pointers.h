// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_IMPLICIT_CONDITIONAL_POINTERS_H_
#define ASSAY_STATELESS_IMPLICIT_CONDITIONAL_POINTERS_H_

#include "vk/struct_info.h"

// Pointers that the implementation ignores in some cases: the states of a graphics pipeline, the inheritance
// information of a command buffer. They may be garbage then, so the registry has no rule for the pointers themselves.
namespace assay::stateless {

// Whether the member is such a pointer, and some calls show that the implementation reads it.
bool IsConditionalPointer(const vk::StructInfo& info, const vk::MemberInfo& member);

// Whether the implementation certainly reads the pointer of this structure. parameters are those of the command. False
// where state decides (whether a subpass has a depth attachment), since a pointer that may be garbage is never
// dereferenced.
bool IsKnownToBeRead(const vk::MemberInfo& member, const void* structure, const void* parameters);

// The same for the pointers of one structure after the other: what they have in common is found once.
class KnownPointers {
 public:
  explicit KnownPointers(const void* parameters) : parameters_(parameters) {}

  bool IsRead(const vk::MemberInfo& member, const void* structure);

 private:
  const void* const parameters_;
  // The graphics pipeline that parts_ are of.
  const VkGraphicsPipelineCreateInfo* pipeline_ = nullptr;
  VkGraphicsPipelineLibraryFlagsEXT parts_ = 0;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_IMPLICIT_CONDITIONAL_POINTERS_H_
