// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <memory>
#include <optional>

#include "core/core.h"
#include "dispatch/dispatch.h"
#include "dispatch/extensions/message_hooks.h"
#include "gpuav/gpuav.h"
#include "layer/validators/validator_sets.h"
#include "messages/messages.h"
#include "object_lifetimes/object_lifetimes.h"
#include "stateless/stateless.h"
#include "thread_safety/thread_safety.h"
#include "vk/command_id.h"
#include "vk/commands.h"

namespace assay::layer {
namespace {

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
    if (instance.settings.thread_safety) AttachThreadSafety(thread_safety_.emplace(), builder);
    if (instance.settings.object_lifetime) AttachObjectLifetimes(object_lifetimes_.emplace(instance), builder);
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

}  // namespace

std::unique_ptr<dispatch::ValidatorSet> MakeInstanceValidators(dispatch::Instance& instance) {
  return std::make_unique<InstanceValidators>(instance);
}

}  // namespace assay::layer
