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
// What it creates are fresh handles that it knows again, what it is asked it answers with valid and generous values,
// and work that is submitted to it is complete at once. Recording a command costs a call and a return, which makes it
// the ground that benchmarks stand on. A test can say what the driver supports, make any command fail, and watch what
// reaches it.
//
// The namespace is assay::test and not assay::testing, which would hide GoogleTest's ::testing from every test in
// assay.
namespace assay::test {

// What the driver says of itself. Read when the application asks, so set it before.
struct MockConfig {
  MockConfig();

  uint32_t api_version;
  uint32_t physical_device_count = 1;
  VkPhysicalDeviceType device_type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  VkPhysicalDeviceLimits limits;
  VkPhysicalDeviceSparseProperties sparse_properties;
  // Family 0: graphics, compute, transfer, sparse binding and video; family 1: compute and transfer; family 2:
  // transfer.
  std::vector<VkQueueFamilyProperties> queue_families;
  // 0: device-local; 1: host-visible; 2: host-visible and cached; 3: device-local and host-visible; 4: lazily
  // allocated; 5: protected.
  VkPhysicalDeviceMemoryProperties memory;
  // Every feature is supported but these: "robustBufferAccess" in all structures that have it, or
  // "VkPhysicalDeviceVulkan13Features.synchronization2" in one.
  std::set<std::string> disabled_features;
  // Every extension is supported but these; at first VK_KHR_portability_subset, which says that a driver is not a full
  // one.
  std::set<std::string> disabled_extensions;
  // Every format supports everything but these.
  std::map<VkFormat, VkFormatProperties3> formats;
  VkSurfaceCapabilitiesKHR surface_capabilities;
  std::vector<VkSurfaceFormatKHR> surface_formats;
  std::vector<VkPresentModeKHR> present_modes;
  // Called with each structure that vkGetPhysicalDeviceProperties2 fills, after it is filled.
  std::function<void(VkBaseOutStructure*)> adjust_properties;
  // Submitted work stays pending until MockDriver::CompleteWork() or a wait with a timeout other than zero.
  bool hold_work = false;
  // Times that vkDeferredOperationJoinKHR answers VK_THREAD_IDLE_KHR before an operation is complete.
  uint32_t deferred_operation_joins = 0;
};

// The driver of this process. Setters may be called at any time from one thread, while no other is in a Vulkan call.
class MockDriver {
 public:
  // parameters points to the command's struct: *static_cast<const vk::CmdCopyBuffer*>(parameters).
  using Observer = std::function<void(vk::CommandId id, const void* parameters)>;

  static MockDriver& Get();

  MockConfig& config() { return config_; }

  // Back to the default configuration, with no observer, failures or misuses. Objects stay alive.
  void Reset();

  // Called with each command that reaches the driver, before it is carried out, on the calling thread. An empty one
  // switches observing off.
  void SetObserver(Observer observer);

  // Calls observer for one command only; replaces any other observer.
  template <class C>
  void Observe(std::function<void(const C&)> observer) {
    SetObserver([observer = std::move(observer)](vk::CommandId id, const void* parameters) {
      if (id == C::kId) observer(*static_cast<const C*>(parameters));
    });
  }

  // The next `times` calls of a command, after `skip` more, do nothing and return result.
  void FailNext(vk::CommandId id, VkResult result, uint32_t times = 1, uint32_t skip = 0);
  template <class C>
  void FailNext(VkResult result, uint32_t times = 1, uint32_t skip = 0) {
    FailNext(C::kId, result, times, skip);
  }

  // While on, each handle among the parameters themselves and in arrays of handles is looked at, and one that is not
  // the driver's, of another type or already destroyed is a misuse.
  void CheckHandles(bool on);

  // What the driver was given and should not have been, since the last call; one sentence each.
  std::vector<std::string> TakeMisuses();

  // Carries out what config().hold_work left pending.
  void CompleteWork();

  // Number of objects of a type that are alive.
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

  // One flag for all that has to be looked at in each command, so that when there is nothing it is one predictable
  // branch.
  static bool interposed_;

  MockConfig config_;
  std::unique_ptr<Private> private_;
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_MOCK_DRIVER_MOCK_DRIVER_H_
