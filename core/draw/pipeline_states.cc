// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/pipeline_states.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "absl/types/span.h"
#include "core/draw/set_values.h"
#include "core/draw/state_sources.h"
#include "state/pipelines/create_info.h"
#include "vk/chain.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

constexpr VkGraphicsPipelineLibraryFlagsEXT kVertexInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kPreRasterization =
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragmentParts =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

absl::Span<const VkDynamicState> DynamicStatesOf(const VkPipelineDynamicStateCreateInfo* info) {
  if (!vk::IsAddress(info) || !vk::IsAddress(info->pDynamicStates)) return {};
  return {info->pDynamicStates, info->dynamicStateCount};
}

const VkBaseInStructure* FindLink(const void* base, VkStructureType type) {
  const auto* link = static_cast<const VkBaseInStructure*>(base)->pNext;
  while (link != nullptr && link->sType != type) link = link->pNext;
  return link;
}

StateSet OnlyState(VkDynamicState state) {
  StateSet only;
  only.Add(IndexOf(state));
  return only;
}

// The states of the parts that a mask names.
StateSet StatesOfParts(VkGraphicsPipelineLibraryFlagsEXT parts) {
  using Sets = std::array<StateSet, state::GraphicsState::kAllParts + 1>;
  static const Sets sets = [] {
    Sets result;
    const auto& sources = SourcesOfStates();
    for (uint32_t mask = 0; mask < result.size(); ++mask) {
      for (uint8_t i = 0; i < vk::kDynamicStateCount; ++i) {
        if ((sources[i].part & mask) != 0) result[mask].Add(i);
      }
    }
    return result;
  }();
  return sets[parts & state::GraphicsState::kAllParts];
}

class Reader {
 public:
  Reader(const VkGraphicsPipelineCreateInfo& info, const state::Pipeline& pipeline)
      : info_(info), pipeline_(pipeline), graphics_(*pipeline.graphics), own_parts_(state::OwnParts(info)) {}

  std::shared_ptr<const PipelineStates> Read() {
    for (const state::PipelineStage& stage : pipeline_.stages) result_->stages |= stage.stage;
    for (const VkDynamicState state : DynamicStatesOf(info_.pDynamicState)) listed_.Add(IndexOf(state));
    // Parts that the pipeline as a whole does not have.
    if ((result_->stages & VK_SHADER_STAGE_MESH_BIT_EXT) != 0) absent_ |= kVertexInput;
    const bool is_discarded = graphics_.functions.rasterizer_discard &&
                              (graphics_.dynamic_functions & BitOf(state::FixedFunction::kRasterizerDiscard)) == 0;
    if (is_discarded) absent_ |= kFragmentParts;
    ReadOwnParts(is_discarded);
    if (!AddLibraries()) return nullptr;
    const StateSet absent = StatesOfParts(absent_);
    result_->dynamic = result_->dynamic.Without(absent);
    result_->fixed = result_->fixed.Without(absent);
    result_->known = result_->known.Without(absent);
    return result_;
  }

 private:
  bool Has(VkGraphicsPipelineLibraryFlagsEXT part) const { return (own_parts_ & ~absent_ & part) != 0; }
  bool IsListed(VkDynamicState state) const { return listed_.Has(IndexOf(state)); }

  // The structure that has a source; null if the pipeline's own parts do not have it, or if it is ignored.
  void ReadSources(bool is_discarded) {
    const auto set = [&](StateSource source, bool is_read, const void* structure) {
      sources_[static_cast<size_t>(source)] = is_read && vk::IsAddress(structure) ? structure : nullptr;
    };
    set(StateSource::kCreateInfo, true, &info_);
    set(StateSource::kVertexInput, Has(kVertexInput), info_.pVertexInputState);
    set(StateSource::kAssembly, Has(kVertexInput), info_.pInputAssemblyState);
    set(StateSource::kTessellation,
        Has(kPreRasterization) && (result_->stages & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) != 0,
        info_.pTessellationState);
    set(StateSource::kViewport, Has(kPreRasterization) && !is_discarded, info_.pViewportState);
    set(StateSource::kRasterization, Has(kPreRasterization), info_.pRasterizationState);
    set(StateSource::kMultisample, Has(VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT),
        info_.pMultisampleState);
    set(StateSource::kDepthStencil,
        Has(VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT) && HasDepthStencilAttachment(),
        info_.pDepthStencilState);
    set(StateSource::kBlend,
        Has(VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT) && HasColorAttachments(),
        info_.pColorBlendState);
  }

