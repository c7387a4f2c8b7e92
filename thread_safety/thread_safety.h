// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_THREAD_SAFETY_THREAD_SAFETY_H_
#define ASSAY_THREAD_SAFETY_THREAD_SAFETY_H_

// External synchronization: reports threads that access one object concurrently where the specification calls the
// parameter "externally synchronized".
//
// Its verbs are *start* and *end*. A call marks its objects before it goes down, and removes the marks when it comes
// back. A mark is one word of the object's slot (thread_use.h). A thread that finds a conflicting mark of another
// thread reports it, with both commands. No thread waits. So a race is reported when two calls do overlap, not when
// they might have.
//
//   extern_sync.h    the objects of every command, from the registry. Its marks name parameters and members; its
//                    expressions and sentences name the objects behind them. An object with such a mark is written.
//                    Other handles among the parameters are read.
//   thread_use.h     the word in the slot
//
// Recording has a fast path. A recorded command writes to the command buffer and to its pool. No other thread may touch
// the pool meanwhile, so the pool's mark stands for both. A load and a store set it (ThreadUse::StartWriteByStore). The
// objects that a recorded command names are only checked, by a load. The check finds a write that has begun, but not
// one that begins while the command is recorded.
//
// A pointer identifies a thread: the one that pthread_self() returns and that debuggers print. Reading it takes one
// instruction. A callback may call Vulkan; its calls do not conflict with marks of their own thread. Commands whose
// work may be deferred are not checked, since they end on another thread.
//
// Commands that make pipelines only read their pipeline cache, but for a cache whose flags promise more: that one has a
// rule with an id.

#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "thread_safety/extern_sync.h"
#include "thread_safety/thread_use.h"
#include "vk/commands.h"
#include "vk/vuid.h"

namespace assay::thread_safety {

template <class C>
inline constexpr bool kIsRecorded = C::kDispatch == vk::DispatchLevel::kCommandBuffer;

// Whether the command's work may be deferred.
template <class C>
inline constexpr bool kIsDeferrable = requires(const C& c) { c.deferredOperation; };

// Whether the command has objects to mark or to check.
template <class C>
inline constexpr bool kMarksObjects =
    (kIsRecorded<C> || C::kReachesHandle || C::kDispatch == vk::DispatchLevel::kQueue ||
     C::kLifetime == vk::LifetimeEffect::kDestroy || std::is_same_v<C, vk::DeviceWaitIdle>) &&
    !kIsDeferrable<C>;

// The rule of pipeline caches that the application synchronizes, for commands that make pipelines.
template <class C>
inline constexpr vk::VuidIndex kCacheRule = vk::kNoVuid;
template <>
inline constexpr auto kCacheRule<vk::CreateComputePipelines> =
    vk::Vuid("VUID-vkCreateComputePipelines-pipelineCache-02873");
template <>
inline constexpr auto kCacheRule<vk::CreateGraphicsPipelines> =
    vk::Vuid("VUID-vkCreateGraphicsPipelines-pipelineCache-02876");
template <>
inline constexpr auto kCacheRule<vk::CreateRayTracingPipelinesKHR> =
    vk::Vuid("VUID-vkCreateRayTracingPipelinesKHR-pipelineCache-02903");
template <>
inline constexpr auto kCacheRule<vk::CreateRayTracingPipelinesNV> =
    vk::Vuid("VUID-vkCreateRayTracingPipelinesNV-pipelineCache-02903");

template <class C>
inline constexpr bool kHasThreadUses = kMarksObjects<C> || kCacheRule<C> != vk::kNoVuid;

// The validator. One is attached to each instance's hooks and one to each device's.
class ThreadSafety {
 public:
  ThreadSafety() = default;
  ThreadSafety(const ThreadSafety&) = delete;
  ThreadSafety& operator=(const ThreadSafety&) = delete;

  template <class C>
    requires kHasThreadUses<C>
  void PreCallValidate(const C& call, [[maybe_unused]] dispatch::Slot& slot, messages::Report& report) {
    if constexpr (kIsRecorded<C>) {
      if constexpr (C::kReachesHandle) {
        const ExternSync& extern_sync = extern_sync_[static_cast<size_t>(C::kId)];
        if (!extern_sync.empty) return StartRecordedUses(extern_sync, &call, slot, report);
      }
      StartPoolUse(slot, report);
    } else if constexpr (kMarksObjects<C>) {
      const ExternSync& extern_sync = extern_sync_[static_cast<size_t>(C::kId)];
      if (!extern_sync.empty) StartThreadUses(extern_sync, &call, report);
    }
    if constexpr (kCacheRule<C> != vk::kNoVuid) {
      if (!IsDeferred(call)) StartCacheUse(call.pipelineCache, kCacheRule<C>, report);
    }
    if constexpr (std::is_same_v<C, vk::WaitForPresentKHR>) StartPresentWait(call, report);
    if constexpr (std::is_same_v<C, vk::DestroySwapchainKHR>) CheckPresentWaits(call, report);
  }

