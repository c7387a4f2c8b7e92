// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINES_PIPELINE_RULES_H_
#define ASSAY_CORE_PIPELINES_PIPELINE_RULES_H_

// The states of graphics pipelines: each for itself, against the device's features and limits, against the render pass
// or the formats of dynamic rendering, and against the pipeline libraries that are linked.
//
// A create info is read once (GraphicsView), which knows what of it the specification ignores. Rules are rows of tables
// over that view, one table for each state. Rules of one shader by itself are in core/shader_stages.
//
// Libraries are compared in pairs: the parts that the pipeline has itself with those of each library, and the parts of
// the libraries with each other (link_rules.cc). So the validator notes of a library and of a pipeline layout what a
// later pipeline is compared with.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/pipelines/checked_states/checked_states.h"
#include "core/pipelines/shaders/shader_facts.h"
#include "core/pipelines/vertex_input/vertex_formats.h"
#include "core/set_layouts/handle_map.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

class GraphicsView;
struct LayoutFacts;
struct PipelineFacts;

// The validator.
class PipelineRules {
 public:
  // `state` must outlive it.
  explicit PipelineRules(const state::DeviceState& state)
      : device_(state.device()),
        checks_shaders_(device_.instance.settings.check_shaders),
        code_(state.shader_codes()),
        vertex_formats_(device_) {}

  void PreCallValidate(const vk::CreateGraphicsPipelines& call, messages::Report& report) const;
  // Structures that pipelines have, too.
  void PreCallValidate(const vk::CmdSetRenderingAttachmentLocations& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdSetRenderingInputAttachmentIndices& call, dispatch::Slot& slot,
                       messages::Report& report) const;

  void PreCallValidate(const vk::CmdSetColorBlendAdvancedEXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdSetColorBlendEquationEXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdSetDepthBias2EXT& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdSetCoarseSampleOrderNV& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdSetVertexInputEXT& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdSetViewport& call, dispatch::Slot& slot, messages::Report& report) const;

  void PostCallRecord(const vk::CreateGraphicsPipelines& call, VkResult result);
  void PreCallRecord(const vk::DestroyPipeline& call);
  void PostCallRecord(const vk::CreatePipelineLayout& call, VkResult result);
  void PreCallRecord(const vk::DestroyPipelineLayout& call);
  void PreCallRecord(const vk::DestroyRenderPass& call);

 private:
  GraphicsView ViewOf(const VkGraphicsPipelineCreateInfo& info) const;
  void CheckTables(const GraphicsView& view, const messages::Location& where, messages::Report& report) const;

  const dispatch::Device& device_;
  const bool checks_shaders_;
  HandleMap<std::shared_ptr<const LayoutFacts>> layouts_;
  // Of libraries.
  HandleMap<std::shared_ptr<const PipelineFacts>> libraries_;
  // VkGraphicsPipelineShaderGroupsCreateInfoNV::groupCount of pipelines with groups.
  HandleMap<uint32_t> group_counts_;
  ShaderFactsCache code_;
  mutable CheckedStates checked_;
  VertexFormats vertex_formats_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINES_PIPELINE_RULES_H_
