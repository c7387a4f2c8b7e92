// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PIPELINES_STAGES_H_
#define ASSAY_GPUAV_PIPELINES_STAGES_H_

#include <cstdint>

#include "gpuav/device/context.h"
#include "gpuav/shaders/shader_registry.h"

// What stages of pipelines and shader objects have in common.
namespace assay::gpuav {

// Whether the application wants the shader to be instrumented, where it says which are
// (gpuav_select_instrumented_shaders). `chain` is that of the shader module or shader object.
bool IsChosen(const void* chain);

// Reports the formats of debugPrintf that do not fit their arguments.
void ReportFormats(const Context& context, ShaderRegistry& registry, uint32_t id);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PIPELINES_STAGES_H_
