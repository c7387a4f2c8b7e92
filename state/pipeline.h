// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_PIPELINE_H_
#define ASSAY_STATE_PIPELINE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "state/descriptors.h"
#include "state/object.h"
#include "state/shader/reflection.h"
#include "vk/vulkan.h"

namespace assay::state {

class ShaderModule : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SHADER_MODULE;
  ShaderModule(uint64_t handle, const VkShaderModuleCreateInfo& info) : Object(kType, handle) {
    if (info.pCode != nullptr) words.assign(info.pCode, info.pCode + info.codeSize / sizeof(uint32_t));
  }

  std::vector<uint32_t> words;
};

// One shader stage of a pipeline.
struct PipelineStage {
  VkShaderStageFlagBits stage;
  EntryPointInterface interface;
  // Whether it may also access memory that no descriptor names (VkBufferDeviceAddress).
  bool uses_addresses = false;
};

// A pipeline of any bind point; what its shaders statically use is found when it is created.
class Pipeline : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_PIPELINE;
  Pipeline(uint64_t handle, VkPipelineBindPoint point, Ref<PipelineLayout> of, std::vector<PipelineStage> with)
      : Object(kType, handle), bind_point(point), layout(std::move(of)), stages(std::move(with)) {}

  const VkPipelineBindPoint bind_point;
  const Ref<PipelineLayout> layout;
  const std::vector<PipelineStage> stages;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_PIPELINE_H_
