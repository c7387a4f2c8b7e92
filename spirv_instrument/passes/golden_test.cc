// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"
#include "spirv-tools/libspirv.hpp"
#include "spirv_instrument/passes/arithmetic/float_groups.h"
#include "spirv_instrument/passes/instrument.h"
#include "testing/golden_file.h"

// goldens/ has modules as assembly, and for each what passes make of it. The first lines of a module are
//
//   ; instrument: buffer_bounds device_address     passes, and settings: host=nothing, host=certain, steps=none,
//                                                  report_only, report_at_end, reach=push_constants@16,
//                                                  reach=specialization_constants, nan=GROUP, infinity=GROUP,
//                                                  offsets, null_descriptors, descriptor_buffers
//   ; target: vulkan1.2                            what SPIRV-Tools' validator is asked
//
// and the text that it is compared with has the statistics, what is left to the host, the names of the functions that
// were linked, the preamble, and the functions of the module itself. `bazel run //spirv_instrument/passes:golden_test
// -- --update_goldens` writes these texts anew.
namespace assay::spirv_instrument {
namespace {

constexpr std::string_view kFolder = "spirv_instrument/passes/goldens";

struct Input {
  std::string text;
  InstrumentConfig config;
  spv_target_env target = SPV_ENV_VULKAN_1_3;
};

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void ApplySetting(std::string_view setting, InstrumentConfig& config) {
  RuntimeConfig& runtime = config.frame.runtime;
  if (setting == "host=nothing") {
    config.frame.steps.host = HostDecides::kNothing;
  } else if (setting == "host=certain") {
    config.frame.steps.host = HostDecides::kCertain;
  } else if (setting == "steps=none") {
    config.frame.steps = StepsConfig::None();
  } else if (setting == "report_only") {
    config.frame.is_report_only = true;
  } else if (setting == "report_at_end") {
    config.frame.reports_at_end = true;
  } else if (setting == "reach=specialization_constants") {
    runtime.reach = Reach::kSpecializationConstant;
  } else if (absl::ConsumePrefix(&setting, "nan=")) {
    config.passes.undefined_arithmetic->not_a_number = *FindFloatOperations(setting);
  } else if (absl::ConsumePrefix(&setting, "infinity=")) {
    config.passes.undefined_arithmetic->infinity = *FindFloatOperations(setting);
  } else if (setting == "descriptor_buffers") {
    runtime.has_descriptor_buffers = true;
  } else if (setting == "offsets") {
    config.passes.image_coordinate->offsets = ImageCoordinateConfig::Offsets{};
  } else if (setting == "null_descriptors") {
    config.passes.image_coordinate->null_descriptors = true;
  } else if (absl::ConsumePrefix(&setting, "reach=push_constants@")) {
    runtime.reach = Reach::kPushConstant;
    EXPECT_TRUE(absl::SimpleAtoi(setting, &runtime.push_constant_offset));
  } else {
    const absl::Status status = EnablePass(config.passes, setting);
    EXPECT_TRUE(status.ok()) << status;
  }
}

spv_target_env TargetOf(std::string_view name) {
  if (name == "vulkan1.0") return SPV_ENV_VULKAN_1_0;
  if (name == "vulkan1.1") return SPV_ENV_VULKAN_1_1;
  if (name == "vulkan1.2") return SPV_ENV_VULKAN_1_2;
  EXPECT_EQ(name, "vulkan1.3");
  return SPV_ENV_VULKAN_1_3;
}

Input ReadInput(const std::string& name) {
  Input input{.text = ReadFile(absl::StrCat(kFolder, "/", name, ".spvasm"))};
  bool has_passes = false;
  for (std::string_view line : absl::StrSplit(input.text, '\n')) {
    if (absl::ConsumePrefix(&line, "; instrument: ")) {
      has_passes = true;
      for (std::string_view setting : absl::StrSplit(line, ' ', absl::SkipEmpty())) ApplySetting(setting, input.config);
    } else if (absl::ConsumePrefix(&line, "; target: ")) {
      input.target = TargetOf(line);
    }
  }
  EXPECT_TRUE(has_passes) << name << " does not say which passes";
  return input;
}

void FailOnMessages(spvtools::SpirvTools& tools) {
  tools.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t& at, const char* message) {
    ADD_FAILURE() << "word or line " << std::max(at.line, at.index) << ": " << message;
  });
}

