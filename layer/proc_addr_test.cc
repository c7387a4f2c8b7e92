// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A validator that is off costs nothing. Without validators the layer does not intercept a command that reaches no
// handle.

#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "testing/mock_driver/mock_driver.h"

namespace assay::layer {
namespace {

class EverythingOffTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options;
    options.settings = {{"object_lifetime", false},
                        {"stateless_param", false},
                        {"thread_safety", false},
                        {"validate_core", false},
                        {"validate_sync", false}};
    return options;
  }

  static PFN_vkVoidFunction DriverFunction(const char* name) {
    static const test::InProcessLoader driver(nullptr);
    return driver.InstanceFunction(VK_NULL_HANDLE, name);
  }
};

TEST_F(EverythingOffTest, ReturnsTheDriversFunctions) {
  for (const char* name :
       {"vkCmdDraw", "vkCmdDrawIndexed", "vkCmdDispatch", "vkCmdSetViewport", "vkEndCommandBuffer"}) {
    EXPECT_EQ(test::LoaderUnderTest().DeviceFunction(device, name), DriverFunction(name)) << name;
  }
  EXPECT_NE(test::LoaderUnderTest().DeviceFunction(device, "vkCmdCopyBuffer"), DriverFunction("vkCmdCopyBuffer"));
}

class SynchronizationOnTest : public test::ValidationTest {};

TEST_F(SynchronizationOnTest, InterceptsThem) {
  EXPECT_NE(test::LoaderUnderTest().DeviceFunction(device, "vkCmdDraw"),
            test::InProcessLoader(nullptr).InstanceFunction(VK_NULL_HANDLE, "vkCmdDraw"));
}

}  // namespace
}  // namespace assay::layer
