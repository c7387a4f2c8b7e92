// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/sinks/callback.h"

#include <atomic>
#include <exception>

namespace assay::messages {
namespace {

// The callbacks that are running on this thread, innermost first. They are on the thread's stack.
struct RunningCallback {
  const Callback* callback;
  const RunningCallback* outer;
};
thread_local const RunningCallback* running = nullptr;

// The last exception that left an application's function on this thread. Kept alive, so that no other one has its
// identity.
thread_local std::exception_ptr thrown;

// Also undone if the application's function throws a C++ exception.
class ScopedRunning {
 public:
  explicit ScopedRunning(const Callback* callback) : entry_{callback, running} { running = &entry_; }
  ~ScopedRunning() { running = entry_.outer; }
  ScopedRunning(const ScopedRunning&) = delete;
  ScopedRunning& operator=(const ScopedRunning&) = delete;

 private:
  const RunningCallback entry_;
};

}  // namespace

bool Callback::IsRunningOnThisThread() const {
  for (const RunningCallback* entry = running; entry != nullptr; entry = entry->outer) {
    if (entry->callback == this) return true;
  }
  return false;
}

bool Callback::Call(Rendering& rendering) const {
  if (retired_.load(std::memory_order_relaxed)) return false;
  const ScopedRunning scope(this);
  try {
    return Invoke(rendering);
  } catch (const std::exception&) {
    thrown = std::current_exception();
    throw;
  }
}

bool IsFromCallback(const std::exception_ptr& exception) { return exception != nullptr && exception == thrown; }

}  // namespace assay::messages
