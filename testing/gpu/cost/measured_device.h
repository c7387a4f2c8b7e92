// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_GPU_COST_MEASURED_DEVICE_H_
#define ASSAY_TESTING_GPU_COST_MEASURED_DEVICE_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "testing/message_log.h"
#include "testing/system_loader.h"
#include "testing/test_device.h"

// What GPU-assisted validation costs on a GPU, beside none and beside the Khronos layer.
//
//   cost        measures in one process and one way, which its environment chooses: without a layer or with one
//   cost_table  runs it in all ways (variants.h), in turns, so that a slow moment falls on all alike, and compares
//
// GPU time comes from timestamps around each command, after a warm-up; the host's time from its steady clock. Each
// result is the median of some runs, and each number of the table the median of some processes.
namespace assay::test {

// How much is measured.
struct Sizes {
  // Of 256 invocations, for each kernel.
  uint32_t groups = 65535;
  // Of the square that is drawn, in fragments.
  uint32_t width = 4096;
  // In a command buffer.
  uint32_t commands = 10000;
  uint32_t pipelines = 6;
  // Live buffers with addresses that nobody uses.
  uint32_t other_buffers = 1000;
  // Of which the median is taken.
  uint32_t runs = 25;
  std::chrono::milliseconds warm_up{200};
};

// One line of the result: "NAME VALUE UNIT".
void PrintResult(const std::string& name, double value, const char* unit);

// A device with the features that the kernels need, and buffers where the GPU is fastest. A failure ends the process.
class MeasuredDevice {
 public:
  explicit MeasuredDevice(const Sizes& sizes);
  ~MeasuredDevice();
  MeasuredDevice(const MeasuredDevice&) = delete;
  MeasuredDevice& operator=(const MeasuredDevice&) = delete;

  const Sizes& sizes() const { return sizes_; }
  // Invocations of a kernel.
  uint32_t invocations() const { return sizes_.groups * 256; }
  TestDevice& device() { return device_; }
  const Functions& vk() const { return device_.vk; }
  std::string name() const;

  // In memory of the device that the host cannot see, if there is such. All its words are 1.0.
  Buffer MakeLocalBuffer(VkDeviceSize size, VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  void Upload(const Buffer& buffer, std::span<const uint32_t> words);
  VkDeviceAddress AddressOf(VkBuffer buffer) const;
  VkMemoryRequirements RequirementsOf(VkBuffer buffer) const;
  uint32_t LocalMemoryType(uint32_t allowed) const;

  // Everything before this happens before everything after it.
  void Barrier(VkCommandBuffer command_buffer) const;
  void SubmitAndWait(VkCommandBuffer command_buffer);
  // Records `commands`, submits and waits.
  void Run(const std::function<void(VkCommandBuffer)>& commands);

  // The median of the time that the GPU takes for `work`, which `state` comes before, after a warm-up.
  double GpuMicroseconds(const std::function<void(VkCommandBuffer)>& state,
                         const std::function<void(VkCommandBuffer)>& work);

  // The texts of the layer's errors since the last call.
  std::vector<std::string> TakeErrors();

 private:
  void WarmUp(VkCommandBuffer command_buffer);

  const Sizes sizes_;
  SystemLoader loader_;
  MessageLog log_;
  TestDevice device_{loader_, log_};
  double nanoseconds_per_tick_ = 1;
};

// The kernels of kernels.cc and fragments.cc, by GPU time.
void MeasureKernels(MeasuredDevice& device);
void MeasureFragments(MeasuredDevice& device);
// Recording, execution and release of many small commands, by host time.
void MeasureRecording(MeasuredDevice& device);
// Shader modules and pipelines, by host time. The suffix is part of the name.
void MeasureCreation(MeasuredDevice& device, const std::string& suffix);
// Whether the layer sees a store past a descriptor's range, which is harmless: 1 or 0. Only for runs with a layer.
void MeasureControl(MeasuredDevice& device);

}  // namespace assay::test

#endif  // ASSAY_TESTING_GPU_COST_MEASURED_DEVICE_H_
