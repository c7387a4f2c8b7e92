// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_FIXTURE_H_
#define ASSAY_TESTING_FIXTURE_H_

#include <cstddef>
#include <functional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "testing/in_process_loader.h"
#include "testing/message_log.h"
#include "testing/mock_driver/mock_driver.h"
#include "testing/test_device.h"
#include "vk/commands.h"
#include "vk/struct_traits.h"
#include "vk/vulkan.h"

namespace assay::test {

// A device over the mock driver, under the layer that the test is linked with. A test calls commands through vk and
// expects the messages that the layer must report:
//
//   class NegativeCopy : public test::ValidationTest {};
//
//   TEST_F(NegativeCopy, SourceRangePastEnd) {
//     Buffer source = MakeBuffer(1024), destination = MakeBuffer(4096);
//     VkBufferCopy region = {0, 0, 4096};
//     Record([&](VkCommandBuffer commands) {
//       vk.CmdCopyBuffer(commands, source, destination, 1, &region);
//       ExpectMessage("VUID-vkCmdCopyBuffer-size-00115");
//     });
//   }
//
// An unexpected warning or error fails the test, at the latest at its end, after all objects are destroyed. So does a
// handle that reaches the driver and is not the driver's.
class ValidationTest : public ::testing::Test, public TestDevice {
 public:
  ValidationTest();
  ~ValidationTest() override;

 protected:
  // Makes instance and device with Options(). Override it for a test without a device.
  void SetUp() override { Create(Options()); }
  void TearDown() override;
  virtual DeviceOptions Options() { return {}; }

  // Options of a device with one of the validators.
  static DeviceOptions OnlyValidator(std::string_view setting) {
    DeviceOptions options;
    for (const char* each : {"stateless_param", "thread_safety", "object_lifetime", "validate_core", "validate_sync"})
      options.settings.emplace_back(each, each == setting);
    return options;
  }

  static MockDriver& driver() { return MockDriver::Get(); }
  // Changes one structure of the driver's properties, too:
  //
  //   ChangeProperties<VkPhysicalDeviceMultiviewProperties>([](auto& limits) { limits.maxMultiviewViewCount = 6; });
  template <class Properties, class F>
  static void ChangeProperties(const F& adjust) {
    driver().config().adjust_properties =
        [adjust, before = driver().config().adjust_properties](VkBaseOutStructure* properties) {
          if (before) before(properties);
          if (properties->sType == vk::kStructureTypeOf<Properties>) adjust(*reinterpret_cast<Properties*>(properties));
        };
  }

  // While it lives, calls with an error are not passed on to the driver.
  class SkipCalls {
   public:
    explicit SkipCalls(ValidationTest& test) : log_(test.messages) { log_.set_callback_result(VK_TRUE); }
    ~SkipCalls() { End(); }
    SkipCalls(const SkipCalls&) = delete;
    SkipCalls& operator=(const SkipCalls&) = delete;
    void End() { log_.set_callback_result(VK_FALSE); }

   private:
    MessageLog& log_;
  };

  // Takes and returns the oldest message that has not been taken. It must have that id.
  Message ExpectMessage(std::string_view id, std::source_location where = std::source_location::current()) {
    return messages.Expect(id, where);
  }
  // The same for several messages, in any order. There must be no others.
  std::vector<Message> ExpectMessages(std::vector<std::string> ids,
                                      std::source_location where = std::source_location::current()) {
    return messages.ExpectAll(std::move(ids), where);
  }
  // There must be no message but one of that id, or none at all if it is empty.
  void ExpectAlone(std::string_view id, std::source_location where = std::source_location::current()) {
    if (!id.empty()) ExpectMessage(id, where);
    ExpectNothing(where);
  }
  // The same of "VUID-OWNER-RULE"; none at all for an empty rule.
  void ExpectAlone(std::string_view owner, std::string_view rule,
                   std::source_location where = std::source_location::current()) {
    ExpectAlone(rule.empty() ? "" : "VUID-" + std::string(owner) + "-" + std::string(rule), where);
  }
  // Expects that all messages have been taken.
  void ExpectNothing(std::source_location where = std::source_location::current()) { messages.ExpectNothing(where); }
  // Calls f(), which uses what a program uses again and again, `times` times and as often again. The second time leaves
  // fewer than `bytes` a call more allocated. The first fills what a process keeps, like the queue of free slots.
  static void ExpectNoGrowth(int times, size_t bytes, const std::function<void()>& f);

  MessageLog messages;
};

// The layer under test. It is linked from //testing:fixture or //testing:fixture_without_layer.
const InProcessLoader& LoaderUnderTest();

}  // namespace assay::test

#endif  // ASSAY_TESTING_FIXTURE_H_