  const state::Subpass* SubpassOf() const {
    return graphics_.render_pass ? graphics_.render_pass->At(graphics_.subpass) : nullptr;
  }
  // Without such attachments, the specification ignores the states of depth and stencil, and of blending. With dynamic
  // rendering, a library without the fragment output part has no formats.
  bool HasDepthStencilAttachment() const {
    if (info_.renderPass == VK_NULL_HANDLE)
      return graphics_.depth_format != VK_FORMAT_UNDEFINED || graphics_.stencil_format != VK_FORMAT_UNDEFINED;
    const state::Subpass* const subpass = SubpassOf();
    return subpass != nullptr && subpass->depth_stencil.is_used();
  }
  bool HasColorAttachments() const {
    if (info_.renderPass == VK_NULL_HANDLE) return !graphics_.color_formats.empty();
    const state::Subpass* const subpass = SubpassOf();
    return subpass != nullptr &&
           std::ranges::any_of(subpass->colors, [](const auto& color) { return color.is_used(); });
  }

  void ReadOwnParts(bool is_discarded) {
    result_->dynamic = listed_ & StatesOfParts(own_parts_);
    result_->has_discard_rectangles =
        Has(kPreRasterization) && vk::FindInChain<VkPipelineDiscardRectangleStateCreateInfoEXT>(info_.pNext) != nullptr;
    constexpr VkGraphicsPipelineLibraryFlagsEXT kWithTarget = kPreRasterization | kFragmentParts;
    result_->has_render_pass = (own_parts_ & kWithTarget) != 0 && info_.renderPass != VK_NULL_HANDLE;
    ReadSources(is_discarded);
    ReadBlending();
    const auto* const samples = vk::FindInChain<VkAttachmentSampleCountInfoAMD>(info_.pNext);
    if (samples != nullptr && (own_parts_ & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT) != 0) {
      const auto colors = state::Items(samples->pColorAttachmentSamples, samples->colorAttachmentCount);
      result_->attachment_samples = {{colors.begin(), colors.end()}, samples->depthStencilAttachmentSamples};
    }
    ReadLocations();
    ReadOutputs();
    const StateSet wanted = StatesOfParts(own_parts_).Without(listed_);
    const auto& states = StatesOfSources();
    for (size_t i = 0; i < kStateSources; ++i) {
      if (sources_[i] != nullptr) ReadSource(sources_[i], states[i], wanted);
    }
  }

  void ReadSource(const void* structure, const StatesOfSource& of, const StateSet& wanted) {
    const auto& sources = SourcesOfStates();
    StateSet found = of.own & wanted;
    if (static_cast<const VkBaseInStructure*>(structure)->pNext != nullptr) {
      (of.chained & wanted).ForEach([&](uint8_t i) {
        if (FindLink(structure, sources[i].link) != nullptr) found.Add(i);
      });
    }
    if (IsListed(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT)) found = found.Without(OnlyState(VK_DYNAMIC_STATE_VIEWPORT));
    if (IsListed(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT)) found = found.Without(OnlyState(VK_DYNAMIC_STATE_SCISSOR));
    result_->fixed = result_->fixed | found;
    result_->known = result_->known | (found & of.numbers);
    (found & of.numbers).ForEach([&](uint8_t i) {
      const SourceOfState& source = sources[i];
      const void* const link = source.link != VkStructureType{} ? FindLink(structure, source.link) : structure;
      const auto value = vk::Load<uint32_t>(link, source.value_offset);
      result_->values[i] = source.is_count ? value != 0 : value;
    });
  }

  void ReadLocations() {
    const void* const multisample = sources_[static_cast<size_t>(StateSource::kMultisample)];
    if (multisample == nullptr || IsListed(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT)) return;
    const auto* const state = reinterpret_cast<const VkPipelineSampleLocationsStateCreateInfoEXT*>(
        FindLink(multisample, VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT));
    if (state == nullptr) return;
    const VkSampleLocationsInfoEXT& info = state->sampleLocationsInfo;
    result_->locations = {info.sampleLocationsPerPixel, info.sampleLocationGridSize};
  }

