// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_MATRIX_CASE_VARIANTS_H_
#define ASSAY_SYNCVAL_ENGINE_MATRIX_CASE_VARIANTS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "syncval/engine/matrix/expectation.h"
#include "syncval/engine/matrix/scenario.h"

// The variants of a case that the matrix tests for each two kinds of access.
namespace assay::syncval::matrix {

inline constexpr std::array kMembers = {&BarrierFlags::src_stages, &BarrierFlags::src_access, &BarrierFlags::dst_stages,
                                        &BarrierFlags::dst_access};
inline bool IsOfStages(uint64_t BarrierFlags::* member) {
  return member == &BarrierFlags::src_stages || member == &BarrierFlags::dst_stages;
}

// Calls visit with each way to leave one bit of one dependency out.
template <typename Visit>
void ForEachWithoutOneBit(const Case& exact, Visit&& visit) {
  Case c = exact;
  for (size_t d = 0; d < c.dependencies.size(); ++d) {
    for (uint64_t BarrierFlags::* member : kMembers) {
      uint64_t& bits = c.dependencies[d].flags.*member;
      const uint64_t all = bits;
      for (uint64_t rest = all; rest != 0; rest &= rest - 1) {
        bits = all & ~(rest & (~rest + 1));
        visit(c);
      }
      bits = all;
    }
  }
}

// Calls visit with each member of each dependency replaced by each flag of the registry. These are NONE, the wrong
// flags, and flags that represent several, which may include the needed one.
template <typename Visit>
void ForEachReplacement(const Expectation& expectation, const Case& exact, Visit&& visit) {
  constexpr VkPipelineStageFlags2 kPairs[] = {
      VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT,
      VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
      VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT,
  };
  Case c = exact;
  for (size_t d = 0; d < c.dependencies.size(); ++d) {
    for (uint64_t BarrierFlags::* member : kMembers) {
      if (c.dependencies[d].is_semaphore && !IsOfStages(member)) continue;
      uint64_t& bits = c.dependencies[d].flags.*member;
      const uint64_t all = bits;
      for (const uint64_t flag : IsOfStages(member) ? expectation.stages() : expectation.accesses()) {
        bits = flag;
        visit(c);
      }
      if (IsOfStages(member)) {
        for (const uint64_t pair : kPairs) {
          bits = pair;
          visit(c);
        }
      }
      bits = all;
    }
  }
}

// Wide barriers, barriers without access, barriers of ranges.
template <typename Visit>
void ForEachForm(const Case& exact, Visit&& visit) {
  constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  constexpr VkAccessFlags2 kRead = VK_ACCESS_2_MEMORY_READ_BIT;
  constexpr VkAccessFlags2 kWrite = VK_ACCESS_2_MEMORY_WRITE_BIT;
  constexpr BarrierFlags kWide[] = {{kAll, kWrite, kAll, kRead | kWrite}, {kAll, kRead | kWrite, kAll, kRead | kWrite},
                                    {kAll, kRead, kAll, kRead | kWrite},  {kAll, kWrite, kAll, kRead},
                                    {kAll, kWrite, kAll, kWrite},         {kAll, 0, kAll, 0}};
  Case c = exact;
  for (Dependency& dependency : c.dependencies) {
    const Dependency original = dependency;
    if (!dependency.is_semaphore) {
      for (const BarrierFlags& wide : kWide) {
        dependency.flags = wide;
        visit(c);
      }
      dependency.flags = {original.flags.src_stages, 0, original.flags.dst_stages, 0};
      visit(c);
      dependency = original;
      const bool is_of_transition = (c.first->is_transition && &dependency == &c.dependencies.front()) ||
                                    (c.second->is_transition && &dependency == &c.dependencies.back());
      if (is_of_transition || dependency.is_of_subpasses) continue;
      dependency.is_of_range = true;
      visit(c);
      dependency.covers = false;
      visit(c);
    } else {
      dependency.flags = {kAll, 0, kAll, 0};
      visit(c);
    }
    dependency = original;
  }
}

// Calls visit with two dependencies, joined by some of the stages. The one leads to the other, or does not.
template <typename Visit>
void ForEachChain(const Scenario& scenario, const Expectation& expectation, const Kind& first, const Kind& second,
                  Visit&& visit) {
  constexpr size_t kChains = 8;
  const std::vector<VkPipelineStageFlags2>& stages = expectation.single_stages();
  const auto stage = [&](size_t number) { return stages[number % stages.size()]; };
  for (size_t i = 0; i < kChains; ++i) {
    const size_t number = 5 * first.number + 3 * second.number + 7 * i;
    Case c = scenario.ChainCase(first, second, stage(number), stage(number + i / 2));
    visit(c);
    if (i != 0 || first.is_transition || second.is_transition || c.first_place != c.second_place) continue;
    c.are_side_by_side = true;
    visit(c);
  }
}

enum class VariantSet {
  // No dependency, the exact one, the exact one without any one bit, the exact one in other forms, and chains.
  kBits,
  // The same, but with every other flag in place of each member of the exact one, instead of without one bit.
  kEveryFlag,
};

// Calls visit(const Case&).
template <typename Visit>
void ForEachVariant(const Scenario& scenario, const Expectation& expectation, const Kind& first, const Kind& second,
                    VariantSet extent, Visit&& visit) {
  if (!scenario.Has(first) || !scenario.Has(second)) return;
  visit(scenario.UnsynchronizedCase(first, second));
  const Case exact = scenario.MinimalCase(first, second);
  visit(exact);
  if (extent == VariantSet::kEveryFlag) {
    ForEachReplacement(expectation, exact, visit);
  } else {
    ForEachWithoutOneBit(exact, visit);
  }
  ForEachForm(exact, visit);
  ForEachChain(scenario, expectation, first, second, visit);
}

}  // namespace assay::syncval::matrix

#endif  // ASSAY_SYNCVAL_ENGINE_MATRIX_CASE_VARIANTS_H_
