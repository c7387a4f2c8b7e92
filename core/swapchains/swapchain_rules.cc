// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/swapchains/swapchain_rules.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/queues/binary_semaphore_checker.h"
#include "core/queues/fence_check.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"

namespace assay::core {

using messages::Location;
using messages::Report;
using state::DeviceState;
using state::Items;

struct SwapchainRules::AcquireIds {
  vk::VuidIndex nothing, retired, timeline, is_signaled, is_pending;
  FenceIds fence;
};
struct SwapchainRules::Acquire {
  VkSwapchainKHR swapchain;
  VkSemaphore semaphore;
  VkFence fence;
};

SwapchainRules::SwapchainRules(const state::DeviceState& state)
    : state_(state), present_id_(state.device().HasFeature(vk::FeatureId::kPresentId)) {}

void SwapchainRules::CheckSemaphore(const Acquire& acquire, const AcquireIds& ids, const Location& where,
                                    Report& report) const {
  const auto* semaphore = DeviceState::Get<state::Semaphore>(acquire.semaphore);
  if (semaphore == nullptr) return;
  const messages::ObjectRef object = messages::Object(acquire.semaphore);
  const auto error = [&](vk::VuidIndex vuid, const std::string& text, std::string fix) {
    report.Error(vuid, {object}, where, absl::StrCat("(", report.reporter().Describe(object), ") ", text),
                 std::move(fix));
  };
  if (semaphore->is_timeline) {
    return error(ids.timeline, "is a timeline semaphore.", "Create a binary semaphore.");
  }
  state::SignalSource source;
  state_.InspectQueues([&] {
    const state::SemaphoreProgress& progress = semaphore->progress;
    if (!progress.is_external && !progress.was_replaced) source = progress.pending;
    if (!state::IsPending(source.waited)) source.waited = {};
  });
  using Kind = state::SignalSource::Kind;
  if (source.kind == Kind::kBatches || source.kind == Kind::kAcquire) {
    error(ids.is_signaled,
          absl::StrCat("is signaled by ", SignalText(source, report.reporter()),
                       ", and nothing that was submitted since waits for it."),
          "Use a semaphore for each image that may be acquired at a time, or submit a wait for this one before.");
  } else if (source.waited.queue != nullptr) {
    error(
        ids.is_pending,
        absl::StrCat("is waited for by what was submitted to ",
                     report.reporter().Describe({VK_OBJECT_TYPE_QUEUE, source.waited.queue->handle()}),
                     ", and the host has not waited for that to complete."),
        "Wait for the fence of the submission that waited for the semaphore last, or use a semaphore for each frame in "
        "flight.");
  }
}

void SwapchainRules::Check(const Acquire& acquire, const AcquireIds& ids, const Location& where, Report& report) const {
  const messages::ObjectRef object = messages::Object(acquire.swapchain);
  const auto* swapchain = DeviceState::Get<state::Swapchain>(acquire.swapchain);
  if (swapchain != nullptr && swapchain->is_retired) {
    report.Error(ids.retired, {object}, where.Dot("swapchain"),
                 absl::StrCat("(", report.reporter().Describe(object),
                              ") is retired: another swapchain was created with it as oldSwapchain."),
                 "Acquire images from the new swapchain.");
  }
  if (acquire.semaphore == VK_NULL_HANDLE && acquire.fence == VK_NULL_HANDLE) {
    return report.Error(ids.nothing, {object}, where.Dot("semaphore"),
                        "is VK_NULL_HANDLE, and so is fence: nothing would tell when the image may be used.",
                        "Give a semaphore or a fence.");
  }
  CheckSemaphore(acquire, ids, where.Dot("semaphore"), report);
  CheckFence(state_, acquire.fence, ids.fence, where.Dot("fence"), report);
}

void SwapchainRules::PreCallValidate(const vk::AcquireNextImageKHR& call, Report& report) const {
  static constexpr AcquireIds kIds = {.nothing = vk::Vuid("VUID-vkAcquireNextImageKHR-semaphore-01780"),
                                      .retired = vk::Vuid("VUID-vkAcquireNextImageKHR-swapchain-01285"),
                                      .timeline = vk::Vuid("VUID-vkAcquireNextImageKHR-semaphore-03265"),
                                      .is_signaled = vk::Vuid("VUID-vkAcquireNextImageKHR-semaphore-01286"),
                                      .is_pending = vk::Vuid("VUID-vkAcquireNextImageKHR-semaphore-01779"),
                                      .fence = {vk::Vuid("VUID-vkAcquireNextImageKHR-fence-01287"),
                                                vk::Vuid("VUID-vkAcquireNextImageKHR-fence-10066")}};
  Check({call.swapchain, call.semaphore, call.fence}, kIds, report.location(), report);
}

void SwapchainRules::PreCallValidate(const vk::AcquireNextImage2KHR& call, Report& report) const {
  static constexpr AcquireIds kIds = {.nothing = vk::Vuid("VUID-VkAcquireNextImageInfoKHR-semaphore-01782"),
                                      .retired = vk::Vuid("VUID-VkAcquireNextImageInfoKHR-swapchain-01675"),
                                      .timeline = vk::Vuid("VUID-VkAcquireNextImageInfoKHR-semaphore-03266"),
                                      .is_signaled = vk::Vuid("VUID-VkAcquireNextImageInfoKHR-semaphore-01288"),
                                      .is_pending = vk::Vuid("VUID-VkAcquireNextImageInfoKHR-semaphore-01781"),
                                      .fence = {vk::Vuid("VUID-VkAcquireNextImageInfoKHR-fence-01289"),
                                                vk::Vuid("VUID-VkAcquireNextImageInfoKHR-fence-10067")}};
  if (call.pAcquireInfo == nullptr) return;
  const VkAcquireNextImageInfoKHR& info = *call.pAcquireInfo;
  const Location command = report.location();
  Check({info.swapchain, info.semaphore, info.fence}, kIds, command.Dot("pAcquireInfo"), report);
}

void SwapchainRules::CheckIndex(VkSwapchainKHR swapchain, uint32_t index, vk::VuidIndex id, const Location& where,
                                Report& report) const {
  const auto* found = DeviceState::Get<state::Swapchain>(swapchain);
  if (found == nullptr) return;
  bool is_acquired = true;
  state_.InspectQueues([&] {
    const state::SwapchainProgress& progress = found->progress;
    is_acquired = index < progress.images.size() ? progress.images[index].is_acquired : !progress.is_complete;
  });
  if (is_acquired) return;
  report.Error(id, {messages::Object(swapchain)}, where,
               absl::StrCat("(", index, ") is no image of ", report.reporter().Describe(messages::Object(swapchain)),
                            " that is acquired now."),
               "Give the index that vkAcquireNextImageKHR() gave, once.");
}

void SwapchainRules::PreCallValidate(const vk::ReleaseSwapchainImagesEXT& call, Report& report) const {
  if (call.pReleaseInfo == nullptr) return;
  const VkReleaseSwapchainImagesInfoEXT& info = *call.pReleaseInfo;
  const Location command = report.location();
  const Location where = command.Dot("pReleaseInfo");
  for (uint32_t i = 0; const uint32_t index : Items(info.pImageIndices, info.imageIndexCount)) {
    CheckIndex(info.swapchain, index, vk::Vuid("VUID-VkReleaseSwapchainImagesInfoEXT-pImageIndices-07785"),
               where.Dot("pImageIndices", i++), report);
  }
}

void SwapchainRules::CheckImages(const VkPresentInfoKHR& info, const Location& where, Report& report) const {
  const auto swapchains = Items(info.pSwapchains, info.swapchainCount);
  const auto indices = Items(info.pImageIndices, info.swapchainCount);
  for (uint32_t i = 0; i < swapchains.size() && i < indices.size(); ++i) {
    const messages::ObjectRef object = messages::Object(swapchains[i]);
    if (std::find(swapchains.begin(), swapchains.begin() + i, swapchains[i]) != swapchains.begin() + i) {
      report.Error(vk::Vuid("VUID-VkPresentInfoKHR-pSwapchain-09231"), {object}, where.Dot("pSwapchains", i),
                   absl::StrCat("(", report.reporter().Describe(object), ") is there more than once."),
                   "Present one image of a swapchain at a time.");
      continue;
    }
    CheckIndex(swapchains[i], indices[i], vk::Vuid("VUID-VkPresentInfoKHR-pImageIndices-01430"),
               where.Dot("pImageIndices", i), report);
  }
}

void SwapchainRules::CheckFences(const VkPresentInfoKHR& info, const Location& where, Report& report) const {
  constexpr std::string_view kName = "VkSwapchainPresentFenceInfoEXT";
  static constexpr FenceIds kIds = {vk::Vuid("VUID-VkSwapchainPresentFenceInfoEXT-pFences-07758"),
                                    vk::Vuid("VUID-VkSwapchainPresentFenceInfoEXT-pFences-07759")};
  const auto* fences = vk::FindInChain<VkSwapchainPresentFenceInfoEXT>(info.pNext);
  if (fences == nullptr) return;
  const Location array = where.Next(kName, "pFences");
  for (uint32_t i = 0; VkFence fence : Items(fences->pFences, fences->swapchainCount)) {
    CheckFence(state_, fence, kIds, array.At(i++), report);
  }
}

namespace {

// The structures in VkPresentInfoKHR's chain that have an element for each swapchain.
template <class Chained>
void CheckCount(const VkPresentInfoKHR& info, std::string_view name, vk::VuidIndex vuid, bool may_be_none,
                const Location& where, Report& report) {
  const auto* chained = vk::FindInChain<Chained>(info.pNext);
  if (chained == nullptr || chained->swapchainCount == info.swapchainCount) return;
  if (may_be_none && chained->swapchainCount == 0) return;
  report.Error(vuid, {}, where.Next(name, "swapchainCount"),
               absl::StrCat("(", chained->swapchainCount, ") differs from swapchainCount of VkPresentInfoKHR (",
                            info.swapchainCount, ")."),
               "Give an element for each swapchain.");
}

void CheckCounts(const VkPresentInfoKHR& info, const Location& where, Report& report) {
  CheckCount<VkSwapchainPresentFenceInfoEXT>(info, "VkSwapchainPresentFenceInfoEXT",
                                             vk::Vuid("VUID-VkSwapchainPresentFenceInfoEXT-swapchainCount-07757"),
                                             false, where, report);
  CheckCount<VkSwapchainPresentModeInfoEXT>(info, "VkSwapchainPresentModeInfoEXT",
                                            vk::Vuid("VUID-VkSwapchainPresentModeInfoEXT-swapchainCount-07760"), false,
                                            where, report);
  CheckCount<VkPresentIdKHR>(info, "VkPresentIdKHR", vk::Vuid("VUID-VkPresentIdKHR-swapchainCount-04998"), false, where,
                             report);
  CheckCount<VkPresentRegionsKHR>(info, "VkPresentRegionsKHR",
                                  vk::Vuid("VUID-VkPresentRegionsKHR-swapchainCount-01260"), false, where, report);
  CheckCount<VkPresentTimesInfoGOOGLE>(info, "VkPresentTimesInfoGOOGLE",
                                       vk::Vuid("VUID-VkPresentTimesInfoGOOGLE-swapchainCount-01247"), false, where,
                                       report);
  CheckCount<VkDeviceGroupPresentInfoKHR>(info, "VkDeviceGroupPresentInfoKHR",
                                          vk::Vuid("VUID-VkDeviceGroupPresentInfoKHR-swapchainCount-01297"), true,
                                          where, report);
}

// Present modes: all or none of the swapchains were created with a list of modes, and each present mode is in the list.
void CheckPresentModes(const VkPresentInfoKHR& info, const Location& where, Report& report) {
  const auto swapchains = Items(info.pSwapchains, info.swapchainCount);
  const auto* chosen = vk::FindInChain<VkSwapchainPresentModeInfoEXT>(info.pNext);
  const auto modes =
      chosen != nullptr ? Items(chosen->pPresentModes, chosen->swapchainCount) : absl::Span<const VkPresentModeKHR>();
  const Location array = where.Next("VkSwapchainPresentModeInfoEXT", "pPresentModes");
  const state::Swapchain *with = nullptr, *without = nullptr;
  for (uint32_t i = 0; i < swapchains.size(); ++i) {
    const auto* swapchain = DeviceState::Get<state::Swapchain>(swapchains[i]);
    if (swapchain == nullptr) continue;
    (swapchain->present_modes.empty() ? without : with) = swapchain;
    if (i >= modes.size() || std::ranges::find(swapchain->present_modes, modes[i]) != swapchain->present_modes.end()) {
      continue;
    }
    const messages::ObjectRef object = messages::Object(swapchains[i]);
    report.Error(vk::Vuid("VUID-VkSwapchainPresentModeInfoEXT-pPresentModes-07761"), {object}, array.At(i),
                 absl::StrCat("(", vk::ToString(modes[i]), ") is not among those that ",
                              report.reporter().Describe(object), " was created with."),
                 "Name it in VkSwapchainPresentModesCreateInfoEXT::pPresentModes at vkCreateSwapchainKHR().");
  }
  if (with == nullptr || without == nullptr) return;
  const messages::ObjectRef object = {VK_OBJECT_TYPE_SWAPCHAIN_KHR, without->handle()};
  const messages::ObjectRef other = {VK_OBJECT_TYPE_SWAPCHAIN_KHR, with->handle()};
  report.Error(vk::Vuid("VUID-VkPresentInfoKHR-pSwapchains-09199"), {object, other}, where.Dot("pSwapchains"),
               absl::StrCat("has ", report.reporter().Describe(other),
                            ", which was created with VkSwapchainPresentModesCreateInfoEXT, and ",
                            report.reporter().Describe(object), ", which was not."),
               "Create all of them with the structure, or present them apart.");
}

}  // namespace

void SwapchainRules::PreCallValidate(const vk::WaitForPresentKHR& call, Report& report) const {
  const auto* swapchain = DeviceState::Get<state::Swapchain>(call.swapchain);
  if (swapchain == nullptr || !swapchain->is_retired) return;
  const messages::ObjectRef object = messages::Object(call.swapchain);
  const Location command = report.location();
  report.Error(vk::Vuid("VUID-vkWaitForPresentKHR-swapchain-04997"), {object}, command.Dot("swapchain"),
               absl::StrCat("(", report.reporter().Describe(object),
                            ") is retired: another swapchain was created with it as oldSwapchain."),
               "Wait before the other swapchain is created.");
}

void SwapchainRules::PreCallValidate(const vk::QueuePresentKHR& call, Report& report) const {
  if (call.pPresentInfo == nullptr) return;
  const VkPresentInfoKHR& info = *call.pPresentInfo;
  const Location command = report.location();
  const Location where = command.Dot("pPresentInfo");
  for (uint32_t i = 0; VkSemaphore handle : Items(info.pWaitSemaphores, info.waitSemaphoreCount)) {
    const Location element = where.Dot("pWaitSemaphores", i++);
    const auto* semaphore = DeviceState::Get<state::Semaphore>(handle);
    if (semaphore == nullptr || !semaphore->is_timeline) continue;
    const messages::ObjectRef object = messages::Object(handle);
    report.Error(vk::Vuid("VUID-vkQueuePresentKHR-pWaitSemaphores-03267"), {object}, element,
                 absl::StrCat("(", report.reporter().Describe(object), ") is a timeline semaphore."),
                 "Have a submission that waits for it signal a binary semaphore.");
  }
  const auto* ids = vk::FindInChain<VkPresentIdKHR>(info.pNext);
  if (ids != nullptr && !present_id_) {
    for (uint32_t i = 0; uint64_t id : Items(ids->pPresentIds, ids->swapchainCount)) {
      const Location array = where.Next("VkPresentIdKHR", "pPresentIds");
      const Location element = array.At(i++);
      if (id == 0) continue;
      report.Error(vk::Vuid("VUID-VkPresentInfoKHR-pNext-06235"), {messages::Object(call.queue)}, element,
                   absl::StrCat("is ", id, ", but the presentId feature is not enabled."),
                   "Enable presentId at vkCreateDevice().");
    }
  }
  CheckImages(info, where, report);
  if (info.pNext != nullptr) CheckCounts(info, where, report);
  CheckPresentModes(info, where, report);
  CheckFences(info, where, report);
  CheckSurfaces(info, call.queue, where, report);
}

void SwapchainRules::PostCallRecord(const vk::CreateSwapchainKHR& call, VkResult result) {
  dispatch::Slot* const slot = result >= 0 ? SwapchainNotes::SlotOf(*call.pSwapchain) : nullptr;
  if (slot != nullptr) slot->dispatch_data = std::make_unique<SwapchainNotes>(*call.pCreateInfo);
}
void SwapchainRules::PostCallRecord(const vk::CreateSharedSwapchainsKHR& call, VkResult result) {
  for (uint32_t i = 0; result >= 0 && i < call.swapchainCount; ++i)
    PostCallRecord(vk::CreateSwapchainKHR{call.device, &call.pCreateInfos[i], nullptr, &call.pSwapchains[i]}, result);
}

void SwapchainRules::PostCallRecord(const vk::QueuePresentKHR& call, VkResult result) {
  const auto* queue = DeviceState::Get(call.queue);
  // One swapchain of several may be out of date.
  if (queue == nullptr || (result < 0 && result != VK_ERROR_OUT_OF_DATE_KHR)) return;
  const VkPresentInfoKHR& info = *call.pPresentInfo;
  for (uint32_t i = 0; VkSwapchainKHR swapchain : Items(info.pSwapchains, info.swapchainCount)) {
    const uint64_t id = result >= 0 ? PresentIdOf(info, i) : 0;
    ++i;
    SwapchainNotes* const notes = SwapchainNotes::Of(swapchain);
    if (notes == nullptr) continue;
    if ((notes->families & BitOf(*queue)) == 0) notes->families |= BitOf(*queue);
    notes->present_id = std::max(notes->present_id, id);
  }
}

}  // namespace assay::core