  // What draws compare with the attachments.
  void ReadOutputs() {
    const void* const multisample = sources_[static_cast<size_t>(StateSource::kMultisample)];
    result_->has_sample_shading =
        multisample != nullptr &&
        static_cast<const VkPipelineMultisampleStateCreateInfo*>(multisample)->sampleShadingEnable == VK_TRUE;
    const bool has_output = (own_parts_ & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT) != 0;
    const auto* const external = vk::FindInChain<VkExternalFormatANDROID>(info_.pNext);
    if (external != nullptr && has_output) result_->external_format = external->externalFormat;
    if (const auto* locations = vk::FindInChain<VkRenderingAttachmentLocationInfo>(info_.pNext);
        locations != nullptr && has_output) {
      auto rendering = std::make_shared<state::RenderPassInstance>();
      rendering->Begin(VkRenderingInfo{});
      rendering->SetLocations(*locations);
      result_->color_locations = std::move(rendering);
    }
    if (const auto* indices = vk::FindInChain<VkRenderingInputAttachmentIndexInfo>(info_.pNext);
        indices != nullptr && (own_parts_ & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT) != 0) {
      auto rendering = std::make_shared<state::RenderPassInstance>();
      rendering->Begin(VkRenderingInfo{});
      rendering->SetInputIndices(*indices);
      result_->input_indices = std::move(rendering);
    }
  }

  void ReadBlending() {
    if (IsListed(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT)) return;
    const bool has_enables = !IsListed(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT);
    const auto* const blend =
        static_cast<const VkPipelineColorBlendStateCreateInfo*>(sources_[static_cast<size_t>(StateSource::kBlend)]);
    if (blend == nullptr || !vk::IsAddress(blend->pAttachments)) return;
    for (uint32_t i = 0; i < blend->attachmentCount; ++i) {
      const VkPipelineColorBlendAttachmentState& of = blend->pAttachments[i];
      const VkColorBlendEquationEXT equation = {of.srcColorBlendFactor, of.dstColorBlendFactor, of.colorBlendOp,
                                                of.srcAlphaBlendFactor, of.dstAlphaBlendFactor, of.alphaBlendOp};
      result_->uses_blend_constants |=
          has_enables && of.blendEnable == VK_TRUE && WithElements(0, 0, {&equation, 1}) != 0;
      result_->second_sources = WithSecondSources(result_->second_sources, i, {&equation, 1});
    }
  }

  bool AddLibraries() {
    const auto* const linked = vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(info_.pNext);
    if (linked == nullptr || !vk::IsAddress(linked->pLibraries)) return true;
    for (const VkPipeline handle : absl::MakeConstSpan(linked->pLibraries, linked->libraryCount)) {
      const auto* const library = state::DeviceState::Get<state::Pipeline>(handle);
      if (library == nullptr || library->core_data == nullptr) return false;
      const auto& other = static_cast<const PipelineStates&>(*library->core_data);
      result_->is_linked = true;
      result_->dynamic = result_->dynamic | other.dynamic;
      result_->fixed = result_->fixed | other.fixed;
      result_->known = result_->known | other.known;
      for (uint8_t i = 0; i < vk::kDynamicStateCount; ++i) {
        if (other.known.Has(i)) result_->values[i] = other.values[i];
      }
      result_->has_discard_rectangles |= other.has_discard_rectangles;
      result_->uses_blend_constants |= other.uses_blend_constants;
      result_->has_render_pass |= other.has_render_pass;
      if (other.attachment_samples) result_->attachment_samples = other.attachment_samples;
      if (other.locations) result_->locations = other.locations;
      result_->has_sample_shading |= other.has_sample_shading;
      result_->second_sources |= other.second_sources;
      if (other.external_format != 0) result_->external_format = other.external_format;
      if (other.color_locations != nullptr) result_->color_locations = other.color_locations;
      if (other.input_indices != nullptr) result_->input_indices = other.input_indices;
    }
    return true;
  }

  const VkGraphicsPipelineCreateInfo& info_;
  const state::Pipeline& pipeline_;
  const state::GraphicsState& graphics_;
  const VkGraphicsPipelineLibraryFlagsEXT own_parts_;
  VkGraphicsPipelineLibraryFlagsEXT absent_ = 0;
  StateSet listed_;
  std::array<const void*, kStateSources> sources_ = {};
  std::shared_ptr<PipelineStates> result_ = std::make_shared_for_overwrite<PipelineStates>();
};

}  // namespace

std::shared_ptr<const PipelineStates> ReadPipelineStates(const VkGraphicsPipelineCreateInfo& info,
                                                         const state::Pipeline& pipeline) {
  return pipeline.graphics != nullptr ? Reader(info, pipeline).Read() : nullptr;
}

std::shared_ptr<const PipelineStates> ReadPipelineStates(const VkRayTracingPipelineCreateInfoKHR& info,
                                                         const state::Pipeline&) {
  auto result = std::make_shared<PipelineStates>();
  for (const VkDynamicState state : DynamicStatesOf(info.pDynamicState)) {
    if (state == VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR) result->dynamic.Add(IndexOf(state));
  }
  if (result->dynamic.empty()) result->fixed.Add(IndexOf(VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR));
  return result;
}

}  // namespace assay::core
