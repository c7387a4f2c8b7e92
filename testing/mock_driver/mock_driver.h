// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MOCK_DRIVER_MOCK_DRIVER_H_
#define ASSAY_TESTING_MOCK_DRIVER_MOCK_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "vk/command_id.h"
#include "vk/vulkan.h"

// A Vulkan driver that supports every command of the registry and does nothing.
//
// It creates fresh handles, and recognizes them later. It answers queries with valid and generous values. Work that is
// submitted to it is complete at once. Recording a command costs a call and a return, which makes the driver a base for
// benchmarks. A test can configure what the driver supports, make any command fail, and watch the commands that reach
// it.
//
// The namespace is assay::test. A namespace assay::testing would hide GoogleTest's ::testing from every test in assay.
namespace assay::test {

// The driver's configuration. The driver reads it when the application asks, so set it before.
struct MockConfig {
  MockConfig();

  uint32_t api_version;
  uint32_t physical_device_count = 1;
  VkPhysicalDeviceType device_type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  VkPhysicalDeviceLimits limits;
  VkPhysicalDeviceSparseProperties sparse_properties;
  // Family 0: graphics, compute, transfer, sparse binding and video.
  // Family 1: compute and transfer.
  // Family 2: transfer.
  std::vector<VkQueueFamilyProperties> queue_families;
  // 0: device-local; 1: host-visible; 2: host-visible and cached; 3: device-local and host-visible; 4: lazily
  // allocated; 5: protected.
  VkPhysicalDeviceMemoryProperties memory;
  // Every feature is supported except these. "robustBufferAccess" means all structures that have it, and
  // "VkPhysicalDeviceVulkan13Features.synchronization2" means one.
  std::set<std::string> disabled_features;
  // Every extension is supported except these. The default is VK_KHR_portability_subset, which marks a driver that is
  // not a full one.
  std::set<std::string> disabled_extensions;
  // The specVersion of extensions that do not have the registry's.
  std::map<std::string, uint32_t> extension_versions;
  // The features of the formats that do not support everything.
  std::map<VkFormat, VkFormatProperties3> formats;
  // Bits of the queue families that can present to surfaces.
  uint32_t presenting_families = ~0U;
  VkSurfaceCapabilitiesKHR surface_capabilities;
  std::vector<VkSurfaceFormatKHR> surface_formats;
  std::vector<VkPresentModeKHR> present_modes;
  // The one display, if it has planes. The driver makes the handle.
  VkDisplayPropertiesKHR display = {};
  std::vector<VkDisplayPlanePropertiesKHR> display_planes;
  VkDisplayPlaneCapabilitiesKHR display_plane_capabilities = {};
  // Called with each structure of vkGetPhysicalDeviceProperties2, vkGetPhysicalDeviceImageFormatProperties2,
  // vkGetPhysicalDeviceExternalBufferProperties, vkGetPhysicalDeviceSurfaceCapabilities2KHR and
  // vkGetDeviceGroupPresentCapabilitiesKHR, after the driver has filled it.
  std::function<void(VkBaseOutStructure*)> adjust_properties;
  // Called with what vkGetBufferMemoryRequirements2 and its like return.
  std::function<void(VkMemoryRequirements2&)> adjust_requirements;
  // What vkGetQueueCheckpointDataNV returns for any queue.
  std::vector<VkCheckpointDataNV> checkpoints;
  // Submitted work stays pending until MockDriver::CompleteWork() or a wait with a timeout other than zero.
  bool hold_work = false;
  // The number of times that vkDeferredOperationJoinKHR returns VK_THREAD_IDLE_KHR before an operation is complete.
  uint32_t deferred_operation_joins = 0;
};

// The driver of this process. Setters may be called at any time from one thread, while no other is in a Vulkan call.
class MockDriver {
 public:
  // parameters points to the command's struct: *static_cast<const vk::CmdCopyBuffer*>(parameters).
  using Observer = std::function<void(vk::CommandId id, const void* parameters)>;

  static MockDriver& Get();

  MockConfig& config() { return config_; }

  // Restores the default configuration, without observer, failures or misuses. Objects stay alive.
  void Reset();

  // The driver calls the observer with each command that reaches it, before it executes the command, on the calling
  // thread. An empty observer switches this off.
  void SetObserver(Observer observer);

  // Calls observer for one command only. Replaces any other observer.
  template <class C>
  void Observe(std::function<void(const C&)> observer) {
    SetObserver([observer = std::move(observer)](vk::CommandId id, const void* parameters) {
      if (id == C::kId) observer(*static_cast<const C*>(parameters));
    });
  }

  // The command first works for `skip` more calls. Then its next `times` calls do nothing and return result.
  void FailNext(vk::CommandId id, VkResult result, uint32_t times = 1, uint32_t skip = 0);
  template <class C>
  void FailNext(VkResult result, uint32_t times = 1, uint32_t skip = 0) {
    FailNext(C::kId, result, times, skip);
  }

  // While this is on, the driver checks each handle parameter, and each handle in an array. A handle that is not the
  // driver's, of another type or already destroyed is a misuse.
  void CheckHandles(bool on);

  // The misuses since the last call, one sentence each: values that the driver received and should not have.
  std::vector<std::string> TakeMisuses();

  // Executes the work that config().hold_work left pending.
  void CompleteWork();

  // The bytes of memory that was mapped; null if it never was. The handle is the driver's.
  static std::byte* MappedBytes(VkDeviceMemory memory);

  // The number of objects of a type that are alive.
  size_t LiveObjects(VkObjectType type) const;

  // For the driver's own code.
  static bool Interposed() { return interposed_; }
  // True when the command is to return *result and do nothing.
  bool Interpose(vk::CommandId id, const void* parameters, VkResult* result);
  void AddMisuse(std::string misuse);

 private:
  struct Private;

  MockDriver();
  ~MockDriver();
  void UpdateInterposed();

  // One flag for everything to check in each command. If there is nothing, it costs one predictable branch.
  static bool interposed_;

  MockConfig config_;
  std::unique_ptr<Private> private_;
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_MOCK_DRIVER_MOCK_DRIVER_H_
