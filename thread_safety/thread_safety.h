// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_THREAD_SAFETY_THREAD_SAFETY_H_
#define ASSAY_THREAD_SAFETY_THREAD_SAFETY_H_

// Whether threads keep apart where the specification leaves that to the application: parameters that are "externally
// synchronized".
//
// Its verbs are *start* and *end*: a call marks the objects that it uses, each in one word of the object's slot
// (thread_use.h), before it goes down and takes the mark away when it comes back. Whoever finds another thread's mark
// in the way reports it, and both commands are named. Nobody waits: a race is reported when the two calls do overlap,
// not when they might have.
//
//   extern_sync.h   which objects a command uses, from the registry: parameters and members that it marks, the
//   expressions and sentences for
//            what is behind them. Handles that are marked are written; other handles among the parameters are read.
//
// The recording path: recording writes to the command buffer and to its pool, and since no other thread may touch the
// pool meanwhile, the pool's mark stands for both. That is one atomic exchange to start and a store to end. Objects
// named by a recorded command are only glanced at, by a load: that another thread begins to write to one while the
// command is recorded is missed, that it had begun is not.
//
// A thread is known by its pointer, which is one instruction to read, what pthread_self() returns and what debuggers
// print. A mark that a callback's own
// Vulkan calls find of their own thread is not in the way. Commands whose work may be deferred are left out: they end
// on another thread.

#include <concepts>
#include <memory>
#include <type_traits>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "thread_safety/extern_sync.h"
#include "vk/commands.h"

namespace assay::thread_safety {

template <class C>
inline constexpr bool kIsRecorded = C::kDispatch == vk::DispatchLevel::kCommandBuffer;

template <class C>
inline constexpr bool kHasThreadUses = (kIsRecorded<C> || C::kReachesHandle ||
                                        C::kDispatch == vk::DispatchLevel::kQueue ||
                                        C::kLifetime == vk::LifetimeEffect::kDestroy ||
                                        std::is_same_v<C, vk::DeviceWaitIdle>)&&!requires(const C& c) {
  c.deferredOperation;
};

// The validator. One is attached to each instance's hooks and one to each device's.
class ThreadSafety {
 public:
  ThreadSafety() = default;
  ThreadSafety(const ThreadSafety&) = delete;
  ThreadSafety& operator=(const ThreadSafety&) = delete;

  template <class C>
  requires kHasThreadUses<C>
  void PreCallValidate(const C& call, messages::Report& report) {
    if constexpr (kIsRecorded<C>) StartPoolUse(call.commandBuffer, report);
    if constexpr (!kIsRecorded<C> || C::kReachesHandle) {
      const ExternSync& extern_sync = extern_sync_[static_cast<size_t>(C::kId)];
      if (!extern_sync.empty()) StartThreadUses(extern_sync, &call, report);
    }
  }

  template <class C>
  requires(kHasThreadUses<C>&& std::is_void_v<typename C::Result>) void PostCallRecord(const C& call) {
    End(call, true);
  }
  template <class C, class R>
  requires(kHasThreadUses<C>&& std::same_as<R, typename C::Result>) void PostCallRecord(const C& call, R) {
    End(call, true);
    if constexpr (std::is_same_v<C, vk::CreateDescriptorSetLayout>) RecordSetLayout(call);
    if constexpr (std::is_same_v<C, vk::AllocateDescriptorSets>) RecordDescriptorSets(call);
  }
  void PostCallRecord(const vk::GetDeviceQueue& call) {
    if (call.pQueue != nullptr) RecordQueue(*call.pQueue);
  }
  void PostCallRecord(const vk::GetDeviceQueue2& call) {
    if (call.pQueue != nullptr) RecordQueue(*call.pQueue);
  }

  template <class C>
  requires kHasThreadUses<C>
  void CallSkipped(const C& call) { End(call, false); }

 private:
  template <class C>
  void End(const C& call, [[maybe_unused]] bool was_made) {
    // Recorded commands mark nothing else.
    if constexpr (kIsRecorded<C>) {
      EndPoolUse(call.commandBuffer, C::kId);
    } else {
      const ExternSync& extern_sync = extern_sync_[static_cast<size_t>(C::kId)];
      if (!extern_sync.marked_handles.empty() || extern_sync.all_queues)
        EndThreadUses(extern_sync, C::kId, &call, was_made);
    }
  }

  void StartPoolUse(VkCommandBuffer command_buffer, messages::Report& report);
  void EndPoolUse(VkCommandBuffer command_buffer, vk::CommandId command);
  void StartThreadUses(const ExternSync& extern_sync, const void* call, messages::Report& report);
  // Objects that the call destroyed, if it was made, are not looked up again: their handles may be another thread's by
  // now.
  void EndThreadUses(const ExternSync& extern_sync, vk::CommandId command, const void* call, bool was_made);
  void StartQueueUses(messages::Report& report);
  void EndQueueUses(vk::CommandId command);

  void RecordQueue(VkQueue queue);
  // Descriptor sets that several threads may update at once.
  void RecordSetLayout(const vk::CreateDescriptorSetLayout& call);
  void RecordDescriptorSets(const vk::AllocateDescriptorSets& call);
  std::vector<VkQueue> Queues();

  const ExternSyncTable& extern_sync_ = GetExternSyncTable();
  absl::Mutex mutex_;
  std::vector<VkQueue> queues_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::thread_safety

#endif  // ASSAY_THREAD_SAFETY_THREAD_SAFETY_H_
