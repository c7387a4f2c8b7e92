// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/queues/resolve_late_accesses.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "state/state.h"
#include "syncval/recording/heuristics.h"
#include "vk/sync/sync_info.h"

namespace assay::syncval {
namespace {

using state::DeviceState;

// Finds the descriptors of late accesses.
class DescriptorFinder {
 public:
  explicit DescriptorFinder(std::vector<LateDescriptor>& found) : found_(found) {}

  // `number` is that of the access.
  void Find(const LateAccess& access, uint32_t number) {
    const state::Ref<state::DescriptorSet> set = DeviceState::GetRef<state::DescriptorSet>(access.set);
    if (!set) return;
    const state::DescriptorSetLayout::Binding* binding = set->contents.layout().Find(access.binding);
    if (binding == nullptr) return;
    const bool is_one = access.element < LateAccess::kEveryElement;
    const uint32_t begin = is_one ? access.element : 0;
    const uint32_t end = is_one ? access.element + 1 : binding->count;
    for (uint32_t element = begin; element < end; ++element) {
      access_ = &access;
      next_ = {.late_access = number, .element = element, .access = {}};
      const size_t before = found_.size();
      Add(set->contents.Read(*binding, element));
      if (found_.size() == before) found_.push_back(next_);
    }
  }

 private:
  void Add(const state::Descriptor& descriptor) {
    switch (descriptor.kind) {
      case state::Descriptor::Kind::kBuffer:
        if (const auto buffer = DeviceState::GetRef<state::Buffer>(descriptor.resource))
          AddBuffer(*buffer, descriptor.offset, std::min(descriptor.range, access_->block_size));
        return;
      case state::Descriptor::Kind::kTexelBuffer:
        if (const auto view = DeviceState::GetRef<state::BufferView>(descriptor.resource))
          AddBuffer(*view->buffer, view->offset, view->range);
        return;
      case state::Descriptor::Kind::kImage:
        if (const auto view = DeviceState::GetRef<state::ImageView>(descriptor.resource)) AddView(*view);
        return;
      case state::Descriptor::Kind::kAccelerationStructure:
        // The size of a structure of VK_NV_ray_tracing is unknown.
        if (descriptor.type != VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR) return;
        if (const auto structure = DeviceState::GetRef<state::AccelerationStructure>(descriptor.resource);
            structure && structure->buffer) {
          AddBuffer(*structure->buffer, structure->offset, structure->size);
        }
        return;
      default:
        return;
    }
  }

  // A buffer that shares its memory is left out: what else is there may not be compared.
  void AddBuffer(const state::Buffer& buffer, VkDeviceSize offset, VkDeviceSize size) {
    if (buffer.address == 0 || buffer.sharing() != 0) return;
    const VkDeviceSize length = buffer.Clamp(offset, size);
    const uint64_t begin = buffer.address + offset;
    if (length != 0) AddRange({begin, begin + length}, buffer, state::Buffer::kType, buffer.address);
  }
  // Of an image that shares its memory, the image itself counts alone.
  void AddView(const state::ImageView& view) {
    for (const state::ByteRange& range : view.ranges)
      AddRange({range.begin, range.end}, *view.image, state::Image::kType, view.image->address);
  }
  void AddRange(const Range& range, const state::Object& resource, VkObjectType type, uint64_t region) {
    next_.access = {.range = range,
                    .resource = resource.handle(),
                    .resource_type = type,
                    .index = access_->index,
                    .access = access_->access,
                    .role = Role::kDescriptor,
                    .ordering = access_->ordering,
                    .region = region};
    found_.push_back(next_);
  }

  std::vector<LateDescriptor>& found_;
  const LateAccess* access_ = nullptr;
  LateDescriptor next_;
};

// Records the commands of a recording with its late accesses.
class LateRecorder {
 public:
  LateRecorder(const SyncRecording& recording, LateResolution& resolution)
      : recording_(recording), resolution_(resolution), context_(resolution.context) {}

