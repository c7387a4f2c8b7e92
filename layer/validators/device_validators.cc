// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <memory>
#include <optional>

#include "core/core.h"
#include "dispatch/dispatch.h"
#include "dispatch/extensions/message_hooks.h"
#include "gpuav/gpuav.h"
#include "layer/validators/validator_sets.h"
#include "object_lifetimes/object_lifetimes.h"
#include "state/state.h"
#include "stateless/stateless.h"
#include "syncval/syncval.h"
#include "syncval/trace/trace.h"
#include "thread_safety/thread_safety.h"
#include "vk/vulkan.h"

namespace assay::layer {
namespace {

// The validators of a device.
//
// stateless is attached first: it checks parameters, on which the others rely. syncval is attached last of those that
// check: it must not record a call that a callback skips because of another validator's message. gpuav comes behind it,
// since it checks nothing before a call.
class DeviceValidators : public dispatch::ValidatorSet {
 public:
  DeviceValidators(dispatch::Device& device, const VkDeviceCreateInfo& info) : messages_(device) {
    dispatch::HookBuilder builder;
    builder.Attach(messages_);
    const dispatch::Settings& settings = device.instance.settings;
    if (settings.stateless_param) stateless_.emplace(device).Attach(builder);
    if (settings.thread_safety) AttachThreadSafety(thread_safety_.emplace(), builder);
    if (settings.object_lifetime) AttachObjectLifetimes(object_lifetimes_.emplace(device), builder);
    const bool checks_lifetime =
        settings.object_lifetime && (settings.check_object_in_use || settings.check_command_buffer);
    const bool needs_all_state = settings.validate_core || settings.validate_sync || WantsGpuav(settings);
    if (needs_all_state || checks_lifetime) {
      state_.emplace(device);
      // What shaders access, synchronization validation alone wants to know.
      state_->ReflectShaders(settings.validate_sync);
      if (needs_all_state) {
        AttachState(*state_, builder);
      } else {
        AttachState(queue_state_.emplace(*state_), builder);
      }
    }
    if (checks_lifetime) {
      const core::LifetimeChecks checks = {settings.check_object_in_use, settings.check_command_buffer};
      AttachLifetime(lifetime_rules_.emplace(*state_, checks), builder);
    }
    if (settings.validate_core) core_.Attach(*state_, info, builder);
    if (settings.validate_sync) {
      AttachSyncval(syncval_.emplace(*state_), builder);
      if (!settings.syncval_trace_file.empty()) {
        trace_.emplace(*state_, *syncval_, settings.syncval_trace_file, settings.syncval_trace_limit);
        AttachTrace(*trace_, builder);
      }
    }
    if (WantsGpuav(settings)) gpuav_.emplace(*state_).Attach(builder);
    builder.Build(device.hooks);
  }

 private:
  dispatch::DeviceMessageHooks messages_;
  std::optional<thread_safety::ThreadSafety> thread_safety_;
  std::optional<stateless::Validator> stateless_;
  std::optional<object_lifetimes::ObjectLifetimes> object_lifetimes_;
  // Made when there is state. Objects of the state have data of it, so that it outlives them.
  std::optional<gpuav::Validator> gpuav_;
  // Made only when a validator needs it. Outlives these validators.
  std::optional<state::DeviceState> state_;
  std::optional<state::QueueState> queue_state_;
  std::optional<core::LifetimeRules> lifetime_rules_;
  core::Validators core_;
  std::optional<syncval::SyncValidator> syncval_;
  std::optional<syncval::trace::Tracer> trace_;
};

}  // namespace

std::unique_ptr<dispatch::ValidatorSet> MakeDeviceValidators(dispatch::Device& device, const VkDeviceCreateInfo& info) {
  return std::make_unique<DeviceValidators>(device, info);
}

}  // namespace assay::layer
