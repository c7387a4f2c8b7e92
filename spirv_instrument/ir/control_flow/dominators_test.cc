// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/control_flow/dominators.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/control_flow/control_flow_graph.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

using Edges = std::vector<std::vector<uint32_t>>;

Module EmptyModule() {
  const std::vector<uint32_t> header = {spv::MagicNumber, 0x00010600, 0, 1, 0};
  return *Module::Read(header);
}

// A function with these branches between its blocks; a block without any returns.
Function AddFunction(Module& module, const Edges& edges) {
  Globals globals = module.globals();
  const Function function = module.AddFunction(module.FreshId(), globals.Void(), spv::FunctionControlMask::MaskNone,
                                               globals.FunctionType(globals.Void(), {}));
  std::vector<Block> blocks;
  blocks.reserve(edges.size());
  for (size_t i = 0; i < edges.size(); ++i) blocks.push_back(module.AddBlock(function, module.FreshId()));
  for (size_t i = 0; i < edges.size(); ++i) {
    Builder end = Builder::AtEnd(module, blocks[i]);
    if (edges[i].empty()) {
      end.AddVoid(spv::Op::OpReturn, {});
    } else if (edges[i].size() == 1) {
      end.Branch(blocks[edges[i][0]].id());
    } else {
      std::vector<Word> operands = {globals.Uint(0), blocks[edges[i][0]].id()};
      for (size_t j = 1; j < edges[i].size(); ++j) {
        operands.push_back(static_cast<uint32_t>(j));
        operands.push_back(blocks[edges[i][j]].id());
      }
      end.AddVoid(spv::Op::OpSwitch, operands);
    }
  }
  return function;
}

// The blocks that `from` reaches without going through `without`.
std::vector<bool> Reached(const Edges& edges, uint32_t from, uint32_t without) {
  std::vector<bool> reached(edges.size(), false);
  std::vector<uint32_t> pending;
  const auto add = [&](uint32_t block) {
    if (block == without || reached[block]) return;
    reached[block] = true;
    pending.push_back(block);
  };
  add(from);
  while (!pending.empty()) {
    const uint32_t block = pending.back();
    pending.pop_back();
    for (uint32_t next : edges[block]) add(next);
  }
  return reached;
}

// The definition, block by block.
bool NaivelyDominates(const Edges& edges, uint32_t a, uint32_t b) {
  if (a == b) return true;
  return Reached(edges, 0, ControlFlowGraph::kNone)[b] && !Reached(edges, 0, a)[b];
}

bool ReachesEnd(const Edges& edges, uint32_t from, uint32_t without) {
  const std::vector<bool> reached = Reached(edges, from, without);
  for (size_t block = 0; block < edges.size(); ++block) {
    if (reached[block] && edges[block].empty()) return true;
  }
  return false;
}

bool NaivelyPostDominates(const Edges& edges, uint32_t a, uint32_t b) {
  if (a == b) return true;
  return ReachesEnd(edges, b, ControlFlowGraph::kNone) && ReachesEnd(edges, a, ControlFlowGraph::kNone) &&
         !ReachesEnd(edges, b, a);
}

Edges RandomEdges(std::mt19937& random) {
  Edges edges(1 + random() % 12);
  for (auto& targets : edges) {
    for (uint32_t count = random() % 4; count > 0; --count) targets.push_back(random() % edges.size());
  }
  return edges;
}

void ExpectLikeTheDefinition(const Edges& edges) {
  Module module = EmptyModule();
  const ControlFlowGraph graph(module, AddFunction(module, edges));
  ASSERT_EQ(graph.size(), edges.size());
  const DominatorTree dominators = DominatorTree::Dominators(graph);
  const DominatorTree post_dominators = DominatorTree::PostDominators(graph);
  for (uint32_t a = 0; a < edges.size(); ++a) {
    for (uint32_t b = 0; b < edges.size(); ++b) {
      ASSERT_EQ(dominators.Dominates(a, b), NaivelyDominates(edges, a, b)) << a << " " << b;
      ASSERT_EQ(post_dominators.Dominates(a, b), NaivelyPostDominates(edges, a, b)) << a << " " << b;
    }
  }
}

