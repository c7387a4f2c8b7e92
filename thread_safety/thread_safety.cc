// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "thread_safety/thread_safety.h"

#include <algorithm>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "thread_safety/extern_sync.h"
#include "thread_safety/thread_use.h"
#include "vk/chain.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::thread_safety {
namespace {

using dispatch::DispatchableTable;
using dispatch::HandleTable;
using dispatch::Slot;
using vk::ElementCount;
using vk::Load;

Slot* FindDispatchable(VkObjectType type, uint64_t handle) {
  Slot* const slot = DispatchableTable::Get().Find(reinterpret_cast<const void*>(handle));
  return slot != nullptr && slot->type == type ? slot : nullptr;
}

Slot* FindSlot(VkObjectType type, uint64_t handle) {
  if (handle == 0) return nullptr;
  if (Slot* slot = HandleTable::Get().FindWrapped(handle)) return slot->type == type ? slot : nullptr;
  const vk::HandleInfo* info = vk::FindHandle(type);
  if (info == nullptr) return nullptr;
  if (!info->dispatchable) return HandleTable::Get().Find(type, handle);
  return FindDispatchable(type, handle);
}

// The type of a handle in a uint64_t. VK_OBJECT_TYPE_UNKNOWN for dispatchable handles, which are not checked: commands
// go through them, and the pool that stands for a command buffer is not touched when the buffer is only named.
VkObjectType TypedHandleType(const HandlePath& path, const void* structure) {
  const vk::MemberInfo& member = path.handle();
  if (member.selector < 0) return VK_OBJECT_TYPE_UNKNOWN;
  const vk::MemberInfo& selector = path.structure->members[static_cast<size_t>(member.selector)];
  const auto value = Load<int32_t>(structure, selector.offset);
  const vk::HandleInfo* info = selector.type_name == "VkObjectType"
                                   ? vk::FindHandle(static_cast<VkObjectType>(value))
                                   : vk::FindHandle(static_cast<VkDebugReportObjectTypeEXT>(value));
  return info == nullptr || info->dispatchable ? VK_OBJECT_TYPE_UNKNOWN : info->object_type;
}

// Calls f(slot) for every object that a path leads to in the structure.
template <class F>
void ForEachIn(const HandlePath& path, const void* structure, const F& f) {
  const vk::MemberInfo& member = path.handle();
  const VkObjectType type = member.kind == vk::MemberKind::kHandle ? vk::Handles()[member.type].object_type
                                                                   : TypedHandleType(path, structure);
  if (type == VK_OBJECT_TYPE_UNKNOWN) return;
  const char* handles = static_cast<const char*>(structure) + member.offset;
  if (member.indirection == vk::Indirection::kPointer) handles = Load<const char*>(handles);
  if (handles == nullptr) return;
  const uint64_t count = ElementCount(*path.structure, member, structure);
  for (uint64_t i = 0; i < count; ++i) {
    const auto handle = Load<uint64_t>(handles, i * sizeof(uint64_t));
    const bool is_dispatchable = type == VK_OBJECT_TYPE_COMMAND_BUFFER || type == VK_OBJECT_TYPE_QUEUE;
    Slot* slot = is_dispatchable ? FindDispatchable(type, handle) : FindSlot(type, handle);
    if (slot == nullptr || (path.unless_concurrent && slot->allows_concurrent_update)) continue;
    // The pool's mark covers a command buffer.
    if (type == VK_OBJECT_TYPE_COMMAND_BUFFER) slot = slot->parent_slot;
    if (slot != nullptr) f(*slot);
  }
}

// The same for one handle of a known type.
template <class F>
void ForHandle(const HandlePath& path, uint64_t handle, const F& f) {
  Slot* const slot = handle != 0 ? HandleTable::Get().Find(path.type, handle) : nullptr;
  if (slot != nullptr && !(path.unless_concurrent && slot->allows_concurrent_update)) f(*slot);
}

template <class F>
void ForEachObject(const vk::CommandInfo& command, const HandlePath& path, const void* call, const F& f) {
  const vk::MemberInfo& handle = path.handle();
  const bool simple =
      path.type != VK_OBJECT_TYPE_UNKNOWN && handle.indirection == vk::Indirection::kInline && handle.fixed_count == 1;
  if (path.member == nullptr) {
    return simple ? ForHandle(path, Load<uint64_t>(call, handle.offset), f) : ForEachIn(path, call, f);
  }
  const auto* structures = Load<const char*>(call, path.parameter->offset);
  if (structures == nullptr) return;
  const bool one = path.parameter->length_kind == vk::LengthKind::kOne;
  const uint64_t count = one ? 1 : ElementCount(*command.parameters, *path.parameter, call);
  uint64_t last = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const char* const structure = structures + i * path.parameter->element_size;
    if (!simple) {
      ForEachIn(path, structure, f);
      continue;
    }
    // Neighbouring elements often name the same object, such as several writes to one descriptor set.
    const auto value = Load<uint64_t>(structure, handle.offset);
    if (value != last) ForHandle(path, value, f);
    last = value;
  }
}

