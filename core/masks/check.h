// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_MASKS_CHECK_H_
#define ASSAY_CORE_MASKS_CHECK_H_

#include <cstdint>
#include <string>
#include <utility>

#include "core/masks/limits.h"
#include "messages/messages.h"
#include "vk/enum_info.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

namespace assay::core {

// The version of a command. It decides whether messages name bits of VkPipelineStageFlags or of VkPipelineStageFlags2.
enum class SyncVersion : uint8_t { kSync1, kSync2 };

// What the checks of one call need.
struct Check {
  const SyncLimits& limits;
  messages::Report& report;
  // The command buffer, queue or device that messages name.
  messages::ObjectRef object;
  SyncVersion version = SyncVersion::kSync2;

  // Reports an error. where leads to the wrong member; also is another object that the rule is about, or has no handle.
  void Error(vk::VuidIndex vuid, const messages::Location& where, std::string text, std::string fix = {},
             messages::ObjectRef also = {}) const {
    if (limits.LeavesOut(vuid)) return;
    if (also.handle != 0) {
      report.Error(vuid, {object, also}, where, std::move(text), std::move(fix));
    } else {
      report.Error(vuid, {object}, where, std::move(text), std::move(fix));
    }
  }

  std::string Stages(VkPipelineStageFlags2 stages) const {
    const bool is_sync1 = version == SyncVersion::kSync1;
    return vk::FlagsToString(is_sync1 ? vk::EnumId::kPipelineStageFlagBits : vk::EnumId::kPipelineStageFlagBits2,
                             stages);
  }
  std::string Accesses(VkAccessFlags2 accesses) const {
    const bool is_sync1 = version == SyncVersion::kSync1;
    return vk::FlagsToString(is_sync1 ? vk::EnumId::kAccessFlagBits : vk::EnumId::kAccessFlagBits2, accesses);
  }
  std::string Describe(messages::ObjectRef of) const { return report.reporter().Describe(of); }
};

}  // namespace assay::core

#endif  // ASSAY_CORE_MASKS_CHECK_H_
