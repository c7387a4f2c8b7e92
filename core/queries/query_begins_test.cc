// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands that begin and end queries, through the whole layer.

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "core/queries/query_test.h"
#include "core/test_cases/family_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vk/commands.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kComputeFamily = 1;
constexpr auto kStatistics = VK_QUERY_TYPE_PIPELINE_STATISTICS;
constexpr auto kComputeStatistic = VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;
constexpr auto kStreams = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT,
               kPrimitives = VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT;

struct BeginCase {
  // As that of FamilyCase.
  std::string_view rule;
  QueryCall wrong;
};

class BegunQueries : public Queries {
 protected:
  template <class C>
  void Begin(VkCommandBuffer c, VkQueryPool pool, uint32_t query, VkQueryControlFlags flags, uint32_t index) {
    if constexpr (C::kId == vk::CommandId::kCmdBeginQuery) vk.CmdBeginQuery(c, pool, query, flags);
    if constexpr (C::kId == vk::CommandId::kCmdBeginQueryIndexedEXT) {
      vk.CmdBeginQueryIndexedEXT(c, pool, query, flags, index);
    }
  }
  // Records the call, alone. The recording does not end, since the query is active.
  template <class C>
  void Call(const QueryCall& call) {
    const VkQueryPool pool = Make(call);
    const VkCommandBuffer c = MakeCommands(call);
    test::TestDevice::Begin(c);
    if (call.has_active) Begin<C>(c, pool, 3, 0, call.active_index);
    if (call.view_mask != 0) BeginRendering(c, call.view_mask);
    Begin<C>(c, pool, call.query, call.flags, call.index);
  }
  // Each case of the rules that the command has, which are added to `rules`.
  template <class C>
  void Run(absl::Span<const BeginCase> cases, std::set<std::string>& rules) {
    Call<C>({});
    ExpectNothing();
    for (const BeginCase& row : cases) {
      const vk::VuidIndex id = FindFamilyVuid<C>(row.rule);
      if (id == vk::kNoVuid) continue;
      SCOPED_TRACE(std::string(row.rule));
      rules.insert(RuleOf(id));
      Call<C>(row.wrong);
      ExpectAlone(vk::GetVuid(id).id);
    }
  }
  void RunBoth(absl::Span<const BeginCase> cases) {
    std::set<std::string> rules;
    Run<vk::CmdBeginQuery>(cases, rules);
    Run<vk::CmdBeginQueryIndexedEXT>(cases, rules);
    EXPECT_EQ(MissingRules(cases, rules), "");
  }
};

constexpr BeginCase kBegins[] = {
    {"query-00802", {.query = 4}},
    {"query-00808", {.query = 3, .view_mask = 3}},
    {"queryType-02804", {.type = VK_QUERY_TYPE_TIMESTAMP}},
    {"queryType-04728", {.type = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR}},
    {"queryType-04728", {.type = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR}},
    {"queryType-06741", {.type = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR}},
    {"queryType-06741", {.type = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_BOTTOM_LEVEL_POINTERS_KHR}},
    {"queryType-04729", {.type = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_NV}},
    {"queryType-07071", {.type = VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT}},
    {"queryType-00800", {.type = kStatistics, .statistics = kComputeStatistic, .flags = VK_QUERY_CONTROL_PRECISE_BIT}},
    {"queryType-00803", {.family = kComputeFamily}},
    {"queryType-00804",
     {.type = kStatistics,
      .statistics = VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT,
      .family = kComputeFamily}},
    {"queryType-07070", {.type = VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT, .family = kComputeFamily}},
    {"queryType-02327 queryType-02338", {.type = kStreams, .family = kComputeFamily}},
    {"queryType-06687 queryType-06689", {.type = kPrimitives, .family = kComputeFamily}},
    {"commandBuffer-01885", {.is_protected = true}},
    {"queryPool-01922 queryPool-04753", {.has_active = true}},
    {"queryPool-07289", {.type = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR, .family = kComputeFamily}},
    {"queryType-02339", {.type = kStreams, .index = 4}},
    {"queryType-06690", {.type = kPrimitives, .index = 4}},
    {"queryType-06692", {.index = 1}},
};