  void Run() {
    const OperationLog& log = recording_.operations();
    for (const OperationLog::Operation& operation : log.operations()) {
      RecordUpTo(operation.position);
      switch (operation.kind) {
        case OperationLog::Kind::kBarriers:
          if (!resolution_.accesses.empty()) CheckTransitions(operation.tag, log.RangesOf(operation));
          break;
        case OperationLog::Kind::kBeginInstance:
          instance_begin_ = operation.position;
          break;
        case OperationLog::Kind::kLeaveOut:
          next_ = std::max(next_, operation.tag);
          while (!descriptors_.empty() && TagOf(descriptors_.front()) < next_) descriptors_.remove_prefix(1);
          break;
        default:
          break;
      }
      log.Apply(operation, context_);
    }
    RecordUpTo(recording_.NextTag());
  }

 private:
  const LateAccess& LateAccessOf(const LateDescriptor& descriptor) const {
    return recording_.late_accesses()[descriptor.late_access];
  }
  Tag TagOf(const LateDescriptor& descriptor) const { return LateAccessOf(descriptor).tag; }

  // Records the accesses of the commands before a tag that are not recorded yet.
  void RecordUpTo(Tag end) {
    for (; next_ < end; ++next_.value) RecordCommand();
  }

  // All accesses of the command are compared before any is recorded.
  void RecordCommand() {
    const size_t first = resolution_.accesses.size();
    while (!descriptors_.empty() && TagOf(descriptors_.front()) == next_) AddNextAccess();
    const auto logged = recording_.AccessesOf(next_);
    for (size_t i = first; i < resolution_.accesses.size(); ++i) Check(resolution_.accesses[i].access, true);
    if (first != 0) {
      for (const RecordedAccess& access : logged) {
        if (IsAccessOfCommand(access)) Check(access, false);
      }
    }
    for (const RecordedAccess& access : logged) {
      if (IsAccessOfCommand(access)) context_.Update(access, next_);
    }
    for (size_t i = first; i < resolution_.accesses.size(); ++i) context_.Update(resolution_.accesses[i].access, next_);
  }

  // Layout transitions are done by their barriers.
  static bool IsAccessOfCommand(const RecordedAccess& access) {
    return access.access != vk::kSyncImageLayoutTransition;
  }

  // Adds the next late access of the command to the accesses, with all its descriptors.
  void AddNextAccess() {
    const uint32_t number = descriptors_.front().late_access;
    size_t count = 0;
    while (count < descriptors_.size() && descriptors_[count].late_access == number) ++count;
    const absl::Span<const LateDescriptor> all = descriptors_.first(count);
    descriptors_.remove_prefix(count);
    if (recording_.late_accesses()[number].element == LateAccess::kAnyElement) return CheckAnyElement(all);
    for (const LateDescriptor& descriptor : all) {
      if (descriptor.access.access != vk::kSyncNone) resolution_.accesses.push_back({next_, descriptor.access});
    }
  }

  // The shader accesses some element: it is certain that it conflicts if it does whatever the element. Which one it
  // accesses stays unknown, so that none is recorded.
  void CheckAnyElement(absl::Span<const LateDescriptor> all) {
    const LateDescriptor* conflicting = nullptr;
    for (absl::Span<const LateDescriptor> rest = all; !rest.empty();) {
      const uint32_t element = rest.front().element;
      bool conflicts = false;
      for (; !rest.empty() && rest.front().element == element; rest.remove_prefix(1)) {
        if (conflicts || !IsHazard(rest.front().access)) continue;
        conflicts = true;
        if (conflicting == nullptr) conflicting = &rest.front();
      }
      if (!conflicts) return;
    }
    if (conflicting != nullptr) Check(conflicting->access, true);
  }
  bool IsHazard(const RecordedAccess& access) {
    Hazard hazard;
    return access.access != vk::kSyncNone && context_.DetectHazard(access, next_, hazard) &&
           !MayBeInOrder(hazard, access);
  }

  void Check(const RecordedAccess& access, bool is_late) {
    Hazard hazard;
    if (!context_.DetectHazard(access, next_, hazard)) return;
    if (MayBeInOrder(hazard, access) || !IsOfLateAccess(hazard, next_, access.access, is_late)) return;
    DeferredHazard found{.access = access, .tag = next_, .hazard = hazard};
    found.access.range = hazard.range;
    const Access conflicting = found.access;
    Add(std::move(found), [&] { return context_.SuggestBarrier({&conflicting, 1}, next_); });
  }

