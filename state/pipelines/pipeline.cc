// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/pipelines/pipeline.h"

#include <memory>
#include <utility>

#include "absl/types/span.h"
#include "state/objects/items.h"
#include "state/objects/lookup.h"
#include "state/shader/shader_code.h"
#include "vk/chain.h"
#include "vk/walk/load_store.h"

namespace assay::state {
namespace {

absl::Span<const uint32_t> WordsOf(const VkShaderModuleCreateInfo& info) {
  return Items(info.pCode, info.codeSize / sizeof(uint32_t));
}

absl::Span<const uint32_t> WordsOf(const VkShaderCreateInfoEXT& info) {
  if (info.codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT) return {};
  return Items(static_cast<const uint32_t*>(info.pCode), info.codeSize / sizeof(uint32_t));
}

// Of a stage whose code nobody looks at.
PipelineStage WithoutReflection(VkShaderStageFlagBits stage) {
  static const auto* const kNothing = new std::shared_ptr<const EntryPointInterface>(new EntryPointInterface());
  return {stage, *kNothing};
}

PipelineStage Reflect(VkShaderStageFlagBits stage, ShaderCode& code, const char* name,
                      const VkSpecializationInfo* specialization) {
  return {stage, code.Reflect(name != nullptr ? name : "", stage, specialization), code.accesses_device_addresses()};
}

}  // namespace

std::shared_ptr<ShaderCode> FindCode(const VkShaderModuleCreateInfo& info, ShaderCodes& codes) {
  return codes.Get(WordsOf(info));
}

std::shared_ptr<ShaderCode> CodeOf(const VkPipelineShaderStageCreateInfo& info, ShaderCodes& codes) {
  if (const auto* module = FindState<ShaderModule>(info.module))
    return {std::shared_ptr<ShaderCode>(), module->code.get()};
  const auto* inline_module = vk::FindInChain<VkShaderModuleCreateInfo>(info.pNext);
  return inline_module != nullptr && vk::IsAddress(inline_module->pCode) ? FindCode(*inline_module, codes) : nullptr;
}

PipelineStage ReflectStage(const VkPipelineShaderStageCreateInfo& info, ShaderCodes& codes) {
  if (!codes.reflects()) return WithoutReflection(info.stage);
  const std::shared_ptr<ShaderCode> code = CodeOf(info, codes);
  return Reflect(info.stage, code != nullptr ? *code : *codes.Get({}), info.pName, info.pSpecializationInfo);
}

Shader::Shader(uint64_t handle, const VkShaderCreateInfoEXT& info, std::vector<Ref<DescriptorSetLayout>> sets,
               std::shared_ptr<const LinkedShaders> linked_with, ShaderCodes& codes)
    : Object(kType, handle),
      flags(info.flags),
      stage(codes.reflects() ? Reflect(info.stage, *codes.Get(WordsOf(info)), info.pName, info.pSpecializationInfo)
                             : WithoutReflection(info.stage)),
      set_layouts(std::move(sets)),
      push_constants(ItemList(info.pPushConstantRanges, info.pushConstantRangeCount)),
      linked(std::move(linked_with)) {}

}  // namespace assay::state
