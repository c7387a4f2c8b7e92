// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MESSAGES_COLLECTED_MESSAGES_H_
#define ASSAY_TESTING_MESSAGES_COLLECTED_MESSAGES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "messages/messages.h"
#include "vk/vulkan.h"

namespace assay::test {

// The validation errors of a reporter, for tests of checks without a driver. The reporter must deliver none after this
// object is gone.
class CollectedMessages {
 public:
  explicit CollectedMessages(messages::Reporter& reporter) {
    reporter.AddMessenger(reinterpret_cast<VkDebugUtilsMessengerEXT>(uint64_t{1}),
                          {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
                           .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                           .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                           .pfnUserCallback = &Collect,
                           .pUserData = this});
  }
  CollectedMessages(const CollectedMessages&) = delete;
  CollectedMessages& operator=(const CollectedMessages&) = delete;

  std::vector<std::string> Ids() const {
    std::vector<std::string> ids;
    ids.reserve(all.size());
    for (const messages::Message& message : all) ids.push_back(message.id);
    return ids;
  }

  // With their ids, and with the whole text that a messenger receives.
  std::vector<messages::Message> all;

 private:
  static VKAPI_ATTR VkBool32 VKAPI_CALL Collect(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                                const VkDebugUtilsMessengerCallbackDataEXT* data, void* collected) {
    static_cast<CollectedMessages*>(collected)->all.push_back({.id = data->pMessageIdName, .text = data->pMessage});
    return VK_FALSE;
  }
};

// A report of a command, and what is reported through it.
struct CollectedReport {
  explicit CollectedReport(vk::CommandId command) : report(reporter, command) {}

  messages::Reporter reporter;
  CollectedMessages received{reporter};
  messages::Report report;
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_MESSAGES_COLLECTED_MESSAGES_H_
