// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_DIRECTIVES_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_DIRECTIVES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

// The directives and marks of a source, as text: who says what on which line. corpus.h says what they mean.
namespace assay::spirv_instrument::corpus {

// The line `//@ bind 0.1 storage out` has the word "bind" and the arguments "0.1", "storage", "out".
struct Directive {
  // From 1.
  uint32_t line = 0;
  std::string word;
  // What follows the word, up to ` : `.
  std::vector<std::string> arguments;
  // What follows the word: all of it, and that behind ` : `.
  std::string rest;
  std::string values;
};

// Code whose line ends in `//@ NAME`.
struct Mark {
  uint32_t line = 0;
  std::string name;
};

struct SourceText {
  // The comment before the first directive, as one line.
  std::string purpose;
  std::vector<Directive> directives;
  std::vector<Mark> marks;
};

// Reads GLSL.
SourceText ReadSource(absl::string_view text);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_DIRECTIVES_H_
