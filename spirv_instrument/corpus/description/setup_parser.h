// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_SETUP_PARSER_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_SETUP_PARSER_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/description/directives.h"

// The directives that say what a run is given.
namespace assay::spirv_instrument::corpus {

// Applies a directive to `setup`; what it describes takes the place of what has its name or number. Returns
// absl::NotFoundError if it is none of these directives, and other errors without file and line.
absl::Status ApplyDirective(const Directive& directive, Setup& setup);

// Directive `bind` alone, and its ELEMENTS.
absl::StatusOr<BindingDescription> ParseBinding(const Directive& directive);

// `NAME OFFSET : VALUES` of `write` and `expect`.
absl::StatusOr<ExpectedContents> ParsePlacedValues(const Directive& directive);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_SETUP_PARSER_H_
