// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/pipelines/stages.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "messages/messages.h"
#include "spirv_instrument/printf/prints.h"
#include "vk/chain.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

bool IsChosen(const void* chain) {
  const auto* features = vk::FindInChain<VkValidationFeaturesEXT>(chain);
  if (features == nullptr) return false;
  const auto enabled = absl::MakeSpan(features->pEnabledValidationFeatures, features->enabledValidationFeatureCount);
  return std::ranges::find(enabled, VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT) != enabled.end();
}

std::optional<InstrumentedModule> MakeModule(Context& context, ShaderRegistry& registry, const InstrumentedWords& words,
                                             InstrumentedShader shader) {
  const uint32_t id = registry.NewId();
  const std::vector<uint32_t> with_id = words.WithId(id);
  const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                         .codeSize = with_id.size() * sizeof(uint32_t),
                                         .pCode = with_id.data()};
  const dispatch::Device& device = context.device();
  VkShaderModule module = VK_NULL_HANDLE;
  const VkResult result = dispatch::CallNext(device, vk::CreateShaderModule{device.handle, &info, nullptr, &module});
  if (result != VK_SUCCESS) {
    context.Fail(vk::CommandId::kCreateShaderModule, "a shader module", result);
    return std::nullopt;
  }
  registry.Add(id, std::move(shader));
  return InstrumentedModule{module, id};
}

void ReportFormats(const Context& context, ShaderRegistry& registry, uint32_t id) {
  const std::shared_ptr<const ShaderText> text = registry.TextOf(id);
  if (text == nullptr) return;
  const InstrumentedShader shader = registry.Find(id);
  const bool is_object = shader.object != VK_NULL_HANDLE;
  for (const spirv_instrument::PrintProblem& problem : text->prints.problems()) {
    messages::Report report(context.reporter(),
                            is_object ? vk::CommandId::kCreateShadersEXT : vk::CommandId::kCreateShaderModule);
    report.Deliver({.severity = messages::Severity::kError,
                    .id = "DEBUG-PRINTF-FORMATTING",
                    .text = problem.ToString(),
                    .objects = {is_object ? messages::Object(shader.object) : messages::Object(shader.module)}});
  }
}

}  // namespace assay::gpuav
