// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_MEMORY_BIND_PLACE_H_
#define ASSAY_CORE_MEMORY_BIND_PLACE_H_

// What all commands that bind memory compare with the requirements of the driver. Private to the package.

#include <string>
#include <string_view>

#include "messages/messages.h"
#include "state/state.h"
#include "vk/vuid.h"

namespace assay::core {

// What the driver requires.
struct RequirementIds {
  vk::VuidIndex type;
  vk::VuidIndex alignment;
  vk::VuidIndex size = vk::kNoVuid;
};
// One resource, and the memory that is bound to it.
struct Place {
  messages::ObjectRef object;
  VkDeviceMemory handle;
  const state::DeviceMemory& memory;
  VkDeviceSize offset;
  const messages::Location& where;
  messages::Report& report;

  void Require(bool holds, vk::VuidIndex id, std::string_view member, auto&& text) const {
    if (!holds && id != vk::kNoVuid) report.Error(id, {object, messages::Object(handle)}, where.Dot(member), text());
  }
  std::string resource() const { return report.reporter().Describe(object); }
};

// Nothing is compared with requirements that are 0.
void CheckRequirements(const Place& at, const RequirementIds& ids, const VkMemoryRequirements& required);

}  // namespace assay::core

#endif  // ASSAY_CORE_MEMORY_BIND_PLACE_H_
