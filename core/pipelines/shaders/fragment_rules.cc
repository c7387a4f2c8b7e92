// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of the code of fragment shaders, of capabilities and of resources.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/pipelines/pipeline_rule.h"

namespace assay::core {
namespace {

using spv::BuiltIn;
using spv::Capability;
using spv::ExecutionMode;
using vk::Vuid;
using View = GraphicsView;
using F = vk::FeatureId;

constexpr VkShaderStageFlagBits kFragment = VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr VkShaderStageFlagBits kGeometry = VK_SHADER_STAGE_GEOMETRY_BIT;
constexpr VkShaderStageFlagBits kMesh = VK_SHADER_STAGE_MESH_BIT_EXT;

Result If(bool is_wrong, std::string_view text) { return is_wrong ? Wrong(std::string(text)) : kFine; }

// Tests before the fragment shader.
bool HasEarlyTests(const View& view) {
  const ShaderFacts* code = view.CodeOf(kFragment);
  return code != nullptr && code->Has(ExecutionMode::EarlyFragmentTests) && view.depth_stencil != nullptr;
}
Result CheckOrderedAccess(const View& view) {
  constexpr VkPipelineDepthStencilStateCreateFlags kOrdered =
      VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT |
      VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT;
  return If(HasEarlyTests(view) && (view.depth_stencil->flags & kOrdered) != 0,
            "orders accesses of fragments, but the fragment shader has the execution mode EarlyFragmentTests.");
}
Result CheckTileDepth(const View& view) {
  return If(HasEarlyTests(view) && view.CodeOf(kFragment)->reads_depth_attachment &&
                !view.IsDynamic(VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE) && view.depth_stencil->depthWriteEnable == VK_TRUE,
            "(VK_TRUE) is not allowed, as the fragment shader has EarlyFragmentTests and OpDepthAttachmentReadEXT.");
}
Result CheckTileStencil(const View& view) {
  return If(HasEarlyTests(view) && view.CodeOf(kFragment)->reads_stencil_attachment &&
                !view.IsDynamic(VK_DYNAMIC_STATE_STENCIL_WRITE_MASK) &&
                (view.depth_stencil->front.writeMask != 0 || view.depth_stencil->back.writeMask != 0),
            "has a writeMask that is not 0, as the fragment shader has EarlyFragmentTests and "
            "OpStencilAttachmentReadEXT.");
}

// Samples.
Result CheckShadedSamples(const View& view) {
  const ShaderFacts* code = view.CodeOf(kFragment);
  const bool is_sampled = code != nullptr && (code->has_sample_input || code->inputs.contains(BuiltIn::SampleId) ||
                                              code->inputs.contains(BuiltIn::SamplePosition));
  // Those parts have rules of their own.
  const bool is_other = view.Requires(kFragmentOutput) || view.has_render_pass();
  return If(is_sampled && !is_other && LacksMultisample(view), "is NULL, but the fragment shader shades samples.");
}
Result CheckInterpolation(const View& view) {
  const ShaderFacts* code = view.CodeOf(kFragment);
  const auto* state = view.multisample != nullptr
                          ? vk::FindInChain<VkPipelineSampleLocationsStateCreateInfoEXT>(view.multisample->pNext)
                          : nullptr;
  return If(code != nullptr && code->interpolates_at_sample && state != nullptr &&
                state->sampleLocationsEnable == VK_TRUE &&
                !view.IsDynamic(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT),
            "(VK_TRUE) is not allowed, as the fragment shader has InterpolateAtSample.");
}

// The built-in PrimitiveId.
template <VkShaderStageFlagBits kStage>
Result CheckPrimitiveId(const View& view) {
  const ShaderFacts* before = view.CodeOf(kStage);
  const ShaderFacts* fragment = view.CodeOf(kFragment);
  return If(before != nullptr && fragment != nullptr && fragment->read.contains(BuiltIn::PrimitiveId) &&
                !before->outputs.contains(BuiltIn::PrimitiveId),
            "has a fragment shader that reads PrimitiveId, and a shader before it that does not write it.");
}

// Input attachments.
std::shared_ptr<const state::EntryPointInterface> FragmentInterface(const View& view) {
  const ShaderFacts* code = view.CodeOf(kFragment);
  // Without it, no variable is an input attachment.
  if (code == nullptr || !code->Declares(Capability::InputAttachment)) return nullptr;
  for (const VkPipelineShaderStageCreateInfo& shader : view.shaders) {
    if (shader.stage != kFragment) continue;
    const auto* module = state::DeviceState::Get<state::ShaderModule>(shader.module);
    return module != nullptr ? module->code->Reflect(shader.pName, shader.stage, shader.pSpecializationInfo) : nullptr;
  }
  return nullptr;
}
// The first InputAttachmentIndex that the fragment shader reads, and for which `is_wrong` holds.
template <class Wrongness>
Result FindInput(const View& view, std::string_view text, const Wrongness& is_wrong) {
  const auto interface = FragmentInterface(view);
  if (interface == nullptr) return kFine;
  for (const state::ReflectedDescriptor& descriptor : interface->descriptors) {
    const auto index = descriptor.input_attachment_index;
    if (descriptor.kind == state::ReflectedDescriptor::Kind::kInputAttachment && descriptor.is_read && index &&
        is_wrong(*index)) {
      return Wrong(absl::StrCat("has a fragment shader that reads the InputAttachmentIndex ", *index, text));
    }
  }
  return kFine;
}
Result CheckUnusedInput(const View& view) {
  if (view.subpass == nullptr) return kFine;
  return FindInput(view, ", which is VK_ATTACHMENT_UNUSED in the subpass.", [&](uint32_t index) {
    return index < view.subpass->inputs.size() && !view.subpass->inputs[index].is_used();
  });
}
Result CheckInputIndex(const View& view) {
  if (view.has_render_pass() || view.rendering == nullptr || !view.requires_fragment_output() ||
      view.Chained<VkRenderingInputAttachmentIndexInfo>() != nullptr) {
    return kFine;
  }
  return FindInput(view, ", which is not less than colorAttachmentCount.",
                   [&](uint32_t index) { return index >= view.rendering->colorAttachmentCount; });
}
Result CheckNoInputs(const View& view) {
  const ShaderFacts* code = view.CodeOf(kFragment);
  return If(code != nullptr && !view.has_render_pass() && !view.Has(F::kDynamicRenderingLocalRead) &&
                code->Declares(Capability::InputAttachment),
            "has a fragment shader with the capability InputAttachment and no render pass, which needs the feature "
            "dynamicRenderingLocalRead.");
}
Result CheckTileImages(const View& view) {
  const ShaderFacts* code = view.CodeOf(kFragment);
  return If(code != nullptr && view.has_render_pass() &&
                (code->Declares(Capability::TileImageColorReadAccessEXT) ||
                 code->Declares(Capability::TileImageDepthReadAccessEXT) ||
                 code->Declares(Capability::TileImageStencilReadAccessEXT)),
            "is not VK_NULL_HANDLE, but the fragment shader has a capability of VK_EXT_shader_tile_image.");
}

// Capabilities of any shader.
Result FindCapability(const View& view, bool is_forbidden, Capability capability, std::string_view text) {
  for (uint32_t i = 0; is_forbidden && i < view.shaders.size(); ++i) {
    const ShaderFacts* code = view.CodeOf(view.shaders[i].stage);
    if (code != nullptr && code->Declares(capability)) return Wrong(Value(view.shaders[i].stage, text), "", i);
  }
  return kFine;
}
Result CheckEnqueueFeature(const View& view) {
  return FindCapability(view, !view.Has(F::kShaderMeshEnqueue), Capability::ShaderEnqueueAMDX,
                        "declares ShaderEnqueueAMDX, which needs the feature shaderMeshEnqueue.");
}
Result CheckEnqueueLibrary(const View& view) {
  return FindCapability(view, !view.HasFlag(VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR), Capability::ShaderEnqueueAMDX,
                        "declares ShaderEnqueueAMDX, but flags does not have VK_PIPELINE_CREATE_LIBRARY_BIT_KHR.");
}
Result CheckEnqueueGraph(const View& view) {
  return FindCapability(
      view,
      view.HasFlag(VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) &&
          !view.HasFlag(VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX),
      Capability::ShaderEnqueueAMDX,
      "declares ShaderEnqueueAMDX, but flags does not have VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX.");
}

// Arrays of blocks whose binding is one inline uniform block.
Result CheckInlineBlocks(const View& view) {
  if (view.layout == nullptr) return kFine;
  for (uint32_t i = 0; i < view.shaders.size(); ++i) {
    const ShaderFacts* code = view.CodeOf(view.shaders[i].stage);
    if (code == nullptr) continue;
    for (const auto& [set, binding] : code->block_arrays) {
      if (set >= view.layout->sets.size() || !view.layout->sets[set].layout) continue;
      const auto* found = view.layout->sets[set].layout->Find(binding);
      if (found == nullptr || found->type != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) continue;
      return Wrong(Value(view.shaders[i].stage, absl::StrCat("has an array of blocks at set ", set, ", binding ",
                                                             binding, ", which is an inline uniform block.")),
                   "", i);
    }
  }
  return kFine;
}

constexpr char kStage[] = "pStages[].stage";
constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06591"), "pDepthStencilState.flags", CheckOrderedAccess, 0,
     kTestsEarly},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-08711"), "pDepthStencilState.depthWriteEnable", CheckTileDepth, 0,
     kTestsEarly},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-08712"), "pDepthStencilState", CheckTileStencil, 0, kTestsEarly},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-Input-06632"), "pMultisampleState", CheckShadedSamples, 0, kShadesSamples},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-sampleLocationsEnable-01524"),
     "pMultisampleState.pNext<VkPipelineSampleLocationsStateCreateInfoEXT>.sampleLocationsEnable", CheckInterpolation,
     0, kShadesSamples},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-PrimitiveId-06264"), "pStages", CheckPrimitiveId<kMesh>, kMesh},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-00740"), "pStages", CheckPrimitiveId<kGeometry>, kGeometry},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06038"), "pStages", CheckUnusedInput, 0, kReadsAttachments},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-09652"), "pStages", CheckInputIndex, 0, kReadsAttachments},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06061"), "pStages", CheckNoInputs, 0, kReadsAttachments},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-08710"), "renderPass", CheckTileImages, 0, kReadsAttachments},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-shaderMeshEnqueue-10187"), kStage, CheckEnqueueFeature, 0, kEnqueues},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-10188"), kStage, CheckEnqueueLibrary, 0, kEnqueues},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-10189"), kStage, CheckEnqueueGraph, 0, kEnqueues},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-None-10391"), kStage, CheckInlineBlocks, 0, kHasBlockArrays},
};

}  // namespace

absl::Span<const PipelineRule> FragmentShaderRules() { return kRules; }

}  // namespace assay::core
