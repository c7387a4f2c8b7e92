// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "layer/compose.h"

#include <memory>
#include <optional>

#include "dispatch/message_hooks.h"
#include "state/state.h"
#include "syncval/syncval.h"

namespace assay::layer {
namespace {

class InstanceValidators : public dispatch::Composition {
 public:
  explicit InstanceValidators(dispatch::Instance& instance) : messages_(instance) {
    dispatch::HookBuilder builder;
    builder.Attach(messages_);
    builder.Build(instance.hooks);
  }

 private:
  dispatch::InstanceMessageHooks messages_;
};

// Synchronization validation is attached last, since it does not record what another validator's message has the application skip.
class DeviceValidators : public dispatch::Composition {
 public:
  explicit DeviceValidators(dispatch::Device& device) : messages_(device) {
    dispatch::HookBuilder builder;
    builder.Attach(messages_);
    const dispatch::Settings& settings = device.instance.settings;
    if (settings.validate_sync) {
      state_.emplace(device);
      builder.Attach(*state_, dispatch::RecordOrder::kFirstButDestroysLast);
      syncval_.emplace(*state_);
      builder.Attach(*syncval_);
    }
    builder.Build(device.hooks);
  }

 private:
  dispatch::DeviceMessageHooks messages_;
  // Only when a validator needs it. Outlives the validators that use it.
  std::optional<state::DeviceState> state_;
  std::optional<syncval::SyncValidator> syncval_;
};

}  // namespace

void InstallComposer() {
  dispatch::SetComposer({
      .compose_instance = [](dispatch::Instance& instance, const VkInstanceCreateInfo&) -> std::unique_ptr<dispatch::Composition> {
        return std::make_unique<InstanceValidators>(instance);
      },
      .compose_device = [](dispatch::Device& device, const VkDeviceCreateInfo&) -> std::unique_ptr<dispatch::Composition> {
        return std::make_unique<DeviceValidators>(device);
      },
  });
}

}  // namespace assay::layer
