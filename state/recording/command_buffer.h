// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_RECORDING_COMMAND_BUFFER_H_
#define ASSAY_STATE_RECORDING_COMMAND_BUFFER_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "state/descriptors/descriptors.h"
#include "state/graphics/draw_state.h"
#include "state/objects/object.h"
#include "state/objects/queue.h"
#include "state/render_pass/render_pass_instance.h"
#include "vk/vulkan.h"

namespace assay::state {

class CommandBuffer;

// A secondary command buffer in a primary one.
struct ExecutedSecondary {
  VkCommandBuffer handle;
  // Of vkCmdExecuteCommands, among all commands of the primary.
  uint32_t position;
  // CommandBuffer::recording of the secondary, which has been recorded anew since if it differs now.
  uint64_t recording;
};

// What a validator keeps with a command buffer. Events come in the order in which validators run their hooks.
class CommandBufferSubState {
 public:
  virtual ~CommandBufferSubState() = default;
  // vkBeginCommandBuffer succeeded; what was recorded before is gone.
  virtual void OnBegin(const VkCommandBufferBeginInfo&) {}
  // Reset, by itself or with its pool, or about to be begun again.
  virtual void OnReset() {}
  // vkEndCommandBuffer succeeded.
  virtual void OnEnd() {}
  virtual void OnSubmit(Queue&) {}
  // vkCmdExecuteCommands was recorded; those secondary command buffers are the last of CommandBuffer::executed.
  virtual void OnExecute(absl::Span<const ExecutedSecondary>) {}
};

class CommandPool : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_COMMAND_POOL;
  CommandPool(uint64_t handle, const VkCommandPoolCreateInfo& info, VkQueueFlags flags_of_family)
      : Object(kType, handle), flags(info.flags), queue_family(info.queueFamilyIndex), queue_flags(flags_of_family) {}

  const VkCommandPoolCreateFlags flags;
  const uint32_t queue_family;
  const VkQueueFlags queue_flags;
  // Its command buffers; guarded by the pool's external synchronization.
  std::vector<CommandBuffer*> command_buffers;
};

// A descriptor set number of a bind point.
struct BoundSet {
  static constexpr size_t kInlineDynamicOffsets = 8;
  VkDescriptorSet set = VK_NULL_HANDLE;
  // For sets with more dynamic descriptors than fit here, those of the rest are not known.
  std::array<uint32_t, kInlineDynamicOffsets> dynamic_offsets{};
  // Instead of a set.
  std::unique_ptr<DescriptorContents> pushed;
  // This set's part of BindPointState::sets_key; 0 while nothing is bound.
  uint64_t key = 0;
};

// Where the descriptors of a set number lie instead of in a set (VK_EXT_descriptor_buffer).
struct DescriptorBufferOffset {
  // That knows the set's layout.
  VkPipelineLayout layout = VK_NULL_HANDLE;
  // Null where it is not known.
  VkBuffer buffer = VK_NULL_HANDLE;
  // Bytes, in the buffer.
  VkDeviceSize offset = 0;
  // That of the BoundSet, until something else takes its place.
  uint64_t key = 0;
};

// What is bound for one kind of pipeline. Handles, not references: recording may not depend on objects that are gone.
struct BindPointState {
  // Equal when the same sets are bound with the same offsets, and practically never otherwise.
  uint64_t sets_key = 0;
  VkPipeline pipeline = VK_NULL_HANDLE;
  std::vector<BoundSet> sets;
  // By set number, and no longer than sets; apart from these, whose binding need not know of it.
  std::vector<DescriptorBufferOffset> descriptor_buffer_offsets;

  // Null when the set number has something else, or nothing.
  const DescriptorBufferOffset* FindDescriptorBufferOffset(uint32_t set) const {
    if (set >= descriptor_buffer_offsets.size()) [[likely]]
      return nullptr;
    const DescriptorBufferOffset& found = descriptor_buffer_offsets[set];
    return found.key == sets[set].key && found.key != 0 ? &found : nullptr;
  }
};

// A place in a buffer that was bound by its address.
struct DescriptorBufferBinding {
  VkDeviceAddress address = 0;
  // Null where it is not known.
  VkBuffer buffer = VK_NULL_HANDLE;
  // Bytes, in the buffer.
  VkDeviceSize offset = 0;
};

enum class RecordingState : uint8_t { kInitial, kRecording, kExecutable, kInvalid };

class CommandBuffer : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_COMMAND_BUFFER;
  CommandBuffer(VkCommandBuffer buffer, CommandPool& of, VkCommandBufferLevel level_of)
      : Object(kType, reinterpret_cast<uint64_t>(buffer)), pool(of), level(level_of), pool_reference_(&of) {}

  CommandPool& pool;
  const VkCommandBufferLevel level;
  RecordingState recording_state = RecordingState::kInitial;
  // Commands recorded so far: the position of the one being recorded.
  uint32_t command_count = 0;
  // Of vkBeginCommandBuffer; says whether it may be pending twice, or be executed by two primaries.
  VkCommandBufferUsageFlags usage = 0;
  // Times that it was begun.
  uint64_t recording = 0;
  // In the order of recording.
  std::vector<ExecutedSecondary> executed;

  // The render pass instance that is being recorded, and what is set for draws.
  RenderPassInstance rendering;
  DrawState draw;

  // By number (vkCmdBindDescriptorBuffersEXT).
  const std::vector<DescriptorBufferBinding>& descriptor_buffers() const { return descriptor_buffers_; }
  // Forgets those that were bound, with the offsets into them, and gives the list for others.
  std::vector<DescriptorBufferBinding>& ReplaceDescriptorBuffers();

  BindPointState& At(VkPipelineBindPoint point) { return bind_points_[IndexOf(point)]; }
  const BindPointState& At(VkPipelineBindPoint point) const { return bind_points_[IndexOf(point)]; }

  // The labels that are open, outermost first (vkCmdBeginDebugUtilsLabelEXT). Label paths are numbered so that a
  // command can remember the one it was recorded under in a word; 0 is the empty path.
  uint32_t label_path() const { return label_path_; }
  std::vector<std::string> LabelsOf(uint32_t path) const;
  void PushLabel(std::string name);
  void PopLabel();

  // A validator's data; null when it has attached none. T::kSlot says which.
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

  // Forgets what was recorded; memory is kept for the next recording.
  void Reset();

 private:
  struct LabelNode {
    std::string name;
    // Index into label_nodes_ plus one; 0 for none.
    uint32_t parent;
  };
  void ResetBindings();

  // Graphics, compute, ray tracing and everything else.
  static size_t IndexOf(VkPipelineBindPoint point) {
    switch (point) {
      case VK_PIPELINE_BIND_POINT_GRAPHICS:
        return 0;
      case VK_PIPELINE_BIND_POINT_COMPUTE:
        return 1;
      case VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR:
        return 2;
      default:
        return 3;
    }
  }

  // A submission may refer to the command buffer for longer than its pool is there.
  const Ref<CommandPool> pool_reference_;
  std::array<BindPointState, 4> bind_points_;
  std::vector<DescriptorBufferBinding> descriptor_buffers_;
  std::vector<LabelNode> label_nodes_;
  uint32_t label_path_ = 0;
  std::array<std::unique_ptr<CommandBufferSubState>, kSubStateSlots> subs_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_RECORDING_COMMAND_BUFFER_H_
