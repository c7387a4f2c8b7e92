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
  dump.Line("synchronized caches", synchronized_caches_);
  for (const CacheUse& use : cache_uses_) dump.Line("cache use", use.cache, use.thread);
  for (const PresentWait& wait : present_waits_) dump.Line("present wait", wait.swapchain, wait.thread);
}

}  // namespace assay::thread_safety

#endif  // ASSAY_THREAD_SAFETY_THREAD_SAFETY_DUMP_H_
