// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_SETTINGS_NEAREST_H_
#define ASSAY_DISPATCH_SETTINGS_NEAREST_H_

#include <cstddef>
#include <span>
#include <string_view>

namespace assay::dispatch {

// The fewest insertions, deletions, replacements and exchanges of two neighbours that make b of a, with upper and lower
// case equal.
size_t EditDistance(std::string_view a, std::string_view b);

// The candidate at the smallest edit distance from text, the first of equals; empty when more than a third of text
// would have to change, for then it was most likely not meant.
std::string_view Nearest(std::string_view text, std::span<const std::string_view> candidates);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_SETTINGS_NEAREST_H_
