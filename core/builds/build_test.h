// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BUILDS_BUILD_TEST_H_
#define ASSAY_CORE_BUILDS_BUILD_TEST_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "vk/vulkan.h"

// Test-only: a device that builds acceleration structures and micromaps, and memory for it.
namespace assay::core {

using test::Of, test::Typed;

class BuildTest : public test::ValidationTest {
 protected:
  static constexpr VkDeviceSize kSize = 1 << 17;
  static constexpr uint32_t kMostInstances = 8;
  static constexpr uint32_t kMostPrimitives = 1000;
  static constexpr uint32_t kMostLevels = 4;
  static constexpr VkFormat kFormatWithoutFeatures = VK_FORMAT_R16G16B16A16_SFLOAT;

  void SetUp() override;

  // A buffer, and its address if its usage gives it one.
  struct Memory {
    VkBuffer buffer;
    VkDeviceAddress address;
  };
  Memory Make(VkBufferUsageFlags usage);
  // An address in a buffer that has no memory.
  VkDeviceAddress MakeUnbound();
  // Storage of structures, without memory or with memory that only the device sees.
  VkBuffer MakeStorage(bool has_memory);
  VkAccelerationStructureKHR MakeStructure(VkAccelerationStructureTypeKHR type, VkBuffer storage,
                                           VkDeviceSize size = kSize, VkAccelerationStructureCreateFlagsKHR flags = 0);
  VkMicromapEXT MakeMicromap(VkMicromapTypeEXT type, VkBuffer storage, VkDeviceSize size = kSize);

  // Expects the rule, or silence for none. `rule` follows the command in the id, or "VUID-" if it names a structure.
  void Expect(std::string_view command, std::string_view rule, const std::function<void()>& call);

  // Whether the device has VK_NV_cluster_acceleration_structure. With it, the layer does not know how each
  // structure was built.
  bool has_clusters_ = false;
  // Storage of structures and of micromaps that has an address and may be scratch memory; other memory for scratch, and
  // what builds read.
  Memory storage_[2];
  Memory scratch_[2];
  Memory input_;
  // Has an address and no other usage.
  Memory plain_;
  // What the host builds with.
  alignas(256) std::byte host_[3][4096] = {};

 private:
  test::ExtensionFeatures features_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_BUILDS_BUILD_TEST_H_
