// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_DEVICE_RESERVED_SET_H_
#define ASSAY_GPUAV_DEVICE_RESERVED_SET_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "gpuav/device/context.h"
#include "gpuav/device/memory.h"
#include "spirv_instrument/runtime/layout.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// By binding of the reserved set (spirv_instrument/runtime/layout.h). The first is the memory of one action block, at
// the dynamic offset 0 if there is one.
using ReservedRanges = std::array<MemoryRange, spirv_instrument::kBindingsOfReservedSet>;

// The descriptor sets by which shaders reach our memory. All handles are the driver's. Thread-safe.
class ReservedSet {
 public:
  enum class Kind : uint8_t {
    // The action block is at a dynamic offset: one set is for many.
    kDynamic,
    // It is where the set says, as pipelines of execution sets need it: they may not use dynamic buffers
    // (VUID-VkIndirectExecutionSetPipelineInfoEXT-initialPipeline-11019).
    kFixed,
  };
  ReservedSet(Context& context, Kind kind) : context_(context), kind_(kind) {}
  ReservedSet(const ReservedSet&) = delete;
  ReservedSet& operator=(const ReservedSet&) = delete;

  // Makes the layouts. False if that fails: Context::Fail is called.
  bool Create();
  // Destroys everything, before the device goes.
  void Clear();

  // Null before Create().
  VkDescriptorSetLayout layout() const { return layout_; }
  // The layout of the sets between those of the application and ours. Null of a kFixed one.
  VkDescriptorSetLayout empty_layout() const { return empty_layout_; }

  // A set for these ranges; null if there is none to be had.
  VkDescriptorSet Allocate(const ReservedRanges& ranges);
  // The set is used by no command buffer any more.
  void Free(VkDescriptorSet set);

 private:
  static constexpr uint32_t kSetsOfPool = 64;

  VkDescriptorType TypeOf(uint32_t binding) const;
  bool AddPool() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Context& context_;
  const Kind kind_;
  VkDescriptorSetLayout layout_ = VK_NULL_HANDLE;
  VkDescriptorSetLayout empty_layout_ = VK_NULL_HANDLE;
  absl::Mutex mutex_;
  std::vector<VkDescriptorPool> pools_ ABSL_GUARDED_BY(mutex_);
  std::vector<VkDescriptorSet> free_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_DEVICE_RESERVED_SET_H_
