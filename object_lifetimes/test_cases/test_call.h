// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_TEST_CASES_TEST_CALL_H_
#define ASSAY_OBJECT_LIFETIMES_TEST_CASES_TEST_CALL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "object_lifetimes/test_cases/struct_routes.h"
#include "object_lifetimes/test_cases/test_objects.h"
#include "vk/command_info.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

// Test-only: a call with nothing in it but the route to one handle.
namespace assay::object_lifetimes {

// A call whose members are zero, except for the route to one structure. Further members can be set.
class TestCall {
 public:
  TestCall(const StructRoute& route, const TestObjects& objects);

  const vk::CommandInfo& command() const { return *route_.command; }
  const void* parameters() const { return parameters_; }
  // Sets a handle member of the structure at the end of the route; a member that is an array gets one element.
  void SetHandle(const vk::MemberInfo& member, uint64_t handle) { SetHandles(member, {handle}); }
  // Sets a member that is an array to several handles.
  void SetHandles(const vk::MemberInfo& member, const std::vector<uint64_t>& handles);
  // Sets the member that decides the handle's type.
  void SetSelector(const vk::MemberInfo& member, VkObjectType type);
  const vk::StructInfo& target_info() const { return *target_info_; }

 private:
  void* Allocate(size_t bytes);
  void SetCount(const vk::StructInfo& info, const vk::MemberInfo& member, void* base, uint32_t elements = 1);
  // Makes the structure that the step leads to, and returns it.
  void* MakePointee(const RouteStep& step, void* base);
  void Adjust();

  StructRoute route_;
  std::vector<std::unique_ptr<uint64_t[]>> memory_;
  void* parameters_;
  void* target_;
  const vk::StructInfo* target_info_;
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_TEST_CASES_TEST_CALL_H_
