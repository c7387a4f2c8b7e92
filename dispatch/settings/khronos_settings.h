// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_SETTINGS_KHRONOS_SETTINGS_H_
#define ASSAY_DISPATCH_SETTINGS_KHRONOS_SETTINGS_H_

#include <string_view>

// The settings that only the Khronos layer has.
namespace assay::dispatch {

// Why a setting of the Khronos layer has no effect here, as the end of a sentence: "queries are not checked yet". Empty
// for every name that is no setting of that layer, or is a setting of this one.
std::string_view WhyWithoutEffect(std::string_view name);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_SETTINGS_KHRONOS_SETTINGS_H_
