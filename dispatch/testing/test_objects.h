// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TESTING_TEST_OBJECTS_H_
#define ASSAY_DISPATCH_TESTING_TEST_OBJECTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dispatch/dispatch.h"
#include "vk/command_info.h"
#include "vk/vulkan.h"

// Test-only: handles that are garbage, destroyed, of another type, of another device, or valid.
namespace assay::dispatch {

// Whether objects of the type are made by an instance or physical device; devices are not among them.
bool IsOfInstance(VkObjectType type);

// The objects of two instances, each with two devices, with a live object of every type in each device. Slots only:
// nothing is called.
class TestObjects {
 public:
  TestObjects();
  ~TestObjects();

  // A valid handle of the type. other chooses the second device of the first instance, or the second instance for types
  // of an instance.
  uint64_t Handle(VkObjectType type, bool other) const { return handles_.at({type, other}); }
  uint64_t Destroyed(VkObjectType type);
  Slot* SlotOf(VkObjectType type, bool other) const { return slots_.at({type, other}); }

  // The ids that were reported since the last call.
  std::vector<std::string> TakeIds() { return std::exchange(ids_, {}); }

  // The first instance, and its first device.
  Instance& instance() { return instances_[0]; }
  Device& device() { return *devices_[0]; }

  // The first parameter of a command: the handle that it is dispatched on.
  uint64_t DispatchedOn(const vk::CommandInfo& command) const;

 private:
  void Add(VkObjectType type, bool other);
  static VkBool32 VKAPI_PTR Collect(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                    const VkDebugUtilsMessengerCallbackDataEXT* data, void* ids);

  Instance instances_[2];
  std::unique_ptr<Device> devices_[2];
  PhysicalDevice physical_device_;
  std::map<std::pair<VkObjectType, bool>, Slot*> slots_;
  std::map<std::pair<VkObjectType, bool>, uint64_t> handles_;
  std::vector<std::string> ids_;
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TESTING_TEST_OBJECTS_H_
