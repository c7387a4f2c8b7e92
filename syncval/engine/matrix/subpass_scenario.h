// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_MATRIX_SUBPASS_SCENARIO_H_
#define ASSAY_SYNCVAL_ENGINE_MATRIX_SUBPASS_SCENARIO_H_

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/contexts/access_context_bodies.h"
#include "syncval/engine/engine.h"
#include "syncval/engine/matrix/expectation.h"
#include "syncval/engine/matrix/scenario.h"

// A scenario whose accesses are in different parts of a render pass.
namespace assay::syncval::matrix {

// The first access is before the render pass or in its subpass 0. The second is in its subpass 1. The exact dependency
// is a VkSubpassDependency2. There are barriers in the subpasses too. Kinds of access that no subpass can have are
// tested all the same.
template <Mutation kMutation = Mutation::kNone>
class TwoSubpasses final : public Scenario {
 public:
  // src is the source subpass of the dependency: SubpassGraph::kExternal or 0.
  TwoSubpasses(const Expectation& expectation, uint32_t src, uint64_t region = 0)
      : src_(src), indices_(IndicesOf(expectation.kinds())), recorder_(indices_, region) {}

  std::string_view name() const override {
    return src_ == SubpassGraph::kExternal ? "before a render pass and in its subpass 1" : "two subpasses";
  }
  // The layout transitions of a render pass have more than one dependency.
  bool Has(const Kind& kind) const override { return !kind.is_transition; }
  Case MinimalCase(const Kind& first, const Kind& second) const override {
    Case c = UnsynchronizedCase(first, second);
    if (!NeedsNoDependency(first, second)) c.dependencies.push_back(OfSubpasses(ExactFlags(first, second)));
    return c;
  }
  Case UnsynchronizedCase(const Kind& first, const Kind& second) const override {
    return {.first = &first, .second = &second, .second_place = 1, .is_one_queue = true};
  }
  // The barrier is in subpass 0 if the bit number of `middle` is even, else in subpass 1. There is no barrier before
  // the render pass, since the order that it makes continues in the render pass.
  Case ChainCase(const Kind& first, const Kind& second, VkPipelineStageFlags2 middle,
                 VkPipelineStageFlags2 from) const override {
    Case c = UnsynchronizedCase(first, second);
    const BarrierFlags begin{first.stage, first.access, middle, 0};
    const BarrierFlags end{from, 0, second.stage, second.access};
    if (src_ == 0 && std::countr_zero(middle) % 2 == 0) {
      c.dependencies = {{.flags = begin}, OfSubpasses(end)};
    } else {
      c.dependencies = {OfSubpasses(begin), {.flags = end, .from = 1, .to = 1}};
    }
    return c;
  }

  HazardKind DetectHazard(const Case& c) override {
    std::vector<SubpassGraph::Dependency> dependencies;
    for (const Dependency& dependency : c.dependencies) {
      if (dependency.is_of_subpasses) dependencies.push_back({src_, 1, dependency.flags});
    }
    const SubpassGraph graph(2, dependencies, kMatrixQueue);
    recorder_.Begin(context_);
    if (src_ == SubpassGraph::kExternal) recorder_.RecordKind(*c.first);
    context_.EnterSubpass(graph.AtBegin(0), recorder_.NextTag());
    if (src_ == 0) recorder_.RecordKind(*c.first);
    RecordBarriers(c, 0);
    context_.LeaveSubpass(graph.AtEnd(0), recorder_.NextTag());
    context_.EnterSubpass(graph.AtBegin(1), recorder_.NextTag());
    RecordBarriers(c, 1);
    return recorder_.Detect(*c.second);
  }

 private:
  static Dependency OfSubpasses(const BarrierFlags& flags) {
    return {.flags = flags, .from = 0, .to = 1, .is_of_subpasses = true};
  }
  void RecordBarriers(const Case& c, uint32_t place) {
    for (const Dependency& dependency : c.dependencies) {
      if (!dependency.is_of_subpasses && dependency.from == place) recorder_.RecordDependencies({&dependency, 1});
    }
  }

  const uint32_t src_;
  const std::vector<vk::SyncAccessIndex> indices_;
  Recorder<kMutation> recorder_;
  BasicAccessContext<kMutation> context_;
};

}  // namespace assay::syncval::matrix

#endif  // ASSAY_SYNCVAL_ENGINE_MATRIX_SUBPASS_SCENARIO_H_
