// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/runner/device.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace assay::spirv_instrument::corpus {
namespace {

// Extensions, beyond those in Vulkan 1.4, that a shader or its resources can use.
constexpr const char* kExtensions[] = {
    VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME,
    VK_EXT_MESH_SHADER_EXTENSION_NAME,
    VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME,
    VK_EXT_NESTED_COMMAND_BUFFER_EXTENSION_NAME,
    VK_EXT_ROBUSTNESS_2_EXTENSION_NAME,
    VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME,
    VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME,
    VK_EXT_SHADER_IMAGE_ATOMIC_INT64_EXTENSION_NAME,
    VK_EXT_SHADER_REPLICATED_COMPOSITES_EXTENSION_NAME,
    VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME,
    VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME,
    VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
    VK_KHR_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME,
    VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME,
    VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
    VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME,
    VK_KHR_RAY_QUERY_EXTENSION_NAME,
    VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
    VK_KHR_RAY_TRACING_POSITION_FETCH_EXTENSION_NAME,
    VK_KHR_SHADER_CLOCK_EXTENSION_NAME,
    VK_KHR_SHADER_MAXIMAL_RECONVERGENCE_EXTENSION_NAME,
    VK_KHR_SHADER_RELAXED_EXTENDED_INSTRUCTION_EXTENSION_NAME,
    VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME,
};

// The features of Vulkan 1.4 and of these extensions, in one chain.
struct Features {
  explicit Features(const std::set<std::string, std::less<>>& extensions) {
    void** end = &core.pNext;
    auto link = [&](auto& more, const char* extension) {
      if (extension != nullptr && !extensions.contains(extension)) return;
      *end = &more;
      end = &more.pNext;
    };
    link(vulkan11, nullptr);
    link(vulkan12, nullptr);
    link(vulkan13, nullptr);
    link(vulkan14, nullptr);
    link(acceleration_structure, VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME);
    link(atomic_float, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
    link(atomic_float2, VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME);
    link(clock, VK_KHR_SHADER_CLOCK_EXTENSION_NAME);
    link(cooperative_matrix, VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME);
    link(derivatives, VK_KHR_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME);
    link(explicit_layout, VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME);
    link(image_int64, VK_EXT_SHADER_IMAGE_ATOMIC_INT64_EXTENSION_NAME);
    link(mesh, VK_EXT_MESH_SHADER_EXTENSION_NAME);
    link(mutable_type, VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME);
    link(position_fetch, VK_KHR_RAY_TRACING_POSITION_FETCH_EXTENSION_NAME);
    link(ray_query, VK_KHR_RAY_QUERY_EXTENSION_NAME);
    link(ray_tracing, VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME);
    link(reconvergence, VK_KHR_SHADER_MAXIMAL_RECONVERGENCE_EXTENSION_NAME);
    link(relaxed, VK_KHR_SHADER_RELAXED_EXTENDED_INSTRUCTION_EXTENSION_NAME);
    link(replicated, VK_EXT_SHADER_REPLICATED_COMPOSITES_EXTENSION_NAME);
    link(robustness2, VK_EXT_ROBUSTNESS_2_EXTENSION_NAME);
  }

  // A bad access must not be made harmless. Other features only cost memory, or need more of other structures.
  void TurnOffUnwanted() {
    core.features.robustBufferAccess = VK_FALSE;
    vulkan13.robustImageAccess = VK_FALSE;
    robustness2.robustBufferAccess2 = VK_FALSE;
    robustness2.robustImageAccess2 = VK_FALSE;
    mesh.multiviewMeshShader = VK_FALSE;
    mesh.primitiveFragmentShadingRateMeshShader = VK_FALSE;
    acceleration_structure.accelerationStructureCaptureReplay = VK_FALSE;
    vulkan12.bufferDeviceAddressCaptureReplay = VK_FALSE;
  }

  VkPhysicalDeviceFeatures2 core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceVulkan11Features vulkan11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceVulkan12Features vulkan12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceVulkan13Features vulkan13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceVulkan14Features vulkan14 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES};
  VkPhysicalDeviceAccelerationStructureFeaturesKHR acceleration_structure = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT};
  VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT atomic_float2 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT};
  VkPhysicalDeviceShaderClockFeaturesKHR clock = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR};
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR cooperative_matrix = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR};
  VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR derivatives = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_FEATURES_KHR};
  VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR explicit_layout = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR};
  VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT image_int64 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT};
  VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT};
  VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutable_type = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT};
  VkPhysicalDeviceRayTracingPositionFetchFeaturesKHR position_fetch = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_POSITION_FETCH_FEATURES_KHR};
  VkPhysicalDeviceRayQueryFeaturesKHR ray_query = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR};
  VkPhysicalDeviceRayTracingPipelineFeaturesKHR ray_tracing = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR};
  VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR reconvergence = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MAXIMAL_RECONVERGENCE_FEATURES_KHR};
  VkPhysicalDeviceShaderRelaxedExtendedInstructionFeaturesKHR relaxed = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_RELAXED_EXTENDED_INSTRUCTION_FEATURES_KHR};
  VkPhysicalDeviceShaderReplicatedCompositesFeaturesEXT replicated = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_REPLICATED_COMPOSITES_FEATURES_EXT};
  VkPhysicalDeviceRobustness2FeaturesEXT robustness2 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT};
};

}  // namespace

