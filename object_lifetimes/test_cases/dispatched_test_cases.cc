// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/test_cases/dispatched_test_cases.h"

#include <cstring>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dispatch/dispatch.h"
#include "vk/commands.h"

namespace assay::object_lifetimes {
namespace {

using Visit = std::function<void(vk::VuidIndex rule, const std::string& wrong)>;

PFN_vkGetInstanceProcAddr LayersGetInstanceProcAddr() {
  VkNegotiateLayerInterface negotiation = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT, .loaderLayerInterfaceVersion = 2};
  dispatch::NegotiateLoaderLayerInterfaceVersion(&negotiation);
  return negotiation.pfnGetInstanceProcAddr;
}

template <class C>
void TestCommand(TestObjects& objects, PFN_vkGetInstanceProcAddr get, const Visit& visit) {
  // These two return null for names that they do not know.
  if constexpr (C::kDispatch != vk::DispatchLevel::kGlobal && C::kId != vk::CommandId::kGetInstanceProcAddr &&
                C::kId != vk::CommandId::kGetDeviceProcAddr) {
    const vk::MemberInfo& parameter = vk::GetCommandInfo(C::kId).parameters->members[0];
    const std::string id = absl::StrCat("VUID-", C::kName, "-", parameter.name, "-parameter");
    vk::VuidIndex rule;
    if (!vk::FindVuid(id, &rule)) return;
    const auto instance = reinterpret_cast<VkInstance>(objects.Handle(VK_OBJECT_TYPE_INSTANCE, false));
    const auto function = reinterpret_cast<typename C::Function>(get(instance, std::string(C::kName).c_str()));
    const VkObjectType type = vk::Handles()[parameter.type].object_type;
    const VkObjectType other = type == VK_OBJECT_TYPE_INSTANCE ? VK_OBJECT_TYPE_DEVICE : VK_OBJECT_TYPE_INSTANCE;
    std::string wrong = function == nullptr ? "has no entry point" : "";
    for (uint64_t handle : {uint64_t{0xdeadbeef00}, objects.Destroyed(type), objects.Handle(other, false)}) {
      if (!wrong.empty()) break;
      C call = {};
      std::memcpy(static_cast<void*>(&call), &handle, sizeof(handle));
      vk::CallDown(call, function);
      const std::vector<std::string> ids = objects.TakeIds();
      if (ids != std::vector<std::string>{id}) wrong = absl::StrCat("gives ", absl::StrJoin(ids, ", "));
    }
    visit(rule, wrong);
  }
}

}  // namespace

void TestDispatched(TestObjects& objects, const Visit& visit) {
  const PFN_vkGetInstanceProcAddr get = LayersGetInstanceProcAddr();
#define ASSAY_TEST_COMMAND(Command) TestCommand<vk::Command>(objects, get, visit);
  ASSAY_VK_COMMANDS(ASSAY_TEST_COMMAND)
#undef ASSAY_TEST_COMMAND
}

}  // namespace assay::object_lifetimes
