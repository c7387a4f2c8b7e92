// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_DEVICE_INSTANCE_REWRITES_H_
#define ASSAY_GPUAV_DEVICE_INSTANCE_REWRITES_H_

#include "dispatch/dispatch.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// Changes before there is a device: features and extensions that instrumented shaders and markers need are enabled, and
// physical devices have a descriptor set less than they have
// (VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT).
class InstanceRewrites {
 public:
  explicit InstanceRewrites(dispatch::Instance& instance) : instance_(instance) {}

  void Rewrite(const vk::CreateDevice& call, vk::CreateDevice& down, dispatch::Rewriter& rewriter);
  void PostCallRecord(const vk::GetPhysicalDeviceProperties& call);
  void PostCallRecord(const vk::GetPhysicalDeviceProperties2& call);

 private:
  void Reserve(VkPhysicalDeviceLimits& limits) const;
  // What is to be enabled: below version 1.1 VK_KHR_storage_buffer_storage_class, and from there on an extension for
  // markers, if they are wanted. Null for none.
  const char* ExtensionFor(VkPhysicalDevice handle) const;

  dispatch::Instance& instance_;
};

// Whether shaders of the device may have storage buffers as instrumented ones do, in a storage class of their own.
bool HasStorageClass(const dispatch::Device& device);

// Whether the device has what instrumented shaders need: stores and atomics in the stages before rasterization, and in
// fragment shaders. Stages without are not instrumented.
struct InstrumentedStages {
  bool vertex_pipeline = false;
  bool fragment = false;

  bool Has(VkShaderStageFlagBits stage) const;
};
InstrumentedStages StagesToInstrument(const dispatch::Device& device);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_DEVICE_INSTANCE_REWRITES_H_
