// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MOCK_DRIVER_PENDING_WORK_H_
#define ASSAY_TESTING_MOCK_DRIVER_PENDING_WORK_H_

#include <cstdint>
#include <mutex>
#include <vector>

namespace assay::test {

// The signals of submitted work that MockConfig::hold_work delays.
class PendingWork {
 public:
  static PendingWork& Get();

  // Sets an object's value, now or when the work completes. A handle that is 0 is ignored.
  void Signal(uint64_t handle, uint64_t value);

  // Completes everything signalled so far, in order.
  void Complete();

 private:
  struct Entry {
    uint64_t handle;
    uint64_t value;
  };

  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_MOCK_DRIVER_PENDING_WORK_H_
