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
};

}  // namespace assay::core

#endif  // ASSAY_CORE_LIFETIME_LIFETIME_TEST_H_
