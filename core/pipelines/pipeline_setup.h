// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINES_PIPELINE_SETUP_H_
#define ASSAY_CORE_PIPELINES_PIPELINE_SETUP_H_

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "vk/struct_traits.h"
#include "vk/vulkan.h"

// Test-only: a device and a graphics pipeline, as structures that a case changes.
namespace assay::core {

// It begins as a correct pipeline with vertex and fragment shader and one color attachment, for dynamic rendering.
struct PipelineSetup {
  PipelineSetup() = default;
  PipelineSetup(const PipelineSetup&) = delete;
  PipelineSetup& operator=(const PipelineSetup&) = delete;

  // Adds a structure to a chain.
  template <class T, class S>
  T& Chain(S& to, T more) {
    auto& kept = kept_.emplace_back(new char[sizeof(T)], [](void* p) { delete[] static_cast<char*>(p); });
    T& result = *new (kept.get()) T(more);
    result.sType = vk::kStructureTypeOf<T>;
    result.pNext = const_cast<void*>(static_cast<const void*>(to.pNext));
    to.pNext = &result;
    return result;
  }
  // Enables an extension, with all features of its structures but those in `without`.
  void Enable(const char* extension) { extensions.push_back(extension); }
  void Disable(const char* feature) { without.emplace(feature); }
  void SetDynamic(VkDynamicState state) { dynamic.push_back(state); }
  // Changes a structure of the physical device's properties.
  template <class T>
  void Limit(std::function<void(T&)> change) {
    limits.emplace_back([change](VkBaseOutStructure* s) {
      if (s->sType == vk::kStructureTypeOf<T>) change(*reinterpret_cast<T*>(s));
    });
  }
  void UseRenderPass(VkSubpassDescriptionFlags flags = 0) {
    has_render_pass = true;
    subpass_flags = flags;
  }
  void UseDepth(VkFormat format = VK_FORMAT_D24_UNORM_S8_UINT) {
    has_depth = true;
    rendering.depthAttachmentFormat = rendering.stencilAttachmentFormat = format;
  }
  // The pipeline has these parts itself.
  void KeepParts(VkGraphicsPipelineLibraryFlagsEXT parts);
  // It is a library with these parts.
  void BeLibrary(VkGraphicsPipelineLibraryFlagsEXT parts);
  // It links one more library.
  PipelineSetup& AddLibrary(VkGraphicsPipelineLibraryFlagsEXT parts);
  // It consists of libraries, or has parts itself and libraries.
  void Link(std::initializer_list<VkGraphicsPipelineLibraryFlagsEXT> parts);
  void LinkTo(VkGraphicsPipelineLibraryFlagsEXT own, std::initializer_list<VkGraphicsPipelineLibraryFlagsEXT> parts);
  void AddStage(VkShaderStageFlagBits stage) { stages.push_back(stage); }
  void AddStage(VkShaderStageFlagBits stage, std::string text) {
    stages.push_back(stage);
    texts[stage] = std::move(text);
  }
  // Mesh and fragment shader, without the feature that needs another.
  void UseMeshShader() {
    Enable("VK_EXT_mesh_shader");
    Disable("primitiveFragmentShadingRateMeshShader");
    stages = {VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_FRAGMENT_BIT};
    info.pVertexInputState = nullptr;
    info.pInputAssemblyState = nullptr;
  }

