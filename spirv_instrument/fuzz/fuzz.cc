// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/fuzz/fuzz.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/fuzz/configuration.h"
#include "spirv_instrument/passes/instrument.h"
#include "spirv_instrument/tool/validate_module.h"

namespace assay::spirv_instrument::fuzz {
namespace {

Result Failure(std::string what) { return {Verdict::kFailure, std::move(what)}; }

Result Refused(const Input& input, const absl::Status& status) {
  if (absl::IsFailedPrecondition(status) || !ValidateModule(input.words).ok()) return {Verdict::kRefused, ""};
  return Failure(absl::StrCat("a valid module is refused: ", status.ToString()));
}

}  // namespace

Input InputOf(absl::Span<const uint8_t> bytes) {
  Input input;
  input.words.resize(bytes.size() / sizeof(uint32_t));
  if (input.words.empty()) return input;
  std::memcpy(input.words.data(), bytes.data(), input.words.size() * sizeof(uint32_t));
  const uint32_t first = input.words.front();
  if (first == spv::MagicNumber || first == __builtin_bswap32(spv::MagicNumber)) return input;
  input.configuration = first;
  input.words.erase(input.words.begin());
  return input;
}

std::vector<uint8_t> BytesOf(const Input& input) {
  std::vector<uint8_t> bytes((1 + input.words.size()) * sizeof(uint32_t));
  std::memcpy(bytes.data(), &input.configuration, sizeof(uint32_t));
  if (!input.words.empty()) {
    std::memcpy(bytes.data() + sizeof(uint32_t), input.words.data(), input.words.size() * sizeof(uint32_t));
  }
  return bytes;
}

Result Try(const Input& input) {
  const InstrumentConfig config = ConfigurationOf(input.configuration);
  const absl::StatusOr<Instrumented> result = Instrument(input.words, config);
  if (!result.ok()) return Refused(input, result.status());
  if (!result->is_changed) {
    return result->words == input.words ? Result{Verdict::kUnchanged, ""}
                                        : Failure("a module that is not changed has other words");
  }
  if (!ValidateModule(input.words).ok()) return {Verdict::kInvalid, ""};
  if (absl::Status status = ValidateModule(result->words); !status.ok()) {
    return Failure(absl::StrCat("the result is not valid: ", status.message()));
  }
  const absl::StatusOr<Instrumented> again = Instrument(input.words, config);
  if (!again.ok() || again->words != result->words) return Failure("a second run gives another result");
  return {Verdict::kValid, ""};
}

}  // namespace assay::spirv_instrument::fuzz
