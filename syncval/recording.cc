// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/recording.h"

namespace assay::syncval {

absl::Span<const RecordedAccess> SyncRecording::AccessesOf(Tag tag) const {
  const size_t begin = commands_[tag.value].first_access;
  const size_t end = tag.value + 1 < commands_.size() ? commands_[tag.value + 1].first_access : accesses_.size();
  return absl::MakeSpan(accesses_).subspan(begin, end - begin);
}

}  // namespace assay::syncval