TEST_F(BegunQueries, BeginEachCase) { RunBoth(kBegins); }

TEST_F(BegunQueries, CorrectBegins) {
  Call<vk::CmdBeginQuery>({.query = 3, .flags = VK_QUERY_CONTROL_PRECISE_BIT});
  Call<vk::CmdBeginQuery>({.query = 2, .view_mask = 3});
  Call<vk::CmdBeginQuery>({.type = kStatistics, .statistics = kComputeStatistic, .family = kComputeFamily});
  Call<vk::CmdBeginQuery>({.type = VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT});
  Call<vk::CmdBeginQuery>({.type = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR});
  for (const VkQueryType type : {kStreams, kPrimitives})
    Call<vk::CmdBeginQueryIndexedEXT>({.type = type, .index = 3, .has_active = true, .active_index = 2});
}

TEST_F(BegunQueries, StatisticsOfShadersNeedCompute) {
  driver().config().queue_families[kComputeFamily].queueFlags = VK_QUEUE_VIDEO_DECODE_BIT_KHR;
  Destroy();
  Create(Options());
  const QueryCall call = {.type = kStatistics, .statistics = kComputeStatistic, .family = kComputeFamily};
  Call<vk::CmdBeginQuery>(call);
  ExpectMessage("VUID-vkCmdBeginQuery-queryType-00805");
  Call<vk::CmdBeginQueryIndexedEXT>(call);
  messages.ExpectAmong("VUID-vkCmdBeginQueryIndexedEXT-queryType-00805");
}

class FewFeatures : public BegunQueries {
 protected:
  FewFeatures() {
    has_core_features_ = false;
    has_stream_queries_ = VK_FALSE;
    without_.merge(std::set<std::string>{"primitivesGeneratedQuery", "primitivesGeneratedQueryWithNonZeroStreams"});
  }
};

constexpr BeginCase kUnsupportedBegins[] = {
    {"queryType-00800", {.flags = VK_QUERY_CONTROL_PRECISE_BIT}},
    {"queryType-02328 queryType-02341", {.type = kStreams}},
    {"queryType-06688 queryType-06693", {.type = kPrimitives}},
};

TEST_F(FewFeatures, BeginEachCase) { RunBoth(kUnsupportedBegins); }

class NoStreams : public BegunQueries {
 protected:
  NoStreams() { without_.insert("primitivesGeneratedQueryWithNonZeroStreams"); }
};

TEST_F(NoStreams, OtherIndices) {
  Call<vk::CmdBeginQueryIndexedEXT>({.type = kPrimitives});
  ExpectNothing();
  for (const uint32_t index : {1, 4}) {
    Call<vk::CmdBeginQueryIndexedEXT>({.type = kPrimitives, .index = index});
    ExpectMessage("VUID-vkCmdBeginQueryIndexedEXT-queryType-06691");
  }
}

class EndedQueries : public BegunQueries {
 protected:
  // Two queries begun, of which the caller ends some.
  void InCommands(VkQueryType type, const std::function<void(VkCommandBuffer, VkQueryPool)>& commands) {
    const VkQueryPool pool = Make({.type = type});
    Record([&](VkCommandBuffer c) { commands(c, pool); });
  }
};

TEST_F(EndedQueries, NotActive) {
  InCommands(VK_QUERY_TYPE_OCCLUSION, [&](VkCommandBuffer c, VkQueryPool pool) {
    vk.CmdBeginQuery(c, pool, 1, 0);
    vk.CmdEndQuery(c, pool, 1);
    vk.CmdBeginQueryIndexedEXT(c, pool, 2, 0, 0);
    vk.CmdEndQueryIndexedEXT(c, pool, 2, 0);
    Expect("vkCmdEndQuery-None-01923", vk.CmdEndQuery, c, pool, 1);
    Expect("vkCmdEndQueryIndexedEXT-None-02342", vk.CmdEndQueryIndexedEXT, c, pool, 0, 0);
    Expect("vkCmdEndQuery-query-00810", vk.CmdEndQuery, c, pool, 4);
    Expect("vkCmdEndQueryIndexedEXT-query-02343", vk.CmdEndQueryIndexedEXT, c, pool, 4, 0);
  });
}

