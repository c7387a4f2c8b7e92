// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_HOOKS_DEVICE_STATE_H_
#define ASSAY_STATE_HOOKS_DEVICE_STATE_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "dispatch/dispatch.h"
#include "state/descriptors/descriptors.h"
#include "state/hooks/constructions.h"
#include "state/memory/acceleration_structure.h"
#include "state/memory/address_space.h"
#include "state/memory/buffer.h"
#include "state/memory/device_memory.h"
#include "state/memory/image.h"
#include "state/memory/swapchain.h"
#include "state/objects/device_addresses.h"
#include "state/objects/event.h"
#include "state/objects/fence.h"
#include "state/objects/indirect_commands_layout.h"
#include "state/objects/object.h"
#include "state/objects/query_pool.h"
#include "state/objects/semaphore.h"
#include "state/pipelines/pipeline.h"
#include "state/queues/host_visible_state.h"
#include "state/queues/pending_batches.h"
#include "state/queues/queue_observer.h"
#include "state/queues/queue_tracker.h"
#include "state/queues/submission.h"
#include "state/recording/command_buffer.h"
#include "state/recording/visible_changes.h"
#include "state/render_pass/framebuffer.h"
#include "state/render_pass/render_pass.h"
#include "state/shader/shader_code.h"
#include "vk/commands.h"

namespace assay::state {

// The state of all objects of one device. The hooks below update it and validators read it. It is attached only if a
// validator needs it.
class DeviceState {
 public:
  explicit DeviceState(dispatch::Device& device) : device_(device) {}
  DeviceState(const DeviceState&) = delete;
  DeviceState& operator=(const DeviceState&) = delete;
  ~DeviceState();

  dispatch::Device& device() const { return device_; }

  // The state of a live object; null for a null, foreign or stale handle. An array access if it is non-dispatchable.
  template <class T, class H>
  static T* Get(H handle) {
    return Get<T>(reinterpret_cast<uint64_t>(handle));
  }
  template <class T>
  static T* Get(uint64_t handle) {
    const dispatch::Slot* slot = dispatch::HandleTable::Get().Find(T::kType, handle);
    return slot != nullptr && slot->type == T::kType ? static_cast<T*>(static_cast<Object*>(slot->state)) : nullptr;
  }
  // The same, for an object that another thread may be destroying, since the caller does not know whether the
  // application uses it: what a descriptor refers to that no shader may access.
  template <class T>
  static Ref<T> GetRef(uint64_t handle) {
    const dispatch::HandleTable& table = dispatch::HandleTable::Get();
    dispatch::Slot* slot = table.FindWrapped(handle);
    if (slot == nullptr) slot = table.Find(T::kType, handle);
    if (slot == nullptr) return {};
    absl::MutexLock lock(&LockOf(*slot));
    // The slot may be free by now, or have another object. While it has a state, its object stays as it is.
    void* const state = std::atomic_ref(slot->state).load(std::memory_order_acquire);
    if (state == nullptr || slot->application_handle != handle || slot->type != T::kType) return {};
    return Ref<T>(static_cast<T*>(static_cast<Object*>(state)));
  }
  // The lock that is held while the state of a slot is removed. It is never destroyed, like the handle table.
  static absl::Mutex& LockOf(const dispatch::Slot& slot) {
    static auto& locks = *new std::array<absl::Mutex, 16>;
    return locks[slot.index % locks.size()];
  }
  static CommandBuffer* Get(VkCommandBuffer handle) {
    const dispatch::Slot* slot = dispatch::DispatchableTable::Get().Find(handle);
    return slot != nullptr ? CommandBufferIn(*slot) : nullptr;
  }
  static Queue* Get(VkQueue handle) {
    const dispatch::Slot* slot = dispatch::DispatchableTable::Get().Find(handle);
    return slot != nullptr ? QueueIn(*slot) : nullptr;
  }
  // The same without a look-up, for the slot of a command buffer or queue, as hooks get it (dispatch/hooks/hooks.h).
  static CommandBuffer* CommandBufferIn(const dispatch::Slot& slot) {
    return static_cast<CommandBuffer*>(static_cast<Object*>(slot.state));
  }
  static Queue* QueueIn(const dispatch::Slot& slot) { return static_cast<Queue*>(static_cast<Object*>(slot.state)); }

