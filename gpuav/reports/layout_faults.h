// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_REPORTS_LAYOUT_FAULTS_H_
#define ASSAY_GPUAV_REPORTS_LAYOUT_FAULTS_H_

#include <cstddef>
#include <string>

#include "gpuav/completion/image_layouts.h"
#include "messages/messages.h"
#include "spirv_instrument/runtime/records.h"

// Messages about images that are in another layout than their descriptors say.
namespace assay::gpuav {

// What a shader would have written that knows layouts. `index` is that of the fault in Written::layout_faults, and
// becomes the cause.
spirv_instrument::ErrorRecord RecordOf(const LayoutFault& fault, size_t index);

// What is in which layout, a full sentence.
std::string LayoutText(const LayoutFault& fault, const messages::Reporter& reporter);
// Adds the objects, and how to correct it.
void AddLayout(const LayoutFault& fault, messages::Message& message);
messages::Properties PropertiesOf(const LayoutFault& fault);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_REPORTS_LAYOUT_FAULTS_H_
