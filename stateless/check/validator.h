// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_CHECK_VALIDATOR_H_
#define ASSAY_STATELESS_CHECK_VALIDATOR_H_

#include <optional>

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "stateless/check/fast_path.h"
#include "stateless/explicit/device_capabilities.h"
#include "stateless/explicit/explicit_rules.h"
#include "stateless/implicit/enabled_api.h"
#include "stateless/implicit/program.h"

namespace assay::stateless {

// The checks of one instance's or device's commands. The same function checks every command; it looks up the command's
// steps. So the tables decide to which commands it is attached, and there are no overloads.
class Validator {
 public:
  explicit Validator(const dispatch::Instance& instance);
  explicit Validator(const dispatch::Device& device);
  // For tests.
  Validator(const Programs& programs, const EnabledApi& enabled)
      : programs_(programs), enabled_(enabled), of_device_(true) {}
  Validator(const Validator&) = delete;
  Validator& operator=(const Validator&) = delete;

  // Attaches the checks to every command that has any. The validator must outlive the table that is built.
  void Attach(dispatch::HookBuilder& builder);

  // Checks the parameters of report.command().
  void Check(const void* parameters, messages::Report& report) const;
  // Checks the parameters of vkCreateInstance. Called after it, when there is an instance that defines where messages
  // go.
  void CheckCreateInfo(const VkInstanceCreateInfo& create_info, messages::Report& report) const;

 private:
  // Check() for a call that the fast path does not accept.
  [[gnu::noinline, gnu::cold]] void Interpret(const void* parameters, messages::Report& report) const;

  bool AppliesTo(const vk::CommandInfo& command) const;

  const Programs& programs_;
  // For values and structures; for commands.
  EnabledApi enabled_;
  EnabledApi enabled_commands_;
  bool of_device_;
  // For queries of physical devices; only for an instance.
  std::optional<EnabledApi> beyond_registry_;
  // Only for a device: the requirements on an instance's commands do not depend on enabled features.
  std::optional<DispatchedDeviceCapabilities> capabilities_;
  std::optional<ExplicitRules> explicit_rules_;
  std::optional<FastPath> fast_path_;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_CHECK_VALIDATOR_H_
