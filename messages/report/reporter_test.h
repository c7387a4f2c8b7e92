// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_REPORT_REPORTER_TEST_H_
#define ASSAY_MESSAGES_REPORT_REPORTER_TEST_H_

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "messages/message/message.h"
#include "vk/vulkan.h"

// For the tests of the reporter: callbacks of an application, messages to deliver, and what was logged.
namespace assay::messages {

inline constexpr VkDebugUtilsMessageSeverityFlagsEXT kAllSeverities =
    VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT |
    VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
inline constexpr VkDebugUtilsMessageTypeFlagsEXT kAllTypes = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                                                             VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                                                             VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;

// An application's messenger. It keeps the texts, runs `action` and returns `answer`.
struct Listener {
  std::vector<std::string> texts;
  VkBool32 answer = VK_FALSE;
  std::function<void(const VkDebugUtilsMessengerCallbackDataEXT*)> action;

  static VkBool32 VKAPI_PTR Call(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                 const VkDebugUtilsMessengerCallbackDataEXT* data, void* user_data) {
    auto& listener = *static_cast<Listener*>(user_data);
    listener.texts.push_back(data->pMessage);
    if (listener.action) listener.action(data);
    return listener.answer;
  }

  VkDebugUtilsMessengerCreateInfoEXT CreateInfo() {
    return {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
            .messageSeverity = kAllSeverities,
            .messageType = kAllTypes,
            .pfnUserCallback = Call,
            .pUserData = this};
  }
};

// An application's report callback. It keeps what it receives and returns `answer`.
struct ReportListener {
  struct Received {
    VkDebugReportFlagsEXT flags;
    VkDebugReportObjectTypeEXT type;
    uint64_t object;
    int32_t code;
    std::string prefix;
    std::string text;
  };
  std::vector<Received> received;
  VkBool32 answer = VK_FALSE;

  static VkBool32 VKAPI_PTR Call(VkDebugReportFlagsEXT flags, VkDebugReportObjectTypeEXT type, uint64_t object, size_t,
                                 int32_t code, const char* prefix, const char* text, void* user_data) {
    auto& listener = *static_cast<ReportListener*>(user_data);
    listener.received.push_back({flags, type, object, code, prefix, text});
    return listener.answer;
  }

  VkDebugReportCallbackCreateInfoEXT CreateInfo(VkDebugReportFlagsEXT flags) {
    return {.sType = VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT,
            .flags = flags,
            .pfnCallback = Call,
            .pUserData = this};
  }
};

inline VkDebugUtilsMessengerEXT Messenger(uint64_t value) { return reinterpret_cast<VkDebugUtilsMessengerEXT>(value); }
inline VkDebugReportCallbackEXT ReportCallback(uint64_t value) {
  return reinterpret_cast<VkDebugReportCallbackEXT>(value);
}

inline Message Text(std::string text, Severity severity = Severity::kError) {
  return {.severity = severity, .text = std::move(text)};
}

inline Message WithId(std::string id, std::string text = "a") { return {.id = std::move(id), .text = std::move(text)}; }

// One of several messages with a cause.
inline Message OfCause(uint64_t cause, std::string id = "ASSAY-a") {
  return {.id = std::move(id),
          .location = "vkCmdDraw()",
          .text = "a",
          .objects = {{VK_OBJECT_TYPE_BUFFER, 1}},
          .cause = cause};
}

// The text that is logged to standard output while f runs.
template <class F>
std::string Logged(F f) {
  testing::internal::CaptureStdout();
  f();
  return testing::internal::GetCapturedStdout();
}

// The contents of a file.
inline std::string Written(const std::string& path) {
  std::stringstream written;
  written << std::ifstream(path).rdbuf();
  return written.str();
}

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_REPORT_REPORTER_TEST_H_
