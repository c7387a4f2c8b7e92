// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_REPORTS_PROPERTIES_H_
#define ASSAY_GPUAV_REPORTS_PROPERTIES_H_

#include <string>
#include <vector>

#include "messages/messages.h"
#include "spirv_instrument/runtime/records.h"

// What messages say, for programs.
namespace assay::gpuav {

// {"type", "handle", "name"}
messages::Properties PropertiesOf(messages::ObjectRef object, const messages::Reporter& reporter);

// What the record says of itself: who ran it, and the values of the fault by name.
messages::Properties PropertiesOf(const spirv_instrument::ErrorRecord& record);

messages::PropertyValue LabelProperties(const std::vector<std::string>& labels);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_REPORTS_PROPERTIES_H_
