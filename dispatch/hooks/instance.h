// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HOOKS_INSTANCE_H_
#define ASSAY_DISPATCH_HOOKS_INSTANCE_H_

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "dispatch/handles/handle_table.h"
#include "dispatch/hooks/hooks.h"
#include "dispatch/settings/settings.h"
#include "messages/messages.h"
#include "vk/commands.h"
#include "vk/extension_info.h"
#include "vk/vulkan.h"

// After vk/vulkan.h, which configures vulkan_core.h.
#include <vulkan/vk_layer.h>

namespace assay::dispatch {

// The validators of an instance or a device. //layer makes them, and they live as long as that object.
class ValidatorSet {
 public:
  virtual ~ValidatorSet() = default;
};

// The next layer's or driver's function for every command, or null. An alias's function stands in for a missing one.
using NextTable = std::array<PFN_vkVoidFunction, vk::kCommandCount>;

// The next layer's or driver's function for one command, or null.
template <class C>
typename C::Function Next(const NextTable& table) {
  return reinterpret_cast<typename C::Function>(table[static_cast<size_t>(C::kId)]);
}

using ExtensionSet = std::bitset<vk::kExtensionCount>;

// A physical device with its properties, which are asked for again and again.
struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceMemoryProperties memory_properties{};
  std::vector<VkQueueFamilyProperties> queue_families;
};

// One VkInstance: the functions of the next layer or driver, its settings, its reporter and its validators.
class Instance {
 public:
  Instance() = default;
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  VkInstance handle = VK_NULL_HANDLE;
  PFN_vkGetInstanceProcAddr next_get_proc_addr = nullptr;
  PFN_GetPhysicalDeviceProcAddr next_get_physical_device_proc_addr = nullptr;
  NextTable next{};
  HookTable hooks;
  Settings settings;
  mutable messages::Reporter reporter;
  // VkApplicationInfo::apiVersion, at least VK_API_VERSION_1_0.
  uint32_t api_version = VK_API_VERSION_1_0;
  ExtensionSet enabled_extensions;
  Slot* slot = nullptr;

  bool wraps_handles() const { return settings.unique_handles; }

  // The cached record of a physical device; made at the first call for it.
  const PhysicalDevice& GetPhysicalDevice(VkPhysicalDevice physical_device);

  // The slot of a handle that the driver owns and returns again and again (displays, display modes): the same one each
  // time. It becomes a child of the first physical device that it was returned for. has_several_physical_devices is set
  // when it was returned for another one as well.
  Slot* Intern(VkObjectType type, uint64_t driver_handle, Slot* physical_device);

  // Declared after the other public members, so it is destroyed before them.
  std::unique_ptr<ValidatorSet> validators;

 private:
  absl::Mutex mutex_;
  std::map<VkPhysicalDevice, std::unique_ptr<PhysicalDevice>> physical_devices_ ABSL_GUARDED_BY(mutex_);
  std::map<std::pair<VkObjectType, uint64_t>, Slot*> interned_ ABSL_GUARDED_BY(mutex_);
};

// One VkDevice: the functions of the next layer or driver, the enabled extensions and features, and its validators.
class Device {
 public:
  explicit Device(Instance& owner) : instance(owner) {}
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  Instance& instance;
  VkDevice handle = VK_NULL_HANDLE;
  PFN_vkGetDeviceProcAddr next_get_proc_addr = nullptr;
  PFN_vkSetDeviceLoaderData set_loader_data = nullptr;
  NextTable next{};
  HookTable hooks;
  const PhysicalDevice* physical_device = nullptr;
  // The lower of the instance's and the physical device's version.
  uint32_t api_version = VK_API_VERSION_1_0;
  ExtensionSet enabled_extensions;
  // One bit for each record of vk::Features(), set when the application enabled it through that structure.
  std::vector<bool> enabled_features;
  Slot* slot = nullptr;

  bool wraps_handles() const { return instance.settings.unique_handles; }
  messages::Reporter& reporter() const { return instance.reporter; }
  // The queue family's flags; 0 when the index is out of range.
  VkQueueFlags QueueFamilyFlags(uint32_t family) const {
    const auto& families = physical_device->queue_families;
    return family < families.size() ? families[family].queueFlags : 0;
  }
  bool IsEnabled(vk::ExtensionId extension) const { return enabled_extensions[static_cast<size_t>(extension)]; }
  // Whether the feature was enabled through any structure that has it, e.g. "synchronization2".
  bool HasFeature(std::string_view feature) const;

  // Fills enabled_extensions and enabled_features.
  void ReadCreateInfo(const VkDeviceCreateInfo& create_info);

  // The last member, so that it is destroyed first.
  std::unique_ptr<ValidatorSet> validators;
};

// How //layer adds the validators. Each function is called once for an object: when it is complete, and before the
// application has its handle.
struct ValidatorFactory {
  std::unique_ptr<ValidatorSet> (*make_instance_validators)(Instance& instance,
                                                            const VkInstanceCreateInfo& create_info) = nullptr;
  std::unique_ptr<ValidatorSet> (*make_device_validators)(Device& device,
                                                          const VkDeviceCreateInfo& create_info) = nullptr;
};
void SetValidatorFactory(const ValidatorFactory& factory);
const ValidatorFactory& GetValidatorFactory();

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_HOOKS_INSTANCE_H_
