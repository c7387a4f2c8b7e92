// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_THREAD_SAFETY_THREAD_SAFETY_DUMP_H_
#define ASSAY_THREAD_SAFETY_THREAD_SAFETY_DUMP_H_

#include "absl/synchronization/mutex.h"
#include "thread_safety/thread_safety.h"

namespace assay::thread_safety {

template <class Dump>
void ThreadSafety::DumpTo(Dump& dump) {
  absl::MutexLock lock(&mutex_);
  dump.Line("queues", queues_);
  for (const PresentWait& wait : present_waits_) dump.Line("present wait", wait.swapchain, wait.thread);
}

}  // namespace assay::thread_safety

#endif  // ASSAY_THREAD_SAFETY_THREAD_SAFETY_DUMP_H_
