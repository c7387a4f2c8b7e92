// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queues/fence_check.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using Status = state::FenceProgress::Status;

}  // namespace

void CheckFence(const state::DeviceState& state, VkFence handle, const FenceIds& ids, const Location& where,
                Report& report) {
  const auto* fence = state::DeviceState::Get<state::Fence>(handle);
  if (fence == nullptr) return;
  Status status = Status::kUnknown;
  state.InspectQueues([&] {
    const state::FenceProgress& progress = fence->progress;
    if (progress.is_external || progress.is_unknown) return;
    status = progress.status;
    // Complete, and so signaled.
    if (status == Status::kSubmitted && std::ranges::all_of(progress.points, state::IsComplete)) {
      status = Status::kSignaled;
    }
  });
  if (status == Status::kUnsignaled || status == Status::kUnknown) [[likely]]
    return;
  const messages::ObjectRef object = messages::Object(handle);
  const std::string name = report.reporter().Describe(object);
  if (status == Status::kSignaled) {
    return report.Error(ids.signaled, {object}, where, absl::StrCat("(", name, ") is signaled."),
                        "Reset it with vkResetFences() before.");
  }
  report.Error(
      ids.in_use, {object}, where,
      absl::StrCat("(", name, ") was given to ", status == Status::kSubmitted ? "a queue" : "the presentation engine",
                   " before, and the host has neither waited for it nor reset it since."),
      "Wait for it with vkWaitForFences() and reset it with vkResetFences() before, or use another fence.");
}

}  // namespace assay::core
