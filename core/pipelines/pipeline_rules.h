// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINES_PIPELINE_RULES_H_
#define ASSAY_CORE_PIPELINES_PIPELINE_RULES_H_

// The states of graphics pipelines: each for itself, against the device's features and limits, against the render pass
// or the formats of dynamic rendering, and against the pipeline libraries that are linked.
//
// A create info is read once (GraphicsView), which knows what of it the specification ignores. Rules are rows of tables
// over that view, one table for each state. Rules that need the shaders' code are not here.

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"

namespace assay::core {

// The validator.
class PipelineRules {
 public:
  explicit PipelineRules(const dispatch::Device& device) : device_(device) {}

  void PreCallValidate(const vk::CreateGraphicsPipelines& call, messages::Report& report) const;

 private:
  const dispatch::Device& device_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINES_PIPELINE_RULES_H_
