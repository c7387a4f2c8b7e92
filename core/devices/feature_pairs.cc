// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/devices/feature_pairs.h"

#include <cstddef>

namespace assay::core {
namespace {

using enum vk::FeatureId;

constexpr bool kNeeds = true, kExcludes = false;
template <size_t N>
consteval vk::VuidIndex Of(const char (&rule)[N]) {
  return vk::VuidFromHash(vk::VuidHash({rule, N - 1}, vk::VuidHash("VUID-")));
}

constexpr FeaturePair kPairs[] = {
    {Of("VkDeviceCreateInfo-shadingRateImage-04478"), kShadingRateImage, kExcludes, kPipelineFragmentShadingRate},
    {Of("VkDeviceCreateInfo-shadingRateImage-04479"), kShadingRateImage, kExcludes, kPrimitiveFragmentShadingRate},
    {Of("VkDeviceCreateInfo-shadingRateImage-04480"), kShadingRateImage, kExcludes, kAttachmentFragmentShadingRate},
    {Of("VkDeviceCreateInfo-fragmentDensityMap-04481"), kFragmentDensityMap, kExcludes, kPipelineFragmentShadingRate},
    {Of("VkDeviceCreateInfo-fragmentDensityMap-04482"), kFragmentDensityMap, kExcludes, kPrimitiveFragmentShadingRate},
    {Of("VkDeviceCreateInfo-fragmentDensityMap-04483"), kFragmentDensityMap, kExcludes, kAttachmentFragmentShadingRate},
    {Of("VkDeviceCreateInfo-None-04896"), kSparseImageInt64Atomics, kNeeds, kShaderImageInt64Atomics},
    {Of("VkDeviceCreateInfo-None-04897"), kSparseImageFloat32Atomics, kNeeds, kShaderImageFloat32Atomics},
    {Of("VkDeviceCreateInfo-None-04898"), kSparseImageFloat32AtomicAdd, kNeeds, kShaderImageFloat32AtomicAdd},
    {Of("VkDeviceCreateInfo-sparseImageFloat32AtomicMinMax-04975"), kSparseImageFloat32AtomicMinMax, kNeeds,
     kShaderImageFloat32AtomicMinMax},
    {Of("VkPhysicalDeviceVariablePointersFeatures-variablePointers-01431"), kVariablePointers, kNeeds,
     kVariablePointersStorageBuffer},
    {Of("VkPhysicalDeviceMultiviewFeatures-multiviewGeometryShader-00580"), kMultiviewGeometryShader, kNeeds,
     kMultiview},
    {Of("VkPhysicalDeviceMultiviewFeatures-multiviewTessellationShader-00581"), kMultiviewTessellationShader, kNeeds,
     kMultiview},
    {Of("VkPhysicalDeviceMeshShaderFeaturesEXT-multiviewMeshShader-07032"), kMultiviewMeshShader, kNeeds, kMultiview},
    {Of("VkPhysicalDeviceMeshShaderFeaturesEXT-primitiveFragmentShadingRateMeshShader-07033"),
     kPrimitiveFragmentShadingRateMeshShader, kNeeds, kPrimitiveFragmentShadingRate},
    {Of("VkPhysicalDeviceRayTracingPipelineFeaturesKHR-"
        "rayTracingPipelineShaderGroupHandleCaptureReplayMixed-03575"),
     kRayTracingPipelineShaderGroupHandleCaptureReplayMixed, kNeeds, kRayTracingPipelineShaderGroupHandleCaptureReplay},
    {Of("VkPhysicalDeviceRobustness2FeaturesEXT-robustBufferAccess2-04000"), kRobustBufferAccess2, kNeeds,
     kRobustBufferAccess},
};

}  // namespace

std::span<const FeaturePair> FeaturePairs() { return kPairs; }

}  // namespace assay::core
