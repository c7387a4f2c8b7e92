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
  driver().config().adjust_properties = [](VkBaseOutStructure* properties) {
    if (properties->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR) {
      auto& limits = *reinterpret_cast<VkPhysicalDeviceAccelerationStructurePropertiesKHR*>(properties);
      limits.maxInstanceCount = kMostInstances;
      limits.maxPrimitiveCount = kMostPrimitives;
      limits.minAccelerationStructureScratchOffsetAlignment = 128;
    } else if (properties->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_PROPERTIES_EXT) {
      auto& limits = *reinterpret_cast<VkPhysicalDeviceOpacityMicromapPropertiesEXT*>(properties);
      limits.maxOpacity2StateSubdivisionLevel = kMostLevels;
      limits.maxOpacity4StateSubdivisionLevel = kMostLevels;
    } else if (properties->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DISPLACEMENT_MICROMAP_PROPERTIES_NV) {
      auto& limits = *reinterpret_cast<VkPhysicalDeviceDisplacementMicromapPropertiesNV*>(properties);
      limits.maxDisplacementMicromapSubdivisionLevel = kMostLevels;
    }
  };
  test::DeviceOptions options;
  options.device_extensions = {
      "VK_KHR_acceleration_structure",         "VK_KHR_deferred_host_operations", "VK_EXT_opacity_micromap",
      "VK_NV_displacement_micromap",           "VK_NV_ray_tracing_motion_blur",   "VK_KHR_ray_tracing_pipeline",
      "VK_NV_ray_tracing_linear_swept_spheres"};
  options.features = features_.Enable(options.device_extensions, {});
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
  const VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
  return {buffer, vk.GetBufferDeviceAddress(device, &info)};
}

// One for capture and replay has an address before it has memory.
VkDeviceAddress BuildTest::MakeUnbound() {
  const VkBuffer buffer = MakeUnboundBuffer({.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                             .flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT,
                                             .size = kSize,
                                             .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT});
  const VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
  return vk.GetBufferDeviceAddress(device, &info);
}

VkBuffer BuildTest::MakeStorage(bool has_memory) {
  const VkBuffer buffer =
      MakeUnboundBuffer({.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = kSize, .usage = kStorage});
  if (has_memory) vk.BindBufferMemory(device, buffer, MakeMemory(kSize, kDeviceOnlyMemory), 0);
  return buffer;
}

VkAccelerationStructureKHR BuildTest::MakeStructure(VkAccelerationStructureTypeKHR type, VkBuffer storage,
                                                    VkDeviceSize size, VkAccelerationStructureCreateFlagsKHR flags) {
  const VkAccelerationStructureCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
                                                     .createFlags = flags,
                                                     .buffer = storage,
                                                     .size = size,
                                                     .type = type};
  VkAccelerationStructureKHR made = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateAccelerationStructureKHR(device, &info, nullptr, &made), VK_SUCCESS);
  Defer(made, [=, this] { vk.DestroyAccelerationStructureKHR(device, made, nullptr); });
  return made;
}

VkMicromapEXT BuildTest::MakeMicromap(VkMicromapTypeEXT type, VkBuffer storage, VkDeviceSize size) {
  const VkMicromapCreateInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_MICROMAP_CREATE_INFO_EXT, .buffer = storage, .size = size, .type = type};
  VkMicromapEXT made = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateMicromapEXT(device, &info, nullptr, &made), VK_SUCCESS);
  Defer(made, [=, this] { vk.DestroyMicromapEXT(device, made, nullptr); });
  return made;
}

void BuildTest::Expect(std::string_view command, std::string_view rule, const std::function<void()>& call) {
  const std::string id =
      rule.starts_with("Vk") ? absl::StrCat("VUID-", rule) : absl::StrCat("VUID-", command, "-", rule);
  SCOPED_TRACE(rule.empty() ? absl::StrCat(command, " correct") : id);
  ExpectNothing();
  call();
  if (!rule.empty()) ExpectMessage(id);
  ExpectNothing();
}

}  // namespace assay::core
