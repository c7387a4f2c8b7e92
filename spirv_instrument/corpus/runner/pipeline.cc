// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/runner/pipeline.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "spirv_instrument/corpus/runner/ray_tracing.h"

namespace assay::spirv_instrument::corpus {
namespace {

// All constants, as Vulkan wants them. Each stage takes those it has.
class Specialization {
 public:
  explicit Specialization(const std::vector<SpecializationConstant>& constants) {
    for (const SpecializationConstant& constant : constants) {
      entries_.push_back({constant.id, static_cast<uint32_t>(data_.size()), constant.value.size()});
      data_.insert(data_.end(), constant.value.begin(), constant.value.end());
    }
    info_ = {static_cast<uint32_t>(entries_.size()), entries_.data(), data_.size(), data_.data()};
  }
  const VkSpecializationInfo& info() const { return info_; }

 private:
  std::vector<VkSpecializationMapEntry> entries_;
  std::vector<uint8_t> data_;
  VkSpecializationInfo info_ = {};
};

absl::StatusOr<std::vector<VkPipelineShaderStageCreateInfo>> MakeStages(Objects& objects,
                                                                        const PipelineDescription& description,
                                                                        const Specialization& specialization) {
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  for (const ShaderStage& stage : description.stages) {
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = stage.words.size() * sizeof(uint32_t),
                                     .pCode = stage.words.data()};
    VkShaderModule shader = VK_NULL_HANDLE;
    absl::Status status = Check(objects.vk().CreateShaderModule(objects.device().handle(), &info, nullptr, &shader),
                                "vkCreateShaderModule");
    if (!status.ok()) return status;
    objects.Defer([&objects, shader] { objects.vk().DestroyShaderModule(objects.device().handle(), shader, nullptr); });
    stages.push_back({.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = stage.stage,
                      .module = shader,
                      .pName = "main",
                      .pSpecializationInfo = &specialization.info()});
  }
  return stages;
}

absl::StatusOr<VkPipeline> MakeCompute(Objects& objects, const PipelineDescription& description,
                                       const std::vector<VkPipelineShaderStageCreateInfo>& stages) {
  VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = stages[0], .layout = description.layout};
  VkPipeline pipeline = VK_NULL_HANDLE;
  absl::Status status = Check(
      objects.vk().CreateComputePipelines(objects.device().handle(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
      "vkCreateComputePipelines");
  if (!status.ok()) return status;
  return pipeline;
}

absl::StatusOr<VkPipeline> MakeRayTracing(Objects& objects, const PipelineDescription& description,
                                          const std::vector<VkPipelineShaderStageCreateInfo>& stages) {
  if (!objects.device().Has(VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME)) {
    return absl::UnimplementedError("the device has no ray tracing pipelines");
  }
  std::vector<VkShaderStageFlagBits> kinds;
  kinds.reserve(stages.size());
  for (const VkPipelineShaderStageCreateInfo& stage : stages) kinds.push_back(stage.stage);
  const std::vector<VkRayTracingShaderGroupCreateInfoKHR> groups = ShaderGroups(kinds);
  VkRayTracingPipelineCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
      .stageCount = static_cast<uint32_t>(stages.size()),
      .pStages = stages.data(),
      .groupCount = static_cast<uint32_t>(groups.size()),
      .pGroups = groups.data(),
      .maxPipelineRayRecursionDepth = 1,
      .layout = description.layout,
  };
  VkPipeline pipeline = VK_NULL_HANDLE;
  absl::Status status = Check(objects.vk().CreateRayTracingPipelinesKHR(objects.device().handle(), VK_NULL_HANDLE,
                                                                        VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
                              "vkCreateRayTracingPipelinesKHR");
  if (!status.ok()) return status;
  return pipeline;
}

// The state of a graphics pipeline.
struct GraphicsState {
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
  std::vector<VkFormat> formats;
  std::vector<VkPipelineColorBlendAttachmentState> blends;
  VkExtent3D extent = {1, 1, 1};
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};

absl::StatusOr<GraphicsState> DescribeGraphics(const Setup& setup, const Resources& resources) {
  GraphicsState state;
  for (const VertexBufferDescription& buffer : setup.vertex_buffers) {
    state.bindings.push_back({buffer.binding, buffer.stride, buffer.rate});
  }
  for (const VertexAttributeDescription& attribute : setup.vertex_attributes) {
    state.attributes.push_back({attribute.location, attribute.binding, attribute.format, attribute.offset});
  }
  for (const std::string& name : setup.targets) {
    const Image* image = resources.FindImage(name);
    if (image == nullptr) return absl::NotFoundError(absl::StrCat("there is no image ", name));
    state.formats.push_back(image->description->format);
    state.blends.push_back({.colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                                              VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT});
    state.extent = image->description->extent;
    state.samples = image->description->samples;
  }
  return state;
}

absl::StatusOr<VkPipeline> MakeGraphics(Objects& objects, const PipelineDescription& description,
                                        const std::vector<VkPipelineShaderStageCreateInfo>& stages) {
  const Work& work = description.setup->work;
  absl::StatusOr<GraphicsState> state = DescribeGraphics(*description.setup, *description.resources);
  if (!state.ok()) return state.status();
  const VkPipelineVertexInputStateCreateInfo vertex_input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = static_cast<uint32_t>(state->bindings.size()),
      .pVertexBindingDescriptions = state->bindings.data(),
      .vertexAttributeDescriptionCount = static_cast<uint32_t>(state->attributes.size()),
      .pVertexAttributeDescriptions = state->attributes.data(),
  };
  const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = work.topology};
  const VkPipelineTessellationStateCreateInfo tessellation = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = work.patch_vertices};
  const VkViewport viewport = {.width = static_cast<float>(state->extent.width),
                               .height = static_cast<float>(state->extent.height),
                               .maxDepth = 1};
  const VkRect2D scissor = {{0, 0}, {state->extent.width, state->extent.height}};
  const VkPipelineViewportStateCreateInfo viewports = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                       .viewportCount = 1,
                                                       .pViewports = &viewport,
                                                       .scissorCount = 1,
                                                       .pScissors = &scissor};
  const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
  const VkPipelineMultisampleStateCreateInfo multisample = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = state->samples};
  const VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
      .attachmentCount = static_cast<uint32_t>(state->blends.size()),
      .pAttachments = state->blends.data(),
  };
  const VkPipelineRenderingCreateInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
      .colorAttachmentCount = static_cast<uint32_t>(state->formats.size()),
      .pColorAttachmentFormats = state->formats.data(),
  };
  const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .pNext = &rendering,
      .stageCount = static_cast<uint32_t>(stages.size()),
      .pStages = stages.data(),
      .pVertexInputState = &vertex_input,
      .pInputAssemblyState = &assembly,
      .pTessellationState = work.topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST ? &tessellation : nullptr,
      .pViewportState = &viewports,
      .pRasterizationState = &rasterization,
      .pMultisampleState = &multisample,
      .pColorBlendState = &blend,
      .layout = description.layout,
  };
  VkPipeline pipeline = VK_NULL_HANDLE;
  absl::Status status = Check(
      objects.vk().CreateGraphicsPipelines(objects.device().handle(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
      "vkCreateGraphicsPipelines");
  if (!status.ok()) return status;
  return pipeline;
}

VkPipelineBindPoint BindPointOf(Work::Kind kind) {
  switch (kind) {
    case Work::Kind::kDispatch:
      return VK_PIPELINE_BIND_POINT_COMPUTE;
    case Work::Kind::kTraceRays:
      return VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR;
    default:
      return VK_PIPELINE_BIND_POINT_GRAPHICS;
  }
}

}  // namespace

absl::StatusOr<Pipeline> MakePipeline(Objects& objects, const PipelineDescription& description) {
  const Specialization specialization(description.specialization);
  absl::StatusOr<std::vector<VkPipelineShaderStageCreateInfo>> stages =
      MakeStages(objects, description, specialization);
  if (!stages.ok()) return stages.status();
  Pipeline pipeline = {.bind_point = BindPointOf(description.setup->work.kind)};
  absl::StatusOr<VkPipeline> made = VkPipeline{VK_NULL_HANDLE};
  if (pipeline.bind_point == VK_PIPELINE_BIND_POINT_COMPUTE) {
    made = MakeCompute(objects, description, *stages);
  } else if (pipeline.bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS) {
    made = MakeGraphics(objects, description, *stages);
  } else {
    made = MakeRayTracing(objects, description, *stages);
  }
  if (!made.ok()) return made.status();
  pipeline.handle = *made;
  objects.Defer([&objects, handle = pipeline.handle] {
    objects.vk().DestroyPipeline(objects.device().handle(), handle, nullptr);
  });
  return pipeline;
}

}  // namespace assay::spirv_instrument::corpus
