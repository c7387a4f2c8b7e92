// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_TEST_CASES_HANDLE_TEST_CALLS_H_
#define ASSAY_OBJECT_LIFETIMES_TEST_CASES_HANDLE_TEST_CALLS_H_

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dispatch/dispatch.h"
#include "object_lifetimes/rules/handle_rules.h"

// Test-only: the negative test of every rule about handles, made from the registry: a call with nothing in it but the
// way to one handle, which is garbage, destroyed, of another type, from another device, or good.
namespace assay::object_lifetimes {

// From a structure, or a command's parameters, to a structure in it.
struct RouteStep {
  const vk::StructInfo* owner;
  const vk::MemberInfo* member;
  // When the member is pNext.
  const vk::StructInfo* chained = nullptr;
};

struct StructRoute {
  const vk::CommandInfo* command = nullptr;
  std::vector<RouteStep> steps;
};

// The shortest route from some command to every structure that the handle check gets to.
std::map<const vk::StructInfo*, StructRoute> FindRoutes();

// Whether objects of the type are made by an instance or physical device; devices are not among them.
bool IsOfInstance(VkObjectType type);

// The objects of two instances, each with two devices, with a live object of every type in each device. Slots only:
// nothing is called.
class TestObjects {
 public:
  TestObjects();
  ~TestObjects();

  // A good handle of that type: of the first or the second device of the first instance, or of the other instance when
  // the type is an instance's.
  uint64_t Handle(VkObjectType type, bool other) const { return handles_.at({type, other}); }
  uint64_t Destroyed(VkObjectType type);
  dispatch::Slot* SlotOf(VkObjectType type, bool other) const { return slots_.at({type, other}); }

  // The rules that Check goes by, at first all. They must outlive its use.
  void SetRules(const HandleRules& rules) { rules_ = &rules; }

  // The ids that were reported since the last call.
  std::vector<std::string> TakeIds() { return std::exchange(ids_, {}); }

  // The ids that the handle check reports for a call of the command on the first instance or device.
  std::vector<std::string> Check(const vk::CommandInfo& command, const void* call);

  // The first of the first instance.
  dispatch::Device& device() { return *devices_[0]; }

  // The first parameter's value for a command.
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

// A call with zeros but for the way to one structure; further members can be set.
class TestCall {
 public:
  TestCall(const StructRoute& route, const TestObjects& objects);

  const vk::CommandInfo& command() const { return *route_.command; }
  const void* parameters() const { return parameters_; }
  // Gives a handle member of the structure that the route leads to a value, in an array of one where it is an array.
  void SetHandle(const vk::MemberInfo& member, uint64_t handle) { SetHandles(member, {handle}); }
  // The same with an array of several, for a member that is one.
  void SetHandles(const vk::MemberInfo& member, const std::vector<uint64_t>& handles);
  // Gives the member that says what the handle is the type's value.
  void SetSelector(const vk::MemberInfo& member, VkObjectType type);
  const vk::StructInfo& target_info() const { return *target_info_; }

 private:
  void* Allocate(size_t bytes);
  void SetCount(const vk::StructInfo& info, const vk::MemberInfo& member, void* base, uint32_t elements = 1);
  // Makes what the step leads to and returns it.
  void* MakePointee(const RouteStep& step, void* base);
  void Adjust();

  StructRoute route_;
  std::vector<std::unique_ptr<uint64_t[]>> memory_;
  void* parameters_;
  void* target_;
  const vk::StructInfo* target_info_;
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_TEST_CASES_HANDLE_TEST_CALLS_H_
