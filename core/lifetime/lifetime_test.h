// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LIFETIME_LIFETIME_TEST_H_
#define ASSAY_CORE_LIFETIME_LIFETIME_TEST_H_

#include "testing/fixture.h"

namespace assay::core {

// A device without validation of threads and of synchronization.
class LifetimeTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return {.settings = {{"object_lifetime", true}, {"thread_safety", false}, {"validate_sync", false}}};
  }

  // While it lives, calls with an error are not passed on to the driver.
  class SkipCalls {
   public:
    explicit SkipCalls(LifetimeTest& test) : test_(test) { test_.messages.set_callback_result(VK_TRUE); }
    ~SkipCalls() { End(); }
    void End() { test_.messages.set_callback_result(VK_FALSE); }

   private:
    LifetimeTest& test_;
  };
};

}  // namespace assay::core

#endif  // ASSAY_CORE_LIFETIME_LIFETIME_TEST_H_
