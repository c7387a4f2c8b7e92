// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/families/shared_rules.h"

#include <string_view>

#include "gtest/gtest.h"
#include "vk/vuid.h"

namespace assay::vk {
namespace {

inline constexpr std::string_view kDrawRules[] = {"None-08606", "None-08608", "stage-06481"};
using DrawRule = SharedRule<kDrawRules>;

TEST(SharedRules, IdsOfACommand) {
  SharedRuleIds<kDrawRules> ids("vkCmdDraw");
  EXPECT_EQ(ids.Of("None-08606"), Vuid("VUID-vkCmdDraw-None-08606"));
  EXPECT_EQ(ids.Of("None-08608"), Vuid("VUID-vkCmdDraw-None-08608"));
  EXPECT_EQ(ids.end() - ids.begin(), 3);
  ids.Remove("None-08608");
  EXPECT_EQ(ids.Of("None-08608"), kNoVuid);
}

TEST(SharedRules, CommandsWithoutTheRule) {
  EXPECT_EQ(SharedRuleIds<kDrawRules>("vkCmdDispatch").Of("stage-06481"), kNoVuid);
}

TEST(SharedRules, NamesAreRules) {
  constexpr DrawRule kRule = "None-08608";
  static_assert(kRule.index() == 1 && kRule.name() == "None-08608");
  static_assert(kRule == DrawRule("None-08608") && kRule != DrawRule("None-08606"));
}

}  // namespace
}  // namespace assay::vk