  // The layout transitions of a pipeline barrier with this tag.
  void CheckTransitions(Tag tag, absl::Span<const RangeBarrier> ranges) {
    for (const RangeBarrier& range : ranges) {
      Hazard hazard;
      if (!range.layout_transition) continue;
      context_.DetectLayoutTransition(range.range, *range.barrier, hazard, range.region);
      if (!hazard || hazard.is_prior_possible ||
          !IsOfLateAccess(hazard, tag, vk::kSyncImageLayoutTransition, /*is_late=*/false)) {
        continue;
      }
      const RecordedAccess* const logged = recording_.FindAccess(tag, vk::kSyncImageLayoutTransition, hazard.range);
      if (logged == nullptr || logged->is_queue_family_acquire) continue;
      DeferredHazard found{.access = *logged, .tag = tag, .hazard = hazard};
      found.access.range = hazard.range;
      Add(std::move(found), [&] {
        return context_.SuggestForLayoutTransition({&range.range, 1}, range.barrier->flags, recording_.queue_flags());
      });
    }
  }

  // Whether a late access takes part in the hazard of the access. All other hazards were found while recording, among
  // them those of a command that accesses the same range by another descriptor too.
  bool IsOfLateAccess(const Hazard& hazard, Tag tag, vk::SyncAccessIndex access, bool is_late) const {
    const bool is_prior_logged =
        recording_.FindLoggedAccess(hazard.prior_tag, hazard.prior_access, hazard.range) != nullptr;
    const bool is_prior_late =
        resolution_.Find(hazard.prior_tag, hazard.prior_access, hazard.range) != nullptr && !is_prior_logged;
    return is_prior_late ||
           (is_late && is_prior_logged && recording_.FindLoggedAccess(tag, access, hazard.range) == nullptr);
  }

  // As syncval::MayBeInOrder, of commands that were recorded earlier: what has not been kept counts as in order.
  bool MayBeInOrder(const Hazard& hazard, const RecordedAccess& access) const {
    if (hazard.is_prior_possible || access.is_possible_read()) return true;
    if (UnknownReadMayOrder(hazard, access.access) && recording_.HasUnknownAccessSince(hazard.prior_tag)) return true;
    return recording_.CommandAt(next_).is_in_instance && hazard.prior_tag >= instance_begin_ &&
           MayShareInstance(hazard.prior_access, access.access);
  }

  template <class F>
  void Add(DeferredHazard found, F&& suggest) {
    const bool is_known = std::ranges::any_of(resolution_.hazards, [&](const DeferredHazard& known) {
      return known.access.resource == found.access.resource && known.hazard.prior_tag == found.hazard.prior_tag;
    });
    if (is_known) return;
    found.fix = suggest();
    resolution_.hazards.push_back(std::move(found));
  }

  const SyncRecording& recording_;
  LateResolution& resolution_;
  AccessContext& context_;
  // Those that are not recorded yet.
  absl::Span<const LateDescriptor> descriptors_ = resolution_.descriptors;
  // The command that is recorded next.
  Tag next_{0};
  // Where the last render pass instance begins; that of an earlier command buffer goes on at first.
  Tag instance_begin_{0};
};

}  // namespace

AccessContext& ResolveLateAccesses(SyncRecording& recording) {
  if (recording.late_accesses().empty()) return recording.context;
  std::vector<LateDescriptor> descriptors;
  DescriptorFinder finder(descriptors);
  for (uint32_t i = 0; i < recording.late_accesses().size(); ++i) finder.Find(recording.late_accesses()[i], i);
  LateResolution& resolution = recording.GetLateResolution();
  if (!resolution.is_made || descriptors != resolution.descriptors) {
    resolution.Clear();
    resolution.is_made = true;
    resolution.descriptors = std::move(descriptors);
    LateRecorder(recording, resolution).Run();
  }
  return resolution.accesses.empty() ? recording.context : resolution.context;
}

}  // namespace assay::syncval
