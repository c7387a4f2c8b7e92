// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_QUEUES_SPARSE_RESIDENCY_H_
#define ASSAY_SYNCVAL_QUEUES_SPARSE_RESIDENCY_H_

#include "state/state.h"
#include "syncval/accesses/recorded_access.h"
#include "syncval/engine/engine.h"
#include "vk/vulkan.h"

// Rules on which memory an access to a sparse resource needs. Private to the folder.
namespace assay::syncval {

// Whether an access `index` to the resource of `access` is an error where no memory is bound yet. Shaders and
// attachments may avoid the parts of a partially resident resource that are not bound, and nothing shows whether they
// do.
bool MustBeBound(const RecordedAccess& access, vk::SyncAccessIndex index);

// Whether the access can rely on the binding that is before it in the hazard. A binding writes no memory, so an
// execution dependency suffices.
bool IsBound(const RecordedAccess& access, const ReplayHazard& found);

// Whether a binding affects all of an image. An image without sparse residency must have all of its memory before any
// of it is accessed, and the place of a texel in the memory is unknown. So a binding affects all of the image, unless
// it replaces memory that was bound there.
bool BindsEntireImage(const state::SparseBinding& binding);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_QUEUES_SPARSE_RESIDENCY_H_
