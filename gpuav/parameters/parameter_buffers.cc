// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/parameters/parameter_buffers.h"

#include "vk/chain.h"

namespace assay::gpuav {
namespace {

VkBufferUsageFlags2 UsageOf(const VkBufferCreateInfo& info) {
  const auto* usage = vk::FindInChain<VkBufferUsageFlags2CreateInfo>(info.pNext);
  return usage != nullptr ? usage->usage : info.usage;
}

constexpr VkBufferUsageFlags kForParameters =
    VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR;

bool IsForParameters(const VkBufferCreateInfo& info) { return (UsageOf(info) & kForParameters) != 0; }

// Who shares its memory, or replays its address, has to make it in the same way.
bool IsUntouched(const VkBufferCreateInfo& info) {
  constexpr VkBufferCreateFlags kFlags =
      VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT | VK_BUFFER_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT;
  const auto* external = vk::FindInChain<VkExternalMemoryBufferCreateInfo>(info.pNext);
  return (info.flags & kFlags) != 0 || (external != nullptr && external->handleTypes != 0);
}

void AddUsage(VkBufferCreateInfo& info, dispatch::Rewriter& rewriter) {
  if (auto* usage = rewriter.CopyLinked<VkBufferUsageFlags2CreateInfo>(info)) {
    usage->usage |= VK_BUFFER_USAGE_2_TRANSFER_SRC_BIT;
  } else {
    info.usage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  }
}

}  // namespace

void ParameterBuffers::Rewrite(const vk::CreateBuffer& call, vk::CreateBuffer& down, dispatch::Rewriter& rewriter) {
  if (!IsForParameters(*call.pCreateInfo) || IsUntouched(*call.pCreateInfo)) return;
  AddUsage(*rewriter.Copy(down.pCreateInfo), rewriter);
}

void ParameterBuffers::Rewrite(const vk::GetDeviceBufferMemoryRequirements& call,
                               vk::GetDeviceBufferMemoryRequirements& down, dispatch::Rewriter& rewriter) {
  const VkBufferCreateInfo& info = *call.pInfo->pCreateInfo;
  if (!IsForParameters(info) || IsUntouched(info)) return;
  AddUsage(*rewriter.Copy(rewriter.Copy(down.pInfo)->pCreateInfo), rewriter);
}

void ParameterBuffers::PostCallRecord(const vk::CreateBuffer& call, VkResult result) {
  if (result != VK_SUCCESS || !IsForParameters(*call.pCreateInfo) || !IsUntouched(*call.pCreateInfo)) return;
  absl::MutexLock lock(&mutex_);
  untouched_.insert(*call.pBuffer);
  untouched_count_.store(untouched_.size(), std::memory_order_relaxed);
}

void ParameterBuffers::PreCallRecord(const vk::DestroyBuffer& call) {
  if (untouched_count_.load(std::memory_order_relaxed) == 0) return;
  absl::MutexLock lock(&mutex_);
  untouched_.erase(call.buffer);
  untouched_count_.store(untouched_.size(), std::memory_order_relaxed);
}

bool ParameterBuffers::MayCopy(const state::Buffer& buffer) const {
  if ((buffer.flags & VK_BUFFER_CREATE_PROTECTED_BIT) != 0 || buffer.is_partially_resident()) return false;
  if ((buffer.usage & VK_BUFFER_USAGE_TRANSFER_SRC_BIT) != 0) return true;
  if ((buffer.usage & kForParameters) == 0) return false;
  if (untouched_count_.load(std::memory_order_relaxed) == 0) return true;
  absl::MutexLock lock(&mutex_);
  return !untouched_.contains(reinterpret_cast<VkBuffer>(buffer.handle()));
}

}  // namespace assay::gpuav
