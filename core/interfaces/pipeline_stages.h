// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_INTERFACES_PIPELINE_STAGES_H_
#define ASSAY_CORE_INTERFACES_PIPELINE_STAGES_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "core/interfaces/shader_interface.h"
#include "core/interfaces/variable_text.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/shader/shader_code.h"
#include "state/state.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Private to the package: the checks of one pipeline, or of the shader objects that one call links.
namespace assay::core {

// A stage whose code is known.
struct CheckedStage {
  VkShaderStageFlagBits stage;
  std::shared_ptr<state::ShaderCode> code;
  std::shared_ptr<const ShaderInterface> interface;
  // Null for shader objects and inline modules.
  VkShaderModule module;
  messages::Location where;

  VariableTexts Texts() const { return VariableTexts(code->words()); }
};
using CheckedStages = absl::InlinedVector<CheckedStage, 5>;

// Reads the interface of an entry point of a stage (EntryPointCache).
struct InterfaceReader {
  ShaderInterface operator()(const spirv_instrument::Module* module, std::string_view name,
                             const std::vector<spirv_instrument::Specialization>& constants) const {
    return module != nullptr ? ReadShaderInterface(*module, name, stage, constants) : ShaderInterface();
  }

  VkShaderStageFlagBits stage;
};

// The ids of the rules of shader resources, of one kind of pipeline or of shader objects.
struct LayoutIds {
  // Of the push constant range of the stage.
  vk::VuidIndex range;
  vk::VuidIndex range_size;
  // Of the binding and its stages, its type, and its number of descriptors.
  vk::VuidIndex binding;
  vk::VuidIndex type;
  vk::VuidIndex count;
  // Of arrays of blocks that are one inline uniform block. None for graphics pipelines: core/pipelines has the rule.
  vk::VuidIndex block_array = vk::kNoVuid;
};
// What a stage's resources must fit.
struct StageLayout {
  // Null for a shader object, which has the members of a layout itself.
  VkPipelineLayout handle = VK_NULL_HANDLE;
  // By set number; null where it is not said.
  absl::InlinedVector<const state::DescriptorSetLayout*, 8> sets;
  absl::Span<const VkPushConstantRange> ranges;
};
void CheckLayout(const CheckedStage& stage, const StageLayout& layout, const LayoutIds& ids, messages::Report& report);
// Immutable samplers against the instructions that use them.
void CheckBlockMatches(const CheckedStage& stage, const StageLayout& layout, messages::Report& report);

// The locations of each stage, and matching of neighbors. The last two are the rules for what has no id of its own,
// kNoVuid where there is none: between stages before the fragment shader, and to that.
struct MatchingIds {
  vk::VuidIndex pre_rasterization = vk::kNoVuid;
  vk::VuidIndex fragment = vk::kNoVuid;
};
// The stages are in the order of the pipeline, without gaps.
void CheckStages(absl::Span<const CheckedStage> stages, bool maintenance4, const VkPhysicalDeviceLimits& limits,
                 const MatchingIds& ids, messages::Report& report);

// The inputs of a vertex shader. `is_robust` is the feature vertexAttributeRobustness.
void CheckVertexInput(const CheckedStage& vertex, const VkPipelineVertexInputStateCreateInfo& state, bool is_robust,
                      messages::Report& report);

// The input attachments of a fragment shader that is for the subpass.
void CheckInputAspects(const CheckedStage& fragment, const state::RenderPass& render_pass,
                       const state::Subpass& subpass, messages::Report& report);

// The outputs of a fragment shader. The state is null if it is dynamic, or not part of the pipeline.
void CheckFragment(const CheckedStage& fragment, const VkPipelineMultisampleStateCreateInfo* multisample,
                   messages::Report& report);

}  // namespace assay::core

#endif  // ASSAY_CORE_INTERFACES_PIPELINE_STAGES_H_
