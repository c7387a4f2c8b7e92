// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_REPORTS_REPORT_LOST_H_
#define ASSAY_GPUAV_REPORTS_REPORT_LOST_H_

#include "absl/types/span.h"
#include "gpuav/completion/lost.h"
#include "gpuav/device/context.h"
#include "vk/command_id.h"

namespace assay::gpuav {

// Reports that the device is lost, which `command` has found, and what was pending: how far each command buffer came,
// and which of its actions had begun and not ended. Calls callbacks, so that no lock may be held.
void ReportLost(const Context& context, vk::CommandId command, absl::Span<const LostSubmission> submissions);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_REPORTS_REPORT_LOST_H_
