// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/rewriting/rewriter.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "messages/messages.h"
#include "vk/struct_info.h"

// After vk/vulkan.h, which configures vulkan_core.h.
#include <vulkan/vk_layer.h>

namespace assay::dispatch {
namespace {

// The bytes of a link of a chain; 0 if that is not known. Chains of instances and devices have the loader's links,
// which the registry does not have. They are before all others.
size_t SizeOfLink(VkStructureType type) {
  if (type == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO) return sizeof(VkLayerInstanceCreateInfo);
  if (type == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO) return sizeof(VkLayerDeviceCreateInfo);
  const vk::StructInfo* const info = vk::FindStruct(type);
  return info == nullptr ? 0 : info->size;
}

}  // namespace

void Rewriter::Finish(VkResult result, size_t first) {
  std::vector<std::function<void(VkResult)>> due;
  due.swap(after_call_);
  for (size_t i = 0; i < due.size(); ++i) {
    if (i < first) {
      after_call_.push_back(std::move(due[i]));
    } else {
      due[i](result);
    }
  }
}

const void** Rewriter::CopyChainBefore(const void** next, VkStructureType type) {
  // The chain is looked at first, so that nothing is changed in vain.
  const auto* link = static_cast<const VkBaseInStructure*>(*next);
  for (; link != nullptr && link->sType != type; link = link->pNext) {
    if (SizeOfLink(link->sType) == 0) return nullptr;
  }
  if (link == nullptr) return nullptr;
  while (static_cast<const VkBaseInStructure*>(*next)->sType != type) {
    const auto* before = static_cast<const VkBaseInStructure*>(*next);
    auto* copy = static_cast<VkBaseInStructure*>(arena_.Copy(before, SizeOfLink(before->sType)));
    *next = copy;
    next = reinterpret_cast<const void**>(&copy->pNext);
  }
  return next;
}

void* Rewriter::CopyLinked(const void** next, VkStructureType type) {
  next = CopyChainBefore(next, type);
  if (next == nullptr) return nullptr;
  void* const copy = arena_.Copy(*next, vk::FindStruct(type)->size);
  *next = copy;
  return copy;
}

bool Rewriter::Unlink(const void** next, VkStructureType type) {
  next = CopyChainBefore(next, type);
  if (next == nullptr) return false;
  *next = static_cast<const VkBaseInStructure*>(*next)->pNext;
  return true;
}

void RunRewrite(const CommandHooks& hooks, const void* call, void* down, size_t bytes, Slot* slot, Rewriter& rewriter) {
  std::unique_ptr<std::byte[]> before;
  for (const Hook& hook : hooks.rewrite()) {
    const size_t pending = rewriter.pending();
    try {
      if (before == nullptr) before = std::make_unique_for_overwrite<std::byte[]>(bytes);
      std::memcpy(before.get(), down, bytes);
      hook.rewrite(hook.validator, call, down, slot, rewriter);
    } catch (const std::exception&) {
      if (messages::IsFromCallback(std::current_exception())) throw;
      if (before != nullptr) std::memcpy(down, before.get(), bytes);
      rewriter.Finish(VK_ERROR_OUT_OF_HOST_MEMORY, pending);
    }
  }
}

}  // namespace assay::dispatch
