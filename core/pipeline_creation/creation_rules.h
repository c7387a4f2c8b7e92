// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINE_CREATION_CREATION_RULES_H_
#define ASSAY_CORE_PIPELINE_CREATION_CREATION_RULES_H_

// Compute and ray tracing pipelines, and the objects beside pipelines: caches, binaries, executables and shader
// modules.
//
//   flags, base pipelines, chains  The same rules for each kind of pipeline (creation_view.h).
//   feedback                       What drivers write of pipelines that are made of binaries, graphics pipelines, too.
//   shader groups                  Which stages a group names; ranges of groups of vkGetRayTracingShaderGroup*.
//   libraries                      What a ray tracing pipeline and its libraries must have in common.
//   resources                      How many a stage has in the layout.
//   objects                        Features, flags and counts of the commands that ask pipelines for data.
//   robustness                     VkPipelineRobustnessCreateInfo of these pipelines and their stages; of graphics
//                                  pipelines, but not yet of their stages.
//
// Rules that need the code of shaders are not here, and neither are the states of graphics pipelines. Of execution
// graphs, there are the rules of flags, base pipelines, nodes, libraries, binaries, feedback and captured data.

#include <atomic>
#include <cstdint>

#include "core/set_layouts/handle_map.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"

namespace assay::core {

// Of a ray tracing pipeline, for pipelines that have it as a library.
struct RayTracingFacts {
  uint32_t recursion_depth = 0;
  bool has_interface = false;
  uint32_t payload_size = 0;
  uint32_t hit_attribute_size = 0;
};

// The validator.
class PipelineCreationRules {
 public:
  // `device` must outlive it.
  explicit PipelineCreationRules(const dispatch::Device& device) : device_(device) {}

  void PreCallValidate(const vk::CreateComputePipelines& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateGraphicsPipelines& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateRayTracingPipelinesKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateRayTracingPipelinesNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateExecutionGraphPipelinesAMDX& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetRayTracingShaderGroupHandlesKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetRayTracingCaptureReplayShaderGroupHandlesKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetRayTracingShaderGroupStackSizeKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CompileDeferredNV& call, messages::Report& report) const;

  void PreCallValidate(const vk::CreatePipelineCache& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetPipelineExecutablePropertiesKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetPipelineExecutableStatisticsKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetPipelineExecutableInternalRepresentationsKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetPipelinePropertiesEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreatePipelineBinariesKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetPipelineKeyKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::ReleaseCapturedPipelineDataKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateShaderModule& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetShaderModuleIdentifierEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetShaderModuleCreateInfoIdentifierEXT& call, messages::Report& report) const;

  void PostCallRecord(const vk::CreateComputePipelines& call, VkResult result) const;
  void PostCallRecord(const vk::CreateGraphicsPipelines& call, VkResult result) const;
  void PostCallRecord(const vk::CreateRayTracingPipelinesKHR& call, VkResult result);
  void PostCallRecord(const vk::CreateRayTracingPipelinesNV& call, VkResult result) const;
  void PostCallRecord(const vk::CreateExecutionGraphPipelinesAMDX& call, VkResult result) const;
  void PostCallRecord(const vk::GetPipelineExecutablePropertiesKHR& call, VkResult result);
  void PostCallRecord(const vk::ReleaseCapturedPipelineDataKHR& call, VkResult result);
  void PreCallRecord(const vk::DestroyPipeline& call);

 private:
  void CheckExecutable(const VkPipelineExecutableInfoKHR* info, vk::VuidIndex feature, vk::VuidIndex flag_id,
                       VkPipelineCreateFlags2 flag, messages::Report& report) const;

  const dispatch::Device& device_;
  HandleMap<RayTracingFacts> ray_tracing_;
  // Whether calls made ray tracing pipelines with shader groups, and whether one gave a capture replay handle.
  std::atomic<bool> has_made_groups_ = false;
  std::atomic<bool> has_replayed_groups_ = false;
  // The number of executables that the application learned.
  HandleMap<uint32_t> executables_;
  // Pipelines whose captured data was released.
  HandleMap<bool> released_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINE_CREATION_CREATION_RULES_H_
