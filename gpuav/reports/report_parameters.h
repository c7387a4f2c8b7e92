// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_REPORTS_REPORT_PARAMETERS_H_
#define ASSAY_GPUAV_REPORTS_REPORT_PARAMETERS_H_

#include "gpuav/completion/completion.h"
#include "gpuav/device/context.h"

namespace assay::gpuav {

// Reports what is wrong with the parameters that commands of an execution read from buffers. Calls callbacks, so that
// no lock may be held.
void ReportParameters(const Context& context, const Written& written);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_REPORTS_REPORT_PARAMETERS_H_
