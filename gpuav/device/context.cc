// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/device/context.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gpuav/device/buffer_addresses.h"
#include "spirv_instrument/runtime/layout.h"
#include "vk/commands.h"
#include "vk/enum_to_string.h"
#include "vk/feature_info.h"

namespace assay::gpuav {
namespace {

// Structures of clusters are at addresses that the device chooses, so that nobody knows which references are bad.
bool ReplacesReferences(const dispatch::Device& device) {
  const dispatch::Settings& settings = device.instance.settings;
  return settings.gpuav_enable && settings.gpuav_buffers_validation &&
         device.HasFeature(vk::FeatureId::kAccelerationStructure) &&
         !device.HasFeature(vk::FeatureId::kClusterAccelerationStructure) &&
         dispatch::HasNext<vk::GetAccelerationStructureDeviceAddressKHR>(device);
}

}  // namespace

Context::Context(state::DeviceState& state) : state_(state) {
  const VkPhysicalDeviceLimits& limits = device().physical_device->limits;
  reserved_set_ = std::min(limits.maxBoundDescriptorSets, spirv_instrument::kMaxSets) - 1;
  may_use_every_set_ = MayUseEverySet(settings(), limits);
  const uint32_t bytes = device().physical_device->properties.limits.maxPushConstantsSize;
  if (bytes < kAddressBytes || !HasBufferAddresses(device())) return;
  push_constant_offset_ = (bytes - kAddressBytes) / kAddressBytes * kAddressBytes;
  replaces_references_ = ReplacesReferences(device());
  // The layouts that binaries of pipelines are for have no room for addresses (pipelines/pipeline_layouts.h).
  if (device().HasFeature(vk::FeatureId::kPipelineBinaries)) return;
  // Descriptor buffers leave no room for a set.
  pushes_addresses_ = may_use_every_set_ || device().HasFeature(vk::FeatureId::kDescriptorBuffer);
}

bool Context::compares_layouts() const {
  const dispatch::Settings& all = settings();
  return all.gpuav_enable && all.gpuav_shader_instrumentation && all.gpuav_descriptor_checks &&
         all.gpuav_image_layout && all.validate_core && all.check_image_layout;
}

void Context::Fail(vk::CommandId command, std::string_view what, VkResult result) {
  if (!is_enabled_.exchange(false)) return;
  Keep(command, absl::StrCat("GPU-assisted validation could not make ", what, " (", vk::ToString(result),
                             "). Pipelines that are made from now on are not instrumented."));
}

void Context::Disable(vk::CommandId command, std::string_view why) {
  if (!is_enabled_.exchange(false)) return;
  Keep(command, absl::StrCat("GPU-assisted validation is off for this device: ", why));
}

void Context::Keep(vk::CommandId command, std::string text) {
  absl::MutexLock lock(&mutex_);
  failure_ = {.command = command, .text = std::move(text)};
  has_failure_.store(true, std::memory_order_relaxed);
}

void Context::DeliverKept() {
  std::optional<Failure> failure;
  {
    absl::MutexLock lock(&mutex_);
    failure = std::exchange(failure_, std::nullopt);
    has_failure_.store(false, std::memory_order_relaxed);
  }
  if (!failure) return;
  messages::Report report(reporter(), failure->command);
  report.Deliver({.severity = messages::Severity::kWarning,
                  .id = "ASSAY-gpuav-disabled",
                  .text = std::move(failure->text),
                  .objects = {messages::Object(device().handle)}});
}

}  // namespace assay::gpuav
