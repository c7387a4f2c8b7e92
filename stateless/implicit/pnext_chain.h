// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_IMPLICIT_PNEXT_CHAIN_H_
#define ASSAY_STATELESS_IMPLICIT_PNEXT_CHAIN_H_

#include <vector>

#include "stateless/implicit/enabled_api.h"
#include "stateless/implicit/program.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

// The structures that may be in a pNext chain, and the structure that was probably meant by an sType that may not.
//
// Only its sType identifies a chained structure. So a structure with a wrong sType violates the chain's rule and is
// reported by that. The wrong number still shows much. The sTypes of an extension are numbers of one range, and mostly
// a single structure of an extension may extend a given one. For example,
// VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT in the chain of VkPhysicalDeviceFeatures2 should be
// ..._FEATURES_EXT.
namespace assay::stateless {

// Whether the structure may be in the chain of head, because it extends head or another link. first is the chain's
// first link. Links after an invalid address are ignored.
bool MayBeIn(const vk::StructInfo& head, const VkBaseInStructure& first, const vk::StructInfo& structure);

struct SuggestedStruct {
  const vk::StructInfo* structure;
  // The rule of its sType; vk::kNoVuid if that is not checked.
  vk::VuidIndex rule;
};

// The enabled structures that may be in the chain, are not in it yet, and have an sType of the same range as the wrong
// one. An sType of 0 was not set, so any structure could be meant; there is a result only if just one fits. Mostly one,
// or none.
std::vector<SuggestedStruct> SuggestStructs(const Programs& programs, const EnabledApi& enabled,
                                            const vk::StructInfo& head, const VkBaseInStructure& first,
                                            VkStructureType wrong);

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_IMPLICIT_PNEXT_CHAIN_H_
