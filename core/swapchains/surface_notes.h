// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SWAPCHAINS_SURFACE_NOTES_H_
#define ASSAY_CORE_SWAPCHAINS_SURFACE_NOTES_H_

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/swapchains/surface_query.h"
#include "dispatch/dispatch.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// Private to the package: what is noted of a surface when it is created and asked about.
namespace assay::core {

// The mode of a display.
struct DisplayMode {
  VkPhysicalDevice physical_device;
  VkDisplayKHR display;
  VkDisplayModeParametersKHR parameters;
  // Whether the program was told that there is no HDMI 3D.
  bool lacks_hdmi_3d = false;
};

// The slot of the surface has it. A window changes while the program runs. So what the program was told last counts as
// much as what the driver says now. Threads may ask at the same time.
class SurfaceNotes : public dispatch::SlotData {
 public:
  explicit SurfaceNotes(vk::CommandId command) : created_by(command) {}
  // Null for a surface that does not exist.
  static SurfaceNotes* Of(VkSurfaceKHR surface) {
    dispatch::Slot* const slot =
        dispatch::HandleTable::Get().Find(VK_OBJECT_TYPE_SURFACE_KHR, reinterpret_cast<uint64_t>(surface));
    return slot != nullptr ? static_cast<SurfaceNotes*>(slot->dispatch_data.get()) : nullptr;
  }

  // Written when the surface is created.
  const vk::CommandId created_by;
  // Of a display surface whose display is known, and whether the display may keep its content.
  std::optional<DisplayMode> mode;
  VkDisplayModeKHR mode_handle = VK_NULL_HANDLE;
  bool may_persist = true;
  VkDisplaySurfaceStereoTypeNV stereo_type = VK_DISPLAY_SURFACE_STEREO_TYPE_NONE_NV;

  void Tell(VkPhysicalDevice device, const VkSurfaceCapabilitiesKHR& capabilities) {
    absl::MutexLock lock(&mutex_);
    capabilities_[device] = capabilities;
  }
  void Tell(VkSurfaceFormatKHR format) {
    absl::MutexLock lock(&mutex_);
    formats_.insert({format.format, format.colorSpace});
  }
  void Tell(VkPresentModeKHR present_mode) {
    absl::MutexLock lock(&mutex_);
    present_modes_.insert(present_mode);
  }
  std::optional<VkSurfaceCapabilitiesKHR> Told(VkPhysicalDevice device) const {
    absl::MutexLock lock(&mutex_);
    const auto found = capabilities_.find(device);
    return found != capabilities_.end() ? std::optional(found->second) : std::nullopt;
  }
  bool WasTold(VkSurfaceFormatKHR format) const {
    absl::MutexLock lock(&mutex_);
    return formats_.contains({format.format, format.colorSpace});
  }
  bool WasTold(VkPresentModeKHR present_mode) const {
    absl::MutexLock lock(&mutex_);
    return present_modes_.contains(present_mode);
  }
  // The driver is asked until it says so.
  bool IsSupportedBy(VkPhysicalDevice device, const SurfaceQuery& query) {
    {
      absl::MutexLock lock(&mutex_);
      if (supporting_.contains(device)) return true;
    }
    if (!query.IsSupported()) return false;
    absl::MutexLock lock(&mutex_);
    supporting_.insert(device);
    return true;
  }

 private:
  mutable absl::Mutex mutex_;
  std::map<VkPhysicalDevice, VkSurfaceCapabilitiesKHR> capabilities_ ABSL_GUARDED_BY(mutex_);
  std::set<std::pair<VkFormat, VkColorSpaceKHR>> formats_ ABSL_GUARDED_BY(mutex_);
  std::set<VkPresentModeKHR> present_modes_ ABSL_GUARDED_BY(mutex_);
  std::set<VkPhysicalDevice> supporting_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SWAPCHAINS_SURFACE_NOTES_H_
