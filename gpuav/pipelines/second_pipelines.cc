// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/pipelines/second_pipelines.h"

#include <utility>

#include "dispatch/dispatch.h"
#include "vk/chain.h"

namespace assay::gpuav {
namespace {

using dispatch::CallNext;

template <class T, class I>
bool Drop(I& info, dispatch::Rewriter& rewriter) {
  return vk::FindInChain<T>(info.pNext) == nullptr || rewriter.Unlink<T>(info);
}

}  // namespace

VkPipelineCreateFlags2 SecondPipelines::IndependentFlags(VkPipelineCreateFlags2 flags) {
  constexpr VkPipelineCreateFlags2 kOfTheCall =
      VK_PIPELINE_CREATE_2_DERIVATIVE_BIT | VK_PIPELINE_CREATE_2_ALLOW_DERIVATIVES_BIT |
      VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT | VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT |
      VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
  return flags & ~kOfTheCall;
}

template <class I>
bool SecondPipelines::MakeIndependent(I& info, dispatch::Rewriter& rewriter) {
  info.flags = static_cast<VkPipelineCreateFlags>(IndependentFlags(info.flags));
  info.basePipelineHandle = VK_NULL_HANDLE;
  info.basePipelineIndex = -1;
  if (vk::FindInChain<VkPipelineCreateFlags2CreateInfo>(info.pNext) != nullptr) {
    auto* const more = rewriter.CopyLinked<VkPipelineCreateFlags2CreateInfo>(info);
    if (more == nullptr) return false;
    more->flags = IndependentFlags(more->flags);
  }
  return Drop<VkPipelineCreationFeedbackCreateInfo>(info, rewriter) && Drop<VkPipelineBinaryInfoKHR>(info, rewriter);
}

template bool SecondPipelines::MakeIndependent(VkComputePipelineCreateInfo&, dispatch::Rewriter&);
template bool SecondPipelines::MakeIndependent(VkGraphicsPipelineCreateInfo&, dispatch::Rewriter&);

template <class C>
VkPipeline SecondPipelines::Make(C call) {
  VkPipeline pipeline = VK_NULL_HANDLE;
  call.pPipelines = &pipeline;
  const VkResult result = CallNext(context_.device(), call);
  if (result != VK_SUCCESS) {
    context_.Fail(C::kId, "a pipeline", result);
    return VK_NULL_HANDLE;
  }
  absl::MutexLock lock(&mutex_);
  pipelines_.insert(pipeline);
  return pipeline;
}

VkPipeline SecondPipelines::Create(VkPipelineCache cache, const VkComputePipelineCreateInfo& info) {
  return Make(vk::CreateComputePipelines{context_.device().handle, cache, 1, &info, nullptr, nullptr});
}

VkPipeline SecondPipelines::Create(VkPipelineCache cache, const VkGraphicsPipelineCreateInfo& info) {
  return Make(vk::CreateGraphicsPipelines{context_.device().handle, cache, 1, &info, nullptr, nullptr});
}

void SecondPipelines::Destroy(VkPipeline pipeline) {
  {
    absl::MutexLock lock(&mutex_);
    if (pipelines_.erase(pipeline) == 0) return;
  }
  const dispatch::Device& device = context_.device();
  CallNext(device, vk::DestroyPipeline{device.handle, pipeline, nullptr});
}

void SecondPipelines::Clear() {
  absl::flat_hash_set<VkPipeline> pipelines;
  {
    absl::MutexLock lock(&mutex_);
    pipelines.swap(pipelines_);
  }
  const dispatch::Device& device = context_.device();
  for (VkPipeline pipeline : pipelines) CallNext(device, vk::DestroyPipeline{device.handle, pipeline, nullptr});
}

}  // namespace assay::gpuav
