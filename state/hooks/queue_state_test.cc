// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/hooks/queue_state.h"

#include <type_traits>

#include "gtest/gtest.h"
#include "vk/command_info.h"
#include "vk/commands.h"

namespace assay::state {
namespace {

using dispatch::HasPostCallRecord;
using dispatch::HasPostCallRecordWithResult;
using dispatch::HasPreCallRecord;

// Every hook of DeviceState for the command.
template <class C>
bool HasItsHooks() {
  bool has = HasPreCallRecord<QueueState, C> == HasPreCallRecord<DeviceState, C>;
  if constexpr (std::is_void_v<typename C::Result>) {
    has = has && HasPostCallRecord<QueueState, C> == HasPostCallRecord<DeviceState, C>;
  } else {
    has = has && HasPostCallRecordWithResult<QueueState, C> == HasPostCallRecordWithResult<DeviceState, C>;
  }
  return has;
}

TEST(QueueState, HasTheHooksOfQueues) {
  EXPECT_TRUE((HasPreCallRecord<QueueState, vk::QueueSubmit2>));
  EXPECT_TRUE((HasPostCallRecordWithResult<QueueState, vk::QueueSubmit2>));
  EXPECT_TRUE((HasPostCallRecordWithResult<QueueState, vk::CreateFence>));
  EXPECT_TRUE((HasPostCallRecord<QueueState, vk::GetDeviceQueue>));
  EXPECT_TRUE((HasPostCallRecord<QueueState, vk::CmdWriteTimestamp2>));
  vk::ForEachCommand([](auto tag) {
    using C = typename decltype(tag)::Command;
    if constexpr (ConcernsQueues<C>) {
      EXPECT_TRUE(HasItsHooks<C>()) << vk::GetCommandInfo(C::kId).name;
    } else {
      EXPECT_FALSE((HasPreCallRecord<QueueState, C>)) << vk::GetCommandInfo(C::kId).name;
    }
  });
}

TEST(QueueState, HasNoHooksOfResourcesAndRecording) {
  EXPECT_FALSE((HasPostCallRecordWithResult<QueueState, vk::CreateBuffer>));
  EXPECT_FALSE((HasPreCallRecord<QueueState, vk::DestroyBuffer>));
  EXPECT_FALSE((HasPostCallRecord<QueueState, vk::CmdBindPipeline>));
  EXPECT_FALSE((HasPreCallRecord<QueueState, vk::CmdDraw>));
}

}  // namespace
}  // namespace assay::state
