// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/check/validator.h"

#include <algorithm>

#include "stateless/check/interpreter.h"
#include "stateless/implicit/reports.h"
#include "vk/command_info.h"
#include "vk/extension_info.h"

namespace assay::stateless {
namespace {

bool IsOfDevice(vk::DispatchLevel level) {
  return level == vk::DispatchLevel::kDevice || level == vk::DispatchLevel::kQueue ||
         level == vk::DispatchLevel::kCommandBuffer;
}

// A command of a physical device may be used once the device supports the extension, enabled or not. By its name or an
// alias.
bool IsOfDeviceExtension(const vk::CommandInfo& command) {
  const auto is_of_device = [](uint16_t extension) {
    return !vk::GetExtensionInfo(static_cast<vk::ExtensionId>(extension)).instance;
  };
  return std::ranges::any_of(command.extensions, is_of_device) ||
         std::ranges::any_of(vk::CommandAliases(), [&](const vk::CommandAlias& alias) {
           return alias.id == command.id && std::ranges::any_of(alias.extensions, is_of_device);
         });
}

// A query of what the driver knows, which may be more than this registry does.
bool IsQueryOfPhysicalDevice(const vk::CommandInfo& command) {
  return command.dispatch == vk::DispatchLevel::kPhysicalDevice && command.lifetime != vk::LifetimeEffect::kCreate;
}

}  // namespace

Validator::Validator(const dispatch::Instance& instance)
    : programs_(Programs::All()),
      enabled_commands_(instance.api_version, instance.enabled_extensions),
      of_device_(false),
      beyond_registry_(EnabledApi::BeyondRegistry()) {
  fast_path_.emplace(programs_, enabled_, nullptr);
}

Validator::Validator(const dispatch::Device& device)
    : programs_(Programs::All()),
      enabled_(device.api_version, device.enabled_extensions | device.instance.enabled_extensions),
      enabled_commands_(enabled_),
      of_device_(true) {
  explicit_rules_.emplace(capabilities_.emplace(device));
  fast_path_.emplace(programs_, enabled_, &*explicit_rules_);
}

bool Validator::AppliesTo(const vk::CommandInfo& command) const {
  return command.dispatch != vk::DispatchLevel::kGlobal && IsOfDevice(command.dispatch) == of_device_;
}

void Validator::Attach(dispatch::HookBuilder& builder) {
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    if (!AppliesTo(command)) continue;
    const bool is_enabled = enabled_commands_.Has(command) || (!of_device_ && IsOfDeviceExtension(command));
    if (!is_enabled) {
      builder.AttachValidate(command.id, this, [](void*, const void* call, dispatch::Slot*, messages::Report& report) {
        ReportCommandNotEnabled(report, call);
      });
    }
    if (!programs_.Of(command.id).empty()) {
      builder.AttachValidate(command.id, this,
                             [](void* validator, const void* call, dispatch::Slot*, messages::Report& report) {
                               static_cast<const Validator*>(validator)->Check(call, report);
                             });
    }
    // After the implicit rules: what is no valid value breaks rules about values as well.
    if (is_enabled && explicit_rules_.has_value() && explicit_rules_->MayHaveAny(command.id)) {
      builder.AttachValidate(command.id, &*explicit_rules_,
                             [](void* rules, const void* call, dispatch::Slot*, messages::Report& report) {
                               static_cast<const ExplicitRules*>(rules)->CheckCommand({report, call});
                             });
    }
  }
}

void Validator::Check(const void* parameters, messages::Report& report) const {
  if (fast_path_.has_value() && fast_path_->Accepts(report.command(), parameters)) [[likely]]
    return;
  Interpret(parameters, report);
}

void Validator::Interpret(const void* parameters, messages::Report& report) const {
  const ExplicitRules* explicit_rules = explicit_rules_.has_value() ? &*explicit_rules_ : nullptr;
  const bool is_query = beyond_registry_.has_value() && IsQueryOfPhysicalDevice(vk::GetCommandInfo(report.command()));
  const FastPath* fast_path = fast_path_.has_value() && !is_query ? &*fast_path_ : nullptr;
  Interpreter(programs_, is_query ? *beyond_registry_ : enabled_, parameters, report, explicit_rules, fast_path)
      .RunCommand();
}

void Validator::CheckCreateInfo(const VkInstanceCreateInfo& create_info, messages::Report& report) const {
  const vk::CreateInstance call{&create_info, nullptr, nullptr};
  const Step where{nullptr, "pCreateInfo", {}, Step::kNoIndex};
  Interpreter(programs_, enabled_, &call, report)
      .RunStruct(*vk::FindStruct(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO), &create_info, where);
}

}  // namespace assay::stateless
