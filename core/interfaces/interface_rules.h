// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_INTERFACES_INTERFACE_RULES_H_
#define ASSAY_CORE_INTERFACES_INTERFACE_RULES_H_

// What the shaders of a pipeline, or shader objects that are linked, have in common with one another and with the rest
// of the pipeline (the chapter "Shader Interfaces"):
//
//   between stages     Each input has an output of the stage before it, of the same type and decorations.
//   vertex buffers     Each input of a vertex shader has an attribute of its numeric type and width.
//   attachments        Alpha for coverage; aspects of input attachments.
//   pipeline layout    Each descriptor that a shader statically uses has a binding of its type and stage that is large
//                      enough; push constants are inside of the range of the stage. A shader object has both itself.
//   samplers           Immutable ones have what the instructions of VK_QCOM_image_processing need.
//   locations          They are below the limits of the stage.
//
// An interface is read once for each entry point of each code (EntryPointCache). Not compared is what is not there when
// the pipeline is made: stages in libraries, modules that are only identified, vertex input that is dynamic.
//
// An input is an error even if the shader never reads it, since the rules speak of the variables of OpEntryPoint; a
// descriptor must be statically used. An output without input is none.

#include <memory>
#include <vector>

#include "core/interfaces/resource_accesses.h"
#include "core/interfaces/shader_interface.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/shader/entry_point_cache.h"
#include "state/shader/shader_code.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

struct LayoutIds;

// The validator.
class InterfaceRules {
 public:
  // `state` must outlive it.
  explicit InterfaceRules(const state::DeviceState& state);

  void PreCallValidate(const vk::CreateGraphicsPipelines& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateComputePipelines& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateRayTracingPipelinesKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateRayTracingPipelinesNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateExecutionGraphPipelinesAMDX& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateShadersEXT& call, messages::Report& report) const;
  // Note what shaders do with descriptors, for the commands that run them.
  void PostCallRecord(const vk::CreateGraphicsPipelines& call, VkResult result);
  void PostCallRecord(const vk::CreateComputePipelines& call, VkResult result);
  void PostCallRecord(const vk::CreateExecutionGraphPipelinesAMDX& call, VkResult result);
  void PostCallRecord(const vk::CreateRayTracingPipelinesKHR& call, VkResult result);
  void PostCallRecord(const vk::CreateRayTracingPipelinesNV& call, VkResult result);
  void PostCallRecord(const vk::CreateShadersEXT& call, VkResult result);

 private:
  class Stages;

  // Of commands whose create infos have pStages.
  template <class C>
  void CheckAllStages(const C& call, const LayoutIds& ids, messages::Report& report) const;
  // `runs` says that the commands that use the pipeline certainly run the stage.
  void AddAccesses(const VkPipelineShaderStageCreateInfo& stage, bool runs, ResourceAccesses& out) const;
  template <class C>
  void NoteRayTracing(const C& call);
  void CheckGraphics(const VkGraphicsPipelineCreateInfo& info, const messages::Location& where,
                     messages::Report& report) const;

  const dispatch::Device& device_;
  const bool maintenance4_;
  const bool attribute_robustness_;
  // Whether draws ask for the facts of fragment shaders.
  const bool needs_facts_;
  // Also of modules that are part of a create info.
  state::ShaderCodes& codes_;
  mutable state::EntryPointCache<ShaderInterface> cache_;
  ShaderFactsCache facts_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_INTERFACES_INTERFACE_RULES_H_
