// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_DEBUG_SOURCE_TEXT_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_DEBUG_SOURCE_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay::spirv_instrument {

// The lines of a source, as its #line directives number them ("#line 10", "#line 10 "file"", and "# 10 "file"" as
// preprocessors write it).
class SourceText {
 public:
  SourceText() = default;
  // `text` must outlive this.
  explicit SourceText(std::string_view text);

  // The text of this line of a file, without its end; "" if there is none. Where directives number several lines alike,
  // it is the one behind the directive whose number is closest.
  std::string_view Line(std::string_view file, uint32_t number) const;

 private:
  // Lines that are numbered in a row.
  struct Stretch {
    // "" for the file of the source itself.
    std::string_view file;
    // The number of the first line.
    uint32_t number;
    // The first line and the number of lines, as indices of starts_.
    size_t first;
    size_t count;
  };

  std::string_view LineAt(size_t index) const;

  std::string_view text_;
  // Where lines begin, and the end of the text.
  std::vector<uint32_t> starts_;
  std::vector<Stretch> stretches_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_DEBUG_SOURCE_TEXT_H_
