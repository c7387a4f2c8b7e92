// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/ownership_transfers/ownership_transfer_rules.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/barriers/barriers.h"
#include "core/recording/presentable_images.h"
#include "core/recording/submitted_commands.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using state::Items;

// Whether the submission has certainly not been made. Of a lost device that is unknown.
bool IsFailure(VkResult result) { return result < 0 && result != VK_ERROR_DEVICE_LOST; }

// Whether [first, first + count) of both overlap; a count of remaining stands for all to the end.
bool Overlap(uint64_t a_first, uint64_t a_count, uint64_t b_first, uint64_t b_count, uint64_t remaining) {
  const auto reaches = [&](uint64_t first, uint64_t count, uint64_t to) {
    return count == remaining || first + count > to;
  };
  return reaches(a_first, a_count, b_first) && reaches(b_first, b_count, a_first);
}

bool Overlap(const VkImageSubresourceRange& a, const VkImageSubresourceRange& b) {
  return (a.aspectMask & b.aspectMask) != 0 &&
         Overlap(a.baseMipLevel, a.levelCount, b.baseMipLevel, b.levelCount, VK_REMAINING_MIP_LEVELS) &&
         Overlap(a.baseArrayLayer, a.layerCount, b.baseArrayLayer, b.layerCount, VK_REMAINING_ARRAY_LAYERS);
}

bool Matches(const OwnershipTransfer& release, const OwnershipTransfer& acquire) {
  if (release.src_family != acquire.src_family || release.dst_family != acquire.dst_family) return false;
  if (acquire.resource.type == VK_OBJECT_TYPE_BUFFER) {
    return Overlap(release.offset, release.size, acquire.offset, acquire.size, VK_WHOLE_SIZE);
  }
  return release.old_layout == acquire.old_layout && release.new_layout == acquire.new_layout &&
         Overlap(release.range, acquire.range);
}

bool IsSame(const VkImageSubresourceRange& a, const VkImageSubresourceRange& b) {
  return a.aspectMask == b.aspectMask && a.baseMipLevel == b.baseMipLevel && a.levelCount == b.levelCount &&
         a.baseArrayLayer == b.baseArrayLayer && a.layerCount == b.layerCount;
}

bool IsSame(const OwnershipTransfer& a, const OwnershipTransfer& b) {
  return a.src_family == b.src_family && a.dst_family == b.dst_family && a.offset == b.offset && a.size == b.size &&
         a.old_layout == b.old_layout && a.new_layout == b.new_layout && IsSame(a.range, b.range);
}

OwnershipTransfer TransferOf(const BufferPart& part) {
  return {.resource = messages::Object(part.buffer),
          .src_family = part.families.src,
          .dst_family = part.families.dst,
          .offset = part.offset,
          .size = part.size};
}
OwnershipTransfer TransferOf(const ImagePart& part) {
  return {.resource = messages::Object(part.image),
          .src_family = part.families.src,
          .dst_family = part.families.dst,
          .old_layout = part.old_layout,
          .new_layout = part.new_layout,
          .range = part.range};
}

// Whether the resource is transferred from one family of the device to another. The special values
// (VK_QUEUE_FAMILY_EXTERNAL and others) are larger than any index.
bool IsTransfer(QueueFamilies families, VkSharingMode sharing_mode) {
  static_assert(VK_QUEUE_FAMILY_FOREIGN_EXT < VK_QUEUE_FAMILY_EXTERNAL);
  static_assert(VK_QUEUE_FAMILY_EXTERNAL < VK_QUEUE_FAMILY_IGNORED);
  return families.differ() && std::max(families.src, families.dst) < VK_QUEUE_FAMILY_FOREIGN_EXT &&
         sharing_mode == VK_SHARING_MODE_EXCLUSIVE;
}

template <class B>
bool AnyDiffers(const B* barriers, uint32_t count) {
  return std::ranges::any_of(Items(barriers, count), [](const B& b) { return FamiliesOf(b).differ(); });
}

