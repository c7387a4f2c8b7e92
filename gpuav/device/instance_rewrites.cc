// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/device/instance_rewrites.h"

#include <algorithm>
#include <string_view>

#include "absl/types/span.h"
#include "gpuav/device/buffer_addresses.h"
#include "gpuav/markers/marker_way.h"
#include "vk/chain.h"
#include "vk/extension_info.h"
#include "vk/feature_info.h"

namespace assay::gpuav {
namespace {

constexpr vk::ExtensionId kStorageClass = vk::ExtensionId::kKhrStorageBufferStorageClass;

// Null for none.
void AddExtension(const char* extension, VkDeviceCreateInfo& info, dispatch::Rewriter& rewriter) {
  if (extension == nullptr) return;
  const uint32_t count = info.enabledExtensionCount;
  const auto names = absl::MakeSpan(info.ppEnabledExtensionNames, count);
  if (std::ranges::find(names, std::string_view(extension)) != names.end()) return;
  rewriter.Extend(info.ppEnabledExtensionNames, count, count + 1)[count] = extension;
  ++info.enabledExtensionCount;
}

}  // namespace

void InstanceRewrites::Rewrite(const vk::CreateDevice& call, vk::CreateDevice& down, dispatch::Rewriter& rewriter) {
  VkPhysicalDeviceFeatures supported = {};
  const auto get = dispatch::Next<vk::GetPhysicalDeviceFeatures>(instance_.next);
  if (get == nullptr || call.pCreateInfo == nullptr) return;
  get(call.physicalDevice, &supported);
  const auto enable = [&supported](VkPhysicalDeviceFeatures& features) {
    features.fragmentStoresAndAtomics |= supported.fragmentStoresAndAtomics;
    features.vertexPipelineStoresAndAtomics |= supported.vertexPipelineStoresAndAtomics;
  };
  VkDeviceCreateInfo& info = *rewriter.Copy(down.pCreateInfo);
  if (auto* features = rewriter.CopyLinked<VkPhysicalDeviceFeatures2>(info)) {
    enable(features->features);
  } else if (info.pEnabledFeatures != nullptr) {
    enable(*rewriter.Copy(info.pEnabledFeatures));
  } else if (vk::FindInChain<VkPhysicalDeviceFeatures2>(info.pNext) == nullptr) {
    enable(*rewriter.Extend(info.pEnabledFeatures, 0, 1));
  }
  AddExtension(ExtensionFor(call.physicalDevice), info, rewriter);
  const dispatch::PhysicalDevice& physical_device = instance_.GetPhysicalDevice(call.physicalDevice);
  if (MayUseEverySet(instance_.settings, physical_device.limits)) {
    AddExtension(EnableBufferAddresses(instance_, physical_device, info, rewriter), info, rewriter);
  }
}

const char* InstanceRewrites::ExtensionFor(VkPhysicalDevice handle) const {
  const dispatch::PhysicalDevice& physical_device = instance_.GetPhysicalDevice(handle);
  const bool is_core = std::min(instance_.api_version, physical_device.properties.apiVersion) >= VK_API_VERSION_1_1;
  if (!is_core) {
    const bool is_supported = physical_device.supported_extensions[static_cast<size_t>(kStorageClass)];
    return is_supported ? VK_KHR_STORAGE_BUFFER_STORAGE_CLASS_EXTENSION_NAME : nullptr;
  }
  return WantsMarkers(instance_.settings) ? MarkerExtensionOf(physical_device) : nullptr;
}

void InstanceRewrites::Reserve(VkPhysicalDeviceLimits& limits) const {
  if (instance_.settings.gpuav_reserve_binding_slot && limits.maxBoundDescriptorSets > 1) {
    --limits.maxBoundDescriptorSets;
  }
}

void InstanceRewrites::PostCallRecord(const vk::GetPhysicalDeviceProperties& call) {
  Reserve(call.pProperties->limits);
}
void InstanceRewrites::PostCallRecord(const vk::GetPhysicalDeviceProperties2& call) {
  Reserve(call.pProperties->properties.limits);
}

bool HasStorageClass(const dispatch::Device& device) {
  return device.api_version >= VK_API_VERSION_1_1 || device.extensions_below[static_cast<size_t>(kStorageClass)];
}

bool InstrumentedStages::Has(VkShaderStageFlagBits stage) const {
  switch (stage) {
    case VK_SHADER_STAGE_VERTEX_BIT:
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
    case VK_SHADER_STAGE_GEOMETRY_BIT:
      return vertex_pipeline;
    case VK_SHADER_STAGE_FRAGMENT_BIT:
      return fragment;
    default:
      return true;
  }
}

InstrumentedStages StagesToInstrument(const dispatch::Device& device) {
  const auto has = [&device](vk::FeatureId feature) { return device.features_below[static_cast<size_t>(feature)]; };
  return {.vertex_pipeline = has(vk::FeatureId::kVertexPipelineStoresAndAtomics),
          .fragment = has(vk::FeatureId::kFragmentStoresAndAtomics)};
}

}  // namespace assay::gpuav
