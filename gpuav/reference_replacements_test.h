// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_REFERENCE_REPLACEMENTS_TEST_H_
#define ASSAY_GPUAV_REFERENCE_REPLACEMENTS_TEST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "gpuav/driver_test.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// What reaches the driver of builds of acceleration structures, over the mock driver. Nothing is executed there.
class ReferenceReplacementsTest : public GpuavDriverTest {
 protected:
  using Range = VkAccelerationStructureBuildRangeInfoKHR;
  using Geometry = VkAccelerationStructureGeometryKHR;
  using BuildInfo = VkAccelerationStructureBuildGeometryInfoKHR;

  test::DeviceOptions Options() override {
    structures_.accelerationStructure = VK_TRUE;
    structures_.accelerationStructureIndirectBuild = VK_TRUE;
    structures_.pNext = &shader_objects_;
    shader_objects_.shaderObject = VK_TRUE;
    return {.device_extensions = {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                  VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
                                  VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME},
            .settings = {{"gpuav_enable", true},
                         {"validate_sync", false},
                         {"validate_core", false},
                         {"stateless_param", false},
                         {"object_lifetime", false}},
            .features = &structures_};
  }
  void SetUp() override {
    Create(Options());
    push_offset_ = driver().config().limits.maxPushConstantsSize - 8;
    input_ = MakeBuffer(size_t{1} << 24, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
                                             VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    ranges_ = MakeBuffer(256, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    Watch();
  }
  void Watch() {
    driver().SetObserver([this](vk::CommandId id, const void* parameters) { Note(id, parameters); });
  }

  VkDeviceAddress AddressOf(VkBuffer buffer) {
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
    return vk.GetBufferDeviceAddress(device, &info);
  }
  static Geometry InstancesAt(VkDeviceAddress address, VkBool32 has_pointers = VK_FALSE) {
    return {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
            .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
            .geometry = {.instances = {.arrayOfPointers = has_pointers, .data = {.deviceAddress = address}}}};
  }
  Geometry Instances() { return InstancesAt(AddressOf(input_)); }
  // Of a top-level structure.
  static BuildInfo InfoOf(const Geometry& geometry) {
    return {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
            .type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR,
            .geometryCount = 1,
            .pGeometries = &geometry};
  }
  void Build(VkCommandBuffer commands, const BuildInfo& info, const Range& range) {
    const Range* const ranges = &range;
    vk.CmdBuildAccelerationStructuresKHR(commands, 1, &info, &ranges);
  }
  // Of so many instances.
  void Build(VkCommandBuffer commands, uint32_t count = 3) {
    const Geometry geometry = Instances();
    Build(commands, InfoOf(geometry), {.primitiveCount = count});
  }
  // What goes down, but for the copies for reports.
  std::vector<std::string> EventsOf(const std::function<void(VkCommandBuffer)>& commands) {
    events_.clear();
    stages_.clear();
    built_.clear();
    Record(commands);
    return events_;
  }

  struct Built {
    VkDeviceAddress instances;
    VkBool32 has_pointers;
    uint32_t offset;
    // Of an indirect build.
    VkDeviceAddress range;
  };
  std::vector<std::string> events_;
  std::vector<Built> built_;
  // Of barriers.
  std::vector<VkPipelineStageFlags> stages_;
  test::Buffer input_;
  test::Buffer ranges_;
  uint32_t push_offset_ = 0;
  VkPhysicalDeviceAccelerationStructureFeaturesKHR structures_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR};
  VkPhysicalDeviceShaderObjectFeaturesEXT shader_objects_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT};

 private:
  template <class C>
  static const C& As(const void* parameters) {
    return *static_cast<const C*>(parameters);
  }
  // Numbers for handles, in the order in which they appear.
  template <class H>
  size_t NumberOf(H handle) {
    const auto value = reinterpret_cast<uint64_t>(handle);
    const auto found = std::ranges::find(handles_, value);
    if (found != handles_.end()) return static_cast<size_t>(found - handles_.begin());
    handles_.push_back(value);
    return handles_.size() - 1;
  }
  template <class C>
  void NoteBuild(const C& call) {
    for (uint32_t i = 0; i < call.infoCount; ++i) {
      const BuildInfo& info = call.pInfos[i];
      const Geometry& geometry = info.pGeometries != nullptr ? info.pGeometries[0] : *info.ppGeometries[0];
      const VkAccelerationStructureGeometryInstancesDataKHR& instances = geometry.geometry.instances;
      Built built = {instances.data.deviceAddress, instances.arrayOfPointers, 0, 0};
      if constexpr (requires { call.ppBuildRangeInfos; }) {
        built.offset = call.ppBuildRangeInfos[i][0].primitiveOffset;
      } else {
        built.range = call.pIndirectDeviceAddresses[i];
      }
      built_.push_back(built);
    }
    events_.emplace_back("build");
  }

  void Note(vk::CommandId id, const void* parameters) {
    switch (id) {
      case vk::CommandId::kCmdPipelineBarrier: {
        const auto& call = As<vk::CmdPipelineBarrier>(parameters);
        stages_.insert(stages_.end(), {call.srcStageMask, call.dstStageMask});
        events_.emplace_back("barrier");
        break;
      }
      case vk::CommandId::kCmdCopyBuffer:
        // With the barrier before it, and with other copies behind that.
        if (events_.back() == "copy") break;
        events_.back() = "copy";
        stages_.resize(stages_.size() - 2);
        break;
      case vk::CommandId::kCmdBindPipeline:
        events_.push_back(absl::StrCat("bind ", NumberOf(As<vk::CmdBindPipeline>(parameters).pipeline)));
        break;
      case vk::CommandId::kCmdBindShadersEXT:
        events_.push_back(absl::StrCat("bind shader ", NumberOf(As<vk::CmdBindShadersEXT>(parameters).pShaders[0])));
        break;
      case vk::CommandId::kCmdPushConstants: {
        const auto& call = As<vk::CmdPushConstants>(parameters);
        const auto words = absl::MakeConstSpan(static_cast<const uint32_t*>(call.pValues), call.size / 4);
        // Ours is an address.
        const bool is_ours = call.offset == push_offset_ && call.size == 8;
        events_.push_back(is_ours ? std::string("push")
                                  : absl::StrCat("push ", call.offset, " for ", call.stageFlags, " with ",
                                                 NumberOf(call.layout), ": ", absl::StrJoin(words, " ")));
        break;
      }
      case vk::CommandId::kCmdDispatch:
        events_.push_back(absl::StrCat("dispatch ", As<vk::CmdDispatch>(parameters).groupCountX));
        break;
      case vk::CommandId::kCmdBuildAccelerationStructuresKHR:
        NoteBuild(As<vk::CmdBuildAccelerationStructuresKHR>(parameters));
        break;
      case vk::CommandId::kCmdBuildAccelerationStructuresIndirectKHR:
        NoteBuild(As<vk::CmdBuildAccelerationStructuresIndirectKHR>(parameters));
        break;
      default:
        break;
    }
  }

  std::vector<uint64_t> handles_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_REFERENCE_REPLACEMENTS_TEST_H_
