// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BUILDS_BUILD_CHECK_H_
#define ASSAY_CORE_BUILDS_BUILD_CHECK_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "absl/types/span.h"
#include "core/builds/build_ids.h"
#include "core/formats/format_features.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/command_info.h"
#include "vk/vulkan.h"

// Private to the package: what the builds of acceleration structures and of micromaps have in common. Both are called
// structures here.
namespace assay::core {

// What the checks need to know of the device.
struct BuildFacts {
  explicit BuildFacts(const state::DeviceState& of);

  const state::DeviceState& state;
  const FormatFeatures features;
  // Null if the device has none.
  const VkPhysicalDeviceAccelerationStructurePropertiesKHR* const limits;
  const VkPhysicalDeviceOpacityMicromapPropertiesEXT* const opacity_limits;
  const VkPhysicalDeviceDisplacementMicromapPropertiesNV* const displacement_limits;
};

// What a device address must be; kNoVuid for a rule that the command does not have.
struct AddressRules {
  vk::VuidIndex valid = vk::kNoVuid;
  vk::VuidIndex bound = vk::kNoVuid;
  vk::VuidIndex usage = vk::kNoVuid;
  vk::VuidIndex aligned = vk::kNoVuid;
  // That the bytes are in one buffer.
  vk::VuidIndex range = vk::kNoVuid;
  VkBufferUsageFlags needed_usage = 0;
  VkDeviceSize alignment = 1;
  VkDeviceSize bytes = 1;
};

// A command with builds. On the stack for the duration of the checks.
class BuildCheck {
 public:
  template <class C>
  BuildCheck(const C& call, const BuildFacts& facts, messages::Report& report)
      : facts(facts), on_host(C::kDispatch != vk::DispatchLevel::kCommandBuffer), report_(report) {
    static const BuildRuleIds ids(C::kName);
    ids_ = &ids;
    if constexpr (requires { call.commandBuffer; }) commands_ = messages::Object(call.commandBuffer);
  }

  // The id of the first rule that the command has.
  vk::VuidIndex Of(std::initializer_list<BuildRule> rules) const;
  // Reports, if the command has the rule.
  void Say(vk::VuidIndex rule, const messages::ObjectRef& object, const messages::Location& where,
           std::string text) const;
  void CheckAddress(VkDeviceAddress address, const AddressRules& rules, const messages::Location& where) const;
  std::string Describe(const messages::ObjectRef& object) const { return report_.reporter().Describe(object); }
  messages::Location location() const { return report_.location(); }

  const BuildFacts& facts;
  const bool on_host;

 private:
  messages::Report& report_;
  const BuildRuleIds* ids_;
  messages::ObjectRef commands_;
};

// Bytes, from the driver.
struct BuildSizes {
  VkDeviceSize structure;
  VkDeviceSize scratch;
};

struct Build {
  messages::ObjectRef dst;
  // Null if it is not known.
  const state::BufferRange* target = nullptr;
  // Of an update.
  messages::ObjectRef src = {};
  const state::BufferRange* source = nullptr;
  VkDeviceOrHostAddressKHR scratch = {};
  // Nothing if the driver was not asked.
  std::optional<BuildSizes> sizes = std::nullopt;
  bool is_update = false;

  bool is_micromap() const { return dst.type == VK_OBJECT_TYPE_MICROMAP_EXT; }
};

// Where a structure is bound.
void CheckBound(const BuildCheck& check, const messages::ObjectRef& object, const state::BufferRange* range,
                std::initializer_list<BuildRule> bound, std::initializer_list<BuildRule> host_visible,
                const messages::Location& where);
// The structures and the scratch memory of a build.
void CheckBuild(const BuildCheck& check, const Build& build, const messages::Location& where);
// The bytes that two builds of a call, or both structures of one, use.
void CheckOverlaps(const BuildCheck& check, absl::Span<const Build> builds);
// The bytes of the structure that the build accesses, in the AddressSpace; empty if they are not known.
state::ByteRange AccessedBytes(const Build& build, const state::BufferRange* range);

// The numbers of primitives of the geometries of a build.
struct PrimitiveCounts {
  // Null if they are in device memory.
  const VkAccelerationStructureBuildRangeInfoKHR* ranges = nullptr;
  const uint32_t* most = nullptr;

  bool is_known() const { return ranges != nullptr || most != nullptr; }
  uint32_t Of(uint32_t geometry) const { return ranges != nullptr ? ranges[geometry].primitiveCount : most[geometry]; }
};

constexpr bool IsUpdate(const VkAccelerationStructureBuildGeometryInfoKHR& info) {
  return info.mode == VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
}
// Null where the application says nothing.
const VkAccelerationStructureGeometryKHR* GeometryAt(const VkAccelerationStructureBuildGeometryInfoKHR& info,
                                                     uint32_t index);
// The geometries of a build, without their inputs. Whether all of them are there.
bool CheckGeometries(const BuildCheck& check, const VkAccelerationStructureBuildGeometryInfoKHR& info,
                     const PrimitiveCounts& counts, const messages::Location& where);
void CheckInputs(const BuildCheck& check, const VkAccelerationStructureBuildGeometryInfoKHR& info,
                 const PrimitiveCounts& counts, const messages::Location& where);

// The usage counts of a micromap, which several structures have.
struct UsageCounts {
  template <class Info>
  explicit UsageCounts(const Info& info)
      : count(info.usageCountsCount), structures(info.pUsageCounts), pointers(info.ppUsageCounts) {}
  // Null where the application says nothing.
  const VkMicromapUsageEXT* At(uint32_t index) const {
    return structures != nullptr ? &structures[index] : pointers != nullptr ? pointers[index] : nullptr;
  }

  const uint32_t count;
  const VkMicromapUsageEXT* const structures;
  const VkMicromapUsageEXT* const* const pointers;
};
// Those of a micromap of the type. `only_one` is the rule that there are structures or pointers. Returns the number of
// triangles.
uint64_t CheckUsageCounts(const BuildCheck& check, const UsageCounts& counts, VkMicromapTypeEXT type,
                          vk::VuidIndex only_one, const messages::ObjectRef& object, const messages::Location& where);

}  // namespace assay::core

#endif  // ASSAY_CORE_BUILDS_BUILD_CHECK_H_
