// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_RECORDING_COMMAND_BUFFER_H_
#define ASSAY_STATE_RECORDING_COMMAND_BUFFER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "state/graphics/draw_state.h"
#include "state/objects/object.h"
#include "state/objects/queue.h"
#include "state/recording/bind_point.h"
#include "state/recording/command_pool.h"
#include "state/render_pass/render_pass_instance.h"
#include "vk/vulkan.h"

namespace assay::state {

// A secondary command buffer in a primary one.
struct ExecutedSecondary {
  VkCommandBuffer handle;
  // Position of the vkCmdExecuteCommands among all commands of the primary.
  uint32_t position;
  // CommandBuffer::recording of the secondary. If it differs now, the secondary was rerecorded.
  uint64_t recording;
};

// A validator's data of a command buffer. Calls come in the order in which validators run their hooks.
class CommandBufferSubState {
 public:
  virtual ~CommandBufferSubState() = default;
  // vkBeginCommandBuffer succeeded. Earlier commands are gone.
  virtual void OnBegin(const VkCommandBufferBeginInfo&) {}
  // The command buffer was reset, alone or with its pool, or vkBeginCommandBuffer is about to begin it again.
  virtual void OnReset() {}
  // vkEndCommandBuffer succeeded.
  virtual void OnEnd() {}
  virtual void OnSubmit(Queue&) {}
  // vkCmdExecuteCommands was recorded. Its secondary command buffers are the last of CommandBuffer::executed.
  virtual void OnExecute(absl::Span<const ExecutedSecondary>) {}
};

enum class RecordingState : uint8_t { kInitial, kRecording, kExecutable, kInvalid };

class CommandBuffer : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_COMMAND_BUFFER;
  CommandBuffer(VkCommandBuffer buffer, CommandPool& of, VkCommandBufferLevel level_of)
      : Object(kType, reinterpret_cast<uint64_t>(buffer)), pool(of), level(level_of), pool_reference_(&of) {}

  CommandPool& pool;
  // Its position in the pool's list.
  size_t index_in_pool = 0;
  const VkCommandBufferLevel level;
  RecordingState recording_state = RecordingState::kInitial;
  // Commands recorded so far; while a command is recorded, its position.
  uint32_t command_count = 0;
  // Flags of vkBeginCommandBuffer: whether the command buffer may be pending twice, or be executed by two primaries.
  VkCommandBufferUsageFlags usage = 0;
  // Whether a validator asks for the layouts of images when the command buffer is executed
  // (SubmittedCommandBuffer::layouts).
  bool wants_layouts = false;
  // Counts the calls of vkBeginCommandBuffer.
  uint64_t recording = 0;
  // In the order of recording.
  std::vector<ExecutedSecondary> executed;
  // The recording of handles, in the slot of the command buffer. Must not be used after it was freed.
  dispatch::CommandBufferData* handles = nullptr;
  // The batches that execute the command buffer (PendingBatches::AddUse). QueueTracker's mutex guards it.
  QueuePoints uses;

  // The render pass instance that is being recorded, and the state of draws.
  RenderPassInstance rendering;
  DrawState draw;

  // By index (vkCmdBindDescriptorBuffersEXT).
  const std::vector<DescriptorBufferBinding>& descriptor_buffers() const { return descriptor_buffers_; }
  // Unbinds all descriptor buffers, with the offsets into them. Returns the empty list, to be filled with others.
  std::vector<DescriptorBufferBinding>& ReplaceDescriptorBuffers();

  BindPointState& At(VkPipelineBindPoint point) { return bind_points_[IndexOf(point)]; }
  const BindPointState& At(VkPipelineBindPoint point) const { return bind_points_[IndexOf(point)]; }

  // A label path is the list of open labels, outermost first (vkCmdBeginDebugUtilsLabelEXT). Paths have numbers, so
  // that a command can store its path in a word; 0 is the empty path.
  uint32_t label_path() const { return label_path_; }
  std::vector<std::string> LabelsOf(uint32_t path) const;
  void PushLabel(std::string name);
  void PopLabel();

  // The data of the validator with the slot T::kSlot; null if it has attached none.
  template <class T>
  T* Sub() const {
    return static_cast<T*>(subs_[static_cast<size_t>(T::kSlot)].get());
  }
  void Attach(SubStateSlot slot, std::unique_ptr<CommandBufferSubState> sub) {
    subs_[static_cast<size_t>(slot)] = std::move(sub);
  }
  template <class F>
  void ForEachSub(F&& f) {
    for (auto& sub : subs_) {
      if (sub != nullptr) f(*sub);
    }
  }

  // Drops all commands. Keeps memory for the next recording.
  void Reset();

 private:
  struct LabelNode {
    std::string name;
    // Index into label_nodes_ plus one; 0 for none.
    uint32_t parent;
  };
  void ResetBindings();

  // Index into bind_points_. One is for all that are not named here.
  static size_t IndexOf(VkPipelineBindPoint point) {
    switch (point) {
      case VK_PIPELINE_BIND_POINT_GRAPHICS:
        return 0;
      case VK_PIPELINE_BIND_POINT_COMPUTE:
        return 1;
      case VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR:
        return 2;
      case VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI:
        return 3;
      case VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX:
        return 4;
      default:
        return 5;
    }
  }

  // Keeps the pool alive while a submission refers to the command buffer.
  const Ref<CommandPool> pool_reference_;
  std::array<BindPointState, 6> bind_points_;
  std::vector<DescriptorBufferBinding> descriptor_buffers_;
  std::vector<LabelNode> label_nodes_;
  uint32_t label_path_ = 0;
  std::array<std::unique_ptr<CommandBufferSubState>, kSubStateSlots> subs_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_RECORDING_COMMAND_BUFFER_H_
