// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "layer/validators.h"

#include <memory>
#include <optional>

#include "core/core.h"
#include "dispatch/extensions/message_hooks.h"
#include "gpuav/gpuav.h"
#include "messages/messages.h"
#include "object_lifetimes/object_lifetimes.h"
#include "state/state.h"
#include "stateless/stateless.h"
#include "syncval/syncval.h"
#include "syncval/trace/trace.h"
#include "thread_safety/thread_safety.h"

namespace assay::layer {
namespace {

// Whether shaders are instrumented.
bool WantsGpuav(const dispatch::Settings& settings) { return settings.gpuav_enable || settings.printf_enable; }

// The validators of an instance.
class InstanceValidators : public dispatch::ValidatorSet {
 public:
  explicit InstanceValidators(dispatch::Instance& instance) : messages_(instance) {
    dispatch::HookBuilder builder;
    builder.Attach(messages_);
    if (instance.settings.stateless_param) {
      stateless_.emplace(instance).Attach(builder);
      // A command of no instance, which Attach() leaves out.
      builder.AttachValidate(vk::CommandId::kCreateInstance, &*stateless_,
                             [](void* validator, const void* call, dispatch::Slot*, messages::Report& report) {
                               static_cast<const stateless::Validator*>(validator)->CheckCreateInfo(
                                   *static_cast<const vk::CreateInstance*>(call)->pCreateInfo, report);
                             });
    }
    if (instance.settings.thread_safety) builder.Attach(thread_safety_.emplace());
    if (instance.settings.object_lifetime) builder.Attach(object_lifetimes_.emplace(instance));
    if (instance.settings.validate_core) core_.Attach(instance, builder);
    if (WantsGpuav(instance.settings)) builder.Attach(gpuav_.emplace(instance));
    builder.Build(instance.hooks);
  }

 private:
  dispatch::InstanceMessageHooks messages_;
  std::optional<thread_safety::ThreadSafety> thread_safety_;
  std::optional<stateless::Validator> stateless_;
  std::optional<object_lifetimes::ObjectLifetimes> object_lifetimes_;
  core::InstanceValidators core_;
  std::optional<gpuav::InstanceRewrites> gpuav_;
};

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
    if (settings.thread_safety) builder.Attach(thread_safety_.emplace());
    if (settings.object_lifetime) builder.Attach(object_lifetimes_.emplace(device));
    const bool checks_lifetime =
        settings.object_lifetime && (settings.check_object_in_use || settings.check_command_buffer);
    const bool needs_all_state = settings.validate_core || settings.validate_sync || WantsGpuav(settings);
    if (needs_all_state || checks_lifetime) {
      state_.emplace(device);
      // What shaders access, synchronization validation alone wants to know.
      state_->ReflectShaders(settings.validate_sync);
      if (needs_all_state) {
        builder.Attach(*state_, dispatch::RecordOrder::kFirstButDestroysLast);
      } else {
        builder.Attach(queue_state_.emplace(*state_), dispatch::RecordOrder::kFirstButDestroysLast);
      }
    }
    if (checks_lifetime) {
      builder.Attach(lifetime_rules_.emplace(
          *state_, core::LifetimeChecks{settings.check_object_in_use, settings.check_command_buffer}));
    }
    if (settings.validate_core) core_.Attach(*state_, info, builder);
    if (settings.validate_sync) {
      syncval_.emplace(*state_);
      builder.Attach(*syncval_);
      if (!settings.syncval_trace_file.empty()) {
        builder.Attach(trace_.emplace(*state_, *syncval_, settings.syncval_trace_file, settings.syncval_trace_limit));
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

void InstallValidatorFactory() {
  dispatch::SetValidatorFactory({
      .make_instance_validators = [](dispatch::Instance& instance, const VkInstanceCreateInfo&)
          -> std::unique_ptr<dispatch::ValidatorSet> { return std::make_unique<InstanceValidators>(instance); },
      .make_device_validators = [](dispatch::Device& device, const VkDeviceCreateInfo& info)
          -> std::unique_ptr<dispatch::ValidatorSet> { return std::make_unique<DeviceValidators>(device, info); },
  });
}

}  // namespace assay::layer
