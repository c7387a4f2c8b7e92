// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The rules of SPIR-V modules through the whole layer: a module for each, and its correct twin, on a device that has
// all extensions and all features but those that the case disables.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "core/spirv/cases/spirv_cases.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

class SpirvCases : public test::ValidationTest, public ::testing::WithParamInterface<SpirvCase> {
 protected:
  test::DeviceOptions Options() override {
    const SpirvCase& row = GetParam();
    std::set<std::string>& disabled = driver().config().disabled_features;
    disabled.insert(row.disabled.begin(), row.disabled.end());
    if (row.subgroup_size != 0) {
      ChangeProperties<VkPhysicalDeviceSubgroupProperties>(
          [size = row.subgroup_size](auto& subgroups) { subgroups.subgroupSize = size; });
    }
    test::DeviceOptions options = features_.EnableAll(disabled);
    if (row.api_version != 0) {
      options = {.api_version = row.api_version, .core_features = row.api_version >= VK_API_VERSION_1_1};
    }
    options.settings = {{"strict", row.is_strict}};
    return options;
  }

  void MakeModule(const std::string& text) {
    std::vector<uint32_t> words = test::AssembleSpirv(text);
    if (GetParam().spirv_version != 0) words[1] = GetParam().spirv_version;
    MakeShader(words);
  }

 private:
  test::ExtensionFeatures features_;
};

TEST_P(SpirvCases, IsReported) {
  const std::string text = Text(GetParam().shader);
  MakeModule(text);
  ExpectMessages({GetParam().Vuid()});
  const std::string twin = absl::StrReplaceAll(text, {{GetParam().from, GetParam().to}});
  EXPECT_NE(twin, text);
  MakeModule(twin);
  ExpectNothing();
}

INSTANTIATE_TEST_SUITE_P(All, SpirvCases, ::testing::ValuesIn(AllSpirvCases()), kNameOfCase);

}  // namespace
}  // namespace assay::core
