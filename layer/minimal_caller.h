// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_LAYER_MINIMAL_CALLER_H_
#define ASSAY_LAYER_MINIMAL_CALLER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "stateless/test_cases/minimal_call.h"
#include "testing/functions.h"
#include "vk/command_info.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

namespace assay::layer {

// Test-only: calls every command with the least that is correct. What the registry's implicit rules ask for is from
// stateless::MinimalCall; objects are live ones, made by the commands that create them, called in the same way; and
// where a number must be more than zero or fit another one, it does.
class MinimalCaller {
 public:
  explicit MinimalCaller(const test::Functions& functions) : functions_(functions) {}

  // Objects that the world is to use and not to make: those that calls are dispatched on.
  void SetHandle(VkObjectType type, uint64_t handle) { handles_[type] = handle; }

  // Makes what the call needs; empty unless that fails. Its messages come before those of Run().
  std::unique_ptr<stateless::MinimalCall> Prepare(const vk::CommandInfo& command);
  // Through the layer.
  void Run(const stateless::MinimalCall& call);

  // A live object, the same each time; 0 when no command makes one.
  uint64_t Handle(VkObjectType type);
  // Another one.
  uint64_t NewHandle(VkObjectType type);

 private:
  void Fill(const vk::StructInfo& info, void* base, bool is_destroyed, stateless::MinimalCall& call);
  void FillMember(const vk::StructInfo& info, const vk::MemberInfo& member, void* base, bool is_destroyed,
                  stateless::MinimalCall& call);
  void FillElement(const vk::MemberInfo& member, void* at, bool is_destroyed, stateless::MinimalCall& call);
  void FillSelected(const vk::StructInfo& info, const vk::MemberInfo& member, void* base, stateless::MinimalCall& call);
  void FillTyped(const vk::StructInfo& info, const vk::MemberInfo& member, void* base);

  const test::Functions& functions_;
  std::map<VkObjectType, uint64_t> handles_;
  // Calls that made objects.
  std::vector<std::unique_ptr<stateless::MinimalCall>> calls_;
};

}  // namespace assay::layer

#endif  // ASSAY_LAYER_MINIMAL_CALLER_H_