  // Whether somebody asks for PipelineStage::interface; if not, no code is read. Call this before there are pipelines.
  void ReflectShaders(bool reflects) { shader_codes_.set_reflects(reflects); }
  // Code by content, also before there is an object with it: who asks first reads it for all. Thread-safe.
  ShaderCodes& shader_codes() const { return shader_codes_; }

  // The factory makes a validator's sub-state of each new command buffer. Call this while validators are composed.
  using CommandBufferFactory = std::function<std::unique_ptr<CommandBufferSubState>(CommandBuffer&)>;
  void AttachToCommandBuffers(SubStateSlot slot, CommandBufferFactory factory) {
    command_buffer_factories_.push_back({slot, std::move(factory)});
  }

  // Find the buffer or structure at a device address that the application got.
  const DeviceAddresses<Buffer>& buffer_addresses() const { return buffer_addresses_; }
  const DeviceAddresses<AccelerationStructure>& structure_addresses() const { return structure_addresses_; }

  // The observer receives the events of queues. Call this while validators are composed.
  void AttachToQueues(QueueObserver& observer) { queues_.Attach(observer); }
  // Calls f() under the lock of observer calls, for access to the observer between those calls.
  template <class F>
  void WithQueuesLocked(F&& f) {
    queues_.WithLock(f);
  }

  // Queues are tracked only if there is an observer or this was called. Call this while validators are composed.
  void TrackQueues() { queues_.Require(); }
  // Calls f() while queues, semaphores, fences and swapchains may be read; not after the device was lost.
  template <class F>
  void InspectQueues(F&& f) const {
    queues_.Inspect(f);
  }

  // Calls f(pending, visible) in the same way: the pending batches, and queries and events as the host sees them. The
  // uses of semaphores and command buffers may be read too.
  template <class F>
  void InspectPendingBatches(F&& f) const {
    queues_.InspectPending(f);
  }
  // Whether a batch is pending, on any queue. Takes no lock.
  bool HasPendingBatches() const { return queues_.HasPendingBatches(); }

  // Whether a batch is held, on any queue. A call that submits or signals may then make batches ready besides its own.
  bool HasHeldBatches() const { return queues_.HasHeldBatches(); }
  // The batches that the call would make ready if it went down now, for PreCallValidate. Changes nothing. Another
  // thread may submit before the call does: the version that OnBatch receives shows whether the preview came true.
  SubmissionPreview PreviewSubmission(const vk::QueueSubmit& call) const;
  SubmissionPreview PreviewSubmission(const vk::QueueSubmit2& call) const;
  SubmissionPreview PreviewSubmission(const vk::QueueBindSparse& call) const;
  SubmissionPreview PreviewSubmission(const vk::QueuePresentKHR& call) const;
  SubmissionPreview PreviewSubmission(const vk::SignalSemaphore& call) const;

