// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_TOOL_UNIFIED_DIFF_H_
#define ASSAY_SPIRV_INSTRUMENT_TOOL_UNIFIED_DIFF_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::spirv_instrument {

// Lines that two texts have in common, as pairs of line numbers from 0, increasing in both. Lines that are in each text
// once decide (patience diff), since nearly every line of a disassembly has an id of its own. So it takes about linear
// time however much was inserted. Between them the longest common part is found where it is small, and the rest counts
// as changed.
std::vector<std::pair<size_t, size_t>> CommonLines(const std::vector<std::string_view>& before,
                                                   const std::vector<std::string_view>& after);

// The difference as `diff -u` writes it, for `patch` to read, with so many lines of context; "" if the texts are equal.
// A last line without end is followed by "\ No newline at end of file".
std::string UnifiedDiff(std::string_view before_name, std::string_view before, std::string_view after_name,
                        std::string_view after, size_t context = 3);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_TOOL_UNIFIED_DIFF_H_
