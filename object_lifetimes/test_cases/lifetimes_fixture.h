// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_TEST_CASES_LIFETIMES_FIXTURE_H_
#define ASSAY_OBJECT_LIFETIMES_TEST_CASES_LIFETIMES_FIXTURE_H_

#include <cstdlib>

#include "testing/fixture.h"

namespace assay::object_lifetimes {

// A device with object lifetimes as the only validation.
class LifetimesTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return {.settings = {{"object_lifetime", true}, {"thread_safety", false}, {"validate_sync", false}}};
  }

  // Allocation callbacks that the driver never calls.
  static VkAllocationCallbacks Callbacks() {
    return {.pfnAllocation = [](void*, size_t size, size_t, VkSystemAllocationScope) { return std::malloc(size); },
            .pfnReallocation = [](void*, void* old, size_t size, size_t,
                                  VkSystemAllocationScope) { return std::realloc(old, size); },
            .pfnFree = [](void*, void* memory) { std::free(memory); }};
  }
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_TEST_CASES_LIFETIMES_FIXTURE_H_
