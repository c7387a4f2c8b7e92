// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_OUTPUT_JSON_TEXT_H_
#define ASSAY_SYNCVAL_TRACE_OUTPUT_JSON_TEXT_H_

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"

// Writes JSON piece by piece, since a trace is too large for a tree in memory.
namespace assay::syncval::trace {

// "text", quoted and escaped, all ASCII and without "</", so that it may stand in a script element. Bytes that are not
// UTF-8 become U+FFFD.
std::string Quoted(std::string_view text);

// Writes [a,b,c]; write(value) writes an element.
template <class Container, class Write>
void WriteArray(std::ostream& out, const Container& values, Write&& write) {
  out << '[';
  bool is_first = true;
  for (const auto& value : values) {
    if (!is_first) out << ',';
    is_first = false;
    write(value);
  }
  out << ']';
}
template <class Container>
void WriteNumbers(std::ostream& out, const Container& values) {
  WriteArray(out, values, [&](const auto& value) { out << value; });
}

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_OUTPUT_JSON_TEXT_H_
