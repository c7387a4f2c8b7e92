// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SWAPCHAINS_SWAPCHAIN_RULES_H_
#define ASSAY_CORE_SWAPCHAINS_SWAPCHAIN_RULES_H_

#include <atomic>
#include <cstdint>

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/commands.h"
#include "vk/vuid.h"

// Creating swapchains, acquiring and presenting images. A swapchain must be what its surface supports. The semaphore
// and the fence that an acquisition signals must be free, and a presented image must have been acquired.
//
// The driver is asked what the surface supports when the swapchain is created. Where its answer may change with the
// window, what the program was told last (surface_rules.h) is right, too.
//
// A semaphore is free if no signal operation of it is pending or done that still lacks its wait, and if no submitted
// wait for it may still be pending. The semaphores that a present waits for follow the rules of submissions
// (queue_rules.h).
namespace assay::core {

// Whether the application controls exclusive full-screen access.
inline bool IsExclusive(const VkSwapchainCreateInfoKHR& info) {
  const auto* const exclusive = vk::FindInChain<VkSurfaceFullScreenExclusiveInfoEXT>(info.pNext);
  return exclusive != nullptr && exclusive->fullScreenExclusive == VK_FULL_SCREEN_EXCLUSIVE_APPLICATION_CONTROLLED_EXT;
}

// What is noted of a swapchain. Its slot has it, so that presents take no lock.
struct SwapchainNotes : dispatch::SlotData {
  explicit SwapchainNotes(const VkSwapchainCreateInfoKHR& info)
      : surface(info.surface), transform(info.preTransform), is_exclusive(IsExclusive(info)) {
    const auto* const group = vk::FindInChain<VkDeviceGroupSwapchainCreateInfoKHR>(info.pNext);
    if (group != nullptr) group_modes = group->modes;
  }
  static dispatch::Slot* SlotOf(VkSwapchainKHR swapchain) {
    return dispatch::HandleTable::Get().Find(VK_OBJECT_TYPE_SWAPCHAIN_KHR, reinterpret_cast<uint64_t>(swapchain));
  }
  // Null for a swapchain that does not exist.
  static SwapchainNotes* Of(VkSwapchainKHR swapchain) {
    const dispatch::Slot* const slot = SlotOf(swapchain);
    return slot != nullptr ? static_cast<SwapchainNotes*>(slot->dispatch_data.get()) : nullptr;
  }

  VkSurfaceKHR surface = VK_NULL_HANDLE;
  VkSurfaceTransformFlagBitsKHR transform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
  bool is_exclusive = false;
  VkDeviceGroupPresentModeFlagsKHR group_modes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
  // BitOf() the queues that have presented its images.
  std::atomic<uint64_t> families = 0;
  uint64_t present_id = 0;
};

// 0 for a present of a swapchain that has no id.
inline uint64_t PresentIdOf(const VkPresentInfoKHR& info, uint32_t index) {
  const auto* const ids = vk::FindInChain<VkPresentIdKHR>(info.pNext);
  return ids != nullptr && ids->pPresentIds != nullptr && index < ids->swapchainCount ? ids->pPresentIds[index] : 0;
}
// By family.
inline uint64_t BitOf(const state::Queue& queue) { return uint64_t{1} << queue.family % 64; }

// The validator.
class SwapchainRules {
 public:
  // state must outlive it.
  explicit SwapchainRules(const state::DeviceState& state);

  void PreCallValidate(const vk::CreateSwapchainKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateSharedSwapchainsKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::AcquireNextImageKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::AcquireNextImage2KHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::QueuePresentKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::WaitForPresentKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::ReleaseSwapchainImagesEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::AcquireFullScreenExclusiveModeEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::ReleaseFullScreenExclusiveModeEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetDeviceGroupSurfacePresentModesKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetDeviceGroupSurfacePresentModes2EXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetSwapchainCounterEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::SetLocalDimmingAMD& call, messages::Report& report) const;
  void PreCallValidate(const vk::LatencySleepNV& call, messages::Report& report) const;

  void PostCallRecord(const vk::CreateSwapchainKHR& call, VkResult result);
  void PostCallRecord(const vk::CreateSharedSwapchainsKHR& call, VkResult result);
  void PostCallRecord(const vk::QueuePresentKHR& call, VkResult result);

 private:
  struct AcquireIds;
  struct Acquire;
  // where leads to the owner of the members.
  void Check(const Acquire& acquire, const AcquireIds& ids, const messages::Location& where,
             messages::Report& report) const;
  void CheckSemaphore(const Acquire& acquire, const AcquireIds& ids, const messages::Location& where,
                      messages::Report& report) const;
  void CheckCreation(const VkSwapchainCreateInfoKHR& info, const messages::Location& where,
                     messages::Report& report) const;
  // The index must be that of an image that is acquired.
  void CheckIndex(VkSwapchainKHR swapchain, uint32_t index, vk::VuidIndex id, const messages::Location& where,
                  messages::Report& report) const;
  void CheckImages(const VkPresentInfoKHR& info, const messages::Location& where, messages::Report& report) const;
  void CheckFences(const VkPresentInfoKHR& info, const messages::Location& where, messages::Report& report) const;
  // What the surfaces of presented swapchains need.
  void CheckSurfaces(const VkPresentInfoKHR& info, VkQueue queue, const messages::Location& where,
                     messages::Report& report) const;
  void CheckSupport(VkSurfaceKHR surface, vk::VuidIndex id, messages::Report& report) const;
  void CheckExclusive(VkSwapchainKHR swapchain, vk::VuidIndex retired, vk::VuidIndex other,
                      messages::Report& report) const;

  const state::DeviceState& state_;
  const bool present_id_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SWAPCHAINS_SWAPCHAIN_RULES_H_
