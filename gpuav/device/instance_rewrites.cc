// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/device/instance_rewrites.h"

#include "vk/chain.h"
#include "vk/feature_info.h"

namespace assay::gpuav {

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

InstrumentedStages StagesToInstrument(const dispatch::Device& device) {
  const auto has = [&device](vk::FeatureId feature) { return device.features_below[static_cast<size_t>(feature)]; };
  return {.vertex_pipeline = has(vk::FeatureId::kVertexPipelineStoresAndAtomics),
          .fragment = has(vk::FeatureId::kFragmentStoresAndAtomics)};
}

}  // namespace assay::gpuav
