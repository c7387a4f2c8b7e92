// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/spirv/builtin_rule_info.h"

#include <algorithm>
#include <set>

#include "gtest/gtest.h"

namespace assay::vk {
namespace {

const BuiltInRule& RuleOf(VuidIndex vuid) {
  const auto rules = BuiltInRules();
  const auto found = std::ranges::find(rules, vuid, &BuiltInRule::vuid);
  EXPECT_NE(found, rules.end());
  return found == rules.end() ? rules.front() : *found;
}

TEST(BuiltInRules, Rows) {
  const BuiltInRule& models = RuleOf(Vuid("VUID-HitIsSphereNV-HitIsSphereNV-10513"));
  EXPECT_EQ(models.kind, BuiltInRuleKind::kModels);
  EXPECT_EQ(models.built_in, spv::BuiltIn::HitIsSphereNV);
  EXPECT_FALSE(models.by_spirv_tools);
  EXPECT_TRUE(models.AppliesTo(spv::ExecutionModel::AnyHitKHR));
  EXPECT_FALSE(models.AppliesTo(spv::ExecutionModel::MissKHR));

  const BuiltInRule& storage = RuleOf(Vuid("VUID-Position-Position-04319"));
  EXPECT_TRUE(storage.by_spirv_tools);
  EXPECT_TRUE(storage.AppliesTo(spv::ExecutionModel::Vertex));
  EXPECT_FALSE(storage.AppliesTo(spv::ExecutionModel::Geometry));
  ASSERT_EQ(storage.operands.size(), 1u);
  EXPECT_EQ(storage.operands[0], static_cast<uint32_t>(spv::StorageClass::Output));

  const BuiltInRule& type = RuleOf(Vuid("VUID-Layer-Layer-04276"));
  EXPECT_FALSE(type.AppliesTo(spv::ExecutionModel::MeshEXT));
  EXPECT_TRUE(type.AppliesTo(spv::ExecutionModel::Vertex));
  EXPECT_EQ(type.type.scalar, BuiltInScalar::kInt);
}

TEST(BuiltInRules, AreNeighbours) {
  size_t count = 0;
  std::set<spv::BuiltIn> seen;
  for (const BuiltInRule& rule : BuiltInRules()) {
    if (!seen.insert(rule.built_in).second) continue;
    count += BuiltInRulesOf(rule.built_in).size();
  }
  EXPECT_EQ(count, BuiltInRules().size());
  EXPECT_TRUE(BuiltInRulesOf(spv::BuiltIn::WorkDim).empty());
}

}  // namespace
}  // namespace assay::vk
