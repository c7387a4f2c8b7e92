// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_REPORTS_REPORT_WRITTEN_H_
#define ASSAY_GPUAV_REPORTS_REPORT_WRITTEN_H_

#include "gpuav/completion/completion.h"
#include "gpuav/device/context.h"
#include "gpuav/reports/cause_limits.h"
#include "gpuav/shaders/shader_registry.h"

namespace assay::gpuav {

// Reports what the shaders of an execution wrote: faults, each cause once and so many of a command as `limits` allow,
// and what they printed. Calls callbacks, so that no lock may be held.
void ReportWritten(const Context& context, ShaderRegistry& shaders, CauseLimits& limits, const Written& written);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_REPORTS_REPORT_WRITTEN_H_
