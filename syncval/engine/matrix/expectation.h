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

// What the specification says of two accesses of the same byte with few dependencies between them, worked out from the
// registry's <sync> section and, but for one rule, from nothing else.
//
// Kinds of access
//
// A kind is a single stage with a single access that the stage supports: <syncsupport>. Where that names both a stage
// that represents several and some of those, the latter are meant (INDEX_READ is supported by VERTEX_INPUT and
// INDEX_INPUT, and not by VERTEX_ATTRIBUTE_INPUT). An access that represents several is a kind of its own only at
// stages that support none of its parts (SHADER_READ at ACCELERATION_STRUCTURE_BUILD). Four things access memory in no
// stage: a layout transition, a queue family ownership transfer, and the presentation engine.
//
// Scopes ("Execution and Memory Dependencies")
//
//   stages    represent their <syncequivalent>s; ALL_COMMANDS for every single stage but HOST. One thing is in the text
//             alone: ACCELERATION_STRUCTURE_BUILD is the stage of vkCmdCopyAccelerationStructureKHR too, so it stands
//             for ACCELERATION_STRUCTURE_COPY, and not the other way round. (<syncsupport> only hints at it: it has
//             TRANSFER_READ and TRANSFER_WRITE in the stage of builds, which copies to and from memory alone make.)
//   accesses  likewise, and for themselves; MEMORY_READ and MEMORY_WRITE for all that have READ or WRITE in their
//   names. E1, E2    "If a synchronization command includes a source stage mask, its first synchronization scope only
//   includes
//             execution of the pipeline stages specified in that mask and any logically earlier stages"; of a
//             destination mask logically later ones. The order is that of <syncpipeline>, over all pipelines.
//             TOP_OF_PIPE is every stage of a command as destination and none as source; BOTTOM_OF_PIPE the other way
//             round.
//   A1, A2    "its first access scope only includes memory accesses performed by pipeline stages explicitly specified
//   in
//             the source stage mask", of the types in the access mask. Likewise the second.
//   Semaphores have all accesses in A1 and A2. A signal with ALL_COMMANDS has in E1 and A1 what is in no stage too. A
//   wait with ALL_COMMANDS or TOP_OF_PIPE has layout transitions in E2 and A2, whatever the first scope of their own
//   dependency.
//
// Dependencies
//
// Each side is at a place: a queue, or a subpass. A first side has what is at its place before it, a second side what
// is at its place after it. Dependencies are given in submission order. D leads to D' if they are the same, or if the
// second side of one is at the place of the first side of the next, with a stage in both scopes, and so on from D to
// D'; those of one command do not lead to one another.
//   X happens before Y     if X is in E1(D), D leads to D', Y is in E2(D').
//   X is visible to Y      if X is in A1(D), D leads to D', Y is in A2(D'), and D and D' cover the byte.
// A layout transition is done between the sides of its own dependency T: as X, it is in the first scopes of T; as Y,
// what D leads to T from is before it, and so is what is in the first scopes of T.
//
// Outcomes
//
// RAW and WAW unless X is visible to Y; WAR unless X happens before Y; nothing if neither writes, nor between layout
// transitions of one queue, which are in submission order. Where no dependency leads from one queue to the other,
// whatever its scopes, X and Y race.
namespace assay::syncval::matrix {

struct Kind {
  std::string name;
  // Among all kinds.
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
  // A VkSubpassDependency2, which is of all bytes.
  bool is_of_subpasses = false;
  // The memory dependency is for some bytes only; for these if they are covered.
  bool is_of_range = false;
  bool covers = true;
};

struct Case {
  const Kind* first = nullptr;
  const Kind* second = nullptr;
  uint32_t first_place = 0;
  uint32_t second_place = 0;
  // If first is a layout transition it is the first one's, if second is, it is the last one's.
  absl::InlinedVector<Dependency, 3> dependencies;
  // The places are of one queue, where nothing races.
  bool is_one_queue = false;
  // The dependencies are of one command.
  bool are_side_by_side = false;
};
std::string ToString(const Case& c);

class Expectation {
 public:
  explicit Expectation(const RegistrySync& registry);

  const std::vector<Kind>& kinds() const { return kinds_; }
  // Every flag that the registry has, NONE included.
  const std::vector<VkPipelineStageFlags2>& stages() const { return stages_; }
  const std::vector<VkAccessFlags2>& accesses() const { return accesses_; }
  // Those that a kind has.
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
  bool IsTransitionInScope2(const Case& c, size_t d) const;
  bool IsInExecutionScope2(const Case& c, size_t d) const;
  bool IsInAccessScope1(const Case& c, size_t d) const;
  bool IsInAccessScope2(const Case& c, size_t d) const;
  bool Leads(const Case& c, size_t from, size_t to) const;
  bool IsKnown(const Case& c) const;
  bool HappensBefore(const Case& c) const;
  bool IsVisible(const Case& c) const;

  // By the number of a flag's bit: what it stands for, and, of single stages, those at or after and at or before them.
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
