// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_RECORDING_RECORDING_H_
#define ASSAY_GPUAV_RECORDING_RECORDING_H_

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpuav/choices/command_choice.h"
#include "gpuav/descriptors/known_descriptors.h"
#include "gpuav/descriptors/set_tables.h"
#include "gpuav/device/context.h"
#include "gpuav/markers/markers.h"
#include "gpuav/pipelines/host_decided.h"
#include "gpuav/recording/address_pushes.h"
#include "gpuav/recording/depth_copies.h"
#include "gpuav/recording/draw_words.h"
#include "gpuav/recording/execution_memory.h"
#include "gpuav/recording/parameter_copies.h"
#include "gpuav/recording/reference_replacements.h"
#include "gpuav/recording/set_places.h"
#include "gpuav/recording/shader_switch.h"
#include "gpuav/recording/structure_builds.h"
#include "spirv_instrument/runtime/layout.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// A command that runs instrumented shaders. Its index among those of its command buffer is in its action block.
struct Action {
  vk::CommandId command;
  // Its position among all commands.
  uint32_t position;
  // See state::CommandBuffer::LabelsOf.
  uint32_t label_path;
  // In ActionLog::sets: those that were bound, by number; null where there was none.
  uint32_t first_set;
  uint32_t set_count;
  // Null with shader objects.
  VkPipeline pipeline;
};

// One of these whose shader compares with limits.
struct LimitedAction {
  // Its index among the actions.
  uint32_t action;
  // In the ShaderRegistry.
  uint32_t shader;
  // Where its notes begin (ExecutionMemory::AddNotes), and how many they are.
  uint32_t first_note;
  uint32_t note_count;
  // In ActionLog::knowledge.
  uint32_t knowledge;
};

// Notes of the images that actions access (ExecutionMemory::AddImageNotes), which those share between which no layout
// changes.
struct ImageNotes {
  uint32_t first_word;
  // How many numbers there are notes for.
  uint32_t count;
};

// What was recorded, as reports need it. Outlives the recording while an execution was not read.
struct ActionLog {
  VkCommandBuffer command_buffer = VK_NULL_HANDLE;
  std::vector<Action> actions;
  // Of all actions; those with the same sets share them.
  std::vector<VkDescriptorSet> sets;
  // In order.
  std::vector<LimitedAction> limited;
  // Actions for which the same is known share it.
  std::vector<HostKnowledge> knowledge;
  // Shaders that compare with limits, of actions for whose notes there was no room: ids, each once in a row.
  std::vector<uint32_t> without_notes;
  std::vector<ImageNotes> image_notes;
  // Of the label paths that actions have; complete when recording has ended.
  std::map<uint32_t, std::vector<std::string>> labels;
  // Sets whose descriptors may change until they are used.
  std::vector<VkDescriptorSet> changing_sets;
  // What indirect commands read.
  std::vector<CopiedParameters> parameters;
  // Tables of pushed descriptors.
  std::vector<std::unique_ptr<SetTable>> pushed;
  // Places of sets in descriptor buffers; null without.
  std::unique_ptr<SetPlaces> places;

  // The set that an action had at a set number; null if there was none, or if it was pushed.
  VkDescriptorSet SetOf(const Action& action, uint32_t number) const {
    return number < action.set_count ? sets[action.first_set + number] : VK_NULL_HANDLE;
  }
};

// What a command buffer has for us. Recording takes no lock but those of the memory, which is asked for rarely.
class Recording : public state::CommandBufferSubState {
 public:
  static constexpr state::SubStateSlot kSlot = state::SubStateSlot::kGpuav;
  Recording(Context& context, SetTables& sets, KnownDescriptors& known, const ExecutionMemory::Sources& sources,
            const Sink& sink, const ParameterBuffers& buffers, const ReferenceReplacer& replacer,
            const CommandChoice& choice, state::CommandBuffer& buffer)
      : context_(context),
        sets_(sets),
        known_(known),
        sources_(sources),
        sink_(sink),
        buffer_(buffer),
        copies_(context, buffers),
        replacements_(context, replacer, buffer) {
    if (KeepsOriginals(context, choice)) switch_.emplace(context, choice, buffer);
  }