  template <class C>
    requires(kHasThreadUses<C> && std::is_void_v<typename C::Result>)
  void PostCallRecord(const C& call, dispatch::Slot& slot) {
    End(call, slot, true);
  }
  template <class C, class R>
    requires(kHasThreadUses<C> && std::same_as<R, typename C::Result>)
  void PostCallRecord(const C& call, dispatch::Slot& slot, R) {
    End(call, slot, true);
    if constexpr (std::is_same_v<C, vk::CreatePipelineCache>) RecordCache(call);
    if constexpr (std::is_same_v<C, vk::CreateDescriptorSetLayout>) RecordSetLayout(call);
    if constexpr (std::is_same_v<C, vk::AllocateDescriptorSets>) RecordDescriptorSets(call);
  }
  void PostCallRecord(const vk::GetDeviceQueue& call) {
    if (call.pQueue != nullptr) RecordQueue(*call.pQueue);
  }
  void PostCallRecord(const vk::GetDeviceQueue2& call) {
    if (call.pQueue != nullptr) RecordQueue(*call.pQueue);
  }

  void PreCallRecord(const vk::DestroyPipelineCache& call);

  template <class C>
    requires kHasThreadUses<C>
  void CallSkipped(const C& call, dispatch::Slot& slot) {
    End(call, slot, false);
  }

  // For tests: all that it knows besides the marks in slots, as text (thread_safety_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump);

 private:
  template <class C>
  void End(const C& call, [[maybe_unused]] const dispatch::Slot& slot, [[maybe_unused]] bool was_made) {
    // A recorded command marks its pool alone.
    if constexpr (kIsRecorded<C>) {
      EndPoolUse(slot, C::kId);
    } else if constexpr (kMarksObjects<C>) {
      const ExternSync& extern_sync = extern_sync_[static_cast<size_t>(C::kId)];
      if (!extern_sync.marked_handles.empty() || extern_sync.all_queues)
        EndThreadUses(extern_sync, C::kId, &call, was_made);
    }
    if constexpr (kCacheRule<C> != vk::kNoVuid) {
      if (!IsDeferred(call)) EndCacheUse(call.pipelineCache, C::kId);
    }
    if constexpr (std::is_same_v<C, vk::WaitForPresentKHR>) EndPresentWait(call);
  }
  template <class C>
  static bool IsDeferred([[maybe_unused]] const C& call) {
    if constexpr (kIsDeferrable<C>) return call.deferredOperation != VK_NULL_HANDLE;
    return false;
  }

  static void StartPoolUse(const dispatch::Slot& command_buffer, messages::Report& report) {
    dispatch::Slot* const pool = command_buffer.parent_slot;
    if (pool == nullptr) return;
    if (!ThreadUse(pool->thread_use).MarkUnused(ThisThread(), report.command())) [[unlikely]]
      StartUsedPoolUse(*pool, report);
  }
  static void EndPoolUse(const dispatch::Slot& command_buffer, vk::CommandId command) {
    dispatch::Slot* const pool = command_buffer.parent_slot;
    if (pool != nullptr) ThreadUse(pool->thread_use).EndWrite(ThisThread(), command);
  }
  // For a pool that is marked already.
  static void StartUsedPoolUse(dispatch::Slot& pool, messages::Report& report);
  void StartThreadUses(const ExternSync& extern_sync, const void* call, messages::Report& report);
  // Of a recorded command: marks its pool, and checks its other objects.
  void StartRecordedUses(const ExternSync& extern_sync, const void* call, const dispatch::Slot& command_buffer,
                         messages::Report& report);
  // was_made: the call was not skipped. The objects that it destroyed are not looked up then, since their handles may
  // be another thread's by now.
  void EndThreadUses(const ExternSync& extern_sync, vk::CommandId id, const void* call, bool was_made);
  void StartQueueUses(messages::Report& report);
  void EndQueueUses(vk::CommandId command);

  // The threads that are in vkWaitForPresentKHR. Other threads may use the swapchain, but not destroy it.
  void StartPresentWait(const vk::WaitForPresentKHR& call, messages::Report& report);
  void EndPresentWait(const vk::WaitForPresentKHR& call);
  void CheckPresentWaits(const vk::DestroySwapchainKHR& call, messages::Report& report);

  // The threads that make pipelines with a cache that was created with
  // VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT.
  void RecordCache(const vk::CreatePipelineCache& call);
  void StartCacheUse(VkPipelineCache cache, vk::VuidIndex rule, messages::Report& report);
  void EndCacheUse(VkPipelineCache cache, vk::CommandId command);

  void RecordQueue(VkQueue queue);
  // Record the layouts whose descriptor sets threads may update concurrently, and the sets of such layouts.
  void RecordSetLayout(const vk::CreateDescriptorSetLayout& call);
  void RecordDescriptorSets(const vk::AllocateDescriptorSets& call);
  std::vector<VkQueue> Queues();

  const ExternSyncTable& extern_sync_ = GetExternSyncTable();
  absl::Mutex mutex_;
  std::vector<VkQueue> queues_ ABSL_GUARDED_BY(mutex_);
  struct PresentWait {
    VkSwapchainKHR swapchain;
    uint64_t thread;
    bool operator==(const PresentWait&) const = default;
  };
  std::vector<PresentWait> present_waits_ ABSL_GUARDED_BY(mutex_);
  struct CacheUse {
    VkPipelineCache cache;
    uint64_t thread;
    vk::CommandId command;
    bool operator==(const CacheUse&) const = default;
  };
  std::vector<VkPipelineCache> synchronized_caches_ ABSL_GUARDED_BY(mutex_);
  std::vector<CacheUse> cache_uses_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::thread_safety

#endif  // ASSAY_THREAD_SAFETY_THREAD_SAFETY_H_
