// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Fences and semaphores whose payloads are imported from or exported to file descriptors.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/queues/queue_rules.h"
#include "vk/enum_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;

// The properties of a handle type ("Handle Types Supported by VkImportFenceFdInfoKHR", and the same for semaphores).
struct HandleTypes {
  vk::EnumId names;
  uint32_t opaque;
  // The payload is copied: it can be imported temporarily only, and exporting resets the object.
  uint32_t sync;
};
constexpr HandleTypes kFences = {vk::EnumId::kExternalFenceHandleTypeFlagBits,
                                 VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT,
                                 VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT};
constexpr HandleTypes kSemaphores = {vk::EnumId::kExternalSemaphoreHandleTypeFlagBits,
                                     VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
                                     VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT};

void CheckType(const HandleTypes& types, uint32_t type, vk::VuidIndex vuid, messages::ObjectRef object,
               const Location& where, Report& report) {
  if (type == types.opaque || type == types.sync) return;
  report.Error(vuid, {object}, where,
               absl::StrCat("(", vk::FlagsToString(types.names, type), ") is no type of file descriptor."),
               absl::StrCat("Use ", vk::FlagsToString(types.names, types.opaque), " or ",
                            vk::FlagsToString(types.names, types.sync), "."));
}

// The differences between imports of fences and of semaphores.
struct ImportRules {
  const HandleTypes& types;
  std::string_view info;
  std::string_view object;
  vk::VuidIndex type;
  vk::VuidIndex temporary;
  vk::VuidIndex pending;
};
constexpr ImportRules kFenceImports = {kFences,
                                       "pImportFenceFdInfo",
                                       "fence",
                                       vk::Vuid("VUID-VkImportFenceFdInfoKHR-handleType-01464"),
                                       vk::Vuid("VUID-VkImportFenceFdInfoKHR-handleType-07306"),
                                       vk::Vuid("VUID-vkImportFenceFdKHR-fence-01463")};
constexpr ImportRules kSemaphoreImports = {kSemaphores,
                                           "pImportSemaphoreFdInfo",
                                           "semaphore",
                                           vk::Vuid("VUID-VkImportSemaphoreFdInfoKHR-handleType-01143"),
                                           vk::Vuid("VUID-VkImportSemaphoreFdInfoKHR-handleType-07307"),
                                           vk::Vuid("VUID-vkImportSemaphoreFdKHR-semaphore-01142")};

struct Import {
  messages::ObjectRef object;
  uint32_t type;
  bool is_temporary;
  // Whether a queue has the object in use.
  bool is_pending;
};

void CheckImport(const ImportRules& rules, const Import& import, Report& report) {
  const Location command = report.location();
  const Location where = command.Dot(rules.info);
  CheckType(rules.types, import.type, rules.type, import.object, where.Dot("handleType"), report);
  if (import.type == rules.types.sync && !import.is_temporary) {
    report.Error(
        rules.temporary, {import.object}, where.Dot("flags"),
        absl::StrCat("lacks the TEMPORARY bit; a payload of ", vk::FlagsToString(rules.types.names, import.type),
                     " is a copy and can only be imported for a time."),
        "Add the bit to flags.");
  }
  if (import.is_pending) {
    report.Error(rules.pending, {import.object}, where.Dot(rules.object),
                 absl::StrCat("(", report.reporter().Describe(import.object),
                              ") was given to a queue, and the host has not waited for that to complete."),
                 "Wait for the submission before.");
  }
}

// Call with the state tracker's lock. An object whose progress is unknown is not in use.
bool IsPending(const state::Fence* fence) {
  return fence != nullptr && fence->progress.status == state::FenceProgress::Status::kSubmitted &&
         std::ranges::any_of(fence->progress.points, state::IsPending);
}
bool IsPending(const state::Semaphore* semaphore) {
  if (semaphore == nullptr) return false;
  const state::SignalSource& source = semaphore->progress.pending;
  return state::IsPending(source.waited) ||
         (source.kind == state::SignalSource::Kind::kBatches &&
          std::ranges::any_of(source.signals, [](const auto& signal) { return state::IsPending(signal.point); }));
}

}  // namespace

void QueueRules::PreCallValidate(const vk::ImportFenceFdKHR& call, Report& report) const {
  if (call.pImportFenceFdInfo == nullptr) return;
  const VkImportFenceFdInfoKHR& info = *call.pImportFenceFdInfo;
  Import import{messages::Object(info.fence), static_cast<uint32_t>(info.handleType),
                (info.flags & VK_FENCE_IMPORT_TEMPORARY_BIT) != 0, false};
  const auto* fence = DeviceState::Get<state::Fence>(info.fence);
  state_.InspectQueues([&] { import.is_pending = IsPending(fence); });
  CheckImport(kFenceImports, import, report);
}

