// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/fuzz/seed.h"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "spirv-tools/libspirv.hpp"
#include "spirv_instrument/fuzz/fuzz.h"

namespace assay::spirv_instrument::fuzz {
namespace {

constexpr size_t kVersionWord = 1;

}  // namespace

absl::StatusOr<Input> InputOfAssembly(std::string_view text) {
  Input input;
  std::string target = "vulkan1.3";
  for (std::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::ConsumePrefix(&line, "; target: ")) {
      target = std::string(line);
    } else if (absl::ConsumePrefix(&line, "; configuration: ") && !absl::SimpleHexAtoi(line, &input.configuration)) {
      return absl::InvalidArgumentError(absl::StrCat("configuration ", line, " is no hexadecimal number"));
    }
  }
  spv_target_env environment = SPV_ENV_UNIVERSAL_1_6;
  if (!spvParseTargetEnv(target.c_str(), &environment)) {
    return absl::InvalidArgumentError(absl::StrCat("target ", target, " is unknown"));
  }
  std::string messages;
  spvtools::SpirvTools tools(environment);
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& at, const char* message) {
    absl::StrAppend(&messages, "line ", at.line + 1, ": ", message, "\n");
  });
  if (!tools.Assemble(text.data(), text.size(), &input.words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS)) {
    return absl::InvalidArgumentError(messages);
  }
  return input;
}

absl::StatusOr<std::string> AssemblyOf(const Input& input, std::string_view comment) {
  std::string disassembly;
  const spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  constexpr uint32_t kOptions = SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_INDENT;
  if (!tools.Disassemble(input.words, &disassembly, kOptions)) {
    return absl::InvalidArgumentError("the module cannot be disassembled");
  }
  std::string text;
  for (std::string_view line : absl::StrSplit(comment, '\n')) absl::StrAppend(&text, "; ", line, "\n");
  absl::StrAppend(&text, "; target: spv1.", input.words[kVersionWord] >> 8 & 0xff, "\n");
  absl::StrAppend(&text, "; configuration: 0x", absl::Hex(input.configuration), "\n", disassembly);
  return text;
}

absl::StatusOr<Input> ReadInput(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat(path, " cannot be read"));
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (!absl::EndsWith(path, ".spvasm")) {
    return InputOf({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  }
  absl::StatusOr<Input> input = InputOfAssembly(bytes);
  if (input.ok()) return input;
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", input.status().message()));
}

}  // namespace assay::spirv_instrument::fuzz
