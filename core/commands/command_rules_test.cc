// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The negative test of every command rule, made from the registry.

#include "core/commands/command_rules.h"

#include "core/commands/command_rule_test_cases.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

TEST(CommandRules, EachIsReportedByItsOwnIdAlone) {
  const std::vector<CommandRule> rules = CommandRulesOfRegistry();
  EXPECT_GE(rules.size(), 761u);
  for (const CommandRule& rule : rules)
    EXPECT_EQ(TestCommandRule(CommandTable::All(), rule), "") << vk::GetVuid(rule.vuid).id;
}

TEST(CommandRules, EachTestNeedsItsCheck) {
  for (const CommandRule& rule : CommandRulesOfRegistry()) {
    const CommandTable without([&](vk::VuidIndex id) { return id == rule.vuid; });
    EXPECT_NE(TestCommandRule(without, rule), "") << vk::GetVuid(rule.vuid).id;
  }
}

TEST(RecordingScope, ContinuedRenderPass) {
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                    .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT};
  RecordingScope secondary(true), primary(false);
  secondary.OnBegin(begin);
  primary.OnBegin(begin);
  EXPECT_EQ(secondary.bits(), kInsideRenderPass | kOutsideVideoCoding);
  EXPECT_EQ(primary.bits(), kOutsideRenderPass | kOutsideVideoCoding);
  secondary.OnReset();
  EXPECT_EQ(secondary.bits(), kOutsideRenderPass | kOutsideVideoCoding);
}

}  // namespace
}  // namespace assay::core
