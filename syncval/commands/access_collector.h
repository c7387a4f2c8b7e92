// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMANDS_ACCESS_COLLECTOR_H_
#define ASSAY_SYNCVAL_COMMANDS_ACCESS_COLLECTOR_H_

#include <algorithm>
#include <bit>
#include <cstdint>

#include "absl/types/span.h"
#include "state/state.h"
#include "syncval/accesses/attachments.h"
#include "syncval/accesses/recorded_access.h"
#include "syncval/engine/engine.h"
#include "syncval/recording/heuristics.h"
#include "syncval/recording/recording.h"
#include "syncval/trace/recorded/command_trace.h"

// How commands name their accesses. Private to the folder.
namespace assay::syncval {

// The place of an access in the call; see RecordedAccess.
struct Origin {
  const char* member = nullptr;
  uint32_t index = 0;
  Role role = Role::kParameter;
  OrderingRule ordering = OrderingRule::kNone;
};

// The total size in bytes of ranges that do not overlap.
inline uint64_t SizeOf(absl::Span<const state::ByteRange> ranges) {
  uint64_t size = 0;
  for (const state::ByteRange& range : ranges) size += range.end - range.begin;
  return size;
}

// Appends a command's accesses to the log. Leaves out resources without memory: another validator reports those.
class AccessCollector {
 public:
  explicit AccessCollector(SyncRecording& recording) : recording_(recording) {}

  // Bytes [offset, offset + size) of the buffer, cut to its size; `size` may be VK_WHOLE_SIZE.
  [[gnu::always_inline]] void AddBuffer(const state::Buffer* buffer, VkDeviceSize offset, VkDeviceSize size,
                                        vk::SyncAccessIndex access, const Origin& origin) {
    if (buffer == nullptr || buffer->address == 0) return;
    const VkDeviceSize length = buffer->Clamp(offset, size);
    if (length == 0) return;
    if (buffer->sharing() == 0) [[likely]] {
      recording_.Add(OfBuffer(*buffer, offset, length, access, origin, buffer->address));
    } else {
      AddShared(*buffer, offset, length, access, origin);
    }
  }

  // `ranges` are relative to the address of the image.
  void AddImage(const state::Image* image, absl::Span<const state::ByteRange> ranges, vk::SyncAccessIndex access,
                Origin origin) {
    AddSharedBytes(*image, ranges, access, origin);
    for (const state::ByteRange& range : ranges) {
      recording_.Add({.range = {image->address + range.begin, image->address + range.end},
                      .resource = image->handle(),
                      .resource_type = state::Image::kType,
                      .index = origin.index,
                      .member = origin.member,
                      .access = access,
                      .role = origin.role,
                      .ordering = origin.ordering,
                      .region = image->address});
    }
  }

  // `ranges` are absolute addresses.
  void AddRanges(const state::Image& image, absl::Span<const state::ByteRange> ranges, vk::SyncAccessIndex access,
                 Origin origin) {
    AddSharedBytes(image, ranges, access, origin);
    for (const state::ByteRange& range : ranges) {
      recording_.Add({.range = {range.begin, range.end},
                      .resource = image.handle(),
                      .resource_type = state::Image::kType,
                      .index = origin.index,
                      .member = origin.member,
                      .access = access,
                      .role = origin.role,
                      .ordering = origin.ordering,
                      .region = image.address});
    }
  }
  void AddView(const state::ImageView& view, vk::SyncAccessIndex access, Origin origin) {
    AddRanges(*view.image, view.ranges, access, origin);
  }

  // Accesses of draws to attachments.
  void AddAttachmentAccesses(const Attachments& attachments, AttachmentAccesses accesses) {
    for (; accesses != 0; accesses &= accesses - 1) {
      const AttachmentAccess access = AccessOfBit(static_cast<uint32_t>(std::countr_zero(accesses)));
      AddRanges(*attachments.ImageOf(access.slot), attachments.RangesOf(access.slot), access.access,
                {nullptr, access.slot, access.role, attachments.RuleFor(access.slot, access.ordering)});
    }
  }

