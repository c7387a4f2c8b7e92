// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BARRIERS_DEPENDENCY_FLAGS_H_
#define ASSAY_CORE_BARRIERS_DEPENDENCY_FLAGS_H_

#include "core/barriers/recorded_command.h"
#include "core/masks/check.h"
#include "messages/messages.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Private to the package: rules of VkDependencyFlags that several commands share.
namespace assay::core {

inline constexpr VkDependencyFlags kUseAllStages = VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR;

// Reports the flag where the maintenance8 feature is not enabled. dependency leads to dependencyFlags.
inline void ReportAllStagesFlag(const Check& check, vk::VuidIndex vuid, const messages::Location& dependency) {
  check.Error(vuid, dependency.Dot("dependencyFlags"),
              "has VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR, which needs the maintenance8 "
              "feature; it is not enabled.",
              "Enable maintenance8 at vkCreateDevice().");
}

template <class C>
[[gnu::noinline, gnu::cold]] void ReportViewLocal(const Check& check, const messages::Location& dependency) {
  check.Error(vk::CommandVuid<C>("dependencyFlags-01186"), dependency.Dot("dependencyFlags"),
              "has VK_DEPENDENCY_VIEW_LOCAL_BIT outside of a render pass instance, where there are no views.",
              "Take VK_DEPENDENCY_VIEW_LOCAL_BIT out.");
}
// VK_DEPENDENCY_VIEW_LOCAL_BIT needs a render pass instance. C is the command; dependency leads to dependencyFlags.
template <class C>
void CheckViewLocal(const RecordedCommand& recorded, VkDependencyFlags flags, const messages::Location& dependency) {
  if ((flags & VK_DEPENDENCY_VIEW_LOCAL_BIT) != 0 && !recorded.in_render_pass()) [[unlikely]]
    ReportViewLocal<C>(recorded.check, dependency);
}

}  // namespace assay::core

#endif  // ASSAY_CORE_BARRIERS_DEPENDENCY_FLAGS_H_
