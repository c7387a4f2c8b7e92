// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Any format with any arguments: there is a plan whose parts exist, and text of it for records of any length.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "spirv_instrument/printf/format.h"
#include "spirv_instrument/printf/text.h"

namespace assay::spirv_instrument {
namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

// An argument for each of the first bytes, up to one that is 0.
std::vector<PrintArgument> TakeArguments(std::string_view& data) {
  constexpr uint8_t kWidths[] = {8, 16, 32, 64};
  std::vector<PrintArgument> arguments;
  while (!data.empty()) {
    const auto byte = static_cast<uint8_t>(data[0]);
    data.remove_prefix(1);
    if (byte == 0) break;
    const auto kind = static_cast<PrintType::Kind>(byte % 7);
    const bool has_width =
        kind == PrintType::Kind::kSigned || kind == PrintType::Kind::kUnsigned || kind == PrintType::Kind::kFloat;
    PrintArgument argument{.type = {.kind = kind}};
    if (has_width) argument.type.width = kWidths[byte / 7 % 4];
    if (has_width || kind == PrintType::Kind::kBool) argument.type.components = static_cast<uint8_t>(1 + byte / 28 % 4);
    if (kind == PrintType::Kind::kPointer) argument.type.width = 64;
    if (kind == PrintType::Kind::kString) argument.string = std::string(data);
    arguments.push_back(argument);
  }
  return arguments;
}

void Check(std::string_view format, const std::vector<PrintArgument>& arguments, std::string_view words_of) {
  const PrintPlan plan = MakePrintPlan(format, arguments);
  size_t next = 0;
  for (const PrintPlan::Piece& piece : plan.pieces) {
    if (!piece.conversion) continue;
    // Conversions take arguments in order, and each once.
    Require(piece.argument >= next && piece.argument < arguments.size());
    next = piece.argument + 1;
    Require(piece.conversion->width.value_or(0) <= kMaxPrintWidth);
    Require(piece.conversion->precision.value_or(0) <= kMaxPrintWidth);
  }
  for (const PrintError& error : plan.errors) Require(error.offset <= format.size() && !error.what.empty());

  std::vector<uint32_t> words;
  for (const PrintArgument& argument : arguments) {
    for (uint32_t i = 0; i < WordsOf(argument.type); ++i) {
      words.push_back(words_of.empty() ? i : static_cast<uint8_t>(words_of[i % words_of.size()]) * 0x01010101u);
    }
  }
  for (size_t count = words.size();; count /= 2) {
    PrintText(plan, arguments, absl::MakeConstSpan(words).first(count));
    if (count == 0) break;
  }
}

}  // namespace
}  // namespace assay::spirv_instrument

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view format(reinterpret_cast<const char*>(data), size);
  const std::vector<assay::spirv_instrument::PrintArgument> arguments = assay::spirv_instrument::TakeArguments(format);
  assay::spirv_instrument::Check(format, arguments, format);
  return 0;
}