TEST(Dominators, OfRandomGraphs) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) ExpectLikeTheDefinition(RandomEdges(random));
}

TEST(Dominators, OfKnownGraphs) {
  // A diamond, a loop, an endless loop, a block that nothing reaches.
  for (const Edges& edges :
       std::vector<Edges>{{{1, 2}, {3}, {3}, {}}, {{1}, {2, 3}, {1}, {}}, {{1, 2}, {1}, {}}, {{}, {0}}, {{0}}, {{}}}) {
    ExpectLikeTheDefinition(edges);
  }
}

TEST(Dominators, ImmediateAndCommon) {
  Module module = EmptyModule();
  const ControlFlowGraph graph(module, AddFunction(module, {{1, 2}, {3}, {3, 4}, {5}, {5}, {}, {5}}));
  const DominatorTree tree = DominatorTree::Dominators(graph);
  EXPECT_EQ(tree.ImmediateDominator(0), DominatorTree::kNone);
  EXPECT_EQ(tree.ImmediateDominator(3), 0u);
  EXPECT_EQ(tree.ImmediateDominator(4), 2u);
  EXPECT_EQ(tree.ImmediateDominator(5), 0u);
  EXPECT_EQ(tree.ImmediateDominator(6), DominatorTree::kNone);
  EXPECT_EQ(tree.CommonDominator(3, 4), 0u);
  EXPECT_EQ(tree.CommonDominator(4, 2), 2u);
  EXPECT_EQ(tree.CommonDominator(1, 6), DominatorTree::kNone);
  const DominatorTree post = DominatorTree::PostDominators(graph);
  EXPECT_EQ(post.ImmediateDominator(5), DominatorTree::kNone);
  EXPECT_EQ(post.ImmediateDominator(2), 5u);
  EXPECT_EQ(post.ImmediateDominator(1), 3u);
}

TEST(Dominators, OfAChainThatIsVeryLong) {
  Edges edges(50000);
  for (uint32_t i = 0; i + 1 < edges.size(); ++i) edges[i] = {i + 1, i / 2};
  Module module = EmptyModule();
  const ControlFlowGraph graph(module, AddFunction(module, edges));
  const DominatorTree tree = DominatorTree::Dominators(graph);
  EXPECT_TRUE(tree.Dominates(17, 49999));
  EXPECT_FALSE(tree.Dominates(49999, 17));
}

TEST(ControlFlowGraph, EdgesAndOrder) {
  Module module = EmptyModule();
  const Edges edges = {{1, 2, 1}, {3}, {1, 3}, {0}, {3}};
  const Function function = AddFunction(module, edges);
  const ControlFlowGraph graph(module, function);
  const std::vector<uint32_t> successors(graph.successors(0).begin(), graph.successors(0).end());
  EXPECT_EQ(successors, (std::vector<uint32_t>{1, 2}));
  const std::vector<uint32_t> predecessors(graph.predecessors(3).begin(), graph.predecessors(3).end());
  EXPECT_EQ(predecessors, (std::vector<uint32_t>{1, 2, 4}));
  const std::vector<uint32_t> order(graph.reverse_post_order().begin(), graph.reverse_post_order().end());
  EXPECT_EQ(order, (std::vector<uint32_t>{0, 2, 1, 3}));
  EXPECT_FALSE(graph.IsReachable(4));
  EXPECT_EQ(graph.NumberOf(function.last()), 4u);
  EXPECT_EQ(graph.NumberOf(function.entry().id()), 0u);
  EXPECT_EQ(graph.NumberOf(function.id()), ControlFlowGraph::kNone);
  EXPECT_EQ(graph.NumberOf(module.AddBlock(function, module.FreshId())), ControlFlowGraph::kNone);
}

}  // namespace
}  // namespace assay::spirv_instrument
