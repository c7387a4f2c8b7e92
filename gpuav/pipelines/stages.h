// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PIPELINES_STAGES_H_
#define ASSAY_GPUAV_PIPELINES_STAGES_H_

#include <cstdint>
#include <optional>

#include "gpuav/device/context.h"
#include "gpuav/shaders/shader_registry.h"
#include "gpuav/shaders/word_cache.h"
#include "vk/vulkan.h"

// What stages of pipelines and shader objects have in common.
namespace assay::gpuav {

// Whether the application wants the shader to be instrumented, where it says which are
// (gpuav_select_instrumented_shaders). `chain` is that of the shader module or shader object.
bool IsChosen(const void* chain);

// The driver's module of instrumented words, which the caller destroys, and the id in its records.
struct InstrumentedModule {
  VkShaderModule module;
  uint32_t id;
};

// Makes one, and adds the shader to the registry. Nothing if it cannot be made, which is reported.
std::optional<InstrumentedModule> MakeModule(Context& context, ShaderRegistry& registry, const InstrumentedWords& words,
                                             InstrumentedShader shader);

// Reports the formats of debugPrintf that do not fit their arguments.
void ReportFormats(const Context& context, ShaderRegistry& registry, uint32_t id);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PIPELINES_STAGES_H_