absl::StatusOr<std::unique_ptr<Device>> Device::Create() {
  auto device = absl::WrapUnique(new Device());
  if (absl::Status status = device->Initialize(); !status.ok()) return status;
  return device;
}

absl::Status Device::Initialize() {
  // llvmpipe then works in the thread that submits: these runs have few invocations, and its threads would only wait
  // for each other. Other drivers do not look at it.
  setenv("LP_NUM_THREADS", "0", /*overwrite=*/0);
  device_.CreateInstance();
  if (physical_device() == VK_NULL_HANDLE) return absl::InternalError("there is no Vulkan device");
  uint32_t count = 0;
  vk().EnumerateDeviceExtensionProperties(physical_device(), nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> available(count);
  vk().EnumerateDeviceExtensionProperties(physical_device(), nullptr, &count, available.data());
  test::DeviceOptions options;
  for (const char* wanted : kExtensions) {
    const auto is_wanted = [wanted](const VkExtensionProperties& extension) {
      return absl::string_view(extension.extensionName) == wanted;
    };
    if (!std::ranges::any_of(available, is_wanted)) continue;
    options.device_extensions.push_back(wanted);
    extensions_.insert(wanted);
  }
  Features features(extensions_);
  vk().GetPhysicalDeviceFeatures2(physical_device(), &features.core);
  features.TurnOffUnwanted();
  options.core_features = false;
  options.features = &features.core;
  options.queue_counts = {1};
  device_.CreateDevice(options);
  if (handle() == VK_NULL_HANDLE) return absl::InternalError("vkCreateDevice failed");
  queue_ = device_.Queue();
  command_pool_ = device_.MakeCommandPool();
  ReadProperties();
  return absl::OkStatus();
}

void Device::ReadProperties() {
  VkPhysicalDeviceRayTracingPipelinePropertiesKHR ray_tracing = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR};
  VkPhysicalDeviceAccelerationStructurePropertiesKHR acceleration_structure = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR};
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  if (Has(VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME)) properties.pNext = &acceleration_structure;
  if (Has(VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME)) {
    ray_tracing.pNext = properties.pNext;
    properties.pNext = &ray_tracing;
  }
  vk().GetPhysicalDeviceProperties2(physical_device(), &properties);
  name_ = properties.properties.deviceName;
  limits_ = properties.properties.limits;
  group_handle_size_ = ray_tracing.shaderGroupHandleSize;
  group_base_alignment_ = ray_tracing.shaderGroupBaseAlignment;
  scratch_alignment_ = acceleration_structure.minAccelerationStructureScratchOffsetAlignment;
}

uint32_t Device::FindMemoryType(uint32_t allowed_types, VkMemoryPropertyFlags flags) const {
  VkPhysicalDeviceMemoryProperties properties = {};
  vk().GetPhysicalDeviceMemoryProperties(physical_device(), &properties);
  uint32_t first = VK_MAX_MEMORY_TYPES;
  for (uint32_t type = 0; type < properties.memoryTypeCount; ++type) {
    if ((allowed_types >> type & 1) == 0) continue;
    if ((properties.memoryTypes[type].propertyFlags & flags) == flags) return type;
    first = std::min(first, type);
  }
  return first;
}

}  // namespace assay::spirv_instrument::corpus