  void OnBegin(const VkCommandBufferBeginInfo& info) override;
  void OnReset() override;
  void OnEnd() override;
  void OnExecute(absl::Span<const state::ExecutedSecondary> executed) override;

  // An action command is about to be recorded: binds what its shaders need, if they are instrumented. `draw` is null
  // unless it draws.
  void Add(vk::CommandId command, VkPipelineBindPoint point, const DrawParameters* draw = nullptr);

  // Generated commands are about to be preprocessed with what is bound, or executed that were. Both must find the same
  // bound (VUID-vkCmdExecuteGeneratedCommandsEXT-isPreprocessed-11048), maybe in different command buffers: binds what
  // makes shaders check nothing.
  void AddUnchecked(VkPipelineBindPoint point);

  // The application has bound a compute pipeline, or a compute shader in its place.
  void OnBindCompute() { is_self_checking_bound_ = false; }
  // A command is about to be recorded that names the bound pipeline, or that preprocesses with the bound state.
  void BindApplicationsPipeline() { BindCompute(VK_NULL_HANDLE); }

  // A command is about to be recorded that reads its parameters from a buffer. False if they cannot be checked, or are
  // not to be.
  bool AddParameters(const IndirectCommand& command, VkPipelineBindPoint point);
  // Acceleration structures are about to be built.
  template <BuildsStructures C>
  void AddBuild(const C& call) {
    replacements_.Clear();
    // What waits is copied first: this is copied before the command, and all else behind it.
    if (!BeforeOwnCopies()) return;
    if (replacements_.Plan(call)) ReplaceReferences();
    gpuav::AddBuild(call, buffer_, replacements_, copies_);
    VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
    if (std::same_as<C, vk::CmdBuildAccelerationStructuresIndirectKHR>) stages |= VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
    CopyParameters(stages, stages);
  }
  // A buffer is about to be copied to an image.
  template <CopiesToImage C>
  void AddDepths(const C& call) {
    if (!CopiesDepths(call) || !BeforeOwnCopies()) return;
    gpuav::AddDepths(call, buffer_, copies_);
    // Who writes to the buffer later waits for the command, and so for a transfer before it.
    CopyParameters(VK_PIPELINE_STAGE_TRANSFER_BIT, 0);
  }
  // A command is about to be recorded behind which something else may write to such buffers.
  void BeforeOrdering();
  // The same of a barrier, which may also be in a render pass instance. `access` is what may follow it there.
  void BeforeBarrier(VkAccessFlags2 access);
  // A command is about to be recorded that may change layouts of images.
  void BeforeLayouts() { has_image_notes_ = false; }
  // A render pass instance has begun or ended. A suspended one goes on in another.
  void OnBeginRendering(VkRenderingFlags flags);
  void OnEndRendering();

  // Null if nothing that was recorded is instrumented or copied.
  const std::shared_ptr<ExecutionMemory>& memory() const { return memory_; }
  const std::shared_ptr<ActionLog>& log() const { return log_; }
  // Null if there is nothing to choose from.
  ShaderSwitch* shader_switch() { return switch_ ? &*switch_ : nullptr; }
  RecordingMarkers& markers() { return markers_; }
  AddressPushes& pushes() { return pushes_; }
  ReferenceReplacements& replacements() { return replacements_; }
  const RecordingMarkers& markers() const { return markers_; }

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  // What the action blocks of a bind point say of its sets.
  struct Point {
    uint64_t sets_key = 0;
    bool is_known = false;
    // These are places in descriptor buffers.
    bool has_places = false;
    // There was no memory for the table of a set that is bound.
    bool lacks_table = false;
    uint32_t first_set = 0;
    uint32_t set_count = 0;
    std::array<uint32_t, spirv_instrument::kMaxSets> offsets = {};
  };

