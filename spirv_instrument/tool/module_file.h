// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_TOOL_MODULE_FILE_H_
#define ASSAY_SPIRV_INSTRUMENT_TOOL_MODULE_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

// Modules as files: words or assembly text, by SPIRV-Tools. "-" is standard input or output.
namespace assay::spirv_instrument {

// The words of a module, or those that its assembly text stands for; `name` is for messages. What begins with SPIR-V's
// magic number, in either byte order, is words. Text keeps the numbers of its ids, and is of SPIR-V 1.6 unless a line
// "; Version: 1.3" says otherwise, as disassemblers write it. Errors are InvalidArgument: words that end within one, or
// the line and column of what is wrong in the text.
absl::StatusOr<std::vector<uint32_t>> ParseModule(std::string_view name, std::string_view content);
// The same for a file. NotFound if it cannot be read.
absl::StatusOr<std::vector<uint32_t>> ReadModule(const std::string& path);
// Unavailable if the file cannot be written.
absl::Status WriteModule(const std::string& path, absl::Span<const uint32_t> words);

// Assembly text with indentation, and names of ids where the module has some. InvalidArgument for what is no module.
absl::StatusOr<std::string> DisassembleModule(absl::Span<const uint32_t> words);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_TOOL_MODULE_FILE_H_
