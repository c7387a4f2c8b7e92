// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_ISOLATED_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_ISOLATED_H_

#include <cstddef>
#include <string>

#include "absl/functional/function_ref.h"

namespace assay::spirv_instrument::corpus {

// Calls run(0) to run(count - 1), in order, in another process: what they do to memory is lost, but what they print.
// Where that process ends by a signal, or a call takes longer than that many seconds, lost(i, why) is called here, and
// a new process goes on behind it. Before the first call of a process, it calls start(); if that returns false, or a
// process cannot be made, nothing more is run. Returns whether all calls were made.
bool RunIsolated(size_t count, unsigned seconds, absl::FunctionRef<bool()> start, absl::FunctionRef<void(size_t)> run,
                 absl::FunctionRef<void(size_t, const std::string&)> lost);

// Numbers that these processes share. Zero at first; for the whole of this process's life.
size_t* MakeSharedNumbers(size_t count);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_ISOLATED_H_
