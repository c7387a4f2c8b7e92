// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses by the host itself, compared with work that may still run on queues: host image copies and transitions, and
// mapped memory with the setting syncval_mapped_ranges (mapped_ranges.h).
//
// vkQueueSubmit2 orders earlier accesses of the host before the submission. So an access is compared only with work
// that was submitted before it, and that the host does not know to be complete.

#include <vector>

#include "syncval/commands/check.h"
#include "syncval/commands/sync_validator.h"
#include "syncval/queues/mapped_ranges.h"
#include "syncval/reports/host_race_report.h"

namespace assay::syncval {
namespace {

using Accesses = std::vector<RecordedAccess>;

void Add(const state::Image& image, const state::ByteRanges& ranges, vk::SyncAccessIndex access, const char* member,
         uint32_t index, Accesses& accesses) {
  for (const state::ByteRange& range : ranges) {
    accesses.push_back({.range = {image.address + range.begin, image.address + range.end},
                        .resource = image.handle(),
                        .resource_type = state::Image::kType,
                        .index = index,
                        .member = member,
                        .access = access,
                        .region = image.address});
  }
  if (!image.shares_memory() || ranges.empty()) return;
  const state::ByteRange shared = image.SharedBytes(SizeOf(ranges));
  if (shared.begin == shared.end) return;
  accesses.push_back({.range = {shared.begin, shared.end},
                      .resource = image.handle(),
                      .resource_type = state::Image::kType,
                      .index = index,
                      .member = member,
                      .access = access});
}

void AddRegion(VkImage handle, const VkImageSubresourceLayers& layers, const VkOffset3D& offset,
               const VkExtent3D& extent, vk::SyncAccessIndex access, const char* member, uint32_t index,
               Accesses& accesses) {
  const auto* image = state::DeviceState::Get<state::Image>(handle);
  if (image == nullptr) return;
  state::ByteRanges ranges;
  image->encoder.AppendRegion(layers, offset, extent, ranges);
  Add(*image, ranges, access, member, index, accesses);
}

// Copies between an image and memory.
template <class I>
Accesses CopyAccesses(VkImage image, const I& info, vk::SyncAccessIndex access, const char* member) {
  Accesses accesses;
  const auto regions = state::Items(info.pRegions, info.regionCount);
  for (uint32_t i = 0; i < regions.size(); ++i) {
    AddRegion(image, regions[i].imageSubresource, regions[i].imageOffset, regions[i].imageExtent, access, member, i,
              accesses);
  }
  return accesses;
}

}  // namespace

void SyncValidator::ReportHostRaces(absl::Span<const RecordedAccess> accesses, messages::Report& report) {
  std::vector<SubmissionHazard> races;
  state_.WithQueuesLocked([&] {
    for (const RecordedAccess& access : accesses) queues_.AddHostRaces(access, races);
  });
  ReportFoundRaces(absl::MakeSpan(races), report);
}

void SyncValidator::ReportFoundRaces(absl::Span<SubmissionHazard> races, messages::Report& report) {
  for (SubmissionHazard& race : races) {
    messages::Message message;
    WithRecordings(race, [&] { message = ComposeHostRace(race, report); });
    if (!report.CountIfDuplicate(message.cause)) report.Deliver(std::move(message));
  }
}

void SyncValidator::ReportMappedRaces(absl::Span<const VkMappedMemoryRange> named, vk::SyncAccessIndex access,
                                      messages::Report& report) {
  const dispatch::Device& device = state_.device();
  if (!device.instance.settings.syncval_mapped_ranges) return;
  const VkDeviceSize atom_size = device.physical_device->properties.limits.nonCoherentAtomSize;
  std::vector<MappedRange> ranges;
  for (uint32_t i = 0; i < named.size(); ++i) {
    const auto* memory = state::DeviceState::Get<state::DeviceMemory>(named[i].memory);
    if (memory != nullptr) ranges.emplace_back(*memory, named[i], atom_size, access, i);
  }
  std::vector<SubmissionHazard> races;
  state_.WithQueuesLocked([&] {
    for (const MappedRange& range : ranges) range.AddRaces(queues_, races);
  });
  ReportFoundRaces(absl::MakeSpan(races), report);
}

void SyncValidator::PreCallValidate(const vk::CopyMemoryToImage& call, messages::Report& report) {
  if (call.pCopyMemoryToImageInfo == nullptr) return;
  const VkCopyMemoryToImageInfo& info = *call.pCopyMemoryToImageInfo;
  ReportHostRaces(CopyAccesses(info.dstImage, info, vk::kSyncHostHostWrite, "pCopyMemoryToImageInfo.pRegions"), report);
}
void SyncValidator::PreCallValidate(const vk::CopyImageToMemory& call, messages::Report& report) {
  if (call.pCopyImageToMemoryInfo == nullptr) return;
  const VkCopyImageToMemoryInfo& info = *call.pCopyImageToMemoryInfo;
  ReportHostRaces(CopyAccesses(info.srcImage, info, vk::kSyncHostHostRead, "pCopyImageToMemoryInfo.pRegions"), report);
}
void SyncValidator::PreCallValidate(const vk::CopyImageToImage& call, messages::Report& report) {
  if (call.pCopyImageToImageInfo == nullptr) return;
  const VkCopyImageToImageInfo& info = *call.pCopyImageToImageInfo;
  constexpr const char kRegions[] = "pCopyImageToImageInfo.pRegions";
  Accesses accesses;
  const auto regions = state::Items(info.pRegions, info.regionCount);
  for (uint32_t i = 0; i < regions.size(); ++i) {
    const VkImageCopy2& region = regions[i];
    AddRegion(info.srcImage, region.srcSubresource, region.srcOffset, region.extent, vk::kSyncHostHostRead, kRegions, i,
              accesses);
    AddRegion(info.dstImage, region.dstSubresource, region.dstOffset, region.extent, vk::kSyncHostHostWrite, kRegions,
              i, accesses);
  }
  ReportHostRaces(accesses, report);
}
void SyncValidator::PreCallValidate(const vk::TransitionImageLayout& call, messages::Report& report) {
  Accesses accesses;
  const auto transitions = state::Items(call.pTransitions, call.transitionCount);
  for (uint32_t i = 0; i < transitions.size(); ++i) {
    const auto* image = state::DeviceState::Get<state::Image>(transitions[i].image);
    if (image == nullptr || transitions[i].oldLayout == transitions[i].newLayout) continue;
    state::ByteRanges ranges;
    image->encoder.AppendRanges(transitions[i].subresourceRange, ranges);
    Add(*image, ranges, vk::kSyncHostHostWrite, "pTransitions", i, accesses);
  }
  ReportHostRaces(accesses, report);
}

void SyncValidator::PreCallValidate(const vk::FlushMappedMemoryRanges& call, messages::Report& report) {
  ReportMappedRaces(state::Items(call.pMemoryRanges, call.memoryRangeCount), vk::kSyncHostHostWrite, report);
}
void SyncValidator::PreCallValidate(const vk::InvalidateMappedMemoryRanges& call, messages::Report& report) {
  ReportMappedRaces(state::Items(call.pMemoryRanges, call.memoryRangeCount), vk::kSyncHostHostRead, report);
}

}  // namespace assay::syncval
