// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_SUBMITTED_COMMANDS_H_
#define ASSAY_CORE_RECORDING_SUBMITTED_COMMANDS_H_

#include <cstdint>
#include <type_traits>

#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

// The command buffers of vkQueueSubmit and vkQueueSubmit2.
namespace assay::core {

// Calls visit(handle, batch, index) for each.
template <class F>
void ForEachCommandBuffer(const vk::QueueSubmit& call, F&& visit) {
  for (uint32_t i = 0; const VkSubmitInfo& info : state::Items(call.pSubmits, call.submitCount)) {
    for (uint32_t j = 0; VkCommandBuffer handle : state::Items(info.pCommandBuffers, info.commandBufferCount)) {
      visit(handle, i, j++);
    }
    ++i;
  }
}
template <class F>
void ForEachCommandBuffer(const vk::QueueSubmit2& call, F&& visit) {
  for (uint32_t i = 0; const VkSubmitInfo2& info : state::Items(call.pSubmits, call.submitCount)) {
    for (uint32_t j = 0; const auto& buffer : state::Items(info.pCommandBufferInfos, info.commandBufferInfoCount)) {
      visit(buffer.commandBuffer, i, j++);
    }
    ++i;
  }
}

// Calls visit(location) with the location of the handle.
template <class C, class F>
void WithCommandBufferLocation(const messages::Location& command, uint32_t batch, uint32_t index, F&& visit) {
  const messages::Location submit = command.Dot("pSubmits", batch);
  if constexpr (std::is_same_v<C, vk::QueueSubmit2>) {
    const messages::Location element = submit.Dot("pCommandBufferInfos", index);
    visit(element.Dot("commandBuffer"));
  } else {
    visit(submit.Dot("pCommandBuffers", index));
  }
}

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_SUBMITTED_COMMANDS_H_
