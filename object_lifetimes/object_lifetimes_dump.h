// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_OBJECT_LIFETIMES_DUMP_H_
#define ASSAY_OBJECT_LIFETIMES_OBJECT_LIFETIMES_DUMP_H_

#include "absl/synchronization/mutex.h"
#include "dispatch/testing/recording_dump.h"
#include "object_lifetimes/handles/origins.h"
#include "object_lifetimes/object_lifetimes.h"
#include "testing/dump/dump.h"

// For tests: what object_lifetimes knows, as text. DumpObject() is for what it knows of one object, by its slot;
// ObjectLifetimes::DumpTo() for the rest.
namespace assay::object_lifetimes {

inline void DumpObject(const dispatch::Slot& slot, test::Dump& dump) {
  const uint64_t surface = Origins::OfSwapchains().Of(slot.application_handle);
  const uint64_t session = Origins::OfVideoSessionParameters().Of(slot.application_handle);
  if (surface != 0 || session != 0) dump.Line("origin", slot.index, surface, session);
  if (slot.recording == nullptr) return;
  const auto& data = static_cast<const dispatch::CommandBufferData&>(*slot.recording);
  dump.Line("recording", slot.index, data.open(), &*data.recording());
  data.recording()->DumpTo(dump);
}

template <class Dump>
void ObjectLifetimes::DumpTo(Dump& dump) {
  absl::MutexLock lock(&uncertain_mutex_);
  for (const uint64_t shader : uncertain_shaders_) dump.Line("uncertain shader", shader);
}

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_OBJECT_LIFETIMES_DUMP_H_
