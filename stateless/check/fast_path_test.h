// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_CHECK_FAST_PATH_TEST_H_
#define ASSAY_STATELESS_CHECK_FAST_PATH_TEST_H_

#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/vulkan.h"

namespace assay::stateless {

using test::Of, test::Typed;

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

  // The call has one mistake, with that id, or none.
  template <class F>
  void Expect(std::string_view id, const F& call) {
    SCOPED_TRACE(testing::Message() << "call " << ++calls_ << ": " << id);
    const SkipCalls skip(*this);
    if constexpr (std::is_void_v<decltype(call())>) {
      call();
    } else {
      EXPECT_EQ(call(), id.empty() ? VK_SUCCESS : VK_ERROR_VALIDATION_FAILED_EXT);
    }
    ExpectAlone(id);
  }
  // The same for a call that creates an object, which is then destroyed.
  template <class Handle, class F>
  void TryCreate(std::string_view id, void(VKAPI_PTR* destroy)(VkDevice, Handle, const VkAllocationCallbacks*),
                 const F& create) {
    Expect(id, [&] {
      Handle made = VK_NULL_HANDLE;
      const VkResult result = create(&made);
      destroy(device, made, nullptr);
      return result;
    });
  }

 private:
  // How often Expect() was called.
  int calls_ = 0;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_CHECK_FAST_PATH_TEST_H_
