// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_RECORDING_REFERENCE_REPLACEMENTS_H_
#define ASSAY_GPUAV_RECORDING_REFERENCE_REPLACEMENTS_H_

#include <concepts>
#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "dispatch/dispatch.h"
#include "gpuav/builds/replacement_pipeline.h"
#include "gpuav/device/context.h"
#include "gpuav/device/memory.h"
#include "gpuav/parameters/structure_addresses.h"
#include "gpuav/recording/address_pushes.h"
#include "gpuav/recording/execution_memory.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// Top-level structures are built of a copy of the instances, in which references that are the address of no
// acceleration structure are 0. Before the build, a dispatch of ours reads the application's instances and writes the
// copy; the build that goes down reads it. What the dispatch disturbs, the pipeline that is bound and eight bytes of
// push constants, is put back. Queries and predicates cannot be put back: while there is one, the build stays as it is.
namespace assay::gpuav {

template <class C>
concept BuildsStructures = std::same_as<C, vk::CmdBuildAccelerationStructuresKHR> ||
                           std::same_as<C, vk::CmdBuildAccelerationStructuresIndirectKHR>;

// The geometry of such a command; null if there is none.
const VkAccelerationStructureGeometryKHR* GeometryAt(const VkAccelerationStructureBuildGeometryInfoKHR& info,
                                                     uint32_t index);

// What all recordings have for it.
struct ReferenceReplacer {
  ReplacementPipeline& pipeline;
  StructureAddresses& structures;
};

// The replacements of one recording.
class ReferenceReplacements {
 public:
  ReferenceReplacements(const Context& context, const ReferenceReplacer& replacer, const state::CommandBuffer& buffer)
      : context_(context), replacer_(replacer), buffer_(buffer) {}

  // A new recording begins. `is_conditional` as in ParameterCopies.
  void Begin(const VkCommandBufferBeginInfo& info, bool is_conditional);
  void OnBeginQuery() { ++queries_; }
  void OnEndQuery() {
    if (queries_ != 0) --queries_;
  }

  // A build is about to be recorded: finds the structures whose instances can be copied. False if there are none.
  bool Plan(const vk::CmdBuildAccelerationStructuresKHR& call);
  bool Plan(const vk::CmdBuildAccelerationStructuresIndirectKHR& call);
  // There is nothing to replace in the next build.
  void Clear() { planned_.clear(); }
  // Records the dispatches, with what waits for them, for as many of the planned structures as there is memory for.
  // False if nothing was recorded. The application's compute pipeline is to be bound again.
  bool Record(ExecutionMemory& memory, AddressPushes& pushes);

  // Whether the instances of pInfos[info] of the next build are a copy.
  bool Replaces(uint32_t info) const;
  // Makes the build read the copies.
  void Rewrite(vk::CmdBuildAccelerationStructuresKHR& down, dispatch::Rewriter& rewriter) const;
  void Rewrite(vk::CmdBuildAccelerationStructuresIndirectKHR& down, dispatch::Rewriter& rewriter) const;

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  // Addresses; sizes are in bytes.
  struct Planned {
    // In pInfos.
    uint32_t info = 0;
    VkDeviceAddress source = 0;
    VkDeviceSize room = 0;
    uint32_t most = 0;
    // Of an indirect build.
    VkDeviceAddress range = 0;
    // Where the copies are.
    VkDeviceAddress target = 0;
    VkDeviceAddress target_range = 0;
  };
  // A range that is being filled, and how far.
  struct Filled {
    MemoryRange range;
    VkDeviceSize used = 0;
  };

  // Whether correct programs cannot notice a dispatch.
  bool MayDispatch() const;
  // Where the instances of a structure begin; nothing if they are not to be copied.
  static std::optional<VkDeviceAddress> InstancesOf(const VkAccelerationStructureBuildGeometryInfoKHR& info);
  // Bytes from the address on that a shader may read; 0 if it is in no live buffer.
  VkDeviceSize RoomAt(VkDeviceAddress address, VkDeviceSize needed) const;
  void Add(const Planned& planned);
  // A part of the range, or of a new one; nothing if there is no memory.
  static MemoryRange Take(Filled& filled, VkDeviceSize bytes, Memory& of, ExecutionMemory& memory);
  // Memory for the copy, and parameters for the dispatch, with what they say. False if there is none.
  bool Allocate(Planned& planned, VkDeviceAddress table, ExecutionMemory& memory, MemoryRange& parameters);
  void Barrier(bool is_before) const;
  static void Apply(const Planned& planned, VkAccelerationStructureBuildGeometryInfoKHR& info,
                    dispatch::Rewriter& rewriter);

  const Context& context_;
  const ReferenceReplacer& replacer_;
  const state::CommandBuffer& buffer_;
  // Whether the recording is one in which nothing is to be dispatched.
  bool is_left_alone_ = false;
  // Those that are active.
  uint32_t queries_ = 0;
  // Of the next build.
  absl::InlinedVector<Planned, 2> planned_;
  bool is_indirect_ = false;
  // Bytes that all builds of the recording copy.
  VkDeviceSize bytes_ = 0;
  Filled parameters_;
  Filled copies_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_RECORDING_REFERENCE_REPLACEMENTS_H_