  // Memory and the resources bound to it.
  void PostCallRecord(const vk::AllocateMemory& call, VkResult result);
  void PreCallRecord(const vk::FreeMemory& call);
  void PostCallRecord(const vk::CreateBuffer& call, VkResult result);
  void PreCallRecord(const vk::DestroyBuffer& call);
  void PostCallRecord(const vk::BindBufferMemory& call, VkResult result);
  void PostCallRecord(const vk::BindBufferMemory2& call, VkResult result);
  void PostCallRecord(const vk::CreateBufferView& call, VkResult result);
  void PreCallRecord(const vk::DestroyBufferView& call);
  void PostCallRecord(const vk::CreateImage& call, VkResult result);
  void PreCallRecord(const vk::DestroyImage& call);
  void PostCallRecord(const vk::BindImageMemory& call, VkResult result);
  void PostCallRecord(const vk::BindImageMemory2& call, VkResult result);
  void PostCallRecord(const vk::CreateImageView& call, VkResult result);
  void PreCallRecord(const vk::DestroyImageView& call);
  void PostCallRecord(const vk::CreateSwapchainKHR& call, VkResult result);
  void PostCallRecord(const vk::CreateSharedSwapchainsKHR& call, VkResult result);
  void PostCallRecord(const vk::GetSwapchainImagesKHR& call, VkResult result);
  void PreCallRecord(const vk::DestroySwapchainKHR& call);

  // Fences, semaphores, queues.
  void PostCallRecord(const vk::CreateFence& call, VkResult result);
  void PreCallRecord(const vk::DestroyFence& call);
  void PostCallRecord(const vk::CreateSemaphore& call, VkResult result);
  void PreCallRecord(const vk::DestroySemaphore& call);
  void PostCallRecord(const vk::GetDeviceQueue& call);
  void PostCallRecord(const vk::GetDeviceQueue2& call);

  // Submissions, and signals and waits of the host (submission_hooks.cc).
  void PreCallRecord(const vk::QueueSubmit& call);
  void PostCallRecord(const vk::QueueSubmit& call, VkResult result);
  void PreCallRecord(const vk::QueueSubmit2& call);
  void PostCallRecord(const vk::QueueSubmit2& call, VkResult result);
  void PreCallRecord(const vk::QueueBindSparse& call);
  void PostCallRecord(const vk::QueueBindSparse& call, VkResult result);
  void PreCallRecord(const vk::QueuePresentKHR& call);
  void PostCallRecord(const vk::QueuePresentKHR& call, VkResult result);
  void PreCallRecord(const vk::SignalSemaphore& call);
  void PostCallRecord(const vk::SignalSemaphore& call, VkResult result);
  void PreCallRecord(const vk::LatencySleepNV& call);
  void PostCallRecord(const vk::QueueWaitIdle& call, VkResult result);
  void PostCallRecord(const vk::DeviceWaitIdle& call, VkResult result);
  void PostCallRecord(const vk::WaitForFences& call, VkResult result);
  void PostCallRecord(const vk::GetFenceStatus& call, VkResult result);
  void PostCallRecord(const vk::ResetFences& call, VkResult result);
  void PostCallRecord(const vk::WaitSemaphores& call, VkResult result);
  void PostCallRecord(const vk::GetSemaphoreCounterValue& call, VkResult result);
  void PostCallRecord(const vk::AcquireNextImageKHR& call, VkResult result);
  void PostCallRecord(const vk::AcquireNextImage2KHR& call, VkResult result);
  void PostCallRecord(const vk::ReleaseSwapchainImagesEXT& call, VkResult result);
  void PostCallRecord(const vk::WaitForPresentKHR& call, VkResult result);
  void PostCallRecord(const vk::ImportSemaphoreFdKHR& call, VkResult result);
  void PostCallRecord(const vk::GetSemaphoreFdKHR& call, VkResult result);
  void PostCallRecord(const vk::ImportFenceFdKHR& call, VkResult result);
  void PostCallRecord(const vk::GetFenceFdKHR& call, VkResult result);

