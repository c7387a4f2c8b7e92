// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/device/context.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/runtime/layout.h"
#include "vk/enum_to_string.h"

namespace assay::gpuav {

Context::Context(state::DeviceState& state) : state_(state) {
  const uint32_t sets = device().physical_device->limits.maxBoundDescriptorSets;
  reserved_set_ = std::min(sets, spirv_instrument::kMaxSets) - 1;
}

void Context::Fail(vk::CommandId command, std::string_view what, VkResult result) {
  if (!is_enabled_.exchange(false)) return;
  Say(command, absl::StrCat("GPU-assisted validation could not make ", what, " (", vk::ToString(result),
                            "). Pipelines that are made from now on are not instrumented."));
}

void Context::Disable(vk::CommandId command, std::string_view why) {
  if (!is_enabled_.exchange(false)) return;
  Say(command, absl::StrCat("GPU-assisted validation is off for this device: ", why));
}

void Context::Say(vk::CommandId command, std::string text) {
  messages::Report report(reporter(), command);
  report.Deliver({.severity = messages::Severity::kWarning,
                  .id = "ASSAY-gpuav-disabled",
                  .text = std::move(text),
                  .objects = {messages::Object(device().handle)}});
}

}  // namespace assay::gpuav