TEST_F(EndedQueries, Indices) {
  InCommands(kStreams, [&](VkCommandBuffer c, VkQueryPool pool) {
    vk.CmdBeginQueryIndexedEXT(c, pool, 0, 0, 2);
    vk.CmdEndQueryIndexedEXT(c, pool, 0, 2);
    ExpectNothing();
    vk.CmdBeginQueryIndexedEXT(c, pool, 0, 0, 2);
    Expect("vkCmdEndQueryIndexedEXT-queryType-06696", vk.CmdEndQueryIndexedEXT, c, pool, 0, 1);
    vk.CmdBeginQueryIndexedEXT(c, pool, 0, 0, 2);
    vk.CmdEndQueryIndexedEXT(c, pool, 0, 4);
    ExpectMessages({"VUID-vkCmdEndQueryIndexedEXT-queryType-06694", "VUID-vkCmdEndQueryIndexedEXT-queryType-06696"});
  });
  InCommands(VK_QUERY_TYPE_OCCLUSION, [&](VkCommandBuffer c, VkQueryPool pool) {
    vk.CmdBeginQuery(c, pool, 0, 0);
    Expect("vkCmdEndQueryIndexedEXT-queryType-06695", vk.CmdEndQueryIndexedEXT, c, pool, 0, 1);
  });
}

TEST_F(EndedQueries, Protected) {
  const VkQueryPool pool = Make({});
  const VkCommandBuffer c = MakeCommands({.is_protected = true});
  test::TestDevice::Begin(c);
  Expect("vkCmdBeginQuery-commandBuffer-01885", vk.CmdBeginQuery, c, pool, 0, 0);
  Expect("vkCmdEndQuery-commandBuffer-01886", vk.CmdEndQuery, c, pool, 0);
  Expect("vkCmdBeginQueryIndexedEXT-commandBuffer-01885", vk.CmdBeginQueryIndexedEXT, c, pool, 0, 0, 0);
  Expect("vkCmdEndQueryIndexedEXT-commandBuffer-02344", vk.CmdEndQueryIndexedEXT, c, pool, 0, 0);
  End(c);
}

TEST_F(EndedQueries, Subpasses) {
  InCommands(VK_QUERY_TYPE_OCCLUSION, [&](VkCommandBuffer c, VkQueryPool pool) {
    BeginRendering(c, 0);
    vk.CmdBeginQuery(c, pool, 0, 0);
    vk.CmdEndQuery(c, pool, 0);
    ExpectNothing();
    vk.CmdEndRendering(c);
    vk.CmdBeginQuery(c, pool, 0, 0);
    BeginRendering(c, 0);
    vk.CmdEndQuery(c, pool, 0);
    EXPECT_THAT(ExpectMessage("VUID-vkCmdEndQuery-None-07007").text, HasSubstr("was not begun in the same subpass."));
    vk.CmdBeginQuery(c, pool, 1, 0);
    Expect("vkCmdEndRendering-None-06999", vk.CmdEndRendering, c);
    BeginRendering(c, 0);
    Expect("vkCmdEndQueryIndexedEXT-None-07007", vk.CmdEndQueryIndexedEXT, c, pool, 1, 0);
    vk.CmdEndRendering(c);
  });
}

TEST_F(EndedQueries, Views) {
  InCommands(VK_QUERY_TYPE_OCCLUSION, [&](VkCommandBuffer c, VkQueryPool pool) {
    BeginRendering(c, 3);
    Expect("vkCmdBeginQuery-query-00808", vk.CmdBeginQuery, c, pool, 3, 0);
    Expect("vkCmdEndQuery-query-00812", vk.CmdEndQuery, c, pool, 3);
    vk.CmdBeginQuery(c, pool, 2, 0);
    vk.CmdEndQuery(c, pool, 2);
    Expect("vkCmdBeginQueryIndexedEXT-query-00808", vk.CmdBeginQueryIndexedEXT, c, pool, 3, 0, 0);
    Expect("vkCmdEndQueryIndexedEXT-query-02345", vk.CmdEndQueryIndexedEXT, c, pool, 3, 0);
    vk.CmdEndRendering(c);
  });
}

}  // namespace
}  // namespace assay::core
