// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/mock_driver/pending_work.h"

#include <utility>

#include "testing/mock_driver/mock_driver.h"
#include "testing/mock_driver/objects.h"

namespace assay::test {
namespace {

// The application may have destroyed the object while the work was pending. The layer reports that.
void SetValue(uint64_t handle, uint64_t value) {
  if (Object* object = ObjectTable::Get().Find(handle)) object->value.store(value, std::memory_order_relaxed);
}

}  // namespace

PendingWork& PendingWork::Get() {
  static auto* work = new PendingWork;
  return *work;
}

void PendingWork::Signal(uint64_t handle, uint64_t value) {
  if (handle == 0) return;
  if (!MockDriver::Get().config().hold_work) return SetValue(handle, value);
  std::lock_guard lock(mutex_);
  entries_.push_back({handle, value});
}

void PendingWork::Complete() {
  std::lock_guard lock(mutex_);
  for (const Entry& entry : std::exchange(entries_, {})) SetValue(entry.handle, entry.value);
}

}  // namespace assay::test
