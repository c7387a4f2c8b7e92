// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/matrix/expectation.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "syncval/engine/accesses/hazard.h"
#include "syncval/engine/matrix/case_variants.h"
#include "syncval/engine/matrix/registry_sync.h"
#include "syncval/engine/matrix/scenario.h"

namespace assay::syncval::matrix {
namespace {

const RegistrySync& Registry() {
  static const RegistrySync* const registry = new RegistrySync(ReadRegistrySync());
  return *registry;
}
const Expectation& Specification() {
  static const Expectation* const expectation = new Expectation(Registry());
  return *expectation;
}
const Kind& KindOf(std::string_view name) {
  const auto found = std::ranges::find(Specification().kinds(), name, &Kind::name);
  if (found == Specification().kinds().end()) ADD_FAILURE() << name;
  return *found;
}
HazardKind Of(std::string_view first, std::initializer_list<BarrierFlags> dependencies, std::string_view second) {
  return Specification().Of(CaseAtOnePlace(KindOf(first), KindOf(second), dependencies));
}

constexpr std::string_view kCopyWrite = "COPY_BIT/TRANSFER_WRITE_BIT";
constexpr std::string_view kCopyRead = "COPY_BIT/TRANSFER_READ_BIT";
constexpr std::string_view kVertexRead = "VERTEX_ATTRIBUTE_INPUT_BIT/VERTEX_ATTRIBUTE_READ_BIT";
constexpr std::string_view kTransition = "IMAGE_LAYOUT_TRANSITION";
constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
constexpr VkPipelineStageFlags2 kBlit = VK_PIPELINE_STAGE_2_BLIT_BIT;
constexpr VkPipelineStageFlags2 kInput = VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT;
constexpr VkPipelineStageFlags2 kIndirect = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
constexpr VkAccessFlags2 kWrite = VK_ACCESS_2_TRANSFER_WRITE_BIT;
constexpr VkAccessFlags2 kRead = VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT;

// Cases written by hand.

TEST(Expectation, WithoutDependency) {
  EXPECT_EQ(Of(kCopyWrite, {}, kVertexRead), HazardKind::kReadAfterWrite);
  EXPECT_EQ(Of(kVertexRead, {}, kCopyWrite), HazardKind::kWriteAfterRead);
  EXPECT_EQ(Of(kCopyWrite, {}, kCopyWrite), HazardKind::kWriteAfterWrite);
  EXPECT_EQ(Of(kCopyRead, {}, kVertexRead), HazardKind::kNone);
}

TEST(Expectation, MemoryDependencyNamesBothAccesses) {
  EXPECT_EQ(Of(kCopyWrite, {{kCopy, kWrite, kInput, kRead}}, kVertexRead), HazardKind::kNone);
  EXPECT_EQ(Of(kCopyWrite, {{kCopy, 0, kInput, kRead}}, kVertexRead), HazardKind::kReadAfterWrite);
  EXPECT_EQ(Of(kCopyWrite, {{kCopy, kWrite, kInput, 0}}, kVertexRead), HazardKind::kReadAfterWrite);
  EXPECT_EQ(Of(kCopyWrite, {{kBlit, kWrite, kInput, kRead}}, kVertexRead), HazardKind::kReadAfterWrite);
}

// Vertex input is logically later than the read of indirect commands. That is enough for an execution dependency.
TEST(Expectation, LogicalOrderIsOfExecutionAlone) {
  EXPECT_EQ(Of(kCopyWrite, {{kCopy, kWrite, kIndirect, kRead}}, kVertexRead), HazardKind::kReadAfterWrite);
  EXPECT_EQ(Of(kCopyRead, {{kCopy, 0, kIndirect, 0}}, "VERTEX_SHADER_BIT/SHADER_STORAGE_WRITE_BIT"), HazardKind::kNone);
  EXPECT_EQ(Of("DRAW_INDIRECT_BIT/INDIRECT_COMMAND_READ_BIT", {{kInput, 0, kCopy, 0}}, kCopyWrite), HazardKind::kNone);
  EXPECT_EQ(Of(kVertexRead, {{kIndirect, 0, kCopy, 0}}, kCopyWrite), HazardKind::kWriteAfterRead);
}

TEST(Expectation, Chains) {
  EXPECT_EQ(Of(kCopyWrite, {{kCopy, kWrite, kBlit, 0}, {kBlit, 0, kInput, kRead}}, kVertexRead), HazardKind::kNone);
  EXPECT_EQ(Of(kCopyWrite, {{kCopy, kWrite, kBlit, 0}, {kCopy, 0, kInput, kRead}}, kVertexRead),
            HazardKind::kReadAfterWrite);
}

TEST(Expectation, LayoutTransitions) {
  EXPECT_EQ(Of(kCopyRead, {{kCopy, 0, 0, 0}}, kTransition), HazardKind::kNone);
  EXPECT_EQ(Of(kCopyWrite, {{kCopy, 0, 0, 0}}, kTransition), HazardKind::kWriteAfterWrite);
  EXPECT_EQ(Of(kTransition, {{0, 0, kInput, kRead}}, kVertexRead), HazardKind::kNone);
  EXPECT_EQ(Of(kTransition, {{0, 0, kInput, 0}}, kVertexRead), HazardKind::kReadAfterWrite);
  EXPECT_EQ(Of(kTransition, {{}, {}}, kTransition), HazardKind::kNone);
}

// Sensitivity: each part that is taken out of the registry's section changes the outcome of a case of the matrix. So an
// engine with that part wrong would not pass.

bool Differs(const Expectation& changed) {
  const Expectation& expectation = Specification();
  if (!std::ranges::equal(changed.kinds(), expectation.kinds(), {}, &Kind::name, &Kind::name)) return true;
  const OneCommandBuffer scenario(expectation);
  for (const Kind& first : expectation.kinds()) {
    for (const Kind& second : expectation.kinds()) {
      bool differs = false;
      ForEachReplacement(expectation, scenario.MinimalCase(first, second),
                         [&](const Case& c) { differs = differs || expectation.Of(c) != changed.Of(c); });
      if (differs) return true;
    }
  }
  return false;
}

// Calls visit with each bit of a member of elements taken out.
template <typename Element>
void ForEachBitTakenOut(std::vector<Element> RegistrySync::* elements, uint64_t Element::* member,
                        const std::function<void(const RegistrySync&, const Element&, uint64_t bit)>& visit) {
  for (size_t i = 0; i < (Registry().*elements).size(); ++i) {
    const Element& element = (Registry().*elements)[i];
    for (uint64_t rest = element.*member; rest != 0; rest &= rest - 1) {
      const uint64_t bit = rest & (~rest + 1);
      RegistrySync changed = Registry();
      (changed.*elements)[i].*member &= ~bit;
      visit(changed, element, bit);
    }
  }
}

TEST(Sensitivity, EveryPartOfAStage) {
  ForEachBitTakenOut<RegistrySync::Stage>(
      &RegistrySync::stages, &RegistrySync::Stage::parts,
      [](const RegistrySync& changed, const RegistrySync::Stage& stage, uint64_t bit) {
        EXPECT_TRUE(Differs(Expectation(changed))) << stage.name << " less " << bit;
      });
}

TEST(Sensitivity, EveryPartOfAnAccess) {
  ForEachBitTakenOut<RegistrySync::Access>(
      &RegistrySync::accesses, &RegistrySync::Access::parts,
      [](const RegistrySync& changed, const RegistrySync::Access& access, uint64_t bit) {
        EXPECT_TRUE(Differs(Expectation(changed))) << access.name << " less " << bit;
      });
}

TEST(Sensitivity, EverySupportingStage) {
  size_t without_effect = 0;
  ForEachBitTakenOut<RegistrySync::Access>(
      &RegistrySync::accesses, &RegistrySync::Access::stages,
      [&](const RegistrySync& changed, const RegistrySync::Access& access, uint64_t bit) {
        const auto is_kind = [&](const Kind& kind) { return kind.stage == bit && kind.access == access.bit; };
        // A stage or access that represents several. Only its parts are kinds.
        if (std::ranges::none_of(Specification().kinds(), is_kind)) {
          ++without_effect;
        } else {
          EXPECT_TRUE(Differs(Expectation(changed))) << access.name << " at " << bit;
        }
      });
  EXPECT_LT(without_effect, 50u);
}

TEST(Sensitivity, EveryStageOfAPipeline) {
  for (size_t p = 0; p < Registry().pipelines.size(); ++p) {
    const RegistrySync::Pipeline& pipeline = Registry().pipelines[p];
    if (pipeline.size() < 2) continue;
    for (size_t i = 0; i < pipeline.size(); ++i) {
      // This stage has no order with the others.
      if (!pipeline[i].is_ordered && pipeline[i].before == 0) continue;
      RegistrySync changed = Registry();
      const auto is_stage = [&](const RegistrySync::Position& position) { return position.stage == pipeline[i].stage; };
      if (pipeline[i].is_ordered) {
        std::erase_if(changed.pipelines[p], is_stage);
      } else {
        // A stage that is not ordered has the same stage after it in each pipeline with both of them.
        for (RegistrySync::Pipeline& any : changed.pipelines) std::erase_if(any, is_stage);
      }
      EXPECT_TRUE(Differs(Expectation(changed))) << "pipeline " << p << ", position " << i;
    }
  }
}

TEST(Sensitivity, TheOrderOfEveryTwoStages) {
  for (size_t p = 0; p < Registry().pipelines.size(); ++p) {
    for (size_t i = 1; i < Registry().pipelines[p].size(); ++i) {
      RegistrySync changed = Registry();
      RegistrySync::Position& a = changed.pipelines[p][i - 1];
      RegistrySync::Position& b = changed.pipelines[p][i];
      if (!a.is_ordered || !b.is_ordered) continue;
      std::swap(a, b);
      EXPECT_TRUE(Differs(Expectation(changed))) << "pipeline " << p << ", position " << i;
    }
  }
}

}  // namespace
}  // namespace assay::syncval::matrix
