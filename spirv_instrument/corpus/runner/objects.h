// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_OBJECTS_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_OBJECTS_H_

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "spirv_instrument/corpus/runner/device.h"
#include "spirv_instrument/corpus/vulkan.h"

// The Vulkan objects of one run, and shorthands to make those that several parts of the runner need.
namespace assay::spirv_instrument::corpus {

// OK if `result` is VK_SUCCESS. Otherwise an error that names the command.
absl::Status Check(VkResult result, absl::string_view command);

// A buffer with its own memory, which is mapped and coherent. It may be used for everything, and has an address.
struct MappedBuffer {
  VkBuffer handle = VK_NULL_HANDLE;
  uint8_t* memory = nullptr;
  VkDeviceAddress address = 0;
};

class Objects {
 public:
  explicit Objects(const Device& device) : device_(device) {}
  // Destroys everything, newest first.
  ~Objects();
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  const Device& device() const { return device_; }
  const test::Functions& vk() const { return device_.vk(); }

  // Calls destroy() in the end.
  void Defer(std::function<void()> destroy) { destroyers_.push_back(std::move(destroy)); }

  // Zeros at first.
  absl::StatusOr<MappedBuffer> MakeBuffer(uint64_t size);

  // Executes commands and waits for them. VK_ERROR_DEVICE_LOST comes as absl::UnavailableError.
  absl::Status Execute(absl::FunctionRef<void(VkCommandBuffer)> record);

 private:
  const Device& device_;
  std::vector<std::function<void()>> destroyers_;
};

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_OBJECTS_H_
