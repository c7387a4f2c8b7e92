// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMANDS_CHECK_H_
#define ASSAY_SYNCVAL_COMMANDS_CHECK_H_

#include <bit>

#include "messages/messages.h"
#include "state/state.h"
#include "syncval/recording/recording.h"
#include "syncval/reports/hazard_report.h"
#include "syncval/trace/recorded/command_trace.h"
#include "vk/commands.h"

// How every command on memory is checked: collect its accesses, ask the engine about each, then record them all.
// Private to the package.
namespace assay::syncval {

inline SyncRecording* RecordingOf(VkCommandBuffer handle) {
  const state::CommandBuffer* buffer = state::DeviceState::Get(handle);
  return buffer != nullptr ? buffer->Sub<SyncRecording>() : nullptr;
}

// Where in the call an access comes from; see RecordedAccess.
struct Origin {
  const char* member = nullptr;
  uint32_t index = 0;
  Role role = Role::kParameter;
  OrderingRule ordering = OrderingRule::kNone;
};

// Bytes of ranges that do not overlap.
inline uint64_t SizeOf(absl::Span<const state::ByteRange> ranges) {
  uint64_t size = 0;
  for (const state::ByteRange& range : ranges) size += range.end - range.begin;
  return size;
}

// Whether every byte of the range would be a hazard.
inline bool ConflictsEverywhere(AccessContext& context, Range range, vk::SyncAccessIndex access, uint64_t region) {
  while (range.begin < range.end) {
    Hazard hazard;
    if (!context.DetectHazard({.range = range, .index = access, .region = region}, Tag(), hazard) ||
        hazard.range.begin > range.begin) {
      return false;
    }
    range.begin = hazard.range.end;
  }
  return true;
}

// Puts a command's accesses into the log. Resources without memory are left out: they are another validator's to
// report.
class AccessCollector {
 public:
  explicit AccessCollector(SyncRecording& recording) : recording_(recording) {}

  // Bytes [offset, offset + size) of the buffer, as far as it reaches; size may be VK_WHOLE_SIZE.
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

  // Addresses relative to where the image begins.
  void AddImage(const state::Image* image, absl::Span<const state::ByteRange> ranges, vk::SyncAccessIndex access,
                Origin origin) {
    AddSharedBytes(*image, ranges, access, origin);
    for (const state::ByteRange& range : ranges) {
      recording_.Add({{image->address + range.begin, image->address + range.end},
                      image->handle(),
                      state::Image::kType,
                      origin.index,
                      origin.member,
                      access,
                      origin.role,
                      origin.ordering,
                      false,
                      image->address});
    }
  }

  // Absolute addresses.
  void AddRanges(const state::Image& image, absl::Span<const state::ByteRange> ranges, vk::SyncAccessIndex access,
                 Origin origin) {
    AddSharedBytes(image, ranges, access, origin);
    for (const state::ByteRange& range : ranges) {
      recording_.Add({{range.begin, range.end},
                      image.handle(),
                      state::Image::kType,
                      origin.index,
                      origin.member,
                      access,
                      origin.role,
                      origin.ordering,
                      false,
                      image.address});
    }
  }
  void AddView(const state::ImageView& view, vk::SyncAccessIndex access, Origin origin) {
    AddRanges(*view.image, view.ranges, access, origin);
  }

  // What draws do with attachments.
  void AddAttachmentAccesses(const Attachments& attachments, AttachmentAccesses accesses) {
    for (; accesses != 0; accesses &= accesses - 1) {
      const AttachmentAccess access = AccessOfBit(static_cast<uint32_t>(std::countr_zero(accesses)));
      AddRanges(*attachments.ImageOf(access.slot), attachments.RangesOf(access.slot), access.access,
                {nullptr, access.slot, access.role, attachments.RuleFor(access.slot, access.ordering)});
    }
  }

  // Bytes some of which the command surely reads, though it is not known which: in conflict when all of them are. Only
  // then they are put into the log.
  void AddPossibleRead(const state::Buffer* buffer, VkDeviceSize offset, VkDeviceSize size, vk::SyncAccessIndex access,
                       Origin origin) {
    has_unknown_ = true;
    if (buffer == nullptr || buffer->address == 0) return;
    const VkDeviceSize length = buffer->Clamp(offset, size);
    const uint64_t begin = buffer->address + offset;
    if (length == 0) return;
    const RecordedAccess all = OfBuffer(*buffer, offset, length, access, origin, buffer->region());
    if (ConflictsEverywhere(recording_.context, {begin, begin + length}, access, buffer->region())) {
      recording_.Add(all);
    } else if (trace::CommandTrace* trace = recording_.trace()) {
      trace->AddPossibleRead(all);
    }
  }

  // The command may access more than it names; see SyncRecording::NoteUnknownAccess.
  void AddUnknown() {
    has_unknown_ = true;
    if (trace::CommandTrace* trace = recording_.trace()) trace->NoteUnknown();
  }
  bool has_unknown() const { return has_unknown_; }

 private:
  void AddSharedBytes(const state::Image& image, absl::Span<const state::ByteRange> ranges, vk::SyncAccessIndex access,
                      const Origin& origin) {
    if (!image.shares_memory() || ranges.empty()) [[likely]]
      return;
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
    return {{begin, begin + length},
            buffer.handle(),
            state::Buffer::kType,
            origin.index,
            origin.member,
            access,
            origin.role,
            origin.ordering,
            false,
            region};
  }

  SyncRecording& recording_;
  bool has_unknown_ = false;
};

enum class CheckResult : uint8_t {
  kInOrder,
  // Reported, and recorded all the same.
  kHazard,
  // Not recorded: the call is going to be skipped.
  kSkipped,
};

// Checks and records the accesses that the log has for the command that was begun last.
inline CheckResult CheckLast(SyncRecording& recording, Tag tag, messages::Report& report) {
  if (!report.skip() && recording.context.TryRecord(recording.AccessesOf(tag), tag)) [[likely]] {
    return CheckResult::kInOrder;
  }
  bool hazardous = false;
  for (const RecordedAccess& access : recording.AccessesOf(tag)) {
    Hazard hazard;
    hazardous |= recording.context.DetectHazard(access, tag, hazard);
  }
  if (hazardous) [[unlikely]] {
    hazardous = ReportAccessHazards(recording, tag, report);
  }
  if (report.skip()) [[unlikely]] {
    recording.RemoveLastCommand();
    return CheckResult::kSkipped;
  }
  for (const RecordedAccess& access : recording.AccessesOf(tag)) recording.context.Update(access, tag);
  return hazardous ? CheckResult::kHazard : CheckResult::kInOrder;
}

// collect(AccessCollector&) names the command's accesses.
template <class C, class F>
void CheckCommand(const C& call, messages::Report& report, F&& collect) {
  SyncRecording* const recording = RecordingOf(call.commandBuffer);
  if (recording == nullptr) return;
  const Tag tag = recording->Begin(C::kId);
  AccessCollector collector(*recording);
  collect(collector);
  const CheckResult result = CheckLast(*recording, tag, report);
  if (result != CheckResult::kSkipped && collector.has_unknown()) recording->NoteUnknownAccess(tag);
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_COMMANDS_CHECK_H_