template <class F>
void ForEachSetOf(uint64_t pool_handle, const F& f) {
  HandleTable& handles = HandleTable::Get();
  const Slot* pool = handles.Find(VK_OBJECT_TYPE_DESCRIPTOR_POOL, pool_handle);
  if (pool == nullptr) return;
  for (uint32_t i = pool->first_child; i != HandleTable::kNone; i = handles.AtIndex(i)->next_sibling)
    f(*handles.AtIndex(i));
}

void ReportRace(const Slot& slot, bool writes, const UsingThread& other, std::string_view parameter,
                messages::Report& report) {
  const messages::ObjectRef object = {slot.type, slot.application_handle};
  const auto act = [](bool write) { return write ? "writes to" : "reads"; };
  messages::Message message;
  message.id = writes ? "UNASSIGNED-Threading-MultipleThreads-Write" : "UNASSIGNED-Threading-MultipleThreads-Read";
  message.location = report.location().Dot(parameter).Text();
  message.text = absl::StrFormat(
      "THREADING ERROR: %s %s in thread %#x while %s %s it in thread %#x. The application must not let them overlap.",
      act(writes), report.reporter().Describe(object), ThisThread(), vk::GetCommandInfo(other.command).name,
      act(other.writes), other.thread);
  message.objects = {object};
  if (slot.type == VK_OBJECT_TYPE_COMMAND_POOL) {
    message.fix =
        "Let one thread at a time use a command pool and what is allocated from it: give each thread a pool of its "
        "own.";
  }
  report.Deliver(std::move(message));
}

inline void StartWrite(Slot& slot, std::string_view parameter, messages::Report& report) {
  if (const auto other = ThreadUse(slot.thread_use).StartWrite(ThisThread(), report.command())) {
    ReportRace(slot, true, *other, parameter, report);
  }
}

void StartWriteOfDestroyed(Slot& slot, std::string_view parameter, messages::Report& report) {
  if (const auto other = ThreadUse(slot.thread_use).StartWriteByStore(ThisThread(), report.command())) {
    ReportRace(slot, true, *other, parameter, report);
  }
}

std::string_view ParameterAt(vk::CommandId command, uint32_t offset) {
  for (const vk::MemberInfo& member : vk::GetCommandInfo(command).parameters->members) {
    if (member.offset == offset) return member.name;
  }
  return {};
}

[[gnu::noinline, gnu::cold]] void ReportWriter(const Slot& slot, const UsingThread& other, uint32_t offset,
                                               messages::Report& report) {
  ReportRace(slot, false, other, ParameterAt(report.command(), offset), report);
}

// The objects that are only checked for another thread's write.
inline void CheckForWriters(const ExternSync& extern_sync, const void* call, messages::Report& report) {
  const HandleTable& handles = HandleTable::Get();
  for (uint32_t offset : extern_sync.checked_offsets) {
    Slot* const slot = handles.FindWrapped(Load<uint64_t>(call, offset));
    if (slot == nullptr) continue;
    if (const auto other = ThreadUse(slot->thread_use).OtherWriter(ThisThread())) [[unlikely]]
      ReportWriter(*slot, *other, offset, report);
  }
}

}  // namespace

void ThreadSafety::StartUsedPoolUse(Slot& pool, messages::Report& report) {
  if (const auto other = ThreadUse(pool.thread_use).StartWriteByStore(ThisThread(), report.command()))
    ReportRace(pool, true, *other, "commandBuffer", report);
}

void ThreadSafety::StartRecordedUses(const ExternSync& extern_sync, const void* call, const Slot& command_buffer,
                                     messages::Report& report) {
  StartPoolUse(command_buffer, report);
  CheckForWriters(extern_sync, call, report);
}

