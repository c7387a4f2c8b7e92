// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/testing/fabricated_calls_fixture.h"

#include "dispatch/dispatch.h"

namespace assay::dispatch {
namespace {

// Different from any handle of the mock driver.
constexpr uint64_t kDriverHandles = 0x3100000000000000;

}  // namespace

void FabricatedCallsFixture::SetUp() {
  ValidationTest::SetUp();
  command_buffer_ = MakeCommandBuffer();
  driver().CheckHandles(false);
}

void FabricatedCallsFixture::TearDown() {
  driver().Reset();
  ValidationTest::TearDown();
}

uint64_t FabricatedCallsFixture::MakeHandle(const vk::HandleInfo& type) {
  switch (type.object_type) {
    case VK_OBJECT_TYPE_INSTANCE:
      return reinterpret_cast<uint64_t>(instance);
    case VK_OBJECT_TYPE_PHYSICAL_DEVICE:
      return reinterpret_cast<uint64_t>(physical_device);
    case VK_OBJECT_TYPE_DEVICE:
      return reinterpret_cast<uint64_t>(device);
    case VK_OBJECT_TYPE_QUEUE:
      return reinterpret_cast<uint64_t>(Queue());
    case VK_OBJECT_TYPE_COMMAND_BUFFER:
      return reinterpret_cast<uint64_t>(command_buffer_);
    default:
      break;
  }
  if (type.dispatchable) return 0;
  const Slot* owner = DispatchableTable::Get().Find(device);
  return HandleTable::Get()
      .Add(type.object_type, kDriverHandles + ++made_, owner->instance, owner->device, HandleKind::kWrapped)
      ->application_handle;
}

}  // namespace assay::dispatch
