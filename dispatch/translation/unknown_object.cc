// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/translation/unknown_object.h"

#include <cstdint>
#include <string>

#include "dispatch/handles/handle_table.h"
#include "dispatch/hooks/instance.h"
#include "vk/command_info.h"
#include "vk/vuid.h"

namespace assay::dispatch {
namespace {

std::string Describe(const messages::ObjectRef& object) {
  DestroyedObject destroyed;
  if (!HandleTable::Get().FindDestroyed(object.handle, &destroyed) || destroyed.type != object.type) {
    return "(" + messages::DescribeObject(object, "") + ") is not an object that this layer knows.";
  }
  return "(" + messages::DescribeObject(object, destroyed.name) + ") has been destroyed by " +
         std::string(vk::GetCommandInfo(destroyed.destroyed_by).name) + ".";
}

}  // namespace

void ReportWithoutInstance(const messages::Message& message) {
  messages::Reporter reporter;
  reporter.Deliver(message);
}

void ReportUnknownObject(vk::CommandId command, const void* handle) {
  const vk::CommandInfo& info = vk::GetCommandInfo(command);
  const vk::MemberInfo& parameter = info.parameters->members[0];
  const messages::ObjectRef object = {vk::Handles()[parameter.type].object_type, reinterpret_cast<uint64_t>(handle)};
  messages::Message message;
  message.id = "VUID-" + std::string(info.name) + "-" + std::string(parameter.name) + "-parameter";
  message.location = messages::Location(command).Dot(parameter.name).Text();
  message.text = Describe(object) + " The call is not passed on.";
  message.objects = {object};
  vk::VuidIndex rule;
  if (vk::FindVuid(message.id, &rule)) message.specification = std::string(vk::GetVuid(rule).text);
  // Another thread may destroy the instance before the message is delivered.
  messages::Reporter::Sinks sinks;
  HandleTable::Get().InspectAnyOfType(VK_OBJECT_TYPE_INSTANCE,
                                      [&](const Slot& slot) { sinks = slot.instance->reporter.CurrentSinks(); });
  if (sinks != nullptr) {
    messages::Reporter::DeliverTo(*sinks, message);
  } else {
    ReportWithoutInstance(message);
  }
}

}  // namespace assay::dispatch