// VkDependencyInfo, or a command with the same members.
template <class Dependency>
[[gnu::noinline, gnu::cold]] void RecordTransfers(VkCommandBuffer handle, const Dependency& d) {
  const state::CommandBuffer* buffer = state::DeviceState::Get(handle);
  auto* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
  if (scope == nullptr) return;
  const auto add = [&](const auto& part, VkSharingMode sharing_mode) {
    if (!IsTransfer(part.families, sharing_mode)) return;
    OwnershipTransfer transfer = TransferOf(part);
    transfer.is_release = part.families.ReleaseFrom(buffer->pool.queue_family);
    if (!transfer.is_release && !part.families.AcquireBy(buffer->pool.queue_family)) return;
    scope->transfers.push_back(transfer);
  };
  for (const auto& b : Items(d.pBufferMemoryBarriers, d.bufferMemoryBarrierCount))
    add(BufferPartOf(b), SharingModeOf(b.buffer));
  for (const auto& b : Items(d.pImageMemoryBarriers, d.imageMemoryBarrierCount))
    add(ImagePartOf(b), SharingModeOf(b.image));
}

template <class Dependency>
void Record(VkCommandBuffer handle, const Dependency& d) {
  if (AnyDiffers(d.pBufferMemoryBarriers, d.bufferMemoryBarrierCount) ||
      AnyDiffers(d.pImageMemoryBarriers, d.imageMemoryBarrierCount)) [[unlikely]] {
    RecordTransfers(handle, d);
  }
}

}  // namespace

void OwnershipTransferRules::PreCallRecord(const vk::CmdPipelineBarrier& call) { Record(call.commandBuffer, call); }

void OwnershipTransferRules::PreCallRecord(const vk::CmdPipelineBarrier2& call) {
  if (call.pDependencyInfo != nullptr) Record(call.commandBuffer, *call.pDependencyInfo);
}

void OwnershipTransferRules::PreCallRecord(const vk::CmdWaitEvents2& call) {
  for (const VkDependencyInfo& info : Items(call.pDependencyInfos, call.eventCount)) Record(call.commandBuffer, info);
}

template <class F>
void OwnershipTransferRules::ForEachTransfer(VkCommandBuffer handle, const F& visit) {
  const state::CommandBuffer* buffer = state::DeviceState::Get(handle);
  if (buffer == nullptr) return;
  if (const auto* scope = buffer->Sub<RecordingScope>()) std::ranges::for_each(scope->transfers, visit);
  for (const state::ExecutedSecondary& secondary : buffer->executed) ForEachTransfer(secondary.handle, visit);
}

bool OwnershipTransferRules::IsReleased(const OwnershipTransfer& acquire) const {
  absl::MutexLock lock(&mutex_);
  const auto found = releases_.find(acquire.resource.handle);
  return found != releases_.end() &&
         std::ranges::any_of(found->second, [&](const Release& release) { return Matches(release.transfer, acquire); });
}

void OwnershipTransferRules::Check(VkCommandBuffer handle, vk::VuidIndex vuid, const Location& where,
                                   messages::Report& report) const {
  ForEachTransfer(handle, [&](const OwnershipTransfer& transfer) {
    if (transfer.is_release || IsReleased(transfer)) return;
    const messages::ObjectRef object = messages::Object(handle);
    const std::string resource = report.reporter().Describe(transfer.resource);
    report.Error(
        vuid, {object, transfer.resource}, where,
        absl::StrCat(report.reporter().Describe(object), " acquires ", resource, " for ",
                     FamilyText(transfer.dst_family), ", and nothing that was submitted to ",
                     FamilyText(transfer.src_family), " before releases it to that family with the same parameters."),
        absl::StrCat("Record the barrier that acquires ", resource, " for a queue of ", FamilyText(transfer.src_family),
                     " too, where it releases it, after its last use there; submit that before, and let this "
                     "submission wait for a semaphore of that one."));
  });
}

