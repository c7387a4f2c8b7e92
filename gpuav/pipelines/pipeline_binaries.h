// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PIPELINES_PIPELINE_BINARIES_H_
#define ASSAY_GPUAV_PIPELINES_PIPELINE_BINARIES_H_

#include "dispatch/dispatch.h"
#include "vk/commands.h"

namespace assay::gpuav {

// Binaries of pipelines. An application keeps them, and their keys, for runs without us: they are those of its own
// shaders and layouts. What it makes a pipeline of, and what it takes binaries from, is never instrumented (Pipelines).
// Here, create infos that name what is wanted get the layout that those pipelines have.
class PipelineBinaries {
 public:
  void Rewrite(const vk::GetPipelineKeyKHR& call, vk::GetPipelineKeyKHR& down, dispatch::Rewriter& rewriter) const;
  void Rewrite(const vk::CreatePipelineBinariesKHR& call, vk::CreatePipelineBinariesKHR& down,
               dispatch::Rewriter& rewriter) const;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PIPELINES_PIPELINE_BINARIES_H_
