// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_BUILDS_REPLACEMENT_PIPELINE_H_
#define ASSAY_GPUAV_BUILDS_REPLACEMENT_PIPELINE_H_

#include "absl/base/call_once.h"
#include "gpuav/device/context.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// The compute pipeline of replace_references.comp. It has no descriptors: an address is pushed where the addresses of
// action blocks would be (Context::push_constant_offset). Made when it is first needed. Thread-safe.
class ReplacementPipeline {
 public:
  explicit ReplacementPipeline(Context& context) : context_(context) {}
  ReplacementPipeline(const ReplacementPipeline&) = delete;
  ReplacementPipeline& operator=(const ReplacementPipeline&) = delete;

  // False if it cannot be made: Context::Fail was called.
  bool Make();
  // The driver's.
  VkPipeline pipeline() const { return pipeline_; }
  VkPipelineLayout layout() const { return layout_; }
  // Destroys it, before the device goes.
  void Clear();

 private:
  VkResult MakeLayout();
  VkResult MakePipeline();

  Context& context_;
  absl::once_flag once_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_BUILDS_REPLACEMENT_PIPELINE_H_
