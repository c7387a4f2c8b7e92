// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/markers/marker_way.h"

#include <cstddef>

#include "vk/commands.h"
#include "vk/extension_info.h"
#include "vk/vulkan.h"

namespace assay::gpuav {
namespace {

constexpr vk::ExtensionId kBufferMarker = vk::ExtensionId::kAmdBufferMarker;
constexpr vk::ExtensionId kCheckpoints = vk::ExtensionId::kNvDeviceDiagnosticCheckpoints;

}  // namespace

bool WantsMarkers(const dispatch::Settings& settings) { return settings.gpuav_enable && settings.gpuav_markers; }

MarkerWay MarkerWayOf(const dispatch::Device& device) {
  if (!WantsMarkers(device.instance.settings)) return MarkerWay::kNone;
  const auto has = [&device](vk::ExtensionId extension) {
    return device.extensions_below[static_cast<size_t>(extension)];
  };
  if (has(kBufferMarker) && dispatch::HasNext<vk::CmdWriteBufferMarkerAMD>(device)) return MarkerWay::kBufferMarkers;
  if (has(kCheckpoints) && dispatch::HasNext<vk::CmdSetCheckpointNV>(device) &&
      dispatch::HasNext<vk::GetQueueCheckpointDataNV>(device)) {
    return MarkerWay::kCheckpoints;
  }
  return MarkerWay::kFills;
}

const char* MarkerExtensionOf(const dispatch::PhysicalDevice& physical_device) {
  const auto has = [&physical_device](vk::ExtensionId extension) {
    return physical_device.supported_extensions[static_cast<size_t>(extension)];
  };
  if (has(kBufferMarker)) return VK_AMD_BUFFER_MARKER_EXTENSION_NAME;
  return has(kCheckpoints) ? VK_NV_DEVICE_DIAGNOSTIC_CHECKPOINTS_EXTENSION_NAME : nullptr;
}

}  // namespace assay::gpuav
