// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINES_PIPELINE_FACTS_H_
#define ASSAY_CORE_PIPELINES_PIPELINE_FACTS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "state/state.h"
#include "vk/vulkan.h"

// Private to the package: what it notes of pipeline layouts and of pipeline libraries, beyond what the state tracker
// keeps. Pipelines that are linked compare it.
namespace assay::core {

class GraphicsView;

struct LayoutFacts {
  struct Set {
    // Null for a set that the layout leaves open.
    VkDescriptorSetLayout handle;
    state::Ref<state::DescriptorSetLayout> layout;
  };

  explicit LayoutFacts(const VkPipelineLayoutCreateInfo& info);
  bool has_independent_sets() const { return (flags & VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT) != 0; }

  VkPipelineLayoutCreateFlags flags;
  std::vector<Set> sets;
  // By offset.
  std::vector<VkPushConstantRange> ranges;
};
using SharedLayout = std::shared_ptr<const LayoutFacts>;

// VkPipelineMultisampleStateCreateInfo.
struct MultisampleFacts {
  explicit MultisampleFacts(const VkPipelineMultisampleStateCreateInfo& info);

  VkSampleCountFlagBits samples;
  bool has_sample_shading;
  float min_sample_shading;
  bool has_alpha_to_coverage;
  bool has_alpha_to_one;
  // Without a mask all bits are set.
  std::vector<VkSampleMask> mask;
};

// The parts that one create info has itself: those of a library, or of the pipeline that links libraries.
struct PartFacts {
  PartFacts(const GraphicsView& view, SharedLayout with);

  bool Has(VkGraphicsPipelineLibraryFlagsEXT some) const { return (parts & some) != 0; }

  VkGraphicsPipelineLibraryFlagsEXT parts;
  VkShaderStageFlags stages;
  state::DynamicStates dynamic;
  // Null if it is not known.
  SharedLayout layout;
  // Whether a shader is given by VkPipelineShaderStageModuleIdentifierCreateInfoEXT.
  bool has_module_identifier;
  bool has_render_pass;
  // Null for dynamic rendering.
  state::Ref<state::RenderPass> render_pass;
  uint32_t subpass;
  uint32_t view_mask;
  std::optional<MultisampleFacts> multisample;
  VkPipelineFragmentShadingRateStateCreateInfoKHR shading_rate;
  VkMultiviewPerViewAttributesInfoNVX per_view_attributes;
};

// Of a library: its own parts and those of its libraries.
struct PipelineFacts {
  std::vector<PartFacts> parts;
};
using SharedPipeline = std::shared_ptr<const PipelineFacts>;

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINES_PIPELINE_FACTS_H_
