// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_QUEUES_FENCE_CHECK_H_
#define ASSAY_CORE_QUEUES_FENCE_CHECK_H_

#include "messages/messages.h"
#include "state/state.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Fences that a queue or the presentation engine will signal: they must be unsignaled and not in use. Reports only what
// is certain (queue_rules.h).
namespace assay::core {

struct FenceIds {
  vk::VuidIndex signaled;
  vk::VuidIndex in_use;
};
// Checks a fence that a call passes to be signaled. where leads to the handle.
void CheckFence(const state::DeviceState& state, VkFence handle, const FenceIds& ids, const messages::Location& where,
                messages::Report& report);

}  // namespace assay::core

#endif  // ASSAY_CORE_QUEUES_FENCE_CHECK_H_
