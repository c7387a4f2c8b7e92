// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_DEVICE_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_DEVICE_H_

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "spirv_instrument/corpus/vulkan.h"
#include "testing/functions.h"
#include "testing/message_log.h"
#include "testing/system_loader.h"
#include "testing/test_device.h"

namespace assay::spirv_instrument::corpus {

// The first device of the driver that the loader finds, for any number of runs, one at a time. It has every extension
// and feature of the driver that a shader can use, but no robust access: a bad access does what the driver does with
// it.
class Device {
 public:
  // Fails if there is no device.
  static absl::StatusOr<std::unique_ptr<Device>> Create();

  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // All commands.
  const test::Functions& vk() const { return device_.vk; }
  VkInstance instance() const { return device_.instance; }
  VkPhysicalDevice physical_device() const { return device_.physical_device; }
  VkDevice handle() const { return device_.device; }
  // It supports everything.
  VkQueue queue() const { return queue_; }
  // Of the family of that queue.
  VkCommandPool command_pool() const { return command_pool_; }

  // What layers have said so far.
  test::MessageLog& messages() { return messages_; }

  // VkPhysicalDeviceProperties::deviceName.
  const std::string& name() const { return name_; }
  const VkPhysicalDeviceLimits& limits() const { return limits_; }
  // Whether the extension is enabled.
  bool Has(std::string_view extension) const { return extensions_.contains(extension); }
  // The size of a handle of a shader group, and what the addresses of handles in a table are multiples of; 0 without
  // ray tracing pipelines.
  uint32_t group_handle_size() const { return group_handle_size_; }
  uint32_t group_base_alignment() const { return group_base_alignment_; }
  // Of the scratch memory of a build of an acceleration structure.
  uint32_t scratch_alignment() const { return scratch_alignment_; }

  // The first memory type of these that has all of `flags`. Vulkan guarantees that buffers and linear images can have
  // VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT. Where there is none, the first of them.
  uint32_t FindMemoryType(uint32_t allowed_types, VkMemoryPropertyFlags flags) const;

 private:
  Device() : device_(loader_, messages_) {}
  absl::Status Initialize();
  void ReadProperties();

  test::SystemLoader loader_;
  test::MessageLog messages_;
  test::TestDevice device_;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkCommandPool command_pool_ = VK_NULL_HANDLE;
  std::string name_;
  VkPhysicalDeviceLimits limits_ = {};
  std::set<std::string, std::less<>> extensions_;
  uint32_t group_handle_size_ = 0;
  uint32_t group_base_alignment_ = 0;
  uint32_t scratch_alignment_ = 0;
};

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_DEVICE_H_