  std::vector<const char*> extensions;
  std::set<std::string> without;
  std::vector<std::function<void(VkBaseOutStructure*)>> limits;
  std::vector<std::pair<VkFormat, VkFormatFeatureFlags2>> formats;
  // The specVersion of extensions.
  std::map<std::string, uint32_t> versions;
  uint32_t api_version = VK_API_VERSION_1_4;
  bool has_render_pass = false;
  bool is_render_pass_destroyed = false;
  // The render pass breaks a rule, too, and is made all the same.
  bool is_render_pass_wrong = false;
  bool has_depth = false;
  VkSubpassDescriptionFlags subpass_flags = 0;
  VkSampleCountFlagBits subpass_samples = VK_SAMPLE_COUNT_1_BIT;
  uint32_t subpass_view_mask = 0;
  uint32_t subpass_count = 1;
  // Of VkMultisampledRenderToSingleSampledInfoEXT in the subpass's chain, and of an input attachment; 0 for none.
  VkSampleCountFlags single_sampled = 0;
  VkSampleCountFlags input_samples = 0;
  // An input attachment that is VK_ATTACHMENT_UNUSED, a resolve attachment with an external format or a plain one, and
  // a dependency on each earlier subpass.
  bool has_unused_input = false;
  bool has_external_resolve = false;
  bool has_resolve = false;
  bool has_dependencies = false;
  bool has_layout = true;
  struct Layout {
    VkPipelineLayoutCreateFlags flags = 0;
    // For each set the stages of its one uniform buffer; 0 for VK_NULL_HANDLE.
    std::vector<VkShaderStageFlags> sets;
    std::vector<VkPushConstantRange> ranges;
    // Of the bindings, instead.
    VkDescriptorType type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    VkDescriptorSetLayoutCreateFlags set_flags = 0;
  } layout;
  // Created before the pipeline, which links them.
  std::vector<std::unique_ptr<PipelineSetup>> libraries;
  // basePipelineHandle, if there is one.
  std::unique_ptr<PipelineSetup> base;
  // VkGraphicsPipelineShaderGroupsCreateInfoNV has the base pipeline.
  bool has_group = false;
  // And groups of its own.
  struct Group {
    std::vector<VkShaderStageFlagBits> stages;
    const VkPipelineVertexInputStateCreateInfo* input;
    const VkPipelineTessellationStateCreateInfo* tessellation;
    std::map<VkShaderStageFlagBits, std::string> texts;
  };
  std::vector<Group> groups;
  // Adds one that is like the pipeline as it is now.
  Group& AddGroup() {
    return groups.emplace_back(Group{stages, info.pVertexInputState, info.pTessellationState, texts});
  }
  // pStages is no address.
  bool has_bad_stages = false;
  // The shaders are given by VkPipelineShaderStageModuleIdentifierCreateInfoEXT.
  bool has_identifiers = false;
  // SPIR-V texts, instead of shaders that do the least.
  std::map<VkShaderStageFlagBits, std::string> texts;
  std::function<void(VkPhysicalDeviceLimits&)> device_limits;

  std::vector<VkShaderStageFlagBits> stages = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
  std::vector<VkDynamicState> dynamic;
  VkVertexInputBindingDescription binding = {0, 16, VK_VERTEX_INPUT_RATE_VERTEX};
  VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
  VkPipelineVertexInputStateCreateInfo input = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, nullptr, 0, 1, &binding, 1, &attribute};
  // For vertex shaders without attributes.
  VkPipelineVertexInputStateCreateInfo no_input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  VkPipelineTessellationStateCreateInfo tessellation = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 3};
  VkViewport viewports[2] = {{0, 0, 64, 64, 0, 1}, {0, 0, 64, 64, 0, 1}};
  VkRect2D scissors[2] = {{{0, 0}, {64, 64}}, {{0, 0}, {64, 64}}};
  VkPipelineViewportStateCreateInfo viewport = {
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, nullptr, 0, 1, viewports, 1, scissors};
  VkPipelineRasterizationStateCreateInfo raster = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                                                   .lineWidth = 1};
  VkPipelineMultisampleStateCreateInfo samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                  .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  VkPipelineDepthStencilStateCreateInfo depth = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                 .depthCompareOp = VK_COMPARE_OP_LESS};
  VkPipelineColorBlendAttachmentState blends[2] = {{.colorWriteMask = 0xf}, {.colorWriteMask = 0xf}};
  VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1, .pAttachments = blends};
  VkFormat formats_of_colors[2] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM};
  VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                             .colorAttachmentCount = 1,
                                             .pColorAttachmentFormats = formats_of_colors};
  VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                       .pNext = &rendering,
                                       .pVertexInputState = &input,
                                       .pInputAssemblyState = &assembly,
                                       .pTessellationState = &tessellation,
                                       .pViewportState = &viewport,
                                       .pRasterizationState = &raster,
                                       .pMultisampleState = &samples,
                                       .pDepthStencilState = &depth,
                                       .pColorBlendState = &blend,
                                       .basePipelineIndex = -1};

 private:
  void EnableLibraries();

  std::vector<std::unique_ptr<void, void (*)(void*)>> kept_;
};

struct PipelineCase {
  // Null for a correct pipeline.
  const char* id;
  void (*change)(PipelineSetup&);
  // Another id that the same pipeline cannot but break.
  const char* other_id = nullptr;
};
absl::Span<const PipelineCase> StateCases();
absl::Span<const PipelineCase> OutputCases();
absl::Span<const PipelineCase> ShadingRateCases();
absl::Span<const PipelineCase> StageCases();
absl::Span<const PipelineCase> TargetCases();
absl::Span<const PipelineCase> LibraryCases();
absl::Span<const PipelineCase> LinkCases();
absl::Span<const PipelineCase> ChainCases();
absl::Span<const PipelineCase> LocalReadCases();
absl::Span<const PipelineCase> ShaderCases();
absl::Span<const PipelineCase> FragmentShaderCases();
absl::Span<const PipelineCase> ExternalFormatCases();
absl::Span<const PipelineCase> FlagCases();
absl::Span<const PipelineCase> PointerCases();
absl::Span<const PipelineCase> GroupCases();

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINES_PIPELINE_SETUP_H_
