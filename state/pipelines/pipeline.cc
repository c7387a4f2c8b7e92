// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/pipelines/pipeline.h"

#include "state/objects/items.h"
#include "state/objects/lookup.h"
#include "vk/chain.h"

namespace assay::state {
namespace {

// Whether a module declares that it accesses memory by device address. Its capabilities come first.
bool AccessesDeviceAddresses(absl::Span<const uint32_t> words) {
  constexpr uint32_t kOpCapability = 17;
  constexpr uint32_t kPhysicalStorageBufferAddresses = 5347;
  constexpr size_t kHeaderWords = 5;
  for (size_t i = kHeaderWords; i + 1 < words.size() && words[i] == (2u << 16 | kOpCapability); i += 2) {
    if (words[i + 1] == kPhysicalStorageBufferAddresses) return true;
  }
  return false;
}

absl::Span<const uint32_t> CodeOf(const VkShaderCreateInfoEXT& info) {
  if (info.codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT) return {};
  return Items(static_cast<const uint32_t*>(info.pCode), info.codeSize / sizeof(uint32_t));
}

}  // namespace

PipelineStage ReflectStage(VkShaderStageFlagBits stage, absl::Span<const uint32_t> words, const char* name,
                           const VkSpecializationInfo* specialization) {
  return {stage, ReflectEntryPoint(words, name != nullptr ? name : "", stage, specialization),
          AccessesDeviceAddresses(words)};
}

PipelineStage ReflectStage(const VkPipelineShaderStageCreateInfo& info) {
  absl::Span<const uint32_t> words;
  if (const auto* module = FindState<ShaderModule>(info.module)) {
    words = module->words;
  } else if (const auto* inline_module = vk::FindInChain<VkShaderModuleCreateInfo>(info.pNext)) {
    words = Items(inline_module->pCode, inline_module->codeSize / sizeof(uint32_t));
  }
  return ReflectStage(info.stage, words, info.pName, info.pSpecializationInfo);
}

Shader::Shader(uint64_t handle, const VkShaderCreateInfoEXT& info)
    : Object(kType, handle),
      flags(info.flags),
      stage(ReflectStage(info.stage, CodeOf(info), info.pName, info.pSpecializationInfo)) {}

}  // namespace assay::state
