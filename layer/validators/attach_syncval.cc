// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/dispatch.h"
#include "layer/validators/validator_sets.h"
#include "syncval/syncval.h"
#include "syncval/trace/trace.h"

namespace assay::layer {

void AttachSyncval(syncval::SyncValidator& syncval, dispatch::HookBuilder& builder) { builder.Attach(syncval); }

void AttachTrace(syncval::trace::Tracer& trace, dispatch::HookBuilder& builder) { builder.Attach(trace); }

}  // namespace assay::layer
