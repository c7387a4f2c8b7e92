// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINES_GRAPHICS_VIEW_H_
#define ASSAY_CORE_PIPELINES_GRAPHICS_VIEW_H_

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "core/pipelines/pipeline_facts.h"
#include "core/pipelines/shaders/shader_facts.h"
#include "dispatch/dispatch.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/extension_info.h"
#include "vk/feature_info.h"
#include "vk/vulkan.h"

namespace assay::core {

inline constexpr VkGraphicsPipelineLibraryFlagsEXT kVertexInput =
    VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
inline constexpr VkGraphicsPipelineLibraryFlagsEXT kPreRasterization =
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
inline constexpr VkGraphicsPipelineLibraryFlagsEXT kFragmentShader =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
inline constexpr VkGraphicsPipelineLibraryFlagsEXT kFragmentOutput =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

// A pipeline library that a pipeline links.
struct LinkedLibrary {
  const state::Pipeline* pipeline;
  // Among VkPipelineLibraryCreateInfoKHR::pLibraries.
  uint32_t index;
  // Null if nothing was noted.
  SharedPipeline facts;
};

// A color attachment that the pipeline writes.
struct ColorTarget {
  VkFormat format = VK_FORMAT_UNDEFINED;
  // 0 without a render pass.
  VkSampleCountFlags samples = 0;
};

// A VkGraphicsPipelineCreateInfo, read once. A pointer to a state is null if the specification ignores it, since it may
// be garbage then, and if it is no address. A member of a state that is dynamic is ignored, too; IsDynamic() says so.
class GraphicsView {
 public:
  // `cache` is null if the code of shaders is not to be looked at.
  GraphicsView(const dispatch::Device& of, const VkGraphicsPipelineCreateInfo& create,
               std::vector<LinkedLibrary> linked, SharedLayout with_layout, const ShaderFactsCache* cache);

  bool Has(vk::FeatureId feature) const { return device.HasFeature(feature); }
  bool IsEnabled(vk::ExtensionId extension) const { return device.IsEnabled(extension); }
  // A structure of VkPhysicalDeviceProperties2; null if the device does not have it.
  template <class T>
  const T* Properties() const {
    return device.physical_device->Find<T>();
  }
  // A structure of the create info's chain.
  template <class T>
  const T* Chained() const {
    return vk::FindInChain<T>(info.pNext);
  }
  bool IsDynamic(VkDynamicState state) const { return dynamic.Has(state); }
  bool AreDynamic(std::initializer_list<VkDynamicState> all) const;
  // Whether the create info itself has one of the parts.
  bool Requires(VkGraphicsPipelineLibraryFlagsEXT some) const { return (parts & some) != 0; }
  bool HasStage(VkShaderStageFlags some) const { return (stages & some) != 0; }
  // The code of a shader of the create info; null without the stage, if it is ignored, and if the code is not known.
  const ShaderFacts* CodeOf(VkShaderStageFlagBits stage) const;
  // Whether the fragments' parts count: rasterization is not switched off for good, as far as it is known.
  bool rasterizes() const { return rasterizes_; }
  bool requires_fragment_shader() const { return rasterizes_ && Requires(kFragmentShader); }
  bool requires_fragment_output() const { return rasterizes_ && Requires(kFragmentOutput); }
  bool HasFlag(VkPipelineCreateFlags2 flag) const { return (flags & flag) != 0; }
  // Whether the attachments are known: those of a subpass, or of dynamic rendering.
  bool has_render_pass() const { return info.renderPass != VK_NULL_HANDLE; }
  // Of pMultisampleState; 0 if they are dynamic or not known.
  VkSampleCountFlags StaticSamples() const;
  // The features of a format with optimal and linear tiling.
  VkFormatFeatureFlags2 PotentialFeatures(VkFormat format) const;
  VkFormatFeatureFlags2 BufferFeatures(VkFormat format) const;

  const dispatch::Device& device;
  const VkGraphicsPipelineCreateInfo& info;
  VkPipelineCreateFlags2 flags;
  // The parts that the create info has itself, and these with its libraries'.
  VkGraphicsPipelineLibraryFlagsEXT parts;
  VkGraphicsPipelineLibraryFlagsEXT all_parts;
  // Null if the chain has none.
  const VkGraphicsPipelineLibraryCreateInfoEXT* library_info;
  std::vector<LinkedLibrary> libraries;
  // Null if it is not known.
  SharedLayout layout;
  // Empty if they are ignored.
  absl::Span<const VkPipelineShaderStageCreateInfo> shaders;
  // Whether the code of one of them is known.
  bool has_code = false;
  // Of all whose code is known: bits of ShaderTrait.
  uint32_t traits = 0;
  VkShaderStageFlags stages = 0;
  // With the libraries'.
  VkShaderStageFlags all_stages = 0;
  state::DynamicStates dynamic;
  absl::Span<const VkDynamicState> dynamic_states;

  const VkPipelineVertexInputStateCreateInfo* vertex_input = nullptr;
  const VkPipelineInputAssemblyStateCreateInfo* assembly = nullptr;
  const VkPipelineTessellationStateCreateInfo* tessellation = nullptr;
  const VkPipelineViewportStateCreateInfo* viewport = nullptr;
  const VkPipelineRasterizationStateCreateInfo* rasterization = nullptr;
  const VkPipelineMultisampleStateCreateInfo* multisample = nullptr;
  const VkPipelineDepthStencilStateCreateInfo* depth_stencil = nullptr;
  const VkPipelineColorBlendStateCreateInfo* blend = nullptr;
  // Of the blend state; empty if they are ignored.
  absl::Span<const VkPipelineColorBlendAttachmentState> blends;

  // Null without a render pass, or for an unknown one.
  const state::RenderPass* render_pass = nullptr;
  const state::Subpass* subpass = nullptr;
  // Null with a render pass, or without the structure.
  const VkPipelineRenderingCreateInfo* rendering = nullptr;
  uint32_t view_mask = 0;
  // Of the subpass or, with fragment output state, of dynamic rendering.
  std::vector<ColorTarget> colors;
  VkFormat depth_format = VK_FORMAT_UNDEFINED;
  VkFormat stencil_format = VK_FORMAT_UNDEFINED;
  // 0 without a render pass or such an attachment.
  VkSampleCountFlags depth_stencil_samples = 0;

 private:
  void ReadStages(const ShaderFactsCache* cache);
  void ReadTargets();
  bool Rasterizes() const;
  bool MayReadDepthStencil() const;
  void ReadStates();
  void ReadBlend();

  bool rasterizes_ = true;
  // By the number of the stage's bit. Null for code that is not known.
  static constexpr size_t kStages = std::countr_zero<uint32_t>(VK_SHADER_STAGE_MESH_BIT_EXT) + 1;
  std::array<std::shared_ptr<const ShaderFacts>, kStages> code_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINES_GRAPHICS_VIEW_H_
