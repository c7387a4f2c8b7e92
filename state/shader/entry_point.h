// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_ENTRY_POINT_H_
#define ASSAY_STATE_SHADER_ENTRY_POINT_H_

#include <optional>
#include <string_view>

#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/module.h"
#include "state/shader/reflected_module.h"
#include "state/shader/reflection.h"
#include "vk/vulkan.h"

namespace assay::state {

// The OpEntryPoint of that name and stage; nullopt if there is none.
std::optional<spirv_instrument::EntryPoint> FindEntryPoint(const spirv_instrument::Module& module,
                                                           std::string_view name, VkShaderStageFlagBits stage);

// Fills in what the entry point declares: all members but its descriptors and `found`.
void ReadDeclarations(ReflectedModule& module, spirv_instrument::EntryPoint entry_point, VkShaderStageFlagBits stage,
                      EntryPointInterface& out);

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_ENTRY_POINT_H_
