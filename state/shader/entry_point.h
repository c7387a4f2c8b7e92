// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_ENTRY_POINT_H_
#define ASSAY_STATE_SHADER_ENTRY_POINT_H_

#include <string_view>

#include "state/shader/reflection.h"
#include "state/shader/spirv_module.h"
#include "vk/vulkan.h"

namespace assay::state {

// The OpEntryPoint of that name and stage; null if there is none.
const SpirvInstruction* FindEntryPoint(const SpirvModule& module, std::string_view name, VkShaderStageFlagBits stage);

// Fills in what the entry point declares: all members but its descriptors and `found`.
void ReadDeclarations(const SpirvModule& module, const SpirvInstruction& entry_point, VkShaderStageFlagBits stage,
                      EntryPointInterface& out);

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_ENTRY_POINT_H_
