// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_QUEUES_MAPPED_RANGES_H_
#define ASSAY_SYNCVAL_QUEUES_MAPPED_RANGES_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "state/state.h"
#include "syncval/accesses/recorded_access.h"
#include "syncval/queues/queue_sync.h"
#include "syncval/queues/submission_hazard.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// A range of mapped memory that an application flushes or invalidates. With the setting syncval_mapped_ranges, a flush
// means that the host has written the range, and an invalidation that it is about to read it. Only accesses of the host
// that are certain then are compared with the queues:
//
// - Ranges consist of whole atoms (nonCoherentAtomSize). An application that accesses a few bytes names the whole atom,
//   with bytes of a neighbour. So the host accessed some byte of the range's first atom, some byte of its last atom,
//   and all of the atoms between. The only atom of a short range is both first and last. A first or last atom counts
//   only if each of its bytes that belongs to a resource would race.
// - A shader may access a small part of a descriptor's range: the part for this frame of a buffer that is bound as a
//   whole. So the descriptor's whole range must lie in the mapped range.
// - The place of a texel in a linear image is not computed: the whole image must lie in the range. Its first and last
//   atoms count if no other resource lies in them, since applications do not put two things in one image. The host does
//   not access images with other tilings through mapped memory.
class MappedRange {
 public:
  // `range` is pMemoryRanges[index]. atom_size is in bytes.
  MappedRange(const state::DeviceMemory& memory, const VkMappedMemoryRange& range, VkDeviceSize atom_size,
              vk::SyncAccessIndex access, uint32_t index);

  // Adds the certain races; see QueueSync::AddHostRaces.
  void AddRaces(QueueSync& queues, std::vector<SubmissionHazard>& races) const;

 private:
  // The bytes that the host certainly accessed; may be empty. races(atom) is whether all bytes of the atom would race.
  Range CertainlyAccessed(absl::FunctionRef<bool(const Range&)> races) const;
  bool RacesEverywhere(const Range& atom, QueueSync& queues) const;
  // Visits the parts of the race that the earlier command certainly accessed, with its access there.
  using OnConflict = absl::FunctionRef<void(const RecordedAccess&, const Range&)>;
  void ForEachCertainConflict(const SubmissionHazard& race, OnConflict on_conflict) const;
  // Whether there is such a part. Reduces the race to the first part, as an access to its buffer.
  bool Accepts(SubmissionHazard& race) const;
  void AddImage(const state::BoundResource& bound);
  bool IsOnlyResourceIn(const Range& atom, uint64_t handle) const;
  RecordedAccess AccessTo(const Range& range) const;

  // An access to the memory as a whole, without its range.
  RecordedAccess access_;
  // Ranges of the AddressSpace. The first and the last atom are equal if there is only one.
  Range all_;
  Range first_atom_;
  Range last_atom_;
  std::vector<state::BoundResource> bound_;
  // Accesses to the linear images that lie in the range as a whole.
  std::vector<RecordedAccess> images_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_QUEUES_MAPPED_RANGES_H_
