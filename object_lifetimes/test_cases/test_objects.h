// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_TEST_CASES_TEST_OBJECTS_H_
#define ASSAY_OBJECT_LIFETIMES_TEST_CASES_TEST_OBJECTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dispatch/dispatch.h"
#include "object_lifetimes/rules/handle_rules.h"
#include "vk/command_info.h"
#include "vk/vulkan.h"

// Test-only: handles that are garbage, destroyed, of another type, of another device, or valid.
namespace assay::object_lifetimes {

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
  dispatch::Slot* SlotOf(VkObjectType type, bool other) const { return slots_.at({type, other}); }

  // Sets the rules of Check(); the default is all. They must outlive the calls.
  void SetRules(const HandleRules& rules) { rules_ = &rules; }

  // The ids that were reported since the last call.
  std::vector<std::string> TakeIds() { return std::exchange(ids_, {}); }

  // The ids that the handle check reports for a call of the command on the first instance or device.
  std::vector<std::string> Check(const vk::CommandInfo& command, const void* call);

  // The first device of the first instance.
  dispatch::Device& device() { return *devices_[0]; }

  // The first parameter of a command: the handle that it is dispatched on.
  uint64_t DispatchedOn(const vk::CommandInfo& command) const;

 private:
  void Add(VkObjectType type, bool other);
  static VkBool32 VKAPI_PTR Collect(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                    const VkDebugUtilsMessengerCallbackDataEXT* data, void* ids);

  const HandleRules* rules_ = &HandleRules::All();
  dispatch::Instance instances_[2];
  std::unique_ptr<dispatch::Device> devices_[2];
  dispatch::PhysicalDevice physical_device_;
  std::map<std::pair<VkObjectType, bool>, dispatch::Slot*> slots_;
  std::map<std::pair<VkObjectType, bool>, uint64_t> handles_;
  std::vector<std::string> ids_;
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_TEST_CASES_TEST_OBJECTS_H_