  // Whether an access by one of these members would be a hazard. It is not added.
  bool IsHazard(const state::Buffer* buffer, VkDeviceSize offset, VkDeviceSize size, vk::SyncAccessIndex access,
                OrderingRule rule) {
    if (buffer == nullptr || buffer->address == 0) return false;
    const VkDeviceSize length = buffer->Clamp(offset, size);
    const uint64_t begin = buffer->address + offset;
    return length != 0 && IsHazard({begin, begin + length}, access, rule, buffer->region());
  }
  bool IsHazard(const state::ImageView& view, vk::SyncAccessIndex access, OrderingRule rule) {
    return std::ranges::any_of(view.ranges, [&](const state::ByteRange& range) {
      return IsHazard({range.begin, range.end}, access, rule, view.image->address);
    });
  }

  // Whether accesses count that may not happen: see the setting.
  bool takes_uncertain_accesses() const { return recording_.takes_uncertain_accesses(); }
  ElementsInOrder& elements_in_order() { return recording_.elements_in_order(); }

  // Accesses of a draw of a secondary command buffer to the attachments of its primary; see InheritedAccesses.
  void AddInherited(AttachmentAccesses accesses) { inherited_ |= accesses; }
  AttachmentAccesses inherited() const { return inherited_; }

  // A possible read: the command reads some of these bytes, it is unknown which. It conflicts if all of them conflict,
  // and a later write of all of them conflicts with it. Some commands may write them instead (`access`), which is an
  // unknown access.
  void AddPossibleRead(const state::Buffer* buffer, VkDeviceSize offset, VkDeviceSize size, vk::SyncAccessIndex access,
                       Origin origin) {
    if (buffer == nullptr || buffer->address == 0) {
      has_unknown_ = true;
      return;
    }
    const VkDeviceSize length = buffer->Clamp(offset, size);
    if (length == 0) return;
    origin.ordering = OrderingRule::kPossible;
    const RecordedAccess all = OfBuffer(*buffer, offset, length, access, origin, buffer->region());
    const bool is_read = !vk::SyncStageAccesses()[access].is_write;
    if (is_read && !buffer->is_sparse_aliased() && recording_.NotePossibleRead(all.range)) return recording_.Add(all);
    has_unknown_ = true;
    if (ConflictsEverywhere(recording_.context, all, Tag())) {
      origin.ordering = OrderingRule::kNone;
      recording_.Add(OfBuffer(*buffer, offset, length, access, origin, buffer->region()));
    } else if (trace::CommandTrace* trace = recording_.trace()) {
      trace->AddPossibleRead(all);
    }
  }

  // A write of some texels in these ranges, which are relative to the address of the image; it is unknown which. It
  // conflicts if all of them conflict. Otherwise it is an unknown access.
  void AddPossibleWrite(const state::Image& image, absl::Span<const state::ByteRange> ranges,
                        vk::SyncAccessIndex access, const Origin& origin) {
    AddUnknown();
    const bool conflicts = !ranges.empty() && std::ranges::all_of(ranges, [&](const state::ByteRange& range) {
      return ConflictsEverywhere(recording_.context,
                                 {.range = {image.address + range.begin, image.address + range.end},
                                  .access = access,
                                  .region = image.address},
                                 Tag());
    });
    if (conflicts) AddImage(&image, ranges, access, origin);
  }

