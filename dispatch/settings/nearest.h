// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_SETTINGS_NEAREST_H_
#define ASSAY_DISPATCH_SETTINGS_NEAREST_H_

#include <cstddef>
#include <span>
#include <string_view>

namespace assay::dispatch {

// The smallest number of insertions, deletions, replacements and exchanges of two neighbours that turns a into b. Upper
// and lower case are equal.
size_t EditDistance(std::string_view a, std::string_view b);

// The candidate at the smallest edit distance from text; the first of equals. Empty when more than a third of text
// would have to change, since text most likely means none of them then.
std::string_view Nearest(std::string_view text, std::span<const std::string_view> candidates);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_SETTINGS_NEAREST_H_
