// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_SYNC_AVAILABLE_STAGES_H_
#define ASSAY_VK_SYNC_AVAILABLE_STAGES_H_

#include <functional>
#include <string_view>

#include "vk/vulkan.h"

// The pipeline stages that an application can name on a device, by its extensions and features. In both functions
// is_enabled(name) says whether an extension ("VK_EXT_mesh_shader") or a feature ("geometryShader") is enabled.
namespace assay::vk {

// Stages that need a feature, or one of several, of which none is enabled: see StageFeatureRules.
VkPipelineStageFlags2 DisabledStages(const std::function<bool(std::string_view)>& is_enabled);

// The single stages that the device has: those of core and of enabled extensions, less the disabled ones. Those of
// synchronization2 alone count too, even if that is not enabled: sync1 has stages that stand for them.
VkPipelineStageFlags2 AvailableStages(const std::function<bool(std::string_view)>& is_enabled);

}  // namespace assay::vk

#endif  // ASSAY_VK_SYNC_AVAILABLE_STAGES_H_
