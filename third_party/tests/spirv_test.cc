// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A shader compiled by the build is valid, and can be optimised.

#include <iterator>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "spirv-tools/libspirv.hpp"
#include "spirv-tools/optimizer.hpp"
#include "spirv/unified1/spirv.hpp11"
#include "third_party/tests/add_shader.h"

namespace {

TEST(SpirvTest, CompiledShaderIsValid) {
  EXPECT_EQ(kAddShader[0], static_cast<uint32_t>(spv::MagicNumber));
  const spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  EXPECT_TRUE(tools.Validate(kAddShader, std::size(kAddShader)));
}

TEST(SpirvTest, CompiledShaderCanBeOptimised) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
  optimizer.RegisterPerformancePasses();
  std::vector<uint32_t> optimised;
  ASSERT_TRUE(optimizer.Run(kAddShader, std::size(kAddShader), &optimised));
  EXPECT_LE(optimised.size(), std::size(kAddShader));
}

TEST(JsonTest, Parses) { EXPECT_EQ(nlohmann::json::parse(R"({"layer": {"name": "a"}})")["layer"]["name"], "a"); }

}  // namespace
