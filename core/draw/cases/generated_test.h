// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_CASES_GENERATED_TEST_H_
#define ASSAY_CORE_DRAW_CASES_GENERATED_TEST_H_

#include <vector>

#include "core/draw/cases/draw_test.h"
#include "core/resources/resource_test.h"

// Test-only: sequences of generated commands, and sets of pipelines.
namespace assay::core {

inline constexpr VkShaderStageFlags kDrawing = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

class GeneratedTest : public CaseTest<DrawTest> {
 protected:
  static VkIndirectCommandsLayoutTokenEXT Token(VkIndirectCommandsTokenTypeEXT type, uint32_t offset = 0,
                                                VkIndirectCommandsTokenDataEXT data = {}) {
    return {VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT, nullptr, type, data, offset};
  }
  static VkIndirectCommandsLayoutTokenEXT SetToken(VkShaderStageFlags stages) {
    static VkIndirectCommandsExecutionSetTokenEXT token = {VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT, 0};
    token.shaderStages = stages;
    return Token(VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT, 0, {.pExecutionSet = &token});
  }
  static VkIndirectCommandsLayoutTokenEXT DrawToken() { return Token(VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT, 64); }
  // With layout() unless there is another one.
  VkIndirectCommandsLayoutEXT MakeSequence(const std::vector<VkIndirectCommandsLayoutTokenEXT>& tokens,
                                           VkIndirectCommandsLayoutUsageFlagsEXT flags = 0,
                                           VkPipelineLayout own = VK_NULL_HANDLE) {
    return MakeSequenceOf(tokens, kDrawing, flags, own != VK_NULL_HANDLE ? own : layout());
  }
  // Null if the call is skipped.
  VkIndirectExecutionSetEXT MakeExecutionSet(VkIndirectExecutionSetInfoTypeEXT type,
                                             VkIndirectExecutionSetInfoEXT data) {
    const auto info = Typed<VkIndirectExecutionSetCreateInfoEXT>({.type = type, .info = data});
    VkIndirectExecutionSetEXT set = VK_NULL_HANDLE;
    vk.CreateIndirectExecutionSetEXT(device, &info, nullptr, &set);
    if (set != VK_NULL_HANDLE) Defer(set, [=, this] { vk.DestroyIndirectExecutionSetEXT(device, set, nullptr); });
    return set;
  }
  VkIndirectExecutionSetEXT MakeExecutionSet(const VkIndirectExecutionSetPipelineInfoEXT& info) {
    return MakeExecutionSet(VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT, {.pPipelineInfo = &info});
  }
  VkIndirectExecutionSetEXT MakeExecutionSet(VkPipeline first) {
    return MakeExecutionSet({VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT, nullptr, first, 1});
  }
  VkPipeline MakeBindable() { return MakePipeline({.flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT}); }
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_CASES_GENERATED_TEST_H_
