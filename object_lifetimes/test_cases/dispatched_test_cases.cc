// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/test_cases/dispatched_test_cases.h"

#include <cstddef>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dispatch/dispatch.h"
#include "testing/call_by_id.h"
#include "vk/command_info.h"

namespace assay::object_lifetimes {
namespace {

using Visit = std::function<void(vk::VuidIndex rule, const std::string& wrong)>;

PFN_vkGetInstanceProcAddr LayersGetInstanceProcAddr() {
  VkNegotiateLayerInterface negotiation = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT, .loaderLayerInterfaceVersion = 2};
  dispatch::NegotiateLoaderLayerInterfaceVersion(&negotiation);
  return negotiation.pfnGetInstanceProcAddr;
}

void TestCommand(TestObjects& objects, PFN_vkGetInstanceProcAddr get, const vk::CommandInfo& command,
                 const Visit& visit) {
  // Commands that are dispatched on nothing; and these two return null for names that they do not know.
  if (command.dispatch == vk::DispatchLevel::kGlobal || command.id == vk::CommandId::kGetInstanceProcAddr ||
      command.id == vk::CommandId::kGetDeviceProcAddr) {
    return;
  }
  const vk::MemberInfo& parameter = command.parameters->members[0];
  const std::string id = absl::StrCat("VUID-", command.name, "-", parameter.name, "-parameter");
  vk::VuidIndex rule;
  if (!vk::FindVuid(id, &rule)) return;
  const auto instance = reinterpret_cast<VkInstance>(objects.Handle(VK_OBJECT_TYPE_INSTANCE, false));
  const PFN_vkVoidFunction function = get(instance, std::string(command.name).c_str());
  const VkObjectType type = vk::Handles()[parameter.type].object_type;
  const VkObjectType other = type == VK_OBJECT_TYPE_INSTANCE ? VK_OBJECT_TYPE_DEVICE : VK_OBJECT_TYPE_INSTANCE;
  std::string wrong = function == nullptr ? "has no entry point" : "";
  for (uint64_t handle : {uint64_t{0xdeadbeef00}, objects.Destroyed(type), objects.Handle(other, false)}) {
    if (!wrong.empty()) break;
    test::ParameterMemory call(command.id);
    std::memcpy(call.data(), &handle, sizeof(handle));
    test::CallById(command.id, call.data(), function);
    const std::vector<std::string> ids = objects.TakeIds();
    if (ids != std::vector<std::string>{id}) wrong = absl::StrCat("gives ", absl::StrJoin(ids, ", "));
  }
  visit(rule, wrong);
}

}  // namespace

void TestDispatched(TestObjects& objects, const Visit& visit) {
  const PFN_vkGetInstanceProcAddr get = LayersGetInstanceProcAddr();
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    TestCommand(objects, get, vk::GetCommandInfo(static_cast<vk::CommandId>(i)), visit);
  }
}

}  // namespace assay::object_lifetimes