  // Events, indirect commands layouts, query pools, acceleration structures, device addresses, mapped memory
  // (object_hooks.cc).
  void PostCallRecord(const vk::CreateEvent& call, VkResult result);
  void PreCallRecord(const vk::DestroyEvent& call);
  void PreCallRecord(const vk::SetEvent& call);
  void PostCallRecord(const vk::SetEvent& call, VkResult result);
  void PreCallRecord(const vk::ResetEvent& call);
  void PostCallRecord(const vk::ResetEvent& call, VkResult result);
  void PostCallRecord(const vk::GetEventStatus& call, VkResult result);
  void PostCallRecord(const vk::CreateIndirectCommandsLayoutEXT& call, VkResult result);
  void PreCallRecord(const vk::DestroyIndirectCommandsLayoutEXT& call);
  void PostCallRecord(const vk::CreateIndirectCommandsLayoutNV& call, VkResult result);
  void PreCallRecord(const vk::DestroyIndirectCommandsLayoutNV& call);
  void PostCallRecord(const vk::CreateQueryPool& call, VkResult result);
  void PreCallRecord(const vk::DestroyQueryPool& call);
  void PreCallRecord(const vk::ResetQueryPool& call);
  void PostCallRecord(const vk::GetQueryPoolResults& call, VkResult result);
  void PostCallRecord(const vk::CreateAccelerationStructureKHR& call, VkResult result);
  void PreCallRecord(const vk::DestroyAccelerationStructureKHR& call);
  void PostCallRecord(const vk::GetAccelerationStructureDeviceAddressKHR& call, VkDeviceAddress address);
  void PostCallRecord(const vk::CreateAccelerationStructureNV& call, VkResult result);
  void PreCallRecord(const vk::DestroyAccelerationStructureNV& call);
  void PostCallRecord(const vk::BindAccelerationStructureMemoryNV& call, VkResult result);
  void PostCallRecord(const vk::CreateMicromapEXT& call, VkResult result);
  void PreCallRecord(const vk::DestroyMicromapEXT& call);
  void PostCallRecord(const vk::GetBufferDeviceAddress& call, VkDeviceAddress address);
  void PostCallRecord(const vk::MapMemory& call, VkResult result);
  void PostCallRecord(const vk::MapMemory2& call, VkResult result);
  void PreCallRecord(const vk::UnmapMemory& call);
  void PostCallRecord(const vk::UnmapMemory2& call, VkResult result);

  // Samplers and descriptors.
  void PostCallRecord(const vk::CreateSampler& call, VkResult result);
  void PreCallRecord(const vk::DestroySampler& call);
  void PostCallRecord(const vk::CreateDescriptorSetLayout& call, VkResult result);
  void PreCallRecord(const vk::DestroyDescriptorSetLayout& call);
  void PostCallRecord(const vk::CreateDescriptorPool& call, VkResult result);
  void PreCallRecord(const vk::ResetDescriptorPool& call);
  void PreCallRecord(const vk::DestroyDescriptorPool& call);
  void PostCallRecord(const vk::CreateDescriptorUpdateTemplate& call, VkResult result);
  void PreCallRecord(const vk::DestroyDescriptorUpdateTemplate& call);
  void PostCallRecord(const vk::AllocateDescriptorSets& call, VkResult result);
  void PreCallRecord(const vk::FreeDescriptorSets& call);
  void PreCallRecord(const vk::UpdateDescriptorSets& call);
  void PreCallRecord(const vk::UpdateDescriptorSetWithTemplate& call);

  // Shaders and pipelines.
  void PostCallRecord(const vk::CreateShaderModule& call, VkResult result);
  void PreCallRecord(const vk::DestroyShaderModule& call);
  void PostCallRecord(const vk::CreatePipelineLayout& call, VkResult result);
  void PreCallRecord(const vk::DestroyPipelineLayout& call);
  void PostCallRecord(const vk::CreateComputePipelines& call, VkResult result);
  void PostCallRecord(const vk::CreateGraphicsPipelines& call, VkResult result);
  void PostCallRecord(const vk::CreateRayTracingPipelinesKHR& call, VkResult result);
  void PostCallRecord(const vk::CreateRayTracingPipelinesNV& call, VkResult result);
  void PostCallRecord(const vk::CreateExecutionGraphPipelinesAMDX& call, VkResult result);
  void PostCallRecord(const vk::CreateShadersEXT& call, VkResult result);
  void PreCallRecord(const vk::DestroyShaderEXT& call);
  void PreCallRecord(const vk::DestroyPipeline& call);

