// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_FUZZ_FUZZ_H_
#define ASSAY_SPIRV_INSTRUMENT_FUZZ_FUZZ_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"

// Mutated modules, through reader and passes. Tests alone.
//
// An *input* is a module and a configuration, which is one word in front of the module. What is expected of all inputs:
//
//   no harm      no crash, no hang, nothing that sanitizers report
//   valid stays  a module that SPIRV-Tools' validator accepts is instrumented, and what comes of it is accepted, too.
//                It is refused only with FailedPrecondition: there is no room for what the configuration says.
//   the same     a second run gives the same words
//
// The validator takes longer than the passes. So it is asked only about modules that the passes change or refuse; of
// these it mostly finds at once what is wrong.
//
// MUTATIONS. Bytes that are changed at random are SPIR-V no more, and end in the reader. Mutations that know
// instructions (mutations.h) delete, copy and move them, give them other operands of the same kind, opcodes of the same
// shape, other literals and enumerants, put selections and loops around them; merge.h makes one module of two. About
// one in three of these mutants is valid. The fuzz test goes on from those that are valid and that the passes change,
// so that mutations add up. It changes plain bytes, too.
//
// SEEDS are the modules of the passes' goldens, a choice of the corpus's shaders, and kept/: for each mistake that this
// has found, the smallest module that showed it. The first line of a kept module says with which configuration:
//
//   ; configuration: 0x40                     configuration.h has the bits
//
// `bazel run //spirv_instrument/fuzz:search -- --seconds=600 --out=FOLDER FILE...` looks for mistakes from these files,
// and goes on when it has found one. It makes each smaller (shrink.h), and writes it as assembly that can be kept.
namespace assay::spirv_instrument::fuzz {

struct Input {
  // See configuration.h.
  uint32_t configuration = 0;
  std::vector<uint32_t> words;
};

// The configuration is 0 if the bytes begin with a module. Bytes that are no whole word are left out.
Input InputOf(absl::Span<const uint8_t> bytes);
std::vector<uint8_t> BytesOf(const Input& input);

enum class Verdict : uint8_t {
  // The module is not valid, or there is no room for what the configuration says.
  kRefused,
  // The module is not valid; no error was found in it.
  kInvalid,
  // Nothing was to be done. Whether the module is valid is unknown.
  kUnchanged,
  // It was valid, and so is what came of it.
  kValid,
  kFailure,
};

struct Result {
  Verdict verdict = Verdict::kRefused;
  // Of a failure: what is not as expected.
  std::string failure;
};

// Instruments a module, and compares with what is expected.
Result Try(const Input& input);

}  // namespace assay::spirv_instrument::fuzz

#endif  // ASSAY_SPIRV_INSTRUMENT_FUZZ_FUZZ_H_
