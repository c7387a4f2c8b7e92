// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_MATRIX_EXPECTATION_H_
#define ASSAY_SYNCVAL_ENGINE_MATRIX_EXPECTATION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "syncval/engine/accesses/hazard.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/matrix/registry_sync.h"
#include "vk/vulkan.h"

// The outcome that the specification gives for two accesses of the same byte with few dependencies between them. It
// follows from the registry's <sync> section and, except for one rule, from nothing else.
//
// Kinds of access
//
// A kind is a single stage with a single access that the stage supports: <syncsupport>. Where <syncsupport> names both
// a stage that represents several and some of those, it means only the latter. It names VERTEX_INPUT and INDEX_INPUT
// for INDEX_READ, which means INDEX_INPUT and not VERTEX_ATTRIBUTE_INPUT. An access that represents several is a kind
// of its own only at stages that support none of its parts (SHADER_READ at ACCELERATION_STRUCTURE_BUILD). Three things
// access memory in no stage: a layout transition, a queue family ownership transfer, and the presentation engine.
//
// Scopes ("Execution and Memory Dependencies")
//
// - Stages represent their <syncequivalent>s. ALL_COMMANDS represents every single stage but HOST. One rule is in the
//   text alone: ACCELERATION_STRUCTURE_BUILD is also the stage of vkCmdCopyAccelerationStructureKHR. So it represents
//   ACCELERATION_STRUCTURE_COPY, and not the other way round. <syncsupport> only hints at that rule: it has
//   TRANSFER_READ and TRANSFER_WRITE in the stage of builds, and only copies to and from memory do these accesses.
// - Accesses represent their <syncequivalent>s and themselves. MEMORY_READ and MEMORY_WRITE represent all accesses that
//   have READ or WRITE in their names.
// - E1, E2 are the execution scopes. "If a synchronization command includes a source stage mask, its first
//   synchronization scope only includes execution of the pipeline stages specified in that mask and any logically
//   earlier stages". For a destination mask it is logically later stages. The order is that of <syncpipeline>, over all
//   pipelines. TOP_OF_PIPE is every stage of a command as destination, and none as source. BOTTOM_OF_PIPE is the other
//   way round.
// - A1, A2 are the access scopes. "its first access scope only includes memory accesses performed by pipeline stages
//   explicitly specified in the source stage mask", of the types in the access mask. The second is alike.
// - Semaphores have all accesses in A1 and A2. A signal with ALL_COMMANDS has the accesses in no stage too, in E1 and
//   A1.
//
// Dependencies
//
// Each side of a dependency is at a place: a queue, or a subpass. The first side includes everything before it at its
// place. The second side includes everything after it at its place. Dependencies are in submission order. D leads to D'
// if they are the same. It also leads there through any number of steps from one dependency to a later one. A step
// needs the second side of the one at the place of the first side of the next, and a stage in both scopes. Dependencies
// of one command do not lead to one another.
//
// - X happens before Y if X is in E1(D), D leads to D', and Y is in E2(D').
// - X is visible to Y if X is in A1(D), D leads to D', Y is in A2(D'), and D and D' cover the byte.
//
// A layout transition is done between the sides of its own dependency T. As X, it is in the first scopes of T. As Y, it
// is after everything in the first scopes of T, and of each D that leads to T.
//
// Outcomes
//
// - RAW and WAW, unless X is visible to Y.
// - WAR, unless X happens before Y.
// - A race, where no dependency leads from one queue to the other, whatever its scopes.
// - Nothing, if neither X nor Y writes. Nothing between layout transitions of one queue either: these are in submission
//   order.
namespace assay::syncval::matrix {

struct Kind {
  std::string name;
  // The position among all kinds.
  size_t number = 0;
  VkPipelineStageFlags2 stage = 0;
  VkAccessFlags2 access = 0;
  bool is_write = false;
  bool is_transition = false;
};

struct Dependency {
  BarrierFlags flags;
  uint32_t from = 0;
  uint32_t to = 0;
  // A semaphore has no accesses.
  bool is_semaphore = false;
  // A VkSubpassDependency2, which covers all bytes.
  bool is_of_subpasses = false;
  // The memory dependency covers only some bytes. `covers` says whether these are the bytes of the case.
  bool is_of_range = false;
  bool covers = true;
};

struct Case {
  const Kind* first = nullptr;
  const Kind* second = nullptr;
  uint32_t first_place = 0;
  uint32_t second_place = 0;
  // If `first` is a layout transition, the first dependency does it. If `second` is one, the last dependency does it.
  absl::InlinedVector<Dependency, 3> dependencies;
  // The places are on one queue, where nothing races.
  bool is_one_queue = false;
  // One command has all of the dependencies.
  bool are_side_by_side = false;
};
std::string ToString(const Case& c);

class Expectation {
 public:
  explicit Expectation(const RegistrySync& registry);

  const std::vector<Kind>& kinds() const { return kinds_; }
  // Every flag of the registry, including NONE.
  const std::vector<VkPipelineStageFlags2>& stages() const { return stages_; }
  const std::vector<VkAccessFlags2>& accesses() const { return accesses_; }
  // The single stages, which kinds have.
  const std::vector<VkPipelineStageFlags2>& single_stages() const { return single_stages_; }

  HazardKind Of(const Case& c) const;

 private:
  using Table = std::array<uint64_t, 64>;

  void AddStages(const RegistrySync& registry);
  void AddAccesses(const RegistrySync& registry);
  void AddOrder(const RegistrySync& registry);
  void AddKinds(const RegistrySync& registry);
  VkPipelineStageFlags2 ExecutionScope1(const Dependency& dependency) const;
  VkPipelineStageFlags2 ExecutionScope2(const Dependency& dependency) const;
  bool IsInExecutionScope1(const Case& c, size_t d) const;
  bool IsInExecutionScope2(const Case& c, size_t d) const;
  bool IsInAccessScope1(const Case& c, size_t d) const;
  bool IsInAccessScope2(const Case& c, size_t d) const;
  bool Leads(const Case& c, size_t from, size_t to) const;
  bool IsKnown(const Case& c) const;
  bool HappensBefore(const Case& c) const;
  bool IsVisible(const Case& c) const;

  // Indexed by the bit number of a flag: the flags that it represents. For single stages also the stages at or after
  // it, and those at or before it.
  Table stage_parts_ = {};
  Table access_parts_ = {};
  Table later_ = {};
  Table earlier_ = {};
  VkPipelineStageFlags2 all_commands_ = 0;
  std::vector<Kind> kinds_;
  std::vector<VkPipelineStageFlags2> stages_;
  std::vector<VkAccessFlags2> accesses_;
  std::vector<VkPipelineStageFlags2> single_stages_;
};

}  // namespace assay::syncval::matrix

#endif  // ASSAY_SYNCVAL_ENGINE_MATRIX_EXPECTATION_H_
