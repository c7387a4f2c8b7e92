// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands of the host on events and semaphores.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/barriers/sync_rules.h"
#include "core/masks/check.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;

template <class C>
void CheckHostEvent(const SyncLimits& limits, const C& call, messages::Report& report, vk::VuidIndex vuid) {
  const auto* event = state::DeviceState::Get<state::Event>(call.event);
  if (event == nullptr || !event->is_device_only) return;
  const Check check{limits, report, messages::Object(call.device)};
  const Location command = report.location();
  check.Error(
      vuid, command.Dot("event"),
      absl::StrCat(check.Describe(messages::Object(call.event)), " was created with VK_EVENT_CREATE_DEVICE_ONLY_BIT."),
      "Create the event without the flag.", messages::Object(call.event));
}

// where leads to the handle.
void CheckTimeline(const Check& check, VkSemaphore handle, vk::VuidIndex vuid, const Location& where) {
  const auto* semaphore = state::DeviceState::Get<state::Semaphore>(handle);
  if (semaphore == nullptr || semaphore->is_timeline) return;
  check.Error(vuid, where, absl::StrCat(check.Describe(messages::Object(handle)), " is a binary semaphore."),
              "Create it with VkSemaphoreTypeCreateInfo::semaphoreType VK_SEMAPHORE_TYPE_TIMELINE.",
              messages::Object(handle));
}

}  // namespace

void SyncRules::PreCallValidate(const vk::CreateEvent& call, messages::Report& report) const {
  constexpr VkQueueFlags kWithEvents =
      VK_QUEUE_VIDEO_ENCODE_BIT_KHR | VK_QUEUE_VIDEO_DECODE_BIT_KHR | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT;
  const Check check{limits_, report, messages::Object(call.device)};
  const auto has_events = [](const VkQueueFamilyProperties& family) { return (family.queueFlags & kWithEvents) != 0; };
  if (std::ranges::none_of(limits_.device.physical_device->queue_families, has_events)) {
    check.Error(vk::Vuid("VUID-vkCreateEvent-device-09672"), report.location(),
                "is of no use for a device whose queue families all lack graphics, compute and video coding.",
                "Synchronize with barriers and semaphores.");
  }
  if (limits_.device.IsEnabled(vk::ExtensionId::kKhrPortabilitySubset) &&
      !limits_.device.HasFeature(vk::FeatureId::kEvents)) {
    check.Error(vk::Vuid("VUID-vkCreateEvent-events-04468"), report.location(),
                "needs VkPhysicalDevicePortabilitySubsetFeaturesKHR::events, which is not enabled.",
                "Enable events at vkCreateDevice() if the device has the feature, or use other synchronization.");
  }
}

void SyncRules::PreCallValidate(const vk::SetEvent& call, messages::Report& report) const {
  CheckHostEvent(limits_, call, report, vk::Vuid("VUID-vkSetEvent-event-03941"));
}
void SyncRules::PreCallValidate(const vk::ResetEvent& call, messages::Report& report) const {
  CheckHostEvent(limits_, call, report, vk::Vuid("VUID-vkResetEvent-event-03823"));
}
void SyncRules::PreCallValidate(const vk::GetEventStatus& call, messages::Report& report) const {
  CheckHostEvent(limits_, call, report, vk::Vuid("VUID-vkGetEventStatus-event-03940"));
}

void SyncRules::PreCallValidate(const vk::WaitSemaphores& call, messages::Report& report) const {
  if (call.pWaitInfo == nullptr) return;
  const Check check{limits_, report, messages::Object(call.device)};
  const Location command = report.location();
  const Location info = command.Dot("pWaitInfo");
  for (uint32_t i = 0;
       VkSemaphore semaphore : state::Items(call.pWaitInfo->pSemaphores, call.pWaitInfo->semaphoreCount)) {
    CheckTimeline(check, semaphore, vk::Vuid("VUID-VkSemaphoreWaitInfo-pSemaphores-03256"),
                  info.Dot("pSemaphores", i++));
  }
}

void SyncRules::PreCallValidate(const vk::SignalSemaphore& call, messages::Report& report) const {
  if (call.pSignalInfo == nullptr) return;
  const Check check{limits_, report, messages::Object(call.device)};
  const Location command = report.location();
  const Location info = command.Dot("pSignalInfo");
  const VkSemaphoreSignalInfo& signal = *call.pSignalInfo;
  CheckTimeline(check, signal.semaphore, vk::Vuid("VUID-VkSemaphoreSignalInfo-semaphore-03257"), info.Dot("semaphore"));
  const auto* semaphore = state::DeviceState::Get<state::Semaphore>(signal.semaphore);
  // The value never falls below the initial value; the current value is unknown.
  if (semaphore == nullptr || !semaphore->is_timeline || signal.value > semaphore->initial_value) return;
  check.Error(vk::Vuid("VUID-VkSemaphoreSignalInfo-value-03258"), info.Dot("value"),
              absl::StrCat("(", signal.value, ") is not greater than the initial value of ",
                           check.Describe(messages::Object(signal.semaphore)), " (", semaphore->initial_value, ")."),
              "Signal a greater value each time.", messages::Object(signal.semaphore));
}

void SyncRules::PreCallValidate(const vk::GetSemaphoreCounterValue& call, messages::Report& report) const {
  const Check check{limits_, report, messages::Object(call.device)};
  const Location command = report.location();
  CheckTimeline(check, call.semaphore, vk::Vuid("VUID-vkGetSemaphoreCounterValue-semaphore-03255"),
                command.Dot("semaphore"));
}

}  // namespace assay::core
