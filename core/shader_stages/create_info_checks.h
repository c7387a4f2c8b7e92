// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SHADER_STAGES_CREATE_INFO_CHECKS_H_
#define ASSAY_CORE_SHADER_STAGES_CREATE_INFO_CHECKS_H_

#include "core/shader_stages/stage_facts.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/vulkan.h"

// The members of a stage's create info, of either owner.
namespace assay::core {

// Whether entry points for the stage have a model of their own.
bool HasModel(VkShaderStageFlagBits stage);
// `info` may be null.
void CheckSpecialization(const VkSpecializationInfo* info, const StageFacts& facts, const messages::Location& where,
                         messages::Report& report);
// Flags, and structures of the chain.
void CheckStageCreateInfo(const dispatch::Device& device, const VkPipelineShaderStageCreateInfo& info,
                          VkPipelineCreateFlags2 flags, const messages::Location& where, messages::Report& report);
// The size of workgroups against that of subgroups.
void CheckSubgroups(const dispatch::Device& device, const VkPipelineShaderStageCreateInfo& info,
                    const StageFacts& facts, const messages::Location& where, messages::Report& report);
void ReportFindings(const StageFacts& facts, messages::ObjectRef object, const messages::Location& where,
                    messages::Report& report);
// What the flags of the pipeline decide about.
void ReportFlagFindings(const StageFacts& facts, VkPipelineCreateFlags2 flags, messages::ObjectRef object,
                        const messages::Location& where, messages::Report& report);
// A fragment shader against the multisample state and the subpass of its pipeline.
void CheckFragmentStates(const VkGraphicsPipelineCreateInfo& info, const StageFacts& facts,
                         const messages::Location& where, messages::Report& report);
// A shader before the fragment shader against the subpass of its pipeline.
void CheckSubpassViews(const VkGraphicsPipelineCreateInfo& info, const StageFacts& facts,
                       const messages::Location& where, messages::Report& report);

// The members of VkShaderCreateInfoEXT, and what is decided by it and the shader.
void CheckShaderObject(const dispatch::Device& device, const VkShaderCreateInfoEXT& info,
                       const messages::Location& where, messages::Report& report);
void CheckShaderObjectStage(const dispatch::Device& device, const VkShaderCreateInfoEXT& info, const StageFacts& facts,
                            const messages::Location& where, messages::Report& report);

}  // namespace assay::core

#endif  // ASSAY_CORE_SHADER_STAGES_CREATE_INFO_CHECKS_H_
