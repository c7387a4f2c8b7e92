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
#include "vk/vulkan.h"

namespace assay::syncval {

// A range of mapped memory that an application flushes because the host has written it, or invalidates because the host
// is about to read it: what the setting syncval_mapped_ranges says of every such range. Only what is then certain is
// compared with what queues do:
//
// - Ranges are of whole atoms (nonCoherentAtomSize), so who touches a few bytes names all of the atom that they lie in,
//   with bytes of a neighbour. Some byte of a range's first atom and some byte of its last were touched, and all of the
//   atoms between. The only atom of a short range is both. Such an atom counts when it does not matter which byte it
//   was: when all of those in it that a resource has would race.
// - A shader uses some of what a descriptor leads to, perhaps little: the part for this frame of a buffer that is bound
//   as a whole. So what it leads to has to lie in the range.
// - Where a driver puts the texels of a linear image is not looked at: all of the image has to lie in the range. In its
//   first and last atom there is nothing of a neighbour if there is no other resource, since nobody puts two things in
//   one image. Other images are not for the host to access in memory.
class MappedRange {
 public:
  // What pMemoryRanges[index] says. atom_size is in bytes.
  MappedRange(const state::DeviceMemory& memory, const VkMappedMemoryRange& range, VkDeviceSize atom_size,
              vk::SyncAccessIndex access, uint32_t index);

  // Adds what surely races; see QueueSync::AddHostRaces.
  void AddRaces(QueueSync& queues, std::vector<SubmissionHazard>& races) const;

 private:
  // What was surely touched; may be empty. races(atom) tells of one all of whose bytes would race.
  Range CertainlyAccessed(absl::FunctionRef<bool(const Range&)> races) const;
  bool RacesEverywhere(const Range& atom, QueueSync& queues) const;
  // Visits the parts of the race where the earlier command surely did what it named, with its access there.
  using OnConflict = absl::FunctionRef<void(const RecordedAccess&, const Range&)>;
  void ForEachCertainConflict(const SubmissionHazard& race, OnConflict on_conflict) const;
  // Whether there is such a part. Cuts the race down to the first, in the words of its buffer.
  bool Accepts(SubmissionHazard& race) const;
  void AddImage(const state::BoundResource& bound);
  bool IsOnlyResourceIn(const Range& atom, uint64_t handle) const;
  RecordedAccess AccessTo(const Range& range) const;

  // Of the memory as a whole; without range.
  RecordedAccess access_;
  // In the AddressSpace. The first and the last atom are one if there is but one.
  Range all_;
  Range first_atom_;
  Range last_atom_;
  std::vector<state::BoundResource> bound_;
  // Of linear images that lie in the range as wholes.
  std::vector<RecordedAccess> images_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_QUEUES_MAPPED_RANGES_H_
