// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#include "messages/message/message.h"
#include "messages/message/object_ref.h"
#include "messages/sinks/callback.h"
#include "messages/sinks/rendering.h"
#include "vk/vulkan.h"

namespace assay::messages {
namespace {

// Innermost first, as in the Khronos layer. The specification does not define the order.
std::vector<VkDebugUtilsLabelEXT> ToLabels(const std::vector<Label>& labels) {
  std::vector<VkDebugUtilsLabelEXT> result;
  result.reserve(labels.size());
  for (const Label& label : std::views::reverse(labels)) {
    result.push_back({VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                      nullptr,
                      label.name.c_str(),
                      {label.color[0], label.color[1], label.color[2], label.color[3]}});
  }
  return result;
}

std::vector<VkDebugUtilsObjectNameInfoEXT> ToObjects(Rendering& rendering) {
  const std::vector<std::string>& names = rendering.Names();
  const auto& objects = rendering.message().objects;
  std::vector<VkDebugUtilsObjectNameInfoEXT> result;
  result.reserve(objects.size());
  for (size_t i = 0; i < objects.size(); ++i) {
    result.push_back({VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, nullptr, objects[i].type, objects[i].handle,
                      names[i].empty() ? nullptr : names[i].c_str()});
  }
  return result;
}

template <class T>
const T* DataOrNull(const std::vector<T>& elements) {
  return elements.empty() ? nullptr : elements.data();
}

class DebugUtilsCallback final : public Callback {
 public:
  DebugUtilsCallback(ObjectRef identity, const VkDebugUtilsMessengerCreateInfoEXT& create_info)
      : Callback(identity),
        severities_(create_info.messageSeverity),
        types_(create_info.messageType),
        function_(create_info.pfnUserCallback),
        user_data_(create_info.pUserData) {}

  bool IsEnabledFor(Severity severity) const override { return (severities_ & ToDebugUtilsSeverity(severity)) != 0; }
  bool IsEnabledFor(const Message& message) const override {
    return IsEnabledFor(message.severity) && (types_ & message.type) != 0;
  }

 private:
  bool Invoke(Rendering& rendering) const override {
    const Message& message = rendering.message();
    const std::vector<VkDebugUtilsLabelEXT> queue_labels = ToLabels(message.queue_labels);
    const std::vector<VkDebugUtilsLabelEXT> command_buffer_labels = ToLabels(message.command_buffer_labels);
    const std::vector<VkDebugUtilsObjectNameInfoEXT> objects = ToObjects(rendering);
    const VkDebugUtilsMessengerCallbackDataEXT data = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
        .pNext = nullptr,
        .flags = 0,
        .pMessageIdName = message.id.empty() ? nullptr : message.id.c_str(),
        .messageIdNumber = MessageIdNumber(message.id),
        .pMessage = rendering.Text().c_str(),
        .queueLabelCount = static_cast<uint32_t>(queue_labels.size()),
        .pQueueLabels = DataOrNull(queue_labels),
        .cmdBufLabelCount = static_cast<uint32_t>(command_buffer_labels.size()),
        .pCmdBufLabels = DataOrNull(command_buffer_labels),
        .objectCount = static_cast<uint32_t>(objects.size()),
        .pObjects = DataOrNull(objects),
    };
    return function_(ToDebugUtilsSeverity(message.severity), message.type, &data, user_data_) != VK_FALSE;
  }

  const VkDebugUtilsMessageSeverityFlagsEXT severities_;
  const VkDebugUtilsMessageTypeFlagsEXT types_;
  const PFN_vkDebugUtilsMessengerCallbackEXT function_;
  void* const user_data_;
};

}  // namespace

std::shared_ptr<Callback> MakeCallback(ObjectRef identity, const VkDebugUtilsMessengerCreateInfoEXT& create_info) {
  if (create_info.pfnUserCallback == nullptr) return nullptr;
  return std::make_shared<DebugUtilsCallback>(identity, create_info);
}

}  // namespace assay::messages
