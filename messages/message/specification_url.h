// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_MESSAGE_SPECIFICATION_URL_H_
#define ASSAY_MESSAGES_MESSAGE_SPECIFICATION_URL_H_

#include <string>
#include <string_view>

namespace assay::messages {

// The address of a valid-usage id in the published specification. Empty for every other id.
std::string SpecificationUrl(std::string_view id);

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_MESSAGE_SPECIFICATION_URL_H_
