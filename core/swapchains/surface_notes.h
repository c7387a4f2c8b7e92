// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SWAPCHAINS_SURFACE_NOTES_H_
#define ASSAY_CORE_SWAPCHAINS_SURFACE_NOTES_H_

#include <map>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/swapchains/surface_query.h"
#include "dispatch/dispatch.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// Private to the package: notes of surfaces, from when they are created and asked about.
namespace assay::core {

struct DisplayMode {
  VkPhysicalDevice physical_device;
  VkDisplayKHR display;
  VkDisplayModeKHR handle;
  VkExtent2D visible_region;
  // Whether the program was told that there is no HDMI 3D.
  bool lacks_hdmi_3d = false;
};

// The answers that the program got about a surface and a physical device.
struct ToldOfSurface {
  bool is_supported = false;
  // The last ones.
  std::optional<VkSurfaceCapabilitiesKHR> capabilities;
  std::vector<VkSurfaceFormatKHR> formats;
  std::vector<VkPresentModeKHR> present_modes;
};

// The slot of the surface has it. A window changes while the program runs. So what the program was told counts as much
// as what the driver says now. Threads may ask at the same time.
class SurfaceNotes : public dispatch::SlotData {
 public:
  explicit SurfaceNotes(vk::CommandId command) : created_by(command) {}
  static dispatch::Slot* SlotOf(VkSurfaceKHR surface) {
    return dispatch::HandleTable::Get().Find(VK_OBJECT_TYPE_SURFACE_KHR, reinterpret_cast<uint64_t>(surface));
  }
  // Null for a surface that does not exist.
  static SurfaceNotes* Of(VkSurfaceKHR surface) {
    const dispatch::Slot* const slot = SlotOf(surface);
    return slot != nullptr ? static_cast<SurfaceNotes*>(slot->dispatch_data.get()) : nullptr;
  }

  // Written when the surface is created.
  const vk::CommandId created_by;
  // Of a display surface whose display is known, and whether the display may keep its content.
  std::optional<DisplayMode> mode;
  bool may_persist = true;
  VkDisplaySurfaceStereoTypeNV stereo_type = VK_DISPLAY_SURFACE_STEREO_TYPE_NONE_NV;

  template <class F>
  void Tell(VkPhysicalDevice device, const F& edit) {
    absl::MutexLock lock(&mutex_);
    edit(told_[device]);
  }
  ToldOfSurface Told(VkPhysicalDevice device) {
    absl::MutexLock lock(&mutex_);
    return told_[device];
  }
  // Whether a queue family can present. The driver is asked until it says so.
  bool IsSupportedBy(const dispatch::PhysicalDevice& device, const SurfaceQuery& query) {
    bool was_supported = false;
    Tell(device.handle, [&](const ToldOfSurface& told) { was_supported = told.is_supported; });
    if (was_supported) return true;
    const bool is_supported = query.IsSupportedByAny(device.queue_families.size());
    Tell(device.handle, [&](ToldOfSurface& told) { told.is_supported = is_supported; });
    return is_supported;
  }

 private:
  absl::Mutex mutex_;
  std::map<VkPhysicalDevice, ToldOfSurface> told_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SWAPCHAINS_SURFACE_NOTES_H_
