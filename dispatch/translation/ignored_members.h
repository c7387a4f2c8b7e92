// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TRANSLATION_IGNORED_MEMBERS_H_
#define ASSAY_DISPATCH_TRANSLATION_IGNORED_MEMBERS_H_

#include "vk/struct_info.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

// Whether the implementation ignores the pointer member of this structure, by the specification. Its value may be
// garbage then. info describes structure.
bool IsIgnored(const vk::StructInfo& info, const vk::MemberInfo& member, const void* structure);

// The pointer of a VkWriteDescriptorSet that a descriptor type reads.
enum class DescriptorPayload { kNone, kImage, kBuffer, kTexelBuffer };
DescriptorPayload PayloadOf(VkDescriptorType type);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TRANSLATION_IGNORED_MEMBERS_H_