  // The words of an action block. They are put together here and then written at once: the memory may be slow to write
  // to.
  using ActionWords = std::array<uint32_t, size_t{spirv_instrument::kActionQuads} * 4>;

  // An action block, with the words for what is bound now; nothing if there is no memory for it, or for a table that it
  // needs.
  ActionBlock AddBlock(const state::BindPointState& bindings, const BoundShaders& shaders, Point& point,
                       ActionWords& words);
  bool Begin();
  // Before an action: binds what is to run, and returns whether it is instrumented.
  bool BindInstrumented(vk::CommandId command, VkPipelineBindPoint bind_point, const BoundShaders& shaders);
  // The same, with push constants as the application has them unless an address is to be pushed.
  bool BindShaders(vk::CommandId command, VkPipelineBindPoint bind_point, const BoundShaders& shaders);
  void BindBlock(VkPipelineBindPoint bind_point, const BoundShaders& shaders, const ActionBlock& block);
  // What the host knows of what is bound; the last answer, if nothing else was bound meanwhile.
  void Decide(const HostDecided& host, const state::BindPointState& bindings);
  // Binds the pipeline that checks everything, or the application's again, as the conditions of `host` hold for what is
  // bound. Whether the former is bound now.
  bool BindByConditions(HostDecided& host, const state::BindPointState& bindings);
  // Writes to an action block what the application's pipeline compares with, and where its notes are.
  void SetLimits(const HostDecided& host, ActionWords& words);
  // Writes to an action block where images are noted, unless nobody asks.
  void SetImageNotes(ActionWords& words);
  // A command is about to be recorded that has copies of its own before it. False where nothing can be copied, or is to
  // be.
  bool BeforeOwnCopies();
  // Binds a pipeline that checks everything; the application's, if this is null.
  void BindCompute(VkPipeline self_checking);
  void CopyParameters(VkPipelineStageFlags after, VkPipelineStageFlags before);
  void ReplaceReferences();
  // A pipeline of ours was bound: binds what the application has bound.
  void BindComputeAgain();
  Point& PointOf(VkPipelineBindPoint point);
  void ReadSets(const state::BindPointState& bindings, bool has_descriptor_buffers, Point& point);
  void ReadPlaces(const state::BindPointState& bindings, Point& point);
  // Tells the block where the descriptors are that are known.
  void SetKnownDescriptors(ActionWords& words);

  Context& context_;
  SetTables& sets_;
  KnownDescriptors& known_;
  const ExecutionMemory::Sources& sources_;
  const Sink& sink_;
  state::CommandBuffer& buffer_;
  std::shared_ptr<ExecutionMemory> memory_;
  std::shared_ptr<ActionLog> log_;
  ParameterCopies copies_;
  ReferenceReplacements replacements_;
  std::optional<ShaderSwitch> switch_;
  // Whether the render pass instance that began last suspends, and whether it has.
  bool suspends_ = false;
  bool is_suspended_ = false;
  // What was decided last: of which pipeline, with which sets. The next command has mostly the same.
  struct Decision {
    VkPipeline pipeline = VK_NULL_HANDLE;
    uint64_t sets_key = 0;
    // Nothing if a condition does not hold.
    std::optional<HostKnowledge> knowledge;
    // In ActionLog::knowledge, once it was logged.
    std::optional<uint32_t> logged;
    // Null if the conditions hold, and until one did not.
    VkPipeline self_checking = VK_NULL_HANDLE;
  };
  Decision decision_;
  bool is_self_checking_bound_ = false;
  // Whether the last ActionLog::image_notes are for the next action, too.
  bool has_image_notes_ = false;
  // Graphics, compute, ray tracing.
  std::array<Point, 3> points_;
  AddressPushes pushes_{context_};
  RecordingMarkers markers_{context_, sources_.written, buffer_};
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_RECORDING_RECORDING_H_
