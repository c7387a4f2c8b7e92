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

// A command's pAllocator, or null.
const vk::MemberInfo* AllocatorOf(const vk::CommandInfo& command);

// Test-only: calls every command with minimal correct parameters. stateless::MinimalCall satisfies the registry's
// implicit rules. Handles are those of live objects; the MinimalCaller creates them by minimal calls too.
// minimal_choices.h has the values that must be more than zero or fit each other.
class MinimalCaller {
 public:
  explicit MinimalCaller(const test::Functions& functions) : functions_(functions) {}

  // Gives an object that the MinimalCaller must not create. Calls are dispatched on such objects.
  void SetHandle(VkObjectType type, uint64_t handle) { handles_[type] = handle; }

  // Creates objects with these callbacks from now on; null for none. They must live as long as the objects.
  void SetAllocator(const VkAllocationCallbacks* allocator) { allocator_ = allocator; }

  // A call of the command, not yet run. Creates the objects that it needs, which may report messages.
  std::unique_ptr<stateless::MinimalCall> Prepare(const vk::CommandInfo& command) { return Prepare({&command, {}}); }
  // The same with everything on the route filled in.
  std::unique_ptr<stateless::MinimalCall> Prepare(const stateless::Route& route);
  // Runs the call, through the layer.
  void Run(const stateless::MinimalCall& call);

  // A live object of the type, the same each time. 0 when no command creates one.
  uint64_t Handle(VkObjectType type);
  // A new object of the type.
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
  const VkAllocationCallbacks* allocator_ = nullptr;
  // The calls that created objects.
  std::vector<std::unique_ptr<stateless::MinimalCall>> calls_;
};

}  // namespace assay::layer

#endif  // ASSAY_LAYER_MINIMAL_CALLER_H_
