// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PIPELINES_SECOND_PIPELINES_H_
#define ASSAY_GPUAV_PIPELINES_SECOND_PIPELINES_H_

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "gpuav/device/context.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// The driver's pipelines with instrumented shaders: where the application's are as it made them (KeepsOriginals), and
// those that check everything (host_decided.h). The application and other validators do not see them. Thread-safe.
class SecondPipelines {
 public:
  explicit SecondPipelines(Context& context) : context_(context) {}
  SecondPipelines(const SecondPipelines&) = delete;
  SecondPipelines& operator=(const SecondPipelines&) = delete;

  // Makes one pipeline. Null if that fails: Context::Fail is called.
  VkPipeline Create(VkPipelineCache cache, const VkComputePipelineCreateInfo& info);
  VkPipeline Create(VkPipelineCache cache, const VkGraphicsPipelineCreateInfo& info);
  // Nothing is left to do after Clear.
  void Destroy(VkPipeline pipeline);
  // Before the device is destroyed: those whose pipelines the application has left.
  void Clear();

  // Makes the create info one of a pipeline that is made later and apart from others: it derives from none, is compiled
  // in any case, tells the application nothing and is not captured. False if a chain cannot be changed.
  template <class I>
  static bool MakeIndependent(I& info, dispatch::Rewriter& rewriter);
  // The flags of such a pipeline.
  static VkPipelineCreateFlags2 IndependentFlags(VkPipelineCreateFlags2 flags);

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump);

 private:
  template <class C>
  VkPipeline Make(C call);

  Context& context_;
  absl::Mutex mutex_;
  absl::flat_hash_set<VkPipeline> pipelines_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PIPELINES_SECOND_PIPELINES_H_