void ThreadSafety::StartThreadUses(const ExternSync& extern_sync, const void* call, messages::Report& report) {
  const vk::CommandInfo& command = vk::GetCommandInfo(report.command());
  for (const HandlePath& path : extern_sync.marked_handles) {
    ForEachObject(command, path, call, [&](Slot& slot) {
      if (path.destroyed) return StartWriteOfDestroyed(slot, path.parameter->name, report);
      if (path.writes) return StartWrite(slot, path.parameter->name, report);
      if (const auto other = ThreadUse(slot.thread_use).StartRead(ThisThread(), report.command())) {
        ReportRace(slot, false, *other, path.parameter->name, report);
      }
    });
  }
  if (extern_sync.sets_of_pool != 0) {
    ForEachSetOf(Load<uint64_t>(call, extern_sync.sets_of_pool),
                 [&](Slot& set) { StartWrite(set, ParameterAt(command.id, extern_sync.sets_of_pool), report); });
  }
  if (extern_sync.all_queues) StartQueueUses(report);
}

void ThreadSafety::EndThreadUses(const ExternSync& extern_sync, vk::CommandId id, const void* call, bool was_made) {
  const vk::CommandInfo& command = vk::GetCommandInfo(id);
  for (const HandlePath& path : extern_sync.marked_handles) {
    if (path.destroyed && was_made) continue;
    ForEachObject(command, path, call, [&](Slot& slot) {
      const bool writes = path.writes || path.destroyed;
      writes ? ThreadUse(slot.thread_use).EndWrite(ThisThread(), id) : ThreadUse(slot.thread_use).EndRead();
    });
  }
  // This is for calls that were skipped. Otherwise the sets are gone, with their marks.
  if (extern_sync.sets_of_pool != 0) {
    ForEachSetOf(Load<uint64_t>(call, extern_sync.sets_of_pool),
                 [&](Slot& set) { ThreadUse(set.thread_use).EndWrite(ThisThread(), id); });
  }
  const bool queues_are_gone = was_made && id == vk::CommandId::kDestroyDevice;
  if (extern_sync.all_queues && !queues_are_gone) EndQueueUses(id);
}

void ThreadSafety::StartQueueUses(messages::Report& report) {
  for (VkQueue queue : Queues()) {
    if (Slot* slot = DispatchableTable::Get().Find(queue)) StartWrite(*slot, "device", report);
  }
}

void ThreadSafety::EndQueueUses(vk::CommandId command) {
  for (VkQueue queue : Queues()) {
    if (Slot* slot = DispatchableTable::Get().Find(queue)) ThreadUse(slot->thread_use).EndWrite(ThisThread(), command);
  }
}

void ThreadSafety::StartPresentWait(const vk::WaitForPresentKHR& call, messages::Report& report) {
  Slot* const slot = FindSlot(VK_OBJECT_TYPE_SWAPCHAIN_KHR, reinterpret_cast<uint64_t>(call.swapchain));
  if (slot == nullptr) return;
  {
    absl::MutexLock lock(&mutex_);
    present_waits_.push_back({call.swapchain, ThisThread()});
  }
  const auto other = ThreadUse(slot->thread_use).OtherWriter(ThisThread());
  if (other && other->command == vk::CommandId::kDestroySwapchainKHR) {
    ReportRace(*slot, false, *other, "swapchain", report);
  }
}

void ThreadSafety::EndPresentWait(const vk::WaitForPresentKHR& call) {
  absl::MutexLock lock(&mutex_);
  const auto wait = std::ranges::find(present_waits_, PresentWait{call.swapchain, ThisThread()});
  if (wait != present_waits_.end()) present_waits_.erase(wait);
}

void ThreadSafety::CheckPresentWaits(const vk::DestroySwapchainKHR& call, messages::Report& report) {
  uint64_t waiter = 0;
  {
    absl::MutexLock lock(&mutex_);
    for (const PresentWait& wait : present_waits_) {
      if (wait.swapchain == call.swapchain && wait.thread != ThisThread()) waiter = wait.thread;
    }
  }
  const Slot* slot = FindSlot(VK_OBJECT_TYPE_SWAPCHAIN_KHR, reinterpret_cast<uint64_t>(call.swapchain));
  if (waiter == 0 || slot == nullptr) return;
  ReportRace(*slot, true, {waiter, vk::CommandId::kWaitForPresentKHR, false}, "swapchain", report);
}

