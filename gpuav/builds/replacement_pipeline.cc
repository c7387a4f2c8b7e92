// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/builds/replacement_pipeline.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "dispatch/dispatch.h"
#include "gpuav/builds/layout.h"
#include "gpuav/builds/replace_references_spirv.h"
#include "spirv/unified1/spirv.hpp11"
#include "vk/commands.h"

namespace assay::gpuav {

using dispatch::CallNext;

namespace {

// The words of the shader with the push constant at this offset.
std::vector<uint32_t> WordsWith(uint32_t offset) {
  constexpr size_t kHeaderWords = 5;
  std::vector<uint32_t> words(std::begin(kReplaceReferences), std::end(kReplaceReferences));
  for (size_t i = kHeaderWords; i < words.size(); i += words[i] >> spv::WordCountShift) {
    const bool is_offset = (words[i] & spv::OpCodeMask) == static_cast<uint32_t>(spv::Op::OpMemberDecorate) &&
                           words[i + 3] == static_cast<uint32_t>(spv::Decoration::Offset);
    if (is_offset && words[i + 4] == kPushedOffset) words[i + 4] = offset;
  }
  return words;
}

}  // namespace

bool ReplacementPipeline::Make() {
  absl::call_once(once_, [this] {
    VkResult result = MakeLayout();
    if (result == VK_SUCCESS) result = MakePipeline();
    if (result != VK_SUCCESS) context_.Fail(vk::CommandId::kCreateComputePipelines, "a compute pipeline", result);
  });
  return pipeline_ != VK_NULL_HANDLE;
}

VkResult ReplacementPipeline::MakeLayout() {
  const dispatch::Device& device = context_.device();
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, context_.push_constant_offset(), kAddressBytes};
  const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                           .pushConstantRangeCount = 1,
                                           .pPushConstantRanges = &range};
  return CallNext(device, vk::CreatePipelineLayout{device.handle, &info, nullptr, &layout_});
}

VkResult ReplacementPipeline::MakePipeline() {
  const dispatch::Device& device = context_.device();
  const std::vector<uint32_t> words = WordsWith(context_.push_constant_offset());
  const VkShaderModuleCreateInfo module_info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                .codeSize = words.size() * sizeof(uint32_t),
                                                .pCode = words.data()};
  VkShaderModule module = VK_NULL_HANDLE;
  VkResult result = CallNext(device, vk::CreateShaderModule{device.handle, &module_info, nullptr, &module});
  if (result != VK_SUCCESS) return result;
  const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                      .module = module,
                                                      .pName = "main"},
                                            .layout = layout_};
  VkPipeline pipeline = VK_NULL_HANDLE;
  result = CallNext(device, vk::CreateComputePipelines{device.handle, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline});
  CallNext(device, vk::DestroyShaderModule{device.handle, module, nullptr});
  if (result == VK_SUCCESS) pipeline_ = pipeline;
  return result;
}

void ReplacementPipeline::Clear() {
  const dispatch::Device& device = context_.device();
  if (pipeline_ != VK_NULL_HANDLE) CallNext(device, vk::DestroyPipeline{device.handle, pipeline_, nullptr});
  if (layout_ != VK_NULL_HANDLE) CallNext(device, vk::DestroyPipelineLayout{device.handle, layout_, nullptr});
  pipeline_ = VK_NULL_HANDLE;
  layout_ = VK_NULL_HANDLE;
}

}  // namespace assay::gpuav
