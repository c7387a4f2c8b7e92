// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SHADER_STAGES_STAGE_CASES_TEST_H_
#define ASSAY_CORE_SHADER_STAGES_STAGE_CASES_TEST_H_

#include <initializer_list>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_replace.h"
#include "core/shader_stages/stage_test.h"
#include "gtest/gtest.h"

// How rows of StageCase are tested: each is reported, and its twin is silent.
namespace assay::core {

// A shader that breaks a rule, on the device that the case makes. It is correct on a device that has everything, with
// `from` replaced by `to` if there is something to replace.
struct StageCase {
  std::string Vuid() const { return VuidOf("RuntimeSpirv", id); }

  std::string id;
  StageText shader;
  std::string from = {};
  std::string to = {};
  std::vector<const char*> disabled = {};
  Change configure = {};
  // What else is reported, since one thing breaks several rules.
  std::vector<std::string> also = {};
  // Of both devices, besides those that every test has.
  std::vector<const char*> extensions = {};
  Change always = {};
  // Of both pipelines, unless that of the twin has others.
  VkPipelineCreateFlags flags = 0;
  std::optional<VkPipelineCreateFlags> right_flags = {};
};

inline void PrintTo(const StageCase& row, std::ostream* out) { *out << row.id; }

class StageCaseTest : public StageTest, public ::testing::WithParamInterface<StageCase> {
 protected:
  void SetUp() override {}
  void MakeDeviceOf(const StageCase& row) {
    if (row.always) row.always(driver().config());
    if (row.configure) row.configure(driver().config());
    MakeDeviceWith(row.extensions);
  }
};

// In a header, so that each source with rows need only instantiate them.
TEST_P(StageCaseTest, IsReported) {
  const StageCase& row = GetParam();
  for (const char* feature : row.disabled) driver().config().disabled_features.insert(feature);
  MakeDeviceOf(row);
  Make(row.shader.model, Text(row.shader), row.flags);
  std::vector<std::string> ids = {row.Vuid()};
  ids.insert(ids.end(), row.also.begin(), row.also.end());
  ExpectMessages(ids);
}

TEST_P(StageCaseTest, TwinIsSilent) {
  StageCase row = GetParam();
  const std::string text = Text(row.shader);
  const std::string twin = row.from.empty() ? text : absl::StrReplaceAll(text, {{row.from, row.to}});
  // A case without anything to replace is one of the device.
  EXPECT_EQ(row.from.empty(), twin == text);
  EXPECT_TRUE(!row.from.empty() || row.configure || !row.disabled.empty() || row.right_flags);
  row.configure = nullptr;
  MakeDeviceOf(row);
  Make(row.shader.model, twin, row.right_flags.value_or(row.flags));
  ExpectNothing();
}

// Of all tables, as parameters.
inline auto CasesOf(std::initializer_list<std::vector<StageCase>> tables) {
  return ::testing::ValuesIn(Joined(tables));
}

// Rows of shaders that are correct on another device: with other properties, or with the features.
inline StageCase OnDevice(const std::string& id, const StageText& shader, Change configure) {
  return {.id = id, .shader = shader, .configure = std::move(configure)};
}
inline StageCase Without(const std::string& id, const StageText& shader, std::vector<const char*> features,
                         std::vector<std::string> also = {}) {
  return {.id = id, .shader = shader, .disabled = std::move(features), .also = std::move(also)};
}
// A row of a shader that is wrong and right on the same device.
inline StageCase Always(Change always, StageCase row) {
  row.always = std::move(always);
  return row;
}
// The rows on devices that have more.
inline std::vector<StageCase> Extended(const std::vector<const char*>& extensions, std::vector<StageCase> rows) {
  for (StageCase& row : rows) row.extensions = extensions;
  return rows;
}

inline constexpr char kLong[] = "%ulong = OpTypeInt 64 0\n%long1 = OpConstant %ulong 1\n";

}  // namespace assay::core

#endif  // ASSAY_CORE_SHADER_STAGES_STAGE_CASES_TEST_H_
