// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TRANSLATION_IGNORED_MEMBERS_H_
#define ASSAY_DISPATCH_TRANSLATION_IGNORED_MEMBERS_H_

#include "vk/struct_info.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

// Whether the specification says that the implementation ignores the pointer member of this structure, whose value may
// then be garbage. structure is the application's; its sType says what it is when the description has one.
bool IsIgnored(const vk::StructInfo& info, const vk::MemberInfo& member, const void* structure);

// Which of a VkWriteDescriptorSet's three pointers a descriptor type uses.
enum class DescriptorPayload { kNone, kImage, kBuffer, kTexelBuffer };
DescriptorPayload PayloadOf(VkDescriptorType type);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TRANSLATION_IGNORED_MEMBERS_H_
