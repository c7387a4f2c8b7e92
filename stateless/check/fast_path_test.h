// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_CHECK_FAST_PATH_TEST_H_
#define ASSAY_STATELESS_CHECK_FAST_PATH_TEST_H_

#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/vulkan.h"

namespace assay::stateless {

// A device with little else than the validation of parameters.
class FastPathTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return OptionsWith({}); }
  static test::DeviceOptions OptionsWith(std::vector<const char*> extensions, void* features = nullptr,
                                         uint32_t api_version = VK_API_VERSION_1_4) {
    return {.api_version = api_version,
            .device_extensions = std::move(extensions),
            .settings = {{"validate_core", false}, {"validate_sync", false}},
            .features = features};
  }

  // The call has one mistake.
  template <class F>
  void ExpectMistake(std::string_view id, const F& call) {
    SkipCalls skip(*this);
    EXPECT_EQ(call(), VK_ERROR_VALIDATION_FAILED_EXT);
    ExpectAlone(id);
  }
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_CHECK_FAST_PATH_TEST_H_
