// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_IMPLICIT_PNEXT_CHAIN_H_
#define ASSAY_STATELESS_IMPLICIT_PNEXT_CHAIN_H_

#include <vector>

#include "stateless/implicit/enabled_api.h"
#include "stateless/implicit/program.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

// Which structures may be in a pNext chain, and which one an application may have meant by an sType that may not.
//
// Nothing but its sType says what a chained structure is, so one whose sType is wrong breaks the rule of the chain and
// is reported by that. But the wrong number tells much: the sTypes that an extension brings are numbers of one range,
// and of what it brings mostly a single structure may extend a given one.
// VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_ PROPERTIES_EXT in the chain of VkPhysicalDeviceFeatures2 is to be
// ..._FEATURES_EXT.
namespace assay::stateless {

// Whether the structure may be in the chain of head, whose first link is given, because it extends head or another
// link. The chain is looked at up to the first link that is no address.
bool MayBeIn(const vk::StructInfo& head, const VkBaseInStructure& first, const vk::StructInfo& structure);

struct SuggestedStruct {
  const vk::StructInfo* structure;
  // Of its sType; vk::kNoVuid where it is not checked.
  vk::VuidIndex rule;
};

// The enabled structures that may be in the chain, are not in it yet, and have an sType of the same range as the wrong
// one. An sType of 0 was not set, so that any could be meant: it is said only when there is no choice. Mostly one, or
// none.
std::vector<SuggestedStruct> SuggestStructs(const Programs& programs, const EnabledApi& enabled,
                                            const vk::StructInfo& head, const VkBaseInStructure& first,
                                            VkStructureType wrong);

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_IMPLICIT_PNEXT_CHAIN_H_
