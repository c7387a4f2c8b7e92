// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BUILDS_BUILD_TEST_H_
#define ASSAY_CORE_BUILDS_BUILD_TEST_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Test-only: a device that builds acceleration structures and micromaps, and memory for it.
namespace assay::core {

using test::Of, test::Typed;

inline constexpr uint32_t kMostLevels = 4;

class BuildTest : public test::ValidationTest {
 protected:
  static constexpr VkDeviceSize kSize = 1 << 17;
  static constexpr uint32_t kMostInstances = 8;
  static constexpr uint32_t kMostPrimitives = 1000;
  // Of the mock driver.
  static constexpr uint32_t kDeviceOnlyMemory = 0;
  static constexpr VkBufferUsageFlags kStorage =
      VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR | VK_BUFFER_USAGE_MICROMAP_STORAGE_BIT_EXT;
  static constexpr VkFormat kFormatWithoutFeatures = VK_FORMAT_R16G16B16A16_SFLOAT;

  void SetUp() override {
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

  // A buffer, and its address if its usage gives it one.
  struct Memory {
    VkBuffer buffer;
    VkDeviceAddress address;
  };
  Memory Make(VkBufferUsageFlags usage) {
    const VkBuffer buffer = MakeBuffer(kSize, usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    return {buffer, AddressOf(buffer)};
  }
  // An address in a buffer that has no memory. One for capture and replay has an address before it has memory.
  VkDeviceAddress MakeUnbound() {
    return AddressOf(MakeUnboundBuffer({.flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT,
                                        .size = kSize,
                                        .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT}));
  }
  // Storage of structures, without memory or with memory that only the device sees.
  VkBuffer MakeStorage(bool has_memory) {
    const VkBuffer buffer = MakeUnboundBuffer({.size = kSize, .usage = kStorage});
    if (has_memory) vk.BindBufferMemory(device, buffer, MakeMemory(kSize, kDeviceOnlyMemory), 0);
    return buffer;
  }
  VkAccelerationStructureKHR MakeStructure(VkAccelerationStructureTypeKHR type, VkBuffer storage,
                                           VkDeviceSize size = kSize, VkAccelerationStructureCreateFlagsKHR flags = 0) {
    const VkAccelerationStructureCreateInfoKHR info = {
        .createFlags = flags, .buffer = storage, .size = size, .type = type};
    return MakeFrom(info, vk.CreateAccelerationStructureKHR, vk.DestroyAccelerationStructureKHR);
  }
  VkMicromapEXT MakeMicromap(VkMicromapTypeEXT type, VkBuffer storage, VkDeviceSize size = kSize) {
    const VkMicromapCreateInfoEXT info = {.buffer = storage, .size = size, .type = type};
    return MakeFrom(info, vk.CreateMicromapEXT, vk.DestroyMicromapEXT);
  }

  // Expects the rule, or silence for none. `rule` follows the command in the id, or "VUID-" if it names a structure.
  void Expect(std::string_view command, std::string_view rule, const std::function<void()>& call) {
    const std::string id =
        rule.starts_with("Vk") ? absl::StrCat("VUID-", rule) : absl::StrCat("VUID-", command, "-", rule);
    SCOPED_TRACE(rule.empty() ? absl::StrCat(command, " correct") : id);
    ExpectNothing();
    call();
    ExpectAlone(rule.empty() ? "" : id);
  }

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

enum Command : uint8_t { kDirect, kIndirect, kHost };

// Builds by several commands. A Call has their parameters, which rows change, and a member `command`.
template <class Call>
class BuildsByCommands : public BuildTest {
 protected:
  using Change = std::function<void(Call&)>;
  struct Row {
    std::string rule;
    Change change;
  };

  // By Command; empty for one that does not exist.
  explicit BuildsByCommands(const std::array<std::string_view, 3>& names) : names_(names) {}

  // A correct call.
  virtual std::unique_ptr<Call> Base(Command command) = 0;
  virtual void Run(const Call& call) = 0;

  using BuildTest::Expect;
  void Expect(std::string_view rule, const Call& call) {
    Expect(names_[call.command], rule, [&] { Run(call); });
  }
  void Try(Command command, std::string_view rule, const Change& change) {
    auto call = Base(command);
    change(*call);
    Expect(rule, *call);
  }
  // Each row, for each command that has the rule, beside a correct call. Rules of triangles of micromaps are of the
  // host, those of other structures of the device.
  void RunRows(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      bool was_run = false;
      const Command of_structure = row.rule.starts_with("VkMicromapTriangle") ? kHost : kDirect;
      for (const Command command : {kDirect, kIndirect, kHost}) {
        const bool has_rule = row.rule.starts_with("Vk") ? command == of_structure
                                                         : vk::FindVuidOf(names_[command], row.rule) != vk::kNoVuid;
        if (!has_rule || skipped_ == command) continue;
        was_run = true;
        Try(command, "", [](Call&) {});
        Try(command, row.rule, row.change);
      }
      EXPECT_TRUE(was_run) << row.rule;
    }
  }

  const std::array<std::string_view, 3> names_;
  // What rows do not mean.
  std::optional<Command> skipped_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_BUILDS_BUILD_TEST_H_
