// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_PIPELINES_PIPELINE_H_
#define ASSAY_STATE_PIPELINES_PIPELINE_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "state/descriptors/descriptor_set_layout.h"
#include "state/graphics/graphics_state.h"
#include "state/objects/object.h"
#include "state/shader/reflection.h"
#include "vk/vulkan.h"

namespace assay::state {

class ShaderCode;
class ShaderCodes;

class ShaderModule : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SHADER_MODULE;
  ShaderModule(uint64_t handle, std::shared_ptr<ShaderCode> of) : Object(kType, handle), code(std::move(of)) {}

  // Modules with the same words share it.
  const std::shared_ptr<ShaderCode> code;
};

// The code of a module.
std::shared_ptr<ShaderCode> FindCode(const VkShaderModuleCreateInfo& info, ShaderCodes& codes);

// The code of a stage: that of its module or of its own chain. Null if neither has code
// (VkPipelineShaderStageModuleIdentifierCreateInfoEXT). It does not own the code of a module.
std::shared_ptr<ShaderCode> CodeOf(const VkPipelineShaderStageCreateInfo& info, ShaderCodes& codes);

// One shader stage of a pipeline.
struct PipelineStage {
  VkShaderStageFlagBits stage;
  // Stages with the same code, entry point and specialization constants share it. Never null.
  std::shared_ptr<const EntryPointInterface> interface;
  // Whether the stage may also access memory by device address (VkBufferDeviceAddress), without a descriptor.
  bool accesses_device_addresses = false;
};

// Reflects the code of a stage. The interface is not found if there is none, or if nobody asks for it
// (ShaderCodes::reflects).
PipelineStage ReflectStage(const VkPipelineShaderStageCreateInfo& info, ShaderCodes& codes);

// The shader objects that one vkCreateShadersEXT made with VK_SHADER_CREATE_LINK_STAGE_BIT_EXT.
struct LinkedShaders {
  VkShaderStageFlags stages = 0;
};

// A shader object.
class Shader : public Object, public WithSubState {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SHADER_EXT;
  // The interface of a shader that is created from a binary is not known.
  Shader(uint64_t handle, const VkShaderCreateInfoEXT& info, std::vector<Ref<DescriptorSetLayout>> sets,
         std::shared_ptr<const LinkedShaders> linked_with, ShaderCodes& codes);

  const VkShaderCreateFlagsEXT flags;
  const PipelineStage stage;
  const std::vector<Ref<DescriptorSetLayout>> set_layouts;
  const std::vector<VkPushConstantRange> push_constants;
  // Those that are linked with this one share it. Null for one that is not linked.
  const std::shared_ptr<const LinkedShaders> linked;
  // As in Pipeline.
  std::shared_ptr<const ObjectSubState> core_resources;
};

// A shader group of a ray tracing pipeline.
struct ShaderGroup {
  VkRayTracingShaderGroupTypeKHR type;
  // Indices of Pipeline::stages, or VK_SHADER_UNUSED_KHR.
  uint32_t general;
  uint32_t closest_hit;
  uint32_t any_hit;
  uint32_t intersection;
};

// A pipeline of any bind point. Its shaders are reflected when it is created, if a validator asks for that. A pipeline
// that is linked from libraries has the libraries' stages and groups after its own.
class Pipeline : public Object, public WithSubState {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_PIPELINE;
  Pipeline(uint64_t handle, VkPipelineBindPoint point, Ref<PipelineLayout> of, std::vector<PipelineStage> with)
      : Object(kType, handle), bind_point(point), layout(std::move(of)), stages(std::move(with)) {}

  // Null if the pipeline has no such stage.
  const PipelineStage* Find(VkShaderStageFlagBits stage) const {
    for (const PipelineStage& candidate : stages) {
      if (candidate.stage == stage) return &candidate;
    }
    return nullptr;
  }

  const VkPipelineBindPoint bind_point;
  // Null for a library without a layout. A linked pipeline without one has the first layout of its libraries.
  const Ref<PipelineLayout> layout;
  const std::vector<PipelineStage> stages;
  VkPipelineCreateFlags2 flags = 0;
  // Of a graphics pipeline; null for others.
  std::unique_ptr<const GraphicsState> graphics;
  // Of a ray tracing pipeline.
  std::vector<ShaderGroup> groups;
  // What core notes of the pipeline for the commands that use it (core/draw): set in core's PostCallRecord of the
  // command that creates the pipeline. Recordings that bind the pipeline share it, since they may outlive it.
  std::shared_ptr<const ObjectSubState> core_data;
  // The same of what its shaders need of descriptors (core/interfaces).
  std::shared_ptr<const ObjectSubState> core_resources;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_PIPELINES_PIPELINE_H_
