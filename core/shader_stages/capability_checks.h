// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SHADER_STAGES_CAPABILITY_CHECKS_H_
#define ASSAY_CORE_SHADER_STAGES_CAPABILITY_CHECKS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/vuid.h"

// What a module declares, against what the device has (vk/spirv/spirv_info.h).
namespace assay::core {

struct CapabilityIds {
  vk::VuidIndex shader;
  vk::VuidIndex unknown_capability;
  vk::VuidIndex capability;
  vk::VuidIndex unknown_extension;
  vk::VuidIndex extension;
};

// Reads the head of the words. Silent if they are no SPIR-V of the host's byte order.
void CheckCapabilities(const dispatch::Device& device, absl::Span<const uint32_t> words, const CapabilityIds& ids,
                       const messages::Location& where, messages::Report& report);

}  // namespace assay::core

#endif  // ASSAY_CORE_SHADER_STAGES_CAPABILITY_CHECKS_H_
