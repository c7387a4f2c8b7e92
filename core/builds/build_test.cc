// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/builds/build_test.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

// Of the mock driver.
constexpr uint32_t kDeviceOnlyMemory = 0;
constexpr VkBufferUsageFlags kStorage =
    VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR | VK_BUFFER_USAGE_MICROMAP_STORAGE_BIT_EXT;

}  // namespace

void BuildTest::SetUp() {
  driver().config().formats[kFormatWithoutFeatures] = {};
  driver().config().formats[VK_FORMAT_R32_SFLOAT] = {
      .bufferFeatures = VK_FORMAT_FEATURE_2_ACCELERATION_STRUCTURE_RADIUS_BUFFER_BIT_NV};
  ChangeProperties<VkPhysicalDeviceAccelerationStructurePropertiesKHR>([](auto& limits) {
    limits.maxInstanceCount = kMostInstances;
    limits.maxPrimitiveCount = kMostPrimitives;
    limits.minAccelerationStructureScratchOffsetAlignment = 128;
  });
  ChangeProperties<VkPhysicalDeviceOpacityMicromapPropertiesEXT>([](auto& limits) {
    limits.maxOpacity2StateSubdivisionLevel = limits.maxOpacity4StateSubdivisionLevel = kMostLevels;
  });
  ChangeProperties<VkPhysicalDeviceDisplacementMicromapPropertiesNV>(
      [](auto& limits) { limits.maxDisplacementMicromapSubdivisionLevel = kMostLevels; });
  ChangeProperties<VkPhysicalDeviceClusterAccelerationStructurePropertiesNV>([](auto& limits) {
    limits.clusterByteAlignment = limits.clusterTemplateByteAlignment = limits.clusterScratchByteAlignment = 128;
  });
  std::vector<const char*> extensions = {
      "VK_KHR_acceleration_structure",         "VK_KHR_deferred_host_operations", "VK_EXT_opacity_micromap",
      "VK_NV_displacement_micromap",           "VK_NV_ray_tracing_motion_blur",   "VK_KHR_ray_tracing_pipeline",
      "VK_NV_ray_tracing_linear_swept_spheres"};
  if (has_clusters_) extensions.push_back("VK_NV_cluster_acceleration_structure");
  test::DeviceOptions options = features_.EnableOnly(extensions);
  options.settings = {{"validate_sync", false}};
  Create(options);
  for (Memory& memory : storage_) memory = Make(kStorage | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  for (Memory& memory : scratch_) memory = Make(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  input_ = Make(VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
                VK_BUFFER_USAGE_MICROMAP_BUILD_INPUT_READ_ONLY_BIT_EXT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  plain_ = Make(0);
}

BuildTest::Memory BuildTest::Make(VkBufferUsageFlags usage) {
  const VkBuffer buffer = MakeBuffer(kSize, usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  return {buffer, AddressOf(buffer)};
}

// One for capture and replay has an address before it has memory.
VkDeviceAddress BuildTest::MakeUnbound() {
  return AddressOf(MakeUnboundBuffer({.flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT,
                                      .size = kSize,
                                      .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT}));
}

VkBuffer BuildTest::MakeStorage(bool has_memory) {
  const VkBuffer buffer = MakeUnboundBuffer({.size = kSize, .usage = kStorage});
  if (has_memory) vk.BindBufferMemory(device, buffer, MakeMemory(kSize, kDeviceOnlyMemory), 0);
  return buffer;
}

VkAccelerationStructureKHR BuildTest::MakeStructure(VkAccelerationStructureTypeKHR type, VkBuffer storage,
                                                    VkDeviceSize size, VkAccelerationStructureCreateFlagsKHR flags) {
  const VkAccelerationStructureCreateInfoKHR info = {
      .createFlags = flags, .buffer = storage, .size = size, .type = type};
  return MakeFrom(info, vk.CreateAccelerationStructureKHR, vk.DestroyAccelerationStructureKHR);
}

VkMicromapEXT BuildTest::MakeMicromap(VkMicromapTypeEXT type, VkBuffer storage, VkDeviceSize size) {
  const VkMicromapCreateInfoEXT info = {.buffer = storage, .size = size, .type = type};
  return MakeFrom(info, vk.CreateMicromapEXT, vk.DestroyMicromapEXT);
}

void BuildTest::Expect(std::string_view command, std::string_view rule, const std::function<void()>& call) {
  const std::string id =
      rule.starts_with("Vk") ? absl::StrCat("VUID-", rule) : absl::StrCat("VUID-", command, "-", rule);
  SCOPED_TRACE(rule.empty() ? absl::StrCat(command, " correct") : id);
  ExpectNothing();
  call();
  ExpectAlone(rule.empty() ? "" : id);
}

}  // namespace assay::core