void OwnershipTransferRules::AddReleases(VkCommandBuffer handle) {
  ForEachTransfer(handle, [&](const OwnershipTransfer& transfer) {
    if (!transfer.is_release) return;
    absl::MutexLock lock(&mutex_);
    std::vector<Release>& releases = releases_[transfer.resource.handle];
    const auto is_same = [&](const Release& release) { return IsSame(release.transfer, transfer); };
    const auto found = std::ranges::find_if(releases, is_same);
    ++(found != releases.end() ? *found : releases.emplace_back(Release{transfer})).count;
  });
}

void OwnershipTransferRules::WithdrawReleases(VkCommandBuffer handle) {
  ForEachTransfer(handle, [&](const OwnershipTransfer& transfer) {
    if (!transfer.is_release) return;
    absl::MutexLock lock(&mutex_);
    const auto releases = releases_.find(transfer.resource.handle);
    if (releases == releases_.end()) return;
    std::erase_if(releases->second,
                  [&](Release& release) { return IsSame(release.transfer, transfer) && --release.count == 0; });
    if (releases->second.empty()) releases_.erase(releases);
  });
}

void OwnershipTransferRules::RemoveReleases(uint64_t resource) {
  absl::MutexLock lock(&mutex_);
  releases_.erase(resource);
}

void OwnershipTransferRules::PreCallRecord(const vk::DestroySwapchainKHR& call) {
  ForEachPresentableImage(call.swapchain, [&](const state::Image& image) { RemoveReleases(image.handle()); });
}

void OwnershipTransferRules::PreCallValidate(const vk::QueueSubmit& call, messages::Report& report) const {
  constexpr vk::VuidIndex kRule = vk::Vuid("VUID-vkQueueSubmit-pSubmits-02207");
  const Location command = report.location();
  for (uint32_t i = 0; const VkSubmitInfo& submit : Items(call.pSubmits, call.submitCount)) {
    const Location where = command.Dot("pSubmits", i++);
    for (uint32_t j = 0; VkCommandBuffer buffer : Items(submit.pCommandBuffers, submit.commandBufferCount))
      Check(buffer, kRule, where.Dot("pCommandBuffers", j++), report);
  }
}

void OwnershipTransferRules::PreCallValidate(const vk::QueueSubmit2& call, messages::Report& report) const {
  constexpr vk::VuidIndex kRule = vk::Vuid("VUID-vkQueueSubmit2-commandBuffer-03879");
  const Location command = report.location();
  for (uint32_t i = 0; const VkSubmitInfo2& submit : Items(call.pSubmits, call.submitCount)) {
    const Location where = command.Dot("pSubmits", i++);
    for (uint32_t j = 0; const auto& info : Items(submit.pCommandBufferInfos, submit.commandBufferInfoCount)) {
      const Location element = where.Dot("pCommandBufferInfos", j++);
      Check(info.commandBuffer, kRule, element.Dot("commandBuffer"), report);
    }
  }
}

void OwnershipTransferRules::PreCallRecord(const vk::QueueSubmit& call) {
  ForEachCommandBuffer(call, [this](VkCommandBuffer buffer, uint32_t, uint32_t) { AddReleases(buffer); });
}
void OwnershipTransferRules::PreCallRecord(const vk::QueueSubmit2& call) {
  ForEachCommandBuffer(call, [this](VkCommandBuffer buffer, uint32_t, uint32_t) { AddReleases(buffer); });
}
void OwnershipTransferRules::PostCallRecord(const vk::QueueSubmit& call, VkResult result) {
  if (!IsFailure(result)) return;
  ForEachCommandBuffer(call, [this](VkCommandBuffer buffer, uint32_t, uint32_t) { WithdrawReleases(buffer); });
}
void OwnershipTransferRules::PostCallRecord(const vk::QueueSubmit2& call, VkResult result) {
  if (!IsFailure(result)) return;
  ForEachCommandBuffer(call, [this](VkCommandBuffer buffer, uint32_t, uint32_t) { WithdrawReleases(buffer); });
}

}  // namespace assay::core