// Numbers ids without name in the order in which the text has them, so that functions that were linked do not matter.
std::string Renumber(std::string_view text) {
  std::map<std::string, size_t, std::less<>> numbers;
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] != '%') continue;
    size_t end = i + 1;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
    const std::string_view name = text.substr(i + 1, end - i - 1);
    const bool is_number = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_number) {
      const auto number = numbers.try_emplace(std::string(name), numbers.size() + 1).first->second;
      absl::StrAppend(&result, "n", number);
    } else {
      result += name;
    }
    i = end - 1;
  }
  return result;
}

size_t CountFunctions(std::string_view text) {
  size_t count = 0;
  for (std::string_view line : absl::StrSplit(text, '\n')) count += line.find("= OpFunction ") != line.npos;
  return count;
}

bool IsPreamble(std::string_view line) {
  for (std::string_view op : {"OpCapability", "OpExtension", "OpMemoryModel", "OpEntryPoint", "OpExecutionMode"}) {
    if (line.starts_with(op)) return true;
  }
  return false;
}

// The preamble, and the first so many functions; the others are linked.
std::string Describe(std::string_view disassembly, size_t functions) {
  std::string linked = "; links";
  std::string preamble;
  std::string own;
  size_t function = 0;
  for (std::string_view line : absl::StrSplit(disassembly, '\n')) {
    if (const size_t at = line.find(" = OpFunction "); at != line.npos) {
      if (++function > functions) absl::StrAppend(&linked, " ", line.substr(1, at - 1));
    }
    if (IsPreamble(line)) absl::StrAppend(&preamble, line, "\n");
    if (function > 0 && function <= functions) absl::StrAppend(&own, line, "\n");
  }
  return absl::StrCat(linked, "\n", preamble, own);
}

std::string Describe(const Statistics& statistics) {
  std::string text;
  for (const PassStatistics& pass : statistics.passes) {
    absl::StrAppend(&text, "; ", pass.pass, ":");
    for (size_t i = 0; i < kOutcomeCount; ++i) {
      if (pass.counts[i] != 0) absl::StrAppend(&text, " ", pass.counts[i], " ", NameOf(static_cast<Outcome>(i)), ",");
    }
    if (text.back() == ',') text.pop_back();
    text += "\n";
  }
  return text;
}

std::string Describe(const HostCondition& condition) {
  std::string text = absl::StrCat("; host: ", condition.set, ".", condition.binding, "[", condition.index, "]");
  if (condition.kind == HostCondition::Kind::kBufferHolds) {
    absl::StrAppend(&text, " has ", condition.bytes, " bytes");
  } else {
    text += " is valid";
  }
  absl::StrAppend(&text, ", for instruction ", condition.instruction, condition.is_certain ? ", certain\n" : "\n");
  return text;
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".spvasm") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, IsAsExpected) {
  const Input input = ReadInput(GetParam());
  spvtools::SpirvTools tools(input.target);
  FailOnMessages(tools);
  std::vector<uint32_t> words;
  ASSERT_TRUE(tools.Assemble(input.text, &words));
  ASSERT_TRUE(tools.Validate(words));
  const absl::StatusOr<Instrumented> result = Instrument(words, input.config);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(tools.Validate(result->words));
  EXPECT_EQ(Instrument(words, input.config)->words, result->words);

  std::string before;
  std::string after;
  ASSERT_TRUE(tools.Disassemble(words, &before));
  constexpr uint32_t kOptions = SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;
  ASSERT_TRUE(tools.Disassemble(result->words, &after, kOptions));
  std::string text = Describe(result->statistics);
  for (const HostCondition& condition : result->host_conditions) text += Describe(condition);
  text += result->is_changed ? Renumber(Describe(after, CountFunctions(before))) : "; is not changed\n";
  EXPECT_TRUE(test::MatchesGolden(absl::StrCat(kFolder, "/", GetParam(), ".txt"), text));
}

INSTANTIATE_TEST_SUITE_P(Module, Golden, testing::ValuesIn(Names()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

TEST(Goldens, AreThere) { EXPECT_GE(Names().size(), 40u); }

}  // namespace
}  // namespace assay::spirv_instrument