  // A read or write, as `access` is, of a command for which the specification does not say at which stage it is. It
  // conflicts, as `access`, if all of the bytes conflict at every stage. Otherwise it is an unknown access.
  void AddAtUnknownStage(const state::Buffer* buffer, VkDeviceSize offset, VkDeviceSize size,
                         vk::SyncAccessIndex access, const Origin& origin) {
    AddUnknown();
    if (buffer == nullptr || buffer->address == 0) return;
    const VkDeviceSize length = buffer->Clamp(offset, size);
    if (length == 0) return;
    const auto stage_accesses = vk::SyncStageAccesses();
    RecordedAccess tried = OfBuffer(*buffer, offset, length, access, origin, buffer->region());
    for (size_t i = vk::kSyncNone + 1; i < vk::kSyncImageLayoutTransition; ++i) {
      if (stage_accesses[i].is_write != stage_accesses[access].is_write) continue;
      tried.access = static_cast<vk::SyncAccessIndex>(i);
      if (!ConflictsEverywhere(recording_.context, tried, Tag())) return;
    }
    // Where it is not reported, a later barrier of the true stage would not cover it.
    tried.access = access;
    Hazard hazard;
    if (!recording_.context.DetectHazard(tried, Tag(), hazard) || MayBeInOrder(recording_, hazard, tried)) return;
    AddBuffer(buffer, offset, length, access, origin);
  }

  // The command may access more than it names; see UnknownAccesses.
  void AddUnknown() {
    has_unknown_ = true;
    if (trace::CommandTrace* trace = recording_.trace()) trace->NoteUnknown();
  }
  bool has_unknown() const { return has_unknown_; }
  // Whether the memory of a resource is shared, so that what else is bound to it decides about the accesses.
  bool has_shared() const { return has_shared_; }

  // What the descriptor of the access refers to is known when the command buffer is submitted. Until then, the access
  // is an unknown one.
  void AddLate(const LateAccess& access) {
    recording_.Add(access);
    has_late_write_ |= vk::SyncStageAccesses()[access.access].is_write;
  }
  bool has_late_write() const { return has_late_write_; }

 private:
  bool IsHazard(const Range& range, vk::SyncAccessIndex access, OrderingRule rule, uint64_t region) {
    Hazard hazard;
    return recording_.context.DetectHazard({.range = range, .index = access, .ordering = rule, .region = region}, Tag(),
                                           hazard) &&
           !hazard.is_prior_possible && !recording_.IsDeferred(RecordedAccess(), hazard);
  }

  void AddSharedBytes(const state::Image& image, absl::Span<const state::ByteRange> ranges, vk::SyncAccessIndex access,
                      const Origin& origin) {
    if (!image.shares_memory() || ranges.empty()) [[likely]]
      return;
    has_shared_ = true;
    const state::ByteRange bytes = image.SharedBytes(SizeOf(ranges));
    if (bytes.begin == bytes.end) return;
    recording_.Add({.range = {bytes.begin, bytes.end},
                    .resource = image.handle(),
                    .resource_type = state::Image::kType,
                    .index = origin.index,
                    .member = origin.member,
                    .access = access,
                    .role = origin.role,
                    .ordering = origin.ordering});
  }

  [[gnu::noinline]] void AddShared(const state::Buffer& buffer, VkDeviceSize offset, VkDeviceSize length,
                                   vk::SyncAccessIndex access, const Origin& origin) {
    has_shared_ = true;
    recording_.Add(OfBuffer(buffer, offset, length, access, origin, buffer.region()));
    if (!buffer.is_sparse_aliased()) return;
    for (const state::ByteRange& bytes : recording_.SparseMemoryRangesOf(buffer, offset, length)) {
      RecordedAccess part = OfBuffer(buffer, offset, length, access, origin, 0);
      part.range = {bytes.begin, bytes.end};
      part.is_of_sparse_memory = true;
      recording_.Add(part);
    }
  }

  static RecordedAccess OfBuffer(const state::Buffer& buffer, VkDeviceSize offset, VkDeviceSize length,
                                 vk::SyncAccessIndex access, const Origin& origin, uint64_t region) {
    const uint64_t begin = buffer.address + offset;
    return {.range = {begin, begin + length},
            .resource = buffer.handle(),
            .resource_type = state::Buffer::kType,
            .index = origin.index,
            .member = origin.member,
            .access = access,
            .role = origin.role,
            .ordering = origin.ordering,
            .region = region};
  }

  SyncRecording& recording_;
  AttachmentAccesses inherited_ = 0;
  bool has_unknown_ = false;
  bool has_shared_ = false;
  bool has_late_write_ = false;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_COMMANDS_ACCESS_COLLECTOR_H_
