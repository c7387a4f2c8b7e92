// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HOOKS_INSTANCE_H_
#define ASSAY_DISPATCH_HOOKS_INSTANCE_H_

#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "dispatch/handles/handle_table.h"
#include "dispatch/hooks/hooks.h"
#include "dispatch/hooks/next_table.h"       // IWYU pragma: export
#include "dispatch/hooks/physical_device.h"  // IWYU pragma: export
#include "dispatch/settings/settings.h"
#include "messages/messages.h"
#include "vk/commands.h"
#include "vk/extension_info.h"
#include "vk/rules/limit_info.h"
#include "vk/vulkan.h"

// After vk/vulkan.h, which configures vulkan_core.h.
#include <vulkan/vk_layer.h>

namespace assay::dispatch {

// The validators of an instance or a device. //layer makes them, and they live as long as that object.
class ValidatorSet {
 public:
  virtual ~ValidatorSet() = default;
};

// By vk::FeatureId.
using FeatureSet = std::bitset<vk::kFeatureIdCount>;

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

  // The cached record of a physical device; made at the first call for it. One message, at severity information, tells
  // then which limits of the driver the specification does not allow.
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
  // Whether the application names an extension that the registry of this build does not have. It may relax any rule.
  bool has_unknown_extensions = false;
  // Through any structure that has the feature, or by the version or an extension alone (vk::ImplicitFeatures()).
  FeatureSet enabled_features;
  // The same of the device that the driver has, where a validator rewrote the create info: what internal calls may use.
  ExtensionSet extensions_below;
  FeatureSet features_below;
  Slot* slot = nullptr;

  bool wraps_handles() const { return instance.settings.unique_handles; }
  messages::Reporter& reporter() const { return instance.reporter; }
  // The queue family's flags; 0 when the index is out of range.
  VkQueueFlags QueueFamilyFlags(uint32_t family) const {
    const auto& families = physical_device->queue_families;
    return family < families.size() ? families[family].queueFlags : 0;
  }
  // Whether the application names the extension.
  bool IsEnabled(vk::ExtensionId extension) const { return enabled_extensions[static_cast<size_t>(extension)]; }
  // Whether the application names the extension, or the device's version includes it. A version may make parts of an
  // extension optional, or leave them out; features say so.
  bool Includes(vk::ExtensionId extension) const {
    const uint32_t version = vk::GetExtensionInfo(extension).promoted_to_version;
    return IsEnabled(extension) || (version != 0 && version <= api_version);
  }
  bool HasFeature(vk::FeatureId feature) const { return enabled_features[static_cast<size_t>(feature)]; }
  // For names of tables: a feature that is enabled ("synchronization2"), or an extension that the application names.
  bool HasFeatureOrExtension(std::string_view name) const;
  // Nothing if neither the version nor an enabled extension has the limit; see also PhysicalDevice::Limit().
  std::optional<uint64_t> Limit(const vk::LimitInfo& limit) const;

  // Fills what is enabled for the application, by its create info, and below, by what the driver got. Needs
  // api_version.
  void ReadCreateInfo(const VkDeviceCreateInfo& create_info, const VkDeviceCreateInfo& below);

  // The last member, so that it is destroyed first.
  std::unique_ptr<ValidatorSet> validators;
};

// How //layer adds the validators. Each function is called once for an object, before the application has its handle.
// An instance has its settings, version and extensions then, but nothing below yet: its validators check the call that
// creates it. A device is complete.
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
