// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_PARSE_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_PARSE_H_

#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "spirv_instrument/corpus/description/description.h"

namespace assay::spirv_instrument::corpus {

// GLSL by file name.
using Sources = std::map<std::string, std::string, std::less<>>;

// The stage that the name's suffix says: ".comp", ".vert", …. Empty if it says none.
std::optional<VkShaderStageFlagBits> StageOf(absl::string_view source);

// What a FaultKind is called in directives, and in messages of tests.
absl::string_view NameOf(FaultKind kind);

// Whether the source describes a program, not `part` of others.
bool DescribesProgram(absl::string_view glsl);

// The program that the directives of a source describe; corpus.h lists them. `sources` has it and all that it names.
// Fails if a directive is wrong: "loop.comp:7: ...". The stages do not have words yet.
absl::StatusOr<Program> ParseDescription(const Sources& sources, const std::string& name);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_PARSE_H_
