// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies from memory to acceleration structures and micromaps.

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/copies/copy_check.h"
#include "core/copies/copy_rules.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using vk::Vuid;

// The target is null if it is not known.
void CheckFromMemory(const CopyCheck& check, VkDeviceAddress source, const state::BufferRange* target,
                     messages::ObjectRef object, vk::VuidIndex alignment, vk::VuidIndex bound, const Location& info) {
  constexpr VkDeviceAddress kAlignment = 256;
  const Location from = info.Dot("src");
  check.Require(source % kAlignment == 0, alignment, object, from.Dot("deviceAddress"), [&] {
    return std::pair(absl::StrCat("(0x", absl::Hex(source), ") is not a multiple of ", kAlignment, "."), "");
  });
  const state::Buffer* buffer = target != nullptr ? target->buffer.get() : nullptr;
  check.Require(buffer == nullptr || buffer->memory || buffer->is_sparse(), bound, object, info.Dot("dst"), [&] {
    return std::pair(
        absl::StrCat(check.report().reporter().Describe(object), " is in a buffer that is not bound to memory."), "");
  });
}

}  // namespace

void CopyRules::PreCallValidate(const vk::CmdCopyMemoryToAccelerationStructureKHR& call, dispatch::Slot& slot,
                                Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pInfo == nullptr) return;
  const Location command = report.location();
  CheckFromMemory({*buffer, facts_, report}, call.pInfo->src.deviceAddress,
                  DeviceState::Get<state::AccelerationStructure>(call.pInfo->dst), messages::Object(call.pInfo->dst),
                  Vuid("VUID-vkCmdCopyMemoryToAccelerationStructureKHR-pInfo-03743"),
                  Vuid("VUID-vkCmdCopyMemoryToAccelerationStructureKHR-buffer-03745"), command.Dot("pInfo"));
}
void CopyRules::PreCallValidate(const vk::CmdCopyMemoryToMicromapEXT& call, dispatch::Slot& slot,
                                Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pInfo == nullptr) return;
  const Location command = report.location();
  CheckFromMemory({*buffer, facts_, report}, call.pInfo->src.deviceAddress,
                  DeviceState::Get<state::Micromap>(call.pInfo->dst), messages::Object(call.pInfo->dst),
                  Vuid("VUID-vkCmdCopyMemoryToMicromapEXT-pInfo-07544"),
                  Vuid("VUID-vkCmdCopyMemoryToMicromapEXT-buffer-07546"), command.Dot("pInfo"));
}

}  // namespace assay::core
