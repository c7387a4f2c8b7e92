// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The driver's default configuration.

#include "testing/mock_driver/mock_driver.h"

namespace assay::test {
namespace {

constexpr VkSampleCountFlags kAllSampleCounts = VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_2_BIT | VK_SAMPLE_COUNT_4_BIT |
                                                VK_SAMPLE_COUNT_8_BIT | VK_SAMPLE_COUNT_16_BIT;
constexpr uint32_t kMany = 1u << 20;

VkPhysicalDeviceLimits GenerousLimits() {
  return {
      .maxImageDimension1D = 16384,
      .maxImageDimension2D = 16384,
      .maxImageDimension3D = 2048,
      .maxImageDimensionCube = 16384,
      .maxImageArrayLayers = 2048,
      .maxTexelBufferElements = 1u << 28,
      .maxUniformBufferRange = 1u << 16,
      .maxStorageBufferRange = 0xffffffff,
      .maxPushConstantsSize = 256,
      .maxMemoryAllocationCount = 0xffffffff,
      .maxSamplerAllocationCount = kMany,
      .bufferImageGranularity = 1,
      .sparseAddressSpaceSize = 1ull << 40,
      .maxBoundDescriptorSets = 32,
      .maxPerStageDescriptorSamplers = kMany,
      .maxPerStageDescriptorUniformBuffers = kMany,
      .maxPerStageDescriptorStorageBuffers = kMany,
      .maxPerStageDescriptorSampledImages = kMany,
      .maxPerStageDescriptorStorageImages = kMany,
      .maxPerStageDescriptorInputAttachments = kMany,
      .maxPerStageResources = 8 * kMany,
      .maxDescriptorSetSamplers = kMany,
      .maxDescriptorSetUniformBuffers = kMany,
      .maxDescriptorSetUniformBuffersDynamic = 32,
      .maxDescriptorSetStorageBuffers = kMany,
      .maxDescriptorSetStorageBuffersDynamic = 32,
      .maxDescriptorSetSampledImages = kMany,
      .maxDescriptorSetStorageImages = kMany,
      .maxDescriptorSetInputAttachments = kMany,
      .maxVertexInputAttributes = 32,
      .maxVertexInputBindings = 32,
      .maxVertexInputAttributeOffset = 2047,
      .maxVertexInputBindingStride = 2048,
      .maxVertexOutputComponents = 128,
      .maxTessellationGenerationLevel = 64,
      .maxTessellationPatchSize = 32,
      .maxTessellationControlPerVertexInputComponents = 128,
      .maxTessellationControlPerVertexOutputComponents = 128,
      .maxTessellationControlPerPatchOutputComponents = 120,
      .maxTessellationControlTotalOutputComponents = 4096,
      .maxTessellationEvaluationInputComponents = 128,
      .maxTessellationEvaluationOutputComponents = 128,
      .maxGeometryShaderInvocations = 32,
      .maxGeometryInputComponents = 128,
      .maxGeometryOutputComponents = 128,
      .maxGeometryOutputVertices = 1024,
      .maxGeometryTotalOutputComponents = 1024,
      .maxFragmentInputComponents = 128,
      .maxFragmentOutputAttachments = 8,
      .maxFragmentDualSrcAttachments = 1,
      .maxFragmentCombinedOutputResources = kMany,
      .maxComputeSharedMemorySize = 1u << 16,
      .maxComputeWorkGroupCount = {65535, 65535, 65535},
      .maxComputeWorkGroupInvocations = 1024,
      .maxComputeWorkGroupSize = {1024, 1024, 64},
      .subPixelPrecisionBits = 8,
      .subTexelPrecisionBits = 8,
      .mipmapPrecisionBits = 8,
      .maxDrawIndexedIndexValue = 0xffffffff,
      .maxDrawIndirectCount = 0xffffffff,
      .maxSamplerLodBias = 16,
      .maxSamplerAnisotropy = 16,
      .maxViewports = 16,
      .maxViewportDimensions = {16384, 16384},
      .viewportBoundsRange = {-32768, 32767},
      .viewportSubPixelBits = 8,
      .minMemoryMapAlignment = 64,
      .minTexelBufferOffsetAlignment = 16,
      .minUniformBufferOffsetAlignment = 64,
      .minStorageBufferOffsetAlignment = 16,
      .minTexelOffset = -8,
      .maxTexelOffset = 7,
      .minTexelGatherOffset = -32,
      .maxTexelGatherOffset = 31,
      .minInterpolationOffset = -0.5f,
      .maxInterpolationOffset = 0.4375f,
      .subPixelInterpolationOffsetBits = 4,
      .maxFramebufferWidth = 16384,
      .maxFramebufferHeight = 16384,
      .maxFramebufferLayers = 2048,
      .framebufferColorSampleCounts = kAllSampleCounts,
      .framebufferDepthSampleCounts = kAllSampleCounts,
      .framebufferStencilSampleCounts = kAllSampleCounts,
      .framebufferNoAttachmentsSampleCounts = kAllSampleCounts,
      .maxColorAttachments = 8,
      .sampledImageColorSampleCounts = kAllSampleCounts,
      .sampledImageIntegerSampleCounts = kAllSampleCounts,
      .sampledImageDepthSampleCounts = kAllSampleCounts,
      .sampledImageStencilSampleCounts = kAllSampleCounts,
      .storageImageSampleCounts = kAllSampleCounts,
      .maxSampleMaskWords = 1,
      .timestampComputeAndGraphics = VK_TRUE,
      .timestampPeriod = 1,
      .maxClipDistances = 8,
      .maxCullDistances = 8,
      .maxCombinedClipAndCullDistances = 8,
      .discreteQueuePriorities = 2,
      .pointSizeRange = {1, 256},
      .lineWidthRange = {1, 64},
      .pointSizeGranularity = 0.125f,
      .lineWidthGranularity = 0.125f,
      .strictLines = VK_TRUE,
      .standardSampleLocations = VK_TRUE,
      .optimalBufferCopyOffsetAlignment = 1,
      .optimalBufferCopyRowPitchAlignment = 1,
      .nonCoherentAtomSize = 64,
  };
}

VkPhysicalDeviceMemoryProperties DefaultMemory() {
  constexpr VkMemoryPropertyFlags kHost = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  constexpr VkMemoryPropertyFlags kDevice = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  return {
      .memoryTypeCount = 6,
      .memoryTypes = {{kDevice, 0},
                      {kHost, 1},
                      {kHost | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 1},
                      {kDevice | kHost, 0},
                      {kDevice | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT, 0},
                      {kDevice | VK_MEMORY_PROPERTY_PROTECTED_BIT, 0}},
      .memoryHeapCount = 2,
      .memoryHeaps = {{16ull << 30, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}, {16ull << 30, 0}},
  };
}

std::vector<VkQueueFamilyProperties> DefaultQueueFamilies() {
  constexpr VkQueueFlags kTransfer = VK_QUEUE_TRANSFER_BIT;
  constexpr VkQueueFlags kCompute = VK_QUEUE_COMPUTE_BIT | kTransfer;
  constexpr VkQueueFlags kAll = VK_QUEUE_GRAPHICS_BIT | kCompute | VK_QUEUE_SPARSE_BINDING_BIT |
                                VK_QUEUE_PROTECTED_BIT | VK_QUEUE_VIDEO_DECODE_BIT_KHR | VK_QUEUE_VIDEO_ENCODE_BIT_KHR;
  return {{kAll, 4, 64, {1, 1, 1}}, {kCompute, 4, 64, {1, 1, 1}}, {kTransfer, 4, 64, {1, 1, 1}}};
}

VkSurfaceCapabilitiesKHR DefaultSurfaceCapabilities() {
  return {
      .minImageCount = 2,
      .maxImageCount = 8,
      .currentExtent = {640, 480},
      .minImageExtent = {1, 1},
      .maxImageExtent = {16384, 16384},
      .maxImageArrayLayers = 1,
      .supportedTransforms = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .supportedCompositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
      .supportedUsageFlags = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                             VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                             VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
  };
}

}  // namespace

MockConfig::MockConfig()
    : api_version(VK_HEADER_VERSION_COMPLETE),
      limits(GenerousLimits()),
      sparse_properties{VK_TRUE, VK_TRUE, VK_TRUE, VK_FALSE, VK_TRUE},
      queue_families(DefaultQueueFamilies()),
      memory(DefaultMemory()),
      disabled_extensions{"VK_KHR_portability_subset"},
      surface_capabilities(DefaultSurfaceCapabilities()),
      surface_formats{{VK_FORMAT_B8G8R8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
                      {VK_FORMAT_B8G8R8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
                      {VK_FORMAT_R8G8B8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR}},
      present_modes{VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR, VK_PRESENT_MODE_IMMEDIATE_KHR,
                    VK_PRESENT_MODE_FIFO_RELAXED_KHR} {}

}  // namespace assay::test
