// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_ACCESS_CONTEXT_BODIES_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_ACCESS_CONTEXT_BODIES_H_

// The bodies of BasicAccessContext, one header for each thing that it does. access_context.cc instantiates them, and so
// do tests that plant a defect (mutation.h).
#include "syncval/engine/contexts/complete_accesses.h"
#include "syncval/engine/contexts/record_accesses.h"
#include "syncval/engine/contexts/record_barriers.h"
#include "syncval/engine/contexts/record_events.h"
#include "syncval/engine/contexts/replay_recording.h"
#include "syncval/engine/contexts/resolve_recording.h"
#include "syncval/engine/contexts/suggest_for_context.h"
#include "syncval/engine/contexts/synchronize_queues.h"
#include "syncval/engine/contexts/track_empty_scope_transitions.h"
#include "syncval/engine/contexts/undo_changes.h"

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_ACCESS_CONTEXT_BODIES_H_
