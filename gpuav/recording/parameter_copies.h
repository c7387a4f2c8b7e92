// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_RECORDING_PARAMETER_COPIES_H_
#define ASSAY_GPUAV_RECORDING_PARAMETER_COPIES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gpuav/device/context.h"
#include "gpuav/parameters/build_ranges.h"
#include "gpuav/parameters/depth_regions.h"
#include "gpuav/parameters/indirect_command.h"
#include "gpuav/parameters/parameter_buffers.h"
#include "gpuav/parameters/parameter_faults.h"
#include "gpuav/parameters/parameter_rules.h"
#include "gpuav/recording/execution_memory.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// What commands read from buffers, copied to where the host can read it. The copies are recorded behind the commands:
// before the next command that could let anything write to the buffers, so that one pair of barriers is for many
// commands. In a render pass instance, where nothing can be copied, they wait for its end. Builds of acceleration
// structures and copies of depths, which are never in one, have their copies before them. Copies leave the
// application's bindings, queries and predicates alone, which a dispatch of ours would not.
namespace assay::gpuav {

// The parameters of a command, when its execution is complete.
struct CopiedParameters {
  IndirectCommand from = {};
  ParameterLimits limits;
  // The command buffer that the command was recorded in, and its position there.
  VkCommandBuffer command_buffer = VK_NULL_HANDLE;
  uint32_t position = 0;
  VkPipeline pipeline = VK_NULL_HANDLE;
  // Of kInstances: whether the command reads a copy in which bad references are 0 (ReferenceReplacements).
  bool is_replaced = false;
  // Of kBuildRanges: the geometry of each structure.
  std::vector<BuildGeometry> geometries;
  // Of kDepths: what is copied, and to which image.
  std::vector<DepthRegion> regions;
  VkImage image = VK_NULL_HANDLE;
  // Outermost first.
  std::vector<std::string> labels;
  absl::Span<const uint32_t> words;
  // Null if the command reads no count. Of instances, it is in a VkAccelerationStructureBuildRangeInfoKHR, and the next
  // word is primitiveOffset.
  const uint32_t* count = nullptr;

  // `has_structure` says whether an acceleration structure had an address when it was executed.
  std::vector<ParameterFault> Find(std::function<bool(uint64_t)> has_structure) const;
};

// The copies of one recording.
class ParameterCopies {
 public:
  ParameterCopies(Context& context, const ParameterBuffers& buffers) : context_(context), buffers_(buffers) {}

  // A new recording begins. `is_conditional` says that its commands may be executed under a predicate of the primary
  // command buffer.
  void Begin(bool is_conditional);

  // A command is about to be recorded. False if its parameters cannot be copied.
  bool Add(const IndirectCommand& command, const state::CommandBuffer& buffer, VkPipeline pipeline);
  // Commands of a secondary command buffer of a render pass instance, which its primary copies for.
  void Add(const ParameterCopies& secondary);
  // What the next command builds acceleration structures of: structures of a kind that needs no pipeline. Of the
  // parameters, it is known where they are, `geometries` and `is_replaced`. To be copied before the command.
  bool AddBuild(CopiedParameters parameters, const state::CommandBuffer& buffer) {
    return Add(std::move(parameters), buffer);
  }
  // Depths that the next command copies from a buffer. To be copied before it.
  bool AddDepths(vk::CommandId command, VkBuffer source, VkImage image, std::vector<DepthRegion> regions,
                 const state::CommandBuffer& buffer);
  // Something may write to the buffers before the copies are recorded.
  void Drop() { waiting_.clear(); }
  // Whether there is something to copy.
  bool has_waiting() const { return !waiting_.empty(); }

  // Finds the buffer of such an address, from which so many bytes may be copied. Both are null if there is none.
  struct Place {
    VkBuffer buffer = VK_NULL_HANDLE;
    // Bytes.
    VkDeviceSize offset = 0;
  };
  Place Find(VkDeviceAddress address, VkDeviceSize bytes) const;

  // Records the copies, outside of render pass instances. They see what the stages `after` see. What is recorded behind
  // them, in the stages `before`, waits for them; none need be if that waits for transfers anyway. `copied` gets an
  // entry for each command.
  void Record(VkCommandBuffer command_buffer, VkPipelineStageFlags after, VkPipelineStageFlags before,
              ExecutionMemory& memory, std::vector<CopiedParameters>& copied);

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  // Where to copy from.
  struct Waiting {
    CopiedParameters parameters;
    // Bytes.
    VkDeviceSize size = 0;
  };

  bool Add(CopiedParameters parameters, const state::CommandBuffer& buffer);
  // So many bytes of it are to be copied.
  void Wait(CopiedParameters parameters, VkDeviceSize size, const state::CommandBuffer& buffer);
  ParameterLimits LimitsOf(ParameterKind kind, const state::CommandBuffer& buffer) const;
  // Null if we cannot copy from it.
  const state::Buffer* SourceOf(VkBuffer handle) const;
  // Bytes that one more command may copy.
  VkDeviceSize Room() const;
  // Records one copy of all pieces, one behind the other. Null if there is no memory.
  const uint32_t* Copy(VkCommandBuffer command_buffer, VkBuffer source, absl::Span<VkBufferCopy> pieces,
                       ExecutionMemory& memory);
  bool CopyWaiting(VkCommandBuffer command_buffer, Waiting& waiting, ExecutionMemory& memory);
  uint32_t* Allocate(VkDeviceSize bytes, ExecutionMemory& memory, MemoryRange& range, VkDeviceSize& offset);

  Context& context_;
  const ParameterBuffers& buffers_;
  std::vector<Waiting> waiting_;
  bool is_conditional_ = false;
  // Bytes that all commands of the recording copy.
  VkDeviceSize bytes_ = 0;
  // The range that is being filled, and how far.
  MemoryRange range_;
  VkDeviceSize used_ = 0;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_RECORDING_PARAMETER_COPIES_H_
