// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/queues/mapped_ranges.h"

#include <algorithm>
#include <utility>

#include "syncval/recording/recording.h"

namespace assay::syncval {
namespace {

Range Intersection(const Range& a, const Range& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }
bool Contains(const Range& a, const Range& b) { return a.begin <= b.begin && b.end <= a.end; }
Range ToRange(const state::ByteRange& bytes) { return {bytes.begin, bytes.end}; }

// Whether the parts have every byte of the range.
bool Cover(std::vector<Range> parts, const Range& range) {
  std::ranges::sort(parts, {}, &Range::begin);
  uint64_t end = range.begin;
  for (const Range& part : parts) {
    if (part.begin > end) return false;
    end = std::max(end, part.end);
  }
  return end >= range.end;
}

}  // namespace

// The host cannot have accessed memory that is not mapped. VK_WHOLE_SIZE reaches to the end of the mapped range.
MappedRange::MappedRange(const state::DeviceMemory& memory, const VkMappedMemoryRange& range, VkDeviceSize atom_size,
                         vk::SyncAccessIndex access, uint32_t index)
    : access_{.resource = memory.handle(),
              .resource_type = state::DeviceMemory::kType,
              .index = index,
              .member = "pMemoryRanges",
              .access = access} {
  const Range bytes = Intersection(ToRange(memory.Clamp(range.offset, range.size)), ToRange(memory.mapped));
  if (bytes.begin >= bytes.end) return;
  atom_size = std::max<VkDeviceSize>(atom_size, 1);
  const auto atom_of = [&](uint64_t byte) {
    const uint64_t begin = byte / atom_size * atom_size;
    const Range atom = Intersection({begin, begin + atom_size}, bytes);
    return Range{memory.address + atom.begin, memory.address + atom.end};
  };
  all_ = {memory.address + bytes.begin, memory.address + bytes.end};
  first_atom_ = atom_of(bytes.begin);
  last_atom_ = atom_of(bytes.end - 1);
  bound_ = memory.FindBound({all_.begin, all_.end});
  for (const state::BoundResource& bound : bound_) {
    if (bound.type == state::Image::kType) AddImage(bound);
  }
}

void MappedRange::AddImage(const state::BoundResource& bound) {
  const auto* image = state::DeviceState::Get<state::Image>(bound.handle);
  const Range bytes = ToRange(bound.bytes);
  if (image == nullptr || !image->is_linear() || image->encoder.size() == 0 || !Contains(all_, bytes)) return;
  if ((image->create_info.flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0) return;
  // It is already compared as bytes of the memory.
  if (const state::ByteRange shared = image->SharedBytes(); shared.begin != shared.end) return;
  for (const Range& atom : {first_atom_, last_atom_}) {
    if (bytes.Intersects(atom) && !IsOnlyResourceIn(atom, bound.handle)) return;
  }
  RecordedAccess access = AccessTo({image->address, image->address + image->encoder.size()});
  access.resource = image->handle();
  access.resource_type = state::Image::kType;
  access.region = image->address;
  images_.push_back(access);
}

bool MappedRange::IsOnlyResourceIn(const Range& atom, uint64_t handle) const {
  return std::ranges::none_of(bound_, [&](const state::BoundResource& bound) {
    return bound.handle != handle && ToRange(bound.bytes).Intersects(atom);
  });
}

RecordedAccess MappedRange::AccessTo(const Range& range) const {
  RecordedAccess access = access_;
  access.range = range;
  return access;
}

Range MappedRange::CertainlyAccessed(absl::FunctionRef<bool(const Range&)> races) const {
  if (first_atom_ == last_atom_) return races(all_) ? all_ : Range{};
  return {races(first_atom_) ? first_atom_.begin : first_atom_.end,
          races(last_atom_) ? last_atom_.end : last_atom_.begin};
}

void MappedRange::ForEachCertainConflict(const SubmissionHazard& race, OnConflict on_conflict) const {
  const SyncRecording* const recording = race.prior->Recording();
  if (recording == nullptr || race.prior_tag.value >= recording->command_count()) return;
  for (const RecordedAccess& prior : recording->AccessesOf(race.prior_tag)) {
    if (prior.access != race.hazard.prior_access || !prior.range.Intersects(race.access.range)) continue;
    if (prior.role == Role::kDescriptor && !Contains(all_, prior.range)) continue;
    // A marker of VK_AMD_buffer_marker: the host looks at it to see how far the queue has come.
    if (prior.role == Role::kParameter && prior.ordering == OrderingRule::kAtomic) continue;
    on_conflict(prior, Intersection(prior.range, race.access.range));
  }
}

bool MappedRange::Accepts(SubmissionHazard& race) const {
  const RecordedAccess* first = nullptr;
  Range part;
  ForEachCertainConflict(race, [&](const RecordedAccess& prior, const Range& range) {
    if (first != nullptr) return;
    first = &prior;
    part = range;
  });
  if (first == nullptr) return false;
  race.access.range = race.hazard.range = part;
  if (first->resource_type == state::Buffer::kType) {
    race.access.resource = first->resource;
    race.access.resource_type = state::Buffer::kType;
  }
  return true;
}

bool MappedRange::RacesEverywhere(const Range& atom, QueueSync& queues) const {
  return std::ranges::all_of(bound_, [&](const state::BoundResource& bound) {
    const Range part = Intersection(ToRange(bound.bytes), atom);
    if (part.begin >= part.end) return true;
    std::vector<Range> conflicts;
    std::vector<SubmissionHazard> none;
    queues.AddHostRaces(AccessTo(part), none, [&](const SubmissionHazard& race) {
      ForEachCertainConflict(race, [&](const RecordedAccess&, const Range& range) { conflicts.push_back(range); });
      return false;
    });
    return Cover(std::move(conflicts), part);
  });
}

void MappedRange::AddRaces(QueueSync& queues, std::vector<SubmissionHazard>& races) const {
  const Range accessed = CertainlyAccessed([&](const Range& atom) { return RacesEverywhere(atom, queues); });
  if (accessed.begin < accessed.end)
    queues.AddHostRaces(AccessTo(accessed), races, [&](SubmissionHazard& race) { return Accepts(race); });
  for (const RecordedAccess& image : images_) queues.AddHostRaces(image, races);
}

}  // namespace assay::syncval