void QueueRules::PreCallValidate(const vk::ImportSemaphoreFdKHR& call, Report& report) const {
  if (call.pImportSemaphoreFdInfo == nullptr) return;
  const VkImportSemaphoreFdInfoKHR& info = *call.pImportSemaphoreFdInfo;
  Import import{messages::Object(info.semaphore), static_cast<uint32_t>(info.handleType),
                (info.flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT) != 0, false};
  const auto* semaphore = DeviceState::Get<state::Semaphore>(info.semaphore);
  state_.InspectQueues([&] { import.is_pending = IsPending(semaphore); });
  CheckImport(kSemaphoreImports, import, report);
}

void QueueRules::PreCallValidate(const vk::GetFenceFdKHR& call, Report& report) const {
  if (call.pGetFdInfo == nullptr) return;
  const VkFenceGetFdInfoKHR& info = *call.pGetFdInfo;
  const messages::ObjectRef object = messages::Object(info.fence);
  const Location command = report.location();
  const Location where = command.Dot("pGetFdInfo");
  CheckType(kFences, info.handleType, vk::Vuid("VUID-VkFenceGetFdInfoKHR-handleType-01456"), object,
            where.Dot("handleType"), report);
  const auto* fence = DeviceState::Get<state::Fence>(info.fence);
  if (fence == nullptr || info.handleType != VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT) return;
  bool is_unsignaled = false;
  state_.InspectQueues([&] {
    const state::FenceProgress& progress = fence->progress;
    is_unsignaled =
        !progress.is_external && !progress.is_unknown && progress.status == state::FenceProgress::Status::kUnsignaled;
  });
  if (!is_unsignaled) return;
  report.Error(vk::Vuid("VUID-VkFenceGetFdInfoKHR-handleType-01454"), {object}, where.Dot("fence"),
               absl::StrCat("(", report.reporter().Describe(object),
                            ") is unsignaled, and nothing that was submitted signals it."),
               "Submit the fence before.");
}

void QueueRules::PreCallValidate(const vk::GetSemaphoreFdKHR& call, Report& report) const {
  if (call.pGetFdInfo == nullptr) return;
  const VkSemaphoreGetFdInfoKHR& info = *call.pGetFdInfo;
  const messages::ObjectRef object = messages::Object(info.semaphore);
  const Location command = report.location();
  const Location where = command.Dot("pGetFdInfo");
  CheckType(kSemaphores, info.handleType, vk::Vuid("VUID-VkSemaphoreGetFdInfoKHR-handleType-01136"), object,
            where.Dot("handleType"), report);
  const auto* semaphore = DeviceState::Get<state::Semaphore>(info.semaphore);
  if (semaphore == nullptr || info.handleType != VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT) return;
  const auto error = [&](vk::VuidIndex vuid, std::string_view text, std::string fix) {
    report.Error(vuid, {object}, where.Dot("semaphore"),
                 absl::StrCat("(", report.reporter().Describe(object), ") ", text), std::move(fix));
  };
  if (semaphore->is_timeline) {
    return error(vk::Vuid("VUID-VkSemaphoreGetFdInfoKHR-handleType-03253"), "is a timeline semaphore.",
                 "Export the payload of a binary semaphore.");
  }
  bool has_no_signal = false, is_held = false;
  state_.InspectQueues([&] {
    const state::SemaphoreProgress& progress = semaphore->progress;
    if (progress.is_external || progress.was_replaced) return;
    has_no_signal = progress.pending.kind == state::SignalSource::Kind::kNone;
    is_held =
        progress.pending.kind == state::SignalSource::Kind::kBatches &&
        std::ranges::any_of(progress.pending.signals, [](const auto& signal) { return state::IsHeld(signal.point); });
  });
  if (has_no_signal) {
    error(vk::Vuid("VUID-VkSemaphoreGetFdInfoKHR-handleType-01135"),
          "is unsignaled, and nothing that was submitted signals it.", "Submit the signal operation before.");
  }
  if (is_held) {
    error(vk::Vuid("VUID-VkSemaphoreGetFdInfoKHR-handleType-03254"),
          "is signaled by what waits for a timeline semaphore's value that nothing was submitted to signal.",
          "Submit what that waits for before.");
  }
}

}  // namespace assay::core
