// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The negative test of the id that every command has for the object that it is dispatched on.

#include <cstring>
#include <string>

#include "gtest/gtest.h"
#include "object_lifetimes/lifetimes_fixture.h"
#include "vk/command_info.h"
#include "vk/vuid.h"

namespace assay::object_lifetimes {
namespace {

class Dispatched : public LifetimesTest {
 protected:
  // Without a device all functions are the layer's own.
  void SetUp() override { CreateInstance(Options()); }

  template <class C>
  void Try(typename C::Function function, uint64_t handle) {
    const vk::CommandInfo& info = vk::GetCommandInfo(C::kId);
    const std::string id =
        "VUID-" + std::string(C::kName) + "-" + std::string(info.parameters->members[0].name) + "-parameter";
    vk::VuidIndex index;
    if (!vk::FindVuid(id, &index)) return;
    ++tried_;
    SCOPED_TRACE(id);
    C call = {};
    std::memcpy(static_cast<void*>(&call), &handle, sizeof(handle));
    vk::CallDown(call, function);
    ExpectMessage(id);
    ExpectNothing();
  }

  template <class C>
  void TryCommand(typename C::Function function) {
    if constexpr (C::kDispatch != vk::DispatchLevel::kGlobal && C::kId != vk::CommandId::kGetInstanceProcAddr &&
                  C::kId != vk::CommandId::kGetDeviceProcAddr) {
      if (function == nullptr) return;
      Try<C>(function, uint64_t{0xdeadbeef00});
      // An object of another type.
      if constexpr (C::kDispatch != vk::DispatchLevel::kInstance)
        Try<C>(function, reinterpret_cast<uint64_t>(instance));
    }
  }

  int tried_ = 0;
};

TEST_F(Dispatched, EachUnknownObjectIsToldByItsOwnId) {
#define ASSAY_TRY(Command) TryCommand<vk::Command>(vk.Command);
  ASSAY_VK_COMMANDS(ASSAY_TRY)
#undef ASSAY_TRY
  EXPECT_GE(tried_, 1000);
}

}  // namespace
}  // namespace assay::object_lifetimes
