// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <memory>

#include "messages/message/message.h"
#include "messages/message/object_ref.h"
#include "messages/sinks/callback.h"
#include "messages/sinks/rendering.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

namespace assay::messages {
namespace {

constexpr char kLayerPrefix[] = "Assay";

VkDebugReportObjectTypeEXT ToDebugReportType(VkObjectType type) {
  const vk::HandleInfo* info = vk::FindHandle(type);
  return info != nullptr ? info->debug_report_type : VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT;
}

class DebugReportCallback final : public Callback {
 public:
  DebugReportCallback(ObjectRef identity, const VkDebugReportCallbackCreateInfoEXT& create_info)
      : Callback(identity),
        flags_(create_info.flags),
        function_(create_info.pfnCallback),
        user_data_(create_info.pUserData) {}

  bool IsEnabledFor(Severity severity) const override { return (flags_ & ToDebugReportFlags(severity)) != 0; }
  bool IsEnabledFor(const Message& message) const override { return (flags_ & ToDebugReportFlag(message)) != 0; }

 private:
  // This older interface does not have room for the id, further objects and labels, so the text has them.
  bool Invoke(Rendering& rendering) const override {
    const Message& message = rendering.message();
    const ObjectRef object = message.objects.empty() ? ObjectRef{} : message.objects.front();
    const size_t location = 0;
    return function_(ToDebugReportFlag(message), ToDebugReportType(object.type), object.handle, location,
                     MessageIdNumber(message.id), kLayerPrefix, rendering.LogEntry().c_str(), user_data_) != VK_FALSE;
  }

  const VkDebugReportFlagsEXT flags_;
  const PFN_vkDebugReportCallbackEXT function_;
  void* const user_data_;
};

}  // namespace

std::shared_ptr<Callback> MakeCallback(ObjectRef identity, const VkDebugReportCallbackCreateInfoEXT& create_info) {
  if (create_info.pfnCallback == nullptr) return nullptr;
  return std::make_shared<DebugReportCallback>(identity, create_info);
}

}  // namespace assay::messages