void ThreadSafety::RecordCache(const vk::CreatePipelineCache& call) {
  if (call.pCreateInfo == nullptr || call.pPipelineCache == nullptr || *call.pPipelineCache == VK_NULL_HANDLE) return;
  if ((call.pCreateInfo->flags & VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT) == 0) return;
  absl::MutexLock lock(&mutex_);
  synchronized_caches_.push_back(*call.pPipelineCache);
}

void ThreadSafety::PreCallRecord(const vk::DestroyPipelineCache& call) {
  absl::MutexLock lock(&mutex_);
  std::erase(synchronized_caches_, call.pipelineCache);
}

void ThreadSafety::StartCacheUse(VkPipelineCache cache, vk::VuidIndex rule, messages::Report& report) {
  if (cache == VK_NULL_HANDLE) return;
  const CacheUse use = {cache, ThisThread(), report.command()};
  std::optional<CacheUse> other;
  {
    absl::MutexLock lock(&mutex_);
    if (std::ranges::find(synchronized_caches_, cache) == synchronized_caches_.end()) return;
    for (const CacheUse& candidate : cache_uses_) {
      if (candidate.cache == cache && candidate.thread != use.thread) other = candidate;
    }
    cache_uses_.push_back(use);
  }
  if (!other) return;
  report.Error(rule, {messages::Object(cache)}, report.location().Dot("pipelineCache"),
               absl::StrFormat("was created with VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT, and is used in "
                               "thread %#x while %s uses it in thread %#x.",
                               use.thread, vk::GetCommandInfo(other->command).name, other->thread),
               "Let one thread at a time use the cache, or create it without the flag.");
}

void ThreadSafety::EndCacheUse(VkPipelineCache cache, vk::CommandId command) {
  if (cache == VK_NULL_HANDLE) return;
  absl::MutexLock lock(&mutex_);
  const auto use = std::ranges::find(cache_uses_, CacheUse{cache, ThisThread(), command});
  if (use != cache_uses_.end()) cache_uses_.erase(use);
}

void ThreadSafety::RecordQueue(VkQueue queue) {
  absl::MutexLock lock(&mutex_);
  if (std::find(queues_.begin(), queues_.end(), queue) == queues_.end()) queues_.push_back(queue);
}

std::vector<VkQueue> ThreadSafety::Queues() {
  absl::MutexLock lock(&mutex_);
  return queues_;
}

void ThreadSafety::RecordSetLayout(const vk::CreateDescriptorSetLayout& call) {
  constexpr VkDescriptorBindingFlags kShareable =
      VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT | VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT;
  if (call.pCreateInfo == nullptr || call.pSetLayout == nullptr) return;
  const auto* info = vk::FindInChain<VkDescriptorSetLayoutBindingFlagsCreateInfo>(call.pCreateInfo->pNext);
  if (info == nullptr || info->pBindingFlags == nullptr) return;
  const bool shareable = std::any_of(info->pBindingFlags, info->pBindingFlags + info->bindingCount,
                                     [](VkDescriptorBindingFlags flags) { return (flags & kShareable) != 0; });
  Slot* slot = FindSlot(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, reinterpret_cast<uint64_t>(*call.pSetLayout));
  if (slot != nullptr) slot->allows_concurrent_update = shareable;
}

void ThreadSafety::RecordDescriptorSets(const vk::AllocateDescriptorSets& call) {
  if (call.pAllocateInfo == nullptr || call.pDescriptorSets == nullptr || call.pAllocateInfo->pSetLayouts == nullptr)
    return;
  for (uint32_t i = 0; i < call.pAllocateInfo->descriptorSetCount; ++i) {
    const auto layout_handle = reinterpret_cast<uint64_t>(call.pAllocateInfo->pSetLayouts[i]);
    const Slot* layout = FindSlot(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, layout_handle);
    Slot* set = FindSlot(VK_OBJECT_TYPE_DESCRIPTOR_SET, reinterpret_cast<uint64_t>(call.pDescriptorSets[i]));
    if (layout != nullptr && set != nullptr) set->allows_concurrent_update = layout->allows_concurrent_update;
  }
}

}  // namespace assay::thread_safety
