// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_CAPTURE_MODULE_FILES_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_CAPTURE_MODULE_FILES_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace assay::spirv_instrument::corpus {

// The name of the environment variable with the folder that modules are written to. It must exist. Without it, nothing
// is written.
inline constexpr char kFolderVariable[] = "ASSAY_CAPTURE_FOLDER";

// The file name of a module: what it holds decides it, "0123456789abcdef_1234.spv" with a hash and its size in bytes.
std::string ModuleFileName(const uint32_t* words, size_t size_in_bytes);

// Writes a module to the folder, unless it is there. Any thread may call it; a reader never sees half a file. What
// cannot be written is reported on standard error.
void WriteModule(const std::string& folder, const uint32_t* words, size_t size_in_bytes);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_CAPTURE_MODULE_FILES_H_
