// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// DeviceState's hooks for command pools and buffers, and for bindings while recording.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "dispatch/translation/update_template.h"
#include "state/hooks/registration.h"
#include "state/objects/items.h"
#include "state/objects/key.h"
#include "vk/chain.h"

namespace assay::state {
namespace {

template <class H>
uint64_t ToInteger(H handle) {
  return reinterpret_cast<uint64_t>(handle);
}

const char* NameOrEmpty(const char* name) { return name != nullptr ? name : ""; }

// More set numbers than any device has.
constexpr size_t kMaxSets = 256;
constexpr size_t kReservedSets = 8;

void SetKey(BindPointState& bindings, BoundSet& target, uint64_t key) {
  bindings.sets_key += key - target.key;
  target.key = key;
}

void SetLayout(BindPointState& bindings, BoundSet& target, VkPipelineLayout layout) {
  if (target.layout == layout) return;
  // The place of the target tells sets apart.
  const auto part = [&](VkPipelineLayout of) {
    return Mix(ToInteger(of), static_cast<uint64_t>(&target - bindings.sets.data()) + 1);
  };
  bindings.layouts_key += part(layout) - part(target.layout);
  target.layout = layout;
}

// The key of a binding that is not a set. `layout` is null where it is not known.
void ReplaceSet(BindPointState& bindings, BoundSet& target, uint64_t key, VkPipelineLayout layout) {
  SetLayout(bindings, target, layout);
  target.set = VK_NULL_HANDLE;
  target.pushed.reset();
  SetKey(bindings, target, key);
}

// Makes a list by set number at least that long.
template <class T>
void EnsureSize(std::vector<T>& list, size_t size) {
  if (list.size() >= size) return;
  list.reserve(kReservedSets);
  list.resize(size);
}

// Begins the inherited render pass instance of a secondary command buffer.
void InheritRendering(CommandBuffer& buffer, const VkCommandBufferBeginInfo* info) {
  if (buffer.level != VK_COMMAND_BUFFER_LEVEL_SECONDARY || info == nullptr || info->pInheritanceInfo == nullptr) return;
  if ((info->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT) == 0) return;
  buffer.rendering.Inherit(*info->pInheritanceInfo);
}

// The bind points of the stages in the newer bind commands.
template <class F>
void ForEachBindPoint(VkShaderStageFlags stages, F&& f) {
  constexpr VkShaderStageFlags kGraphics =
      VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
  constexpr VkShaderStageFlags kRayTracing = VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
                                             VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
                                             VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;
  if ((stages & kGraphics) != 0) f(VK_PIPELINE_BIND_POINT_GRAPHICS);
  if ((stages & VK_SHADER_STAGE_COMPUTE_BIT) != 0) f(VK_PIPELINE_BIND_POINT_COMPUTE);
  if ((stages & kRayTracing) != 0) f(VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR);
  if ((stages & VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI) != 0) f(VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI);
}

// The last one takes its place, so that a pool of thousands can free them one by one.
void RemoveFromPool(const CommandBuffer& buffer) {
  std::vector<CommandBuffer*>& all = buffer.pool.command_buffers;
  const size_t index = buffer.index_in_pool;
  if (index >= all.size() || all[index] != &buffer) return;
  all.back()->index_in_pool = index;
  all[index] = all.back();
  all.pop_back();
}

}  // namespace

void DeviceState::PostCallRecord(const vk::CreateCommandPool& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  Add<CommandPool>(*call.pCommandPool, ToInteger(*call.pCommandPool), *call.pCreateInfo,
                   device_.QueueFamilyFlags(call.pCreateInfo->queueFamilyIndex));
}
void DeviceState::PreCallRecord(const vk::ResetCommandPool& call) {
  auto* pool = Get<CommandPool>(call.commandPool);
  if (pool == nullptr) return;
  for (CommandBuffer* buffer : pool->command_buffers) buffer->Reset();
}
void DeviceState::PreCallRecord(const vk::DestroyCommandPool& call) {
  RemoveChildren(VK_OBJECT_TYPE_COMMAND_POOL, ToInteger(call.commandPool));
  Remove<CommandPool>(call.commandPool);
}

void DeviceState::PostCallRecord(const vk::AllocateCommandBuffers& call, VkResult result) {
  auto* pool = Get<CommandPool>(call.pAllocateInfo->commandPool);
  if (result != VK_SUCCESS || pool == nullptr) return;
  for (VkCommandBuffer handle : Items(call.pCommandBuffers, call.pAllocateInfo->commandBufferCount)) {
    auto* buffer = Add<CommandBuffer>(handle, handle, *pool, call.pAllocateInfo->level);
    if (buffer == nullptr) continue;
    buffer->index_in_pool = pool->command_buffers.size();
    pool->command_buffers.push_back(buffer);
    auto handles = std::make_unique<dispatch::CommandBufferData>();
    buffer->handles = handles.get();
    FindSlot(CommandBuffer::kType, buffer->handle())->recording = std::move(handles);
    for (const AttachedFactory& attached : command_buffer_factories_)
      buffer->Attach(attached.slot, attached.factory(*buffer));
  }
}
void DeviceState::PreCallRecord(const vk::FreeCommandBuffers& call) {
  auto* pool = Get<CommandPool>(call.commandPool);
  if (pool == nullptr) return;
  for (VkCommandBuffer handle : Items(call.pCommandBuffers, call.commandBufferCount)) {
    if (const CommandBuffer* const buffer = Get(handle)) RemoveFromPool(*buffer);
    Remove<CommandBuffer>(handle);
  }
}

void DeviceState::PostCallRecord(const vk::BeginCommandBuffer& call, VkResult result) {
  CommandBuffer* buffer = Get(call.commandBuffer);
  if (result != VK_SUCCESS || buffer == nullptr) return;
  buffer->Reset();
  buffer->recording_state = RecordingState::kRecording;
  if (buffer->handles != nullptr) buffer->handles->Begin();
  ++buffer->recording;
  if (call.pBeginInfo != nullptr) buffer->usage = call.pBeginInfo->flags;
  InheritRendering(*buffer, call.pBeginInfo);
  if (call.pBeginInfo != nullptr)
    buffer->ForEachSub([&](CommandBufferSubState& sub) { sub.OnBegin(*call.pBeginInfo); });
}
void DeviceState::PostCallRecord(const vk::EndCommandBuffer& call, VkResult result) {
  CommandBuffer* buffer = Get(call.commandBuffer);
  if (buffer == nullptr) return;
  buffer->recording_state = result == VK_SUCCESS ? RecordingState::kExecutable : RecordingState::kInvalid;
  if (buffer->handles != nullptr) buffer->handles->End();
  if (result == VK_SUCCESS) buffer->ForEachSub([](CommandBufferSubState& sub) { sub.OnEnd(); });
}
void DeviceState::PostCallRecord(const vk::ResetCommandBuffer& call, VkResult result) {
  CommandBuffer* buffer = Get(call.commandBuffer);
  if (result == VK_SUCCESS && buffer != nullptr) buffer->Reset();
}

void DeviceState::PostCallRecord(const vk::CmdExecuteCommands& call, dispatch::Slot& slot) {
  CommandBuffer* buffer = CommandBufferIn(slot);
  if (buffer == nullptr) return;
  const size_t first = buffer->executed.size();
  dispatch::Recording* const open = buffer->handles != nullptr ? buffer->handles->open() : nullptr;
  for (VkCommandBuffer handle : Items(call.pCommandBuffers, call.commandBufferCount)) {
    const dispatch::Slot* slot = FindSlot(CommandBuffer::kType, ToInteger(handle));
    if (slot == nullptr || slot->state == nullptr) continue;
    const auto& secondary = static_cast<const CommandBuffer&>(*static_cast<Object*>(slot->state));
    // command_count already includes the command itself.
    buffer->executed.push_back({handle, buffer->command_count - 1, secondary.recording});
    if (open == nullptr || secondary.handles == nullptr || secondary.handles == buffer->handles) continue;
    open->AddSecondary(*slot, secondary.handles->recording());
  }
  const auto added = absl::MakeConstSpan(buffer->executed).subspan(first);
  buffer->ForEachSub([&](CommandBufferSubState& sub) { sub.OnExecute(added); });
}

void DeviceState::PostCallRecord(const vk::CmdBindPipeline& call, dispatch::Slot& slot) {
  CommandBuffer* buffer = CommandBufferIn(slot);
  if (buffer == nullptr) return;
  buffer->At(call.pipelineBindPoint).pipeline = call.pipeline;
  if (call.pipelineBindPoint == VK_PIPELINE_BIND_POINT_GRAPHICS) buffer->draw.UnbindGraphicsShaders();
  if (call.pipelineBindPoint == VK_PIPELINE_BIND_POINT_COMPUTE)
    buffer->draw.BindShader(VK_SHADER_STAGE_COMPUTE_BIT, VK_NULL_HANDLE);
}

void DeviceState::PostCallRecord(const vk::CmdBindShadersEXT& call, dispatch::Slot& slot) {
  CommandBuffer* buffer = CommandBufferIn(slot);
  if (buffer == nullptr) return;
  for (uint32_t i = 0; i < Items(call.pStages, call.stageCount).size(); ++i) {
    const VkShaderStageFlagBits stage = call.pStages[i];
    ForEachBindPoint(stage, [&](VkPipelineBindPoint point) { buffer->At(point).pipeline = VK_NULL_HANDLE; });
    buffer->draw.BindShader(stage, call.pShaders != nullptr ? call.pShaders[i] : VK_NULL_HANDLE);
  }
}

void DeviceState::BindSets(const dispatch::Slot& slot, VkPipelineBindPoint point, VkPipelineLayout layout_handle,
                           uint32_t first, absl::Span<const VkDescriptorSet> sets,
                           absl::Span<const uint32_t> dynamic_offsets) {
  CommandBuffer* buffer = CommandBufferIn(slot);
  if (buffer == nullptr) return;
  BindPointState& bindings = buffer->At(point);
  std::vector<BoundSet>& bound = bindings.sets;
  if (bound.size() < first + sets.size()) {
    // The chain of the command may have the layout instead (dynamicPipelineLayout).
    const auto* layout = Get<PipelineLayout>(layout_handle);
    if (first + sets.size() > (layout != nullptr ? layout->set_layouts.size() : kMaxSets)) return;
    // Large enough that it shares no cache line with the lists of other threads.
    bound.reserve(kReservedSets);
    bound.resize(first + sets.size());
  }
  for (size_t i = 0; i < sets.size(); ++i) {
    BoundSet& target = bound[first + i];
    SetLayout(bindings, target, layout_handle);
    target.set = sets[i];
    target.pushed.reset();
    uint64_t key = Mix(reinterpret_cast<uint64_t>(sets[i]), first + i + 1);
    if (!dynamic_offsets.empty()) {
      // The set's own layout is identical to that of the pipeline layout.
      const auto* set = Get<DescriptorSet>(sets[i]);
      const size_t dynamic =
          std::min<size_t>(set != nullptr ? set->contents.layout().dynamic_count() : 0, dynamic_offsets.size());
      const absl::Span<const uint32_t> own = dynamic_offsets.first(dynamic);
      target.dynamic_offsets.assign(own.begin(), own.end());
      for (uint32_t offset : own) key = Mix(key, offset + uint64_t{1});
      dynamic_offsets.remove_prefix(dynamic);
    }
    SetKey(bindings, target, key);
  }
}
void DeviceState::PostCallRecord(const vk::CmdBindDescriptorSets& call, dispatch::Slot& slot) {
  BindSets(slot, call.pipelineBindPoint, call.layout, call.firstSet,
           Items(call.pDescriptorSets, call.descriptorSetCount), Items(call.pDynamicOffsets, call.dynamicOffsetCount));
}
void DeviceState::PostCallRecord(const vk::CmdBindDescriptorSets2& call, dispatch::Slot& slot) {
  if (call.pBindDescriptorSetsInfo == nullptr) return;
  const VkBindDescriptorSetsInfo& info = *call.pBindDescriptorSetsInfo;
  ForEachBindPoint(info.stageFlags, [&](VkPipelineBindPoint point) {
    BindSets(slot, point, info.layout, info.firstSet, Items(info.pDescriptorSets, info.descriptorSetCount),
             Items(info.pDynamicOffsets, info.dynamicOffsetCount));
  });
}

void DeviceState::UnbindSets(const dispatch::Slot& slot, VkPipelineBindPoint point, size_t first, size_t count) {
  CommandBuffer* buffer = CommandBufferIn(slot);
  if (buffer == nullptr) return;
  BindPointState& bindings = buffer->At(point);
  std::vector<BoundSet>& bound = bindings.sets;
  for (size_t i = first; i < std::min(bound.size(), first + count); ++i) {
    // An unknown binding replaces the set. That is not the same as no binding.
    ReplaceSet(bindings, bound[i], Mix(~uint64_t{0}, i + 1), VK_NULL_HANDLE);
  }
}

DescriptorBufferBinding DeviceState::ResolveDescriptorBuffer(VkDeviceAddress address) const {
  DescriptorBufferBinding place = {.address = address};
  // Several buffers may have the address; one of them has a usage for descriptors.
  constexpr VkBufferUsageFlags kForDescriptors =
      VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT | VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT;
  for (const Ref<Buffer>& buffer : buffer_addresses_.Find(address)) {
    if (place.buffer != VK_NULL_HANDLE && (buffer->usage & kForDescriptors) == 0) continue;
    place.buffer = reinterpret_cast<VkBuffer>(buffer->handle());
    place.offset = address - buffer->device_address;
  }
  return place;
}
void DeviceState::PostCallRecord(const vk::CmdBindDescriptorBuffersEXT& call, dispatch::Slot& slot) {
  CommandBuffer* buffer = CommandBufferIn(slot);
  if (buffer == nullptr) return;
  std::vector<DescriptorBufferBinding>& descriptor_buffers = buffer->ReplaceDescriptorBuffers();
  for (const VkDescriptorBufferBindingInfoEXT& info : Items(call.pBindingInfos, call.bufferCount))
    descriptor_buffers.push_back(ResolveDescriptorBuffer(info.address));
}

void DeviceState::SetBufferOffsets(const dispatch::Slot& slot, VkPipelineBindPoint point, VkPipelineLayout layout,
                                   uint32_t first, absl::Span<const uint32_t> buffers,
                                   absl::Span<const VkDeviceSize> offsets) {
  CommandBuffer* buffer = CommandBufferIn(slot);
  const size_t end = size_t{first} + buffers.size();
  if (buffer == nullptr || offsets.size() != buffers.size() || end > kMaxSets) return;
  BindPointState& bindings = buffer->At(point);
  EnsureSize(bindings.sets, end);
  EnsureSize(bindings.descriptor_buffer_offsets, end);
  const absl::Span<const DescriptorBufferBinding> descriptor_buffers = buffer->descriptor_buffers();
  for (size_t i = 0; i < buffers.size(); ++i) {
    const size_t number = first + i;
    // An index without a buffer counts as an unknown buffer.
    const DescriptorBufferBinding place =
        buffers[i] < descriptor_buffers.size() ? descriptor_buffers[buffers[i]] : DescriptorBufferBinding();
    BoundSet& set = bindings.sets[number];
    ReplaceSet(bindings, set, Mix(Mix(~uint64_t{0}, number + 1), place.address + offsets[i]), layout);
    bindings.descriptor_buffer_offsets[number] = {layout, place.buffer, place.offset + offsets[i], set.key};
  }
}
void DeviceState::PostCallRecord(const vk::CmdSetDescriptorBufferOffsetsEXT& call, dispatch::Slot& slot) {
  SetBufferOffsets(slot, call.pipelineBindPoint, call.layout, call.firstSet, Items(call.pBufferIndices, call.setCount),
                   Items(call.pOffsets, call.setCount));
}
void DeviceState::PostCallRecord(const vk::CmdSetDescriptorBufferOffsets2EXT& call, dispatch::Slot& slot) {
  if (call.pSetDescriptorBufferOffsetsInfo == nullptr) return;
  const VkSetDescriptorBufferOffsetsInfoEXT& info = *call.pSetDescriptorBufferOffsetsInfo;
  ForEachBindPoint(info.stageFlags, [&](VkPipelineBindPoint point) {
    SetBufferOffsets(slot, point, info.layout, info.firstSet, Items(info.pBufferIndices, info.setCount),
                     Items(info.pOffsets, info.setCount));
  });
}
void DeviceState::PostCallRecord(const vk::CmdBindDescriptorBufferEmbeddedSamplersEXT& call, dispatch::Slot& slot) {
  UnbindSets(slot, call.pipelineBindPoint, call.set, 1);
}
void DeviceState::PostCallRecord(const vk::CmdBindDescriptorBufferEmbeddedSamplers2EXT& call, dispatch::Slot& slot) {
  if (call.pBindDescriptorBufferEmbeddedSamplersInfo == nullptr) return;
  const VkBindDescriptorBufferEmbeddedSamplersInfoEXT& info = *call.pBindDescriptorBufferEmbeddedSamplersInfo;
  ForEachBindPoint(info.stageFlags, [&](VkPipelineBindPoint point) { UnbindSets(slot, point, info.set, 1); });
}

DescriptorContents* DeviceState::PushTarget(const dispatch::Slot& slot, VkPipelineBindPoint point,
                                            VkPipelineLayout layout_handle, uint32_t set) {
  CommandBuffer* buffer = CommandBufferIn(slot);
  const auto* layout = Get<PipelineLayout>(layout_handle);
  if (buffer == nullptr || layout == nullptr || set >= layout->set_layouts.size() || !layout->set_layouts[set])
    return nullptr;
  BindPointState& bindings = buffer->At(point);
  std::vector<BoundSet>& bound = bindings.sets;
  if (bound.size() <= set) bound.resize(set + 1);
  BoundSet& target = bound[set];
  // Each push makes a new key.
  SetKey(bindings, target, Mix(target.key, uint64_t{1} << 32 | buffer->command_count));
  // A push to such a layout keeps the earlier descriptors.
  if (target.pushed == nullptr || !target.pushed->layout().IsDefinedAs(*layout->set_layouts[set])) {
    target.pushed = std::make_unique<DescriptorContents>(layout->set_layouts[set]);
  }
  SetLayout(bindings, target, layout_handle);
  target.set = VK_NULL_HANDLE;
  return target.pushed.get();
}
void DeviceState::Push(const dispatch::Slot& slot, VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t set,
                       absl::Span<const VkWriteDescriptorSet> writes) {
  DescriptorContents* target = PushTarget(slot, point, layout, set);
  if (target == nullptr) return UnbindSets(slot, point, set, 1);
  for (const VkWriteDescriptorSet& write : writes) target->Write(write);
}
void DeviceState::PostCallRecord(const vk::CmdPushDescriptorSet& call, dispatch::Slot& slot) {
  Push(slot, call.pipelineBindPoint, call.layout, call.set, Items(call.pDescriptorWrites, call.descriptorWriteCount));
}
void DeviceState::PostCallRecord(const vk::CmdPushDescriptorSet2& call, dispatch::Slot& slot) {
  if (call.pPushDescriptorSetInfo == nullptr) return;
  const VkPushDescriptorSetInfo& info = *call.pPushDescriptorSetInfo;
  ForEachBindPoint(info.stageFlags, [&](VkPipelineBindPoint point) {
    Push(slot, point, info.layout, info.set, Items(info.pDescriptorWrites, info.descriptorWriteCount));
  });
}
void DeviceState::PushWithTemplate(const dispatch::Slot& slot, VkDescriptorUpdateTemplate update_template,
                                   VkPipelineLayout layout, uint32_t set, const void* data) {
  const dispatch::UpdateTemplate* entries = dispatch::GetUpdateTemplate(update_template);
  if (entries == nullptr) return;
  DescriptorContents* target = PushTarget(slot, entries->bind_point(), layout, set);
  if (target == nullptr) return UnbindSets(slot, entries->bind_point(), set, 1);
  target->Write(entries->entries(), data);
}
void DeviceState::PostCallRecord(const vk::CmdPushDescriptorSetWithTemplate& call, dispatch::Slot& slot) {
  PushWithTemplate(slot, call.descriptorUpdateTemplate, call.layout, call.set, call.pData);
}
void DeviceState::PostCallRecord(const vk::CmdPushDescriptorSetWithTemplate2& call, dispatch::Slot& slot) {
  if (call.pPushDescriptorSetWithTemplateInfo == nullptr) return;
  const VkPushDescriptorSetWithTemplateInfo& info = *call.pPushDescriptorSetWithTemplateInfo;
  PushWithTemplate(slot, info.descriptorUpdateTemplate, info.layout, info.set, info.pData);
}

void DeviceState::PostCallRecord(const vk::CmdBeginDebugUtilsLabelEXT& call, dispatch::Slot& slot) {
  CommandBuffer* buffer = CommandBufferIn(slot);
  // A label without a name counts too, so that its end has a label to close.
  if (buffer != nullptr) buffer->PushLabel(call.pLabelInfo != nullptr ? NameOrEmpty(call.pLabelInfo->pLabelName) : "");
}
void DeviceState::PostCallRecord(const vk::CmdEndDebugUtilsLabelEXT&, dispatch::Slot& slot) {
  if (CommandBuffer* buffer = CommandBufferIn(slot)) buffer->PopLabel();
}
void DeviceState::PostCallRecord(const vk::CmdDebugMarkerBeginEXT& call, dispatch::Slot& slot) {
  CommandBuffer* buffer = CommandBufferIn(slot);
  if (buffer != nullptr)
    buffer->PushLabel(call.pMarkerInfo != nullptr ? NameOrEmpty(call.pMarkerInfo->pMarkerName) : "");
}
void DeviceState::PostCallRecord(const vk::CmdDebugMarkerEndEXT&, dispatch::Slot& slot) {
  if (CommandBuffer* buffer = CommandBufferIn(slot)) buffer->PopLabel();
}

}  // namespace assay::state