  // Command pools and buffers.
  void PostCallRecord(const vk::CreateCommandPool& call, VkResult result);
  void PreCallRecord(const vk::ResetCommandPool& call);
  void PreCallRecord(const vk::DestroyCommandPool& call);
  void PostCallRecord(const vk::AllocateCommandBuffers& call, VkResult result);
  void PreCallRecord(const vk::FreeCommandBuffers& call);
  void PostCallRecord(const vk::BeginCommandBuffer& call, VkResult result);
  void PostCallRecord(const vk::EndCommandBuffer& call, VkResult result);
  void PostCallRecord(const vk::CmdExecuteCommands& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::ResetCommandBuffer& call, VkResult result);

  // Bindings while recording. These are PostCallRecord, since counting the command comes first.
  void PostCallRecord(const vk::CmdBindPipeline& call, dispatch::Slot& slot);
  // Shader objects replace the pipeline; descriptor buffers replace sets.
  void PostCallRecord(const vk::CmdBindShadersEXT& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdBindDescriptorBuffersEXT& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdSetDescriptorBufferOffsetsEXT& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdSetDescriptorBufferOffsets2EXT& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdBindDescriptorBufferEmbeddedSamplersEXT& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdBindDescriptorBufferEmbeddedSamplers2EXT& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdBindDescriptorSets& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdBindDescriptorSets2& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdPushDescriptorSet& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdPushDescriptorSet2& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdPushDescriptorSetWithTemplate& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdPushDescriptorSetWithTemplate2& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdBeginDebugUtilsLabelEXT& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdEndDebugUtilsLabelEXT& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdDebugMarkerBeginEXT& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdDebugMarkerEndEXT& call, dispatch::Slot& slot);

  // Render passes, and render pass instances while recording (rendering_hooks.cc).
  void PostCallRecord(const vk::CreateRenderPass& call, VkResult result);
  void PostCallRecord(const vk::CreateRenderPass2& call, VkResult result);
  void PreCallRecord(const vk::DestroyRenderPass& call);
  void PostCallRecord(const vk::CreateFramebuffer& call, VkResult result);
  void PreCallRecord(const vk::DestroyFramebuffer& call);
  void PostCallRecord(const vk::CmdBeginRenderPass& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdBeginRenderPass2& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdNextSubpass& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdNextSubpass2& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdEndRenderPass& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdEndRenderPass2& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdBeginRendering& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdEndRendering& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdSetRenderingAttachmentLocations& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdSetRenderingInputAttachmentIndices& call, dispatch::Slot& slot);

  // Bindings and dynamic state of draws.
  template <DrawStateCommand C>
  void PostCallRecord(const C& call, dispatch::Slot& slot) {
    if (CommandBuffer* buffer = CommandBufferIn(slot)) buffer->draw.Set(call);
  }

  // What the host can see of queries and events.
  template <ChangesVisibly C>
  void PostCallRecord(const C& call, dispatch::Slot& slot) {
    const CommandBuffer* buffer = CommandBufferIn(slot);
    if (buffer == nullptr || buffer->handles == nullptr) return;
    dispatch::Recording* const recording = buffer->handles->open();
    if (recording == nullptr) return;
    NoteChange(call, *recording);
    if (recording->HasChanges()) NoteQueries(recording->last_change(), buffer->rendering);
  }

  // What gives acceleration structures and micromaps their contents.
  void PostCallRecord(const Constructs auto& call, dispatch::Slot&) { NoteConstruction(call); }
  void PreCallRecord(const ConstructsOnHost auto& call) { NoteConstruction(call); }

