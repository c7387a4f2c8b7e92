// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DEVICES_FEATURE_PAIRS_H_
#define ASSAY_CORE_DEVICES_FEATURE_PAIRS_H_

// Features that need others, or exclude others. For the package and its tests.

#include "vk/feature_id.h"
#include "vk/vuid.h"

namespace assay::core {

struct FeaturePair {
  vk::VuidIndex id;
  vk::FeatureId feature;
  vk::FeatureId other;
  // Whether it needs the other one.
  bool needs;
};
inline constexpr FeaturePair kFeaturePairs[] = {
    {vk::Vuid("VUID-VkDeviceCreateInfo-shadingRateImage-04478"), vk::FeatureId::kShadingRateImage,
     vk::FeatureId::kPipelineFragmentShadingRate, false},
    {vk::Vuid("VUID-VkDeviceCreateInfo-shadingRateImage-04479"), vk::FeatureId::kShadingRateImage,
     vk::FeatureId::kPrimitiveFragmentShadingRate, false},
    {vk::Vuid("VUID-VkDeviceCreateInfo-shadingRateImage-04480"), vk::FeatureId::kShadingRateImage,
     vk::FeatureId::kAttachmentFragmentShadingRate, false},
    {vk::Vuid("VUID-VkDeviceCreateInfo-fragmentDensityMap-04481"), vk::FeatureId::kFragmentDensityMap,
     vk::FeatureId::kPipelineFragmentShadingRate, false},
    {vk::Vuid("VUID-VkDeviceCreateInfo-fragmentDensityMap-04482"), vk::FeatureId::kFragmentDensityMap,
     vk::FeatureId::kPrimitiveFragmentShadingRate, false},
    {vk::Vuid("VUID-VkDeviceCreateInfo-fragmentDensityMap-04483"), vk::FeatureId::kFragmentDensityMap,
     vk::FeatureId::kAttachmentFragmentShadingRate, false},
    {vk::Vuid("VUID-VkDeviceCreateInfo-None-04896"), vk::FeatureId::kSparseImageInt64Atomics,
     vk::FeatureId::kShaderImageInt64Atomics, true},
    {vk::Vuid("VUID-VkDeviceCreateInfo-None-04897"), vk::FeatureId::kSparseImageFloat32Atomics,
     vk::FeatureId::kShaderImageFloat32Atomics, true},
    {vk::Vuid("VUID-VkDeviceCreateInfo-None-04898"), vk::FeatureId::kSparseImageFloat32AtomicAdd,
     vk::FeatureId::kShaderImageFloat32AtomicAdd, true},
    {vk::Vuid("VUID-VkDeviceCreateInfo-sparseImageFloat32AtomicMinMax-04975"),
     vk::FeatureId::kSparseImageFloat32AtomicMinMax, vk::FeatureId::kShaderImageFloat32AtomicMinMax, true},
    {vk::Vuid("VUID-VkPhysicalDeviceVariablePointersFeatures-variablePointers-01431"),
     vk::FeatureId::kVariablePointers, vk::FeatureId::kVariablePointersStorageBuffer, true},
    {vk::Vuid("VUID-VkPhysicalDeviceMultiviewFeatures-multiviewGeometryShader-00580"),
     vk::FeatureId::kMultiviewGeometryShader, vk::FeatureId::kMultiview, true},
    {vk::Vuid("VUID-VkPhysicalDeviceMultiviewFeatures-multiviewTessellationShader-00581"),
     vk::FeatureId::kMultiviewTessellationShader, vk::FeatureId::kMultiview, true},
    {vk::Vuid("VUID-VkPhysicalDeviceMeshShaderFeaturesEXT-multiviewMeshShader-07032"),
     vk::FeatureId::kMultiviewMeshShader, vk::FeatureId::kMultiview, true},
    {vk::Vuid("VUID-VkPhysicalDeviceMeshShaderFeaturesEXT-primitiveFragmentShadingRateMeshShader-07033"),
     vk::FeatureId::kPrimitiveFragmentShadingRateMeshShader, vk::FeatureId::kPrimitiveFragmentShadingRate, true},
    {vk::Vuid("VUID-VkPhysicalDeviceRayTracingPipelineFeaturesKHR-"
              "rayTracingPipelineShaderGroupHandleCaptureReplayMixed-03575"),
     vk::FeatureId::kRayTracingPipelineShaderGroupHandleCaptureReplayMixed,
     vk::FeatureId::kRayTracingPipelineShaderGroupHandleCaptureReplay, true},
    {vk::Vuid("VUID-VkPhysicalDeviceRobustness2FeaturesEXT-robustBufferAccess2-04000"),
     vk::FeatureId::kRobustBufferAccess2, vk::FeatureId::kRobustBufferAccess, true},
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DEVICES_FEATURE_PAIRS_H_
