// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/testing/layer_without_validators.h"

#include <memory>
#include <utility>

#include "dispatch/dispatch.h"
#include "dispatch/extensions/message_hooks.h"
#include "testing/fixture.h"

namespace assay::dispatch {
namespace {

AttachDeviceHooks& TestHooks() {
  static auto* hooks = new AttachDeviceHooks;
  return *hooks;
}

AttachInstanceHooks& TestInstanceHooks() {
  static auto* hooks = new AttachInstanceHooks;
  return *hooks;
}

class InstanceHooks : public ValidatorSet {
 public:
  explicit InstanceHooks(Instance& instance) : messages_(instance) {
    HookBuilder builder;
    builder.Attach(messages_);
    if (TestInstanceHooks()) TestInstanceHooks()(instance, builder);
    builder.Build(instance.hooks);
  }

 private:
  InstanceMessageHooks messages_;
};

class DeviceHooks : public ValidatorSet {
 public:
  explicit DeviceHooks(Device& device) : messages_(device) {
    HookBuilder builder;
    builder.Attach(messages_);
    if (TestHooks()) TestHooks()(device, builder);
    builder.Build(device.hooks);
  }

 private:
  DeviceMessageHooks messages_;
};

VKAPI_ATTR VkResult VKAPI_CALL Negotiate(VkNegotiateLayerInterface* negotiation) {
  SetValidatorFactory({
      .make_instance_validators = [](Instance& instance, const VkInstanceCreateInfo&) -> std::unique_ptr<ValidatorSet> {
        return std::make_unique<InstanceHooks>(instance);
      },
      .make_device_validators = [](Device& device, const VkDeviceCreateInfo&) -> std::unique_ptr<ValidatorSet> {
        return std::make_unique<DeviceHooks>(device);
      },
  });
  return NegotiateLoaderLayerInterfaceVersion(negotiation);
}

}  // namespace

void SetTestValidators(AttachDeviceHooks attach) { TestHooks() = std::move(attach); }
void SetTestInstanceValidators(AttachInstanceHooks attach) { TestInstanceHooks() = std::move(attach); }

}  // namespace assay::dispatch

namespace assay::test {

const InProcessLoader& LoaderUnderTest() {
  static const InProcessLoader loader(&dispatch::Negotiate);
  return loader;
}

}  // namespace assay::test