  // Counts commands: messages name the position of a command.
  template <class C>
    requires(C::kDispatch == vk::DispatchLevel::kCommandBuffer && std::is_void_v<typename C::Result>)
  void PreCallRecord(const C&, dispatch::Slot& slot) {
    if (CommandBuffer* buffer = CommandBufferIn(slot)) ++buffer->command_count;
  }

 private:
  struct AttachedFactory {
    SubStateSlot slot;
    CommandBufferFactory factory;
  };

  // Those of the handles; the references of handles that are not known are empty.
  static std::vector<Ref<DescriptorSetLayout>> SetLayouts(const VkDescriptorSetLayout* layouts, uint32_t count);
  // Makes the state of a new object and ties it to the handle's slot.
  template <class T, class H, class... A>
  T* Add(H handle, A&&... arguments);
  // The same for existing state.
  template <class T, class H>
  T* AddState(H handle, Ref<T> object);
  // Takes the state off its slot. The state object lives on while others refer to it.
  template <class T, class H>
  void Remove(H handle);
  template <class C>
  void AddPipelines(const C& call);
  void RemoveChildren(VkObjectType type, uint64_t handle);
  void Bind(VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset);
  // `chain` is that of VkBindImageMemoryInfo, or null.
  void Bind(VkImage image, VkDeviceMemory memory, VkDeviceSize offset, const void* chain);
  // The size in memory of an image, or of a plane of a disjoint one; 0 if it is not known. Queries the driver.
  VkDeviceSize BytesOf(const Image& image, const VkBindImagePlaneMemoryInfo* plane) const;
  ByteRange TexelBytes(const Image& image, VkDeviceSize bound) const;
  void AddQueue(VkQueue queue, uint32_t family, VkDeviceQueueCreateFlags create_flags);
  void BindSets(const dispatch::Slot& slot, VkPipelineBindPoint point, VkPipelineLayout layout_handle, uint32_t first,
                absl::Span<const VkDescriptorSet> sets, absl::Span<const uint32_t> dynamic_offsets);
  void UnbindSets(const dispatch::Slot& slot, VkPipelineBindPoint point, size_t first, size_t count);
  // The buffer at a device address.
  DescriptorBufferBinding ResolveDescriptorBuffer(VkDeviceAddress address) const;
  // Queries the driver for the offsets of a layout's bindings in descriptor buffers.
  void QueryBindingOffsets(DescriptorSetLayout& layout) const;
  void SetBufferOffsets(const dispatch::Slot& slot, VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t first,
                        absl::Span<const uint32_t> buffers, absl::Span<const VkDeviceSize> offsets);
  // The contents that a push to a set number writes to; null if the layout has no such set.
  DescriptorContents* PushTarget(const dispatch::Slot& slot, VkPipelineBindPoint point, VkPipelineLayout layout_handle,
                                 uint32_t set);
  void Push(const dispatch::Slot& slot, VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t set,
            absl::Span<const VkWriteDescriptorSet> writes);
  void PushWithTemplate(const dispatch::Slot& slot, VkDescriptorUpdateTemplate update_template, VkPipelineLayout layout,
                        uint32_t set, const void* data);
  template <class C>
  SubmissionPreview Preview(const C& call) const;
  template <class C>
  void RecordSubmission(const C& call, VkFence fence);
  template <class C>
  void ConcludeSubmission(const C& call, VkResult result);
  void NotifyCommandBuffers(Queue& queue, absl::Span<const VkCommandBuffer> buffers);
  // Whether the call succeeded. Records a lost device too.
  bool Succeeded(VkResult result);

  dispatch::Device& device_;
  AddressSpace address_space_;
  std::vector<AttachedFactory> command_buffer_factories_;
  DeviceAddresses<Buffer> buffer_addresses_;
  DeviceAddresses<AccelerationStructure> structure_addresses_;
  mutable ShaderCodes shader_codes_;
  absl::Mutex queue_creation_;
  QueueTracker queues_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_HOOKS_DEVICE_STATE_H_
