// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_THREAD_SAFETY_RACES_TEST_H_
#define ASSAY_THREAD_SAFETY_RACES_TEST_H_

#include <atomic>
#include <functional>
#include <thread>

#include "testing/fixture.h"

// Test-only: two calls that do overlap.
namespace assay::thread_safety {

class RacesTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return {.settings = {{"object_lifetime", false}, {"thread_safety", true}, {"validate_sync", false}}};
  }

  // Calls second on this thread while first, on another thread, is in the driver's C.
  template <class C>
  void During(const std::function<void()>& first, const std::function<void()>& second) {
    std::atomic<bool> entered = false, leave = false;
    std::atomic<bool> armed = true;
    driver().Observe<C>([&](const C&) {
      if (!armed.exchange(false)) return;
      entered = true;
      while (!leave) std::this_thread::yield();
    });
    std::thread thread(first);
    while (!entered) std::this_thread::yield();
    second();
    leave = true;
    thread.join();
    driver().SetObserver({});
  }
};

}  // namespace assay::thread_safety

#endif  // ASSAY_THREAD_SAFETY_RACES_TEST_H_
