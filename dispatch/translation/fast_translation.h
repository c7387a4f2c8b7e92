// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TRANSLATION_FAST_TRANSLATION_H_
#define ASSAY_DISPATCH_TRANSLATION_FAST_TRANSLATION_H_

#include <cstdint>
#include <type_traits>

#include "dispatch/handles/handle_table.h"
#include "dispatch/translation/ignored_members.h"
#include "dispatch/translation/scratch_arena.h"
#include "vk/commands.h"

// The fast path of translation: TranslateToDriver (translate.h) written out for a few commands. Programs call these so
// often that walking the tables shows in benchmarks.
//
// TranslateFast does not look at pNext chains. So either no structure in a chain of the command may hold a handle, or
// CanTranslateFast checks that the chains are empty. translate_test.cc calls every command with every chain, and fails
// when an extension breaks this.
namespace assay::dispatch {

template <class H>
H ToDriver(H handle) {
  return reinterpret_cast<H>(HandleTable::Get().ToDriver(reinterpret_cast<uint64_t>(handle)));
}

// Replaces an array by a copy. change(element) translates each element.
template <class T, class F>
void TranslateArray(const T*& array, uint32_t count, ScratchArena& arena, F&& change) {
  if (array == nullptr || count == 0) return;
  T* const copy = static_cast<T*>(arena.Allocate(size_t{count} * sizeof(T)));
  for (uint32_t i = 0; i < count; ++i) {
    copy[i] = array[i];
    change(copy[i]);
  }
  array = copy;
}

// P is VkDependencyInfo or vk::CmdPipelineBarrier, whose members have the same names.
template <class P>
void TranslateBarriers(P& p, ScratchArena& arena) {
  TranslateArray(p.pBufferMemoryBarriers, p.bufferMemoryBarrierCount, arena,
                 [](auto& b) { b.buffer = ToDriver(b.buffer); });
  TranslateArray(p.pImageMemoryBarriers, p.imageMemoryBarrierCount, arena,
                 [](auto& b) { b.image = ToDriver(b.image); });
}

// For commands that often have no handle besides the command buffer: whether the call has none.
inline bool IsWithoutHandles(const vk::CmdPipelineBarrier& call) {
  return (call.bufferMemoryBarrierCount | call.imageMemoryBarrierCount) == 0;
}
inline bool IsWithoutHandles(const vk::CmdPipelineBarrier2& call) {
  const VkDependencyInfo* const info = call.pDependencyInfo;
  return info == nullptr || (info->bufferMemoryBarrierCount | info->imageMemoryBarrierCount) == 0;
}

inline void TranslateFast(vk::CmdPipelineBarrier& call, ScratchArena& arena) { TranslateBarriers(call, arena); }

inline void TranslateFast(vk::CmdPipelineBarrier2& call, ScratchArena& arena) {
  TranslateArray(call.pDependencyInfo, 1, arena, [&arena](VkDependencyInfo& info) { TranslateBarriers(info, arena); });
}

inline void TranslateFast(vk::CmdBindDescriptorSets& call, ScratchArena& arena) {
  call.layout = ToDriver(call.layout);
  TranslateArray(call.pDescriptorSets, call.descriptorSetCount, arena,
                 [](VkDescriptorSet& set) { set = ToDriver(set); });
}

inline void TranslateFast(vk::CmdBindVertexBuffers& call, ScratchArena& arena) {
  TranslateArray(call.pBuffers, call.bindingCount, arena, [](VkBuffer& buffer) { buffer = ToDriver(buffer); });
}
inline void TranslateFast(vk::CmdBindVertexBuffers2& call, ScratchArena& arena) {
  TranslateArray(call.pBuffers, call.bindingCount, arena, [](VkBuffer& buffer) { buffer = ToDriver(buffer); });
}

// Whether no structure of an array has a pNext chain.
template <class T>
bool AreUnchained(const T* array, uint32_t count) {
  if (array == nullptr) return true;
  for (uint32_t i = 0; i < count; ++i) {
    if (array[i].pNext != nullptr) return false;
  }
  return true;
}

// Whether TranslateFast may translate the call. False when a pNext chain may hold handles.
template <class C>
bool CanTranslateFast(const C&) {
  return true;
}
inline bool CanTranslateFast(const vk::CreateImageView& call) { return AreUnchained(call.pCreateInfo, 1); }
inline bool CanTranslateFast(const vk::UpdateDescriptorSets& call) {
  return AreUnchained(call.pDescriptorWrites, call.descriptorWriteCount) &&
         AreUnchained(call.pDescriptorCopies, call.descriptorCopyCount);
}

inline void TranslateFast(vk::CreateImageView& call, ScratchArena& arena) {
  TranslateArray(call.pCreateInfo, 1, arena, [](VkImageViewCreateInfo& info) { info.image = ToDriver(info.image); });
}

inline void TranslateFast(vk::AllocateDescriptorSets& call, ScratchArena& arena) {
  TranslateArray(call.pAllocateInfo, 1, arena, [&arena](VkDescriptorSetAllocateInfo& info) {
    info.descriptorPool = ToDriver(info.descriptorPool);
    TranslateArray(info.pSetLayouts, info.descriptorSetCount, arena,
                   [](VkDescriptorSetLayout& layout) { layout = ToDriver(layout); });
  });
}

inline void TranslateDescriptors(VkWriteDescriptorSet& write, ScratchArena& arena) {
  switch (PayloadOf(write.descriptorType)) {
    case DescriptorPayload::kImage:
      TranslateArray(write.pImageInfo, write.descriptorCount, arena, [](VkDescriptorImageInfo& info) {
        info.sampler = ToDriver(info.sampler);
        info.imageView = ToDriver(info.imageView);
      });
      return;
    case DescriptorPayload::kBuffer:
      TranslateArray(write.pBufferInfo, write.descriptorCount, arena,
                     [](VkDescriptorBufferInfo& info) { info.buffer = ToDriver(info.buffer); });
      return;
    case DescriptorPayload::kTexelBuffer:
      TranslateArray(write.pTexelBufferView, write.descriptorCount, arena,
                     [](VkBufferView& view) { view = ToDriver(view); });
      return;
    case DescriptorPayload::kNone:
      return;
  }
}

inline void TranslateFast(vk::UpdateDescriptorSets& call, ScratchArena& arena) {
  // Neighbouring writes often go to the same set.
  VkDescriptorSet last = VK_NULL_HANDLE, translated = VK_NULL_HANDLE;
  TranslateArray(call.pDescriptorWrites, call.descriptorWriteCount, arena, [&](VkWriteDescriptorSet& write) {
    if (write.dstSet != last) {
      last = write.dstSet;
      translated = ToDriver(last);
    }
    write.dstSet = translated;
    TranslateDescriptors(write, arena);
  });
  TranslateArray(call.pDescriptorCopies, call.descriptorCopyCount, arena, [](VkCopyDescriptorSet& copy) {
    copy.srcSet = ToDriver(copy.srcSet);
    copy.dstSet = ToDriver(copy.dstSet);
  });
}

// Commands whose parameters reach a handle only through the pNext chain of the create info.
template <class C>
concept CreatesWithoutHandles = std::is_same_v<C, vk::CreateBuffer> || std::is_same_v<C, vk::CreateImage> ||
                                std::is_same_v<C, vk::AllocateMemory> || std::is_same_v<C, vk::CreateFence> ||
                                std::is_same_v<C, vk::CreateSemaphore> || std::is_same_v<C, vk::CreateEvent> ||
                                std::is_same_v<C, vk::CreateSampler> || std::is_same_v<C, vk::CreateCommandPool> ||
                                std::is_same_v<C, vk::CreateDescriptorPool> || std::is_same_v<C, vk::CreateQueryPool>;
template <CreatesWithoutHandles C>
bool CanTranslateFast(const C& call) {
  if constexpr (requires { call.pAllocateInfo; }) {
    return AreUnchained(call.pAllocateInfo, 1);
  } else {
    return AreUnchained(call.pCreateInfo, 1);
  }
}
template <CreatesWithoutHandles C>
void TranslateFast(C&, ScratchArena&) {}

// OverrideCallDown has set a primary command buffer's pInheritanceInfo to null before.
inline bool CanTranslateFast(const vk::BeginCommandBuffer& call) {
  return AreUnchained(call.pBeginInfo, 1) &&
         (call.pBeginInfo == nullptr || call.pBeginInfo->pInheritanceInfo == nullptr);
}
inline void TranslateFast(vk::BeginCommandBuffer&, ScratchArena&) {}

template <class C>
concept HasFastTranslation = requires(C& call, ScratchArena& arena) { TranslateFast(call, arena); };

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TRANSLATION_FAST_TRANSLATION_H_
