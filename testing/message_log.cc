// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/message_log.h"

#include <algorithm>
#include <utility>

#include "gtest/gtest.h"
#include "testing/features/free_combinations.h"

namespace assay::test {
namespace {

std::string Text(const char* text) { return text != nullptr ? text : ""; }

std::vector<std::string> LabelNames(const VkDebugUtilsLabelEXT* labels, uint32_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (uint32_t i = 0; i < count; ++i) names.push_back(Text(labels[i].pLabelName));
  return names;
}

std::vector<std::string> SortedIds(const std::vector<Message>& messages) {
  std::vector<std::string> ids;
  ids.reserve(messages.size());
  for (const Message& message : messages) ids.push_back(message.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::string Describe(const std::vector<Message>& messages) {
  std::string text;
  for (const Message& message : messages) text += message.id + ": " + message.text + "\n";
  return text.empty() ? "no message" : text;
}

class SharedIds {
 public:
  static SharedIds& Get() {
    static auto* const shared = new SharedIds;
    return *shared;
  }

  void Add(const std::string& id) {
    std::lock_guard lock(mutex_);
    ids_.insert(id);
  }
  std::set<std::string> Copy() {
    std::lock_guard lock(mutex_);
    return ids_;
  }

 private:
  std::mutex mutex_;
  std::set<std::string> ids_;
};

}  // namespace

VkDebugUtilsMessengerCreateInfoEXT MessageLog::CreateInfo() {
  return {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity =
          VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
      .pfnUserCallback = &MessageLog::Callback,
      .pUserData = this,
  };
}

VkBool32 MessageLog::Callback(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
                              const VkDebugUtilsMessengerCallbackDataEXT* data, void* log) {
  if (data->pMessageIdName != nullptr && FreeCombinations::Drops(data->pMessageIdName)) return VK_FALSE;
  Message message = {severity, types, Text(data->pMessageIdName), data->messageIdNumber, Text(data->pMessage)};
  for (uint32_t i = 0; i < data->objectCount; ++i) {
    const VkDebugUtilsObjectNameInfoEXT& object = data->pObjects[i];
    message.objects.push_back({object.objectType, object.objectHandle, Text(object.pObjectName)});
  }
  message.command_buffer_labels = LabelNames(data->pCmdBufLabels, data->cmdBufLabelCount);
  message.queue_labels = LabelNames(data->pQueueLabels, data->queueLabelCount);
  auto* self = static_cast<MessageLog*>(log);
  std::lock_guard lock(self->mutex_);
  self->messages_.push_back(std::move(message));
  return self->callback_result_;
}

Message MessageLog::Expect(std::string_view id, std::source_location where) {
  std::lock_guard lock(mutex_);
  auto fail = [&](const std::string& instead) {
    ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line())) << "expected " << id << "\nbut got " << instead;
  };
  if (messages_.empty()) {
    fail("no message");
    return {};
  }
  Message message = std::move(messages_.front());
  messages_.erase(messages_.begin());
  if (message.id == id) {
    SharedIds::Get().Add(message.id);
  } else {
    fail(Describe({message}));
  }
  return message;
}

std::vector<Message> MessageLog::ExpectAll(std::vector<std::string> ids, std::source_location where) {
  std::vector<Message> messages = Take();
  std::sort(ids.begin(), ids.end());
  if (SortedIds(messages) == ids) {
    for (const std::string& id : ids) SharedIds::Get().Add(id);
  } else {
    ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line()))
        << "expected " << ::testing::PrintToString(ids) << "\nbut got " << Describe(messages);
  }
  return messages;
}

std::vector<Message> MessageLog::ExpectAmong(std::string_view id, std::source_location where) {
  std::vector<Message> messages = Take();
  if (std::ranges::count(messages, id, &Message::id) != 0) {
    SharedIds::Get().Add(std::string(id));
  } else {
    ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line()))
        << "expected " << id << "\nbut got " << Describe(messages);
  }
  return messages;
}

void MessageLog::ExpectNothing(std::source_location where) {
  std::vector<Message> messages = Take();
  if (messages.empty()) return;
  ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line())) << "unexpected " << Describe(messages);
}

std::set<std::string> MessageLog::DeliveredIds() { return SharedIds::Get().Copy(); }

std::vector<Message> MessageLog::Take() {
  std::lock_guard lock(mutex_);
  return std::exchange(messages_, {});
}

}  // namespace assay::test
