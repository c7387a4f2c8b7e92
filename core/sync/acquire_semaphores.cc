// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/sync/acquire_semaphores.h"

#include "absl/strings/str_cat.h"
#include "vk/command_info.h"
#include "vk/vuid.h"

namespace assay::core {

using messages::Location;
using state::Items;

void AcquireSemaphores::Check(VkSemaphore semaphore, vk::VuidIndex vuid, const Location& where,
                              messages::Report& report) const {
  vk::CommandId command;
  {
    absl::MutexLock lock(&mutex_);
    const auto found = signals_.find(semaphore);
    if (found == signals_.end()) [[likely]]
      return;
    command = found->second;
  }
  const messages::ObjectRef object = messages::Object(semaphore);
  report.Error(vuid, {object}, where,
               absl::StrCat("(", report.reporter().Describe(object), ") is signaled by ",
                            vk::GetCommandInfo(command).name, "(), and nothing that was submitted since waits for it."),
               "Use a semaphore for each image that may be acquired at a time, or submit a wait for this one before.");
}

void AcquireSemaphores::PreCallValidate(const vk::AcquireNextImageKHR& call, messages::Report& report) const {
  const Location command = report.location();
  Check(call.semaphore, vk::Vuid("VUID-vkAcquireNextImageKHR-semaphore-01286"), command.Dot("semaphore"), report);
}

void AcquireSemaphores::PreCallValidate(const vk::AcquireNextImage2KHR& call, messages::Report& report) const {
  if (call.pAcquireInfo == nullptr) return;
  const Location command = report.location();
  const Location info = command.Dot("pAcquireInfo");
  Check(call.pAcquireInfo->semaphore, vk::Vuid("VUID-VkAcquireNextImageInfoKHR-semaphore-01288"), info.Dot("semaphore"),
        report);
}

void AcquireSemaphores::Signal(absl::Span<const VkSemaphore> semaphores, vk::CommandId command, VkResult result) {
  // Whether a call that failed has signaled them is not known.
  if (result < 0) return Forget(semaphores);
  absl::MutexLock lock(&mutex_);
  for (VkSemaphore handle : semaphores) {
    const auto* semaphore = state::DeviceState::Get<state::Semaphore>(handle);
    if (semaphore != nullptr && !semaphore->is_timeline) signals_[handle] = command;
  }
}

void AcquireSemaphores::Forget(absl::Span<const VkSemaphore> semaphores) {
  absl::MutexLock lock(&mutex_);
  for (VkSemaphore semaphore : semaphores) signals_.erase(semaphore);
}

void AcquireSemaphores::PostCallRecord(const vk::AcquireNextImageKHR& call, VkResult result) {
  if (result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR) Signal({&call.semaphore, 1}, call.kId, result);
}

void AcquireSemaphores::PostCallRecord(const vk::AcquireNextImage2KHR& call, VkResult result) {
  if (call.pAcquireInfo == nullptr || (result != VK_SUCCESS && result != VK_SUBOPTIMAL_KHR)) return;
  Signal({&call.pAcquireInfo->semaphore, 1}, call.kId, result);
}

void AcquireSemaphores::PostCallRecord(const vk::QueueSubmit& call, VkResult result) {
  for (const VkSubmitInfo& submit : Items(call.pSubmits, call.submitCount)) {
    Forget(Items(submit.pWaitSemaphores, submit.waitSemaphoreCount));
    Signal(Items(submit.pSignalSemaphores, submit.signalSemaphoreCount), call.kId, result);
  }
}

void AcquireSemaphores::PostCallRecord(const vk::QueueSubmit2& call, VkResult result) {
  for (const VkSubmitInfo2& submit : Items(call.pSubmits, call.submitCount)) {
    for (const auto& wait : Items(submit.pWaitSemaphoreInfos, submit.waitSemaphoreInfoCount))
      Forget({&wait.semaphore, 1});
    for (const auto& signal : Items(submit.pSignalSemaphoreInfos, submit.signalSemaphoreInfoCount))
      Signal({&signal.semaphore, 1}, call.kId, result);
  }
}

void AcquireSemaphores::PostCallRecord(const vk::QueueBindSparse& call, VkResult result) {
  for (const VkBindSparseInfo& bind : Items(call.pBindInfo, call.bindInfoCount)) {
    Forget(Items(bind.pWaitSemaphores, bind.waitSemaphoreCount));
    Signal(Items(bind.pSignalSemaphores, bind.signalSemaphoreCount), call.kId, result);
  }
}

void AcquireSemaphores::PostCallRecord(const vk::QueuePresentKHR& call, VkResult) {
  if (call.pPresentInfo == nullptr) return;
  Forget(Items(call.pPresentInfo->pWaitSemaphores, call.pPresentInfo->waitSemaphoreCount));
}

void AcquireSemaphores::PostCallRecord(const vk::ImportSemaphoreFdKHR& call, VkResult) {
  if (call.pImportSemaphoreFdInfo != nullptr) Forget({&call.pImportSemaphoreFdInfo->semaphore, 1});
}

void AcquireSemaphores::PostCallRecord(const vk::GetSemaphoreFdKHR& call, VkResult) {
  if (call.pGetFdInfo != nullptr) Forget({&call.pGetFdInfo->semaphore, 1});
}

}  // namespace assay::core
