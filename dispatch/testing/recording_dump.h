// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TESTING_RECORDING_DUMP_H_
#define ASSAY_DISPATCH_TESTING_RECORDING_DUMP_H_

#include "dispatch/dispatch.h"
#include "testing/dump/dump.h"

// For tests: the recording of a command buffer, as text.
namespace assay::dispatch {

inline void AppendTo(test::Dump& dump, const ObjectId& object) { dump.Values(object.type, object.slot, object.handle); }

template <class Dump>
void Recording::DumpTo(Dump& dump) const {
  for (const RecordedObject& object : objects_) dump.Line("recorded object", this, object.id, object.command);
  for (const Secondary& secondary : secondaries_)
    dump.Line("recorded secondary", this, secondary.command_buffer, &*secondary.recording);
  for (const VisibleChange& change : changes_)
    dump.Line("recorded change", this, change.kind, change.first, change.count, change.handle);
}

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TESTING_RECORDING_DUMP_H_
