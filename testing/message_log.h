// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MESSAGE_LOG_H_
#define ASSAY_TESTING_MESSAGE_LOG_H_

#include <cstdint>
#include <mutex>
#include <set>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "vk/vulkan.h"

namespace assay::test {

// A message that a debug-utils messenger received.
struct Message {
  VkDebugUtilsMessageSeverityFlagBitsEXT severity = {};
  VkDebugUtilsMessageTypeFlagsEXT types = 0;
  // pMessageIdName, e.g. "VUID-vkCmdCopyBuffer-size-00115" or "SYNC-HAZARD-READ-AFTER-WRITE".
  std::string id;
  int32_t id_number = 0;
  std::string text;
  struct NamedObject {
    VkObjectType type;
    uint64_t handle;
    std::string name;
  };
  std::vector<NamedObject> objects;
  std::vector<std::string> command_buffer_labels;
  std::vector<std::string> queue_labels;
};

// The messages of a test, in order. A test takes each message that it expects. At its end there must be none left.
class MessageLog {
 public:
  // For vkCreateDebugUtilsMessengerEXT and VkInstanceCreateInfo's chain. The log must outlive the messenger.
  VkDebugUtilsMessengerCreateInfoEXT CreateInfo();

  // Takes the oldest message and returns it; fails the test unless it has that id.
  Message Expect(std::string_view id, std::source_location where = std::source_location::current());
  // Takes all messages; fails the test unless they are of these ids, in any order.
  std::vector<Message> ExpectAll(std::vector<std::string> ids,
                                 std::source_location where = std::source_location::current());
  // Takes all messages; fails the test unless one of them has that id.
  std::vector<Message> ExpectAmong(std::string_view id, std::source_location where = std::source_location::current());
  // Fails the test with each message that has not been taken, and takes them.
  void ExpectNothing(std::source_location where = std::source_location::current());
  // Takes all messages.
  std::vector<Message> Take();

  // The ids that Expect(), ExpectAll() and ExpectAmong() have found in this process, in any log.
  static std::set<std::string> DeliveredIds();

  // What the callback returns to the layer from now on: VK_TRUE asks it to skip the call. VK_FALSE at first.
  void set_callback_result(VkBool32 answer) { callback_result_ = answer; }

 private:
  static VKAPI_ATTR VkBool32 VKAPI_CALL Callback(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT* data, void* log);

  std::mutex mutex_;
  std::vector<Message> messages_;
  VkBool32 callback_result_ = VK_FALSE;
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_MESSAGE_LOG_H_
