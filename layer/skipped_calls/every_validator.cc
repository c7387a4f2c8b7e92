// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "layer/skipped_calls/every_validator.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/core.h"
#include "core/core_dump.h"
#include "dispatch/dispatch.h"
#include "dispatch/extensions/message_hooks.h"
#include "dispatch/testing/dump_handles.h"
#include "gpuav/gpuav.h"
#include "gpuav/gpuav_dump.h"
#include "layer/validators/validator_sets.h"
#include "messages/messages.h"
#include "object_lifetimes/object_lifetimes.h"
#include "object_lifetimes/object_lifetimes_dump.h"
#include "state/state.h"
#include "state/state_dump.h"
#include "stateless/stateless.h"
#include "syncval/syncval.h"
#include "syncval/syncval_dump.h"
#include "testing/fixture.h"
#include "thread_safety/thread_safety.h"
#include "thread_safety/thread_safety_dump.h"
#include "vk/command_info.h"
#include "vk/commands.h"

namespace assay::layer {
namespace {

std::function<void(messages::Report&)>& LastCheck() {
  static auto* const check = new std::function<void(messages::Report&)>;
  return *check;
}

std::function<void(messages::Report&)>& LastReport() {
  static auto* const report = new std::function<void(messages::Report&)>;
  return *report;
}

// A validator that is attached after synchronization validation.
struct LateValidator {
  template <class C>
    requires dispatch::HasPreCallReport<syncval::SyncValidator, C>
  void PreCallReport(const C&, messages::Report& report) {
    if (LastReport()) LastReport()(report);
  }
};

void AttachLastCheck(dispatch::HookBuilder& builder) {
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    builder.AttachValidate(static_cast<vk::CommandId>(i), nullptr,
                           [](void*, const void*, dispatch::Slot*, messages::Report& report) {
                             if (LastCheck()) LastCheck()(report);
                           });
  }
}

class InstanceValidators : public dispatch::ValidatorSet {
 public:
  explicit InstanceValidators(dispatch::Instance& instance)
      : messages_(instance), stateless_(instance), object_lifetimes_(instance), gpuav_(instance) {
    dispatch::HookBuilder builder;
    builder.Attach(messages_);
    stateless_.Attach(builder);
    AttachThreadSafety(thread_safety_, builder);
    AttachObjectLifetimes(object_lifetimes_, builder);
    core_.Attach(instance, builder);
    builder.Attach(gpuav_);
    AttachLastCheck(builder);
    builder.Build(instance.hooks);
  }

  void DumpTo(test::Dump& dump) {
    thread_safety_.DumpTo(dump);
    object_lifetimes_.DumpTo(dump);
  }

 private:
  dispatch::InstanceMessageHooks messages_;
  thread_safety::ThreadSafety thread_safety_;
  stateless::Validator stateless_;
  object_lifetimes::ObjectLifetimes object_lifetimes_;
  core::InstanceValidators core_;
  gpuav::InstanceRewrites gpuav_;
};

class DeviceValidators : public dispatch::ValidatorSet {
 public:
  DeviceValidators(dispatch::Device& device, const VkDeviceCreateInfo& info)
      : messages_(device),
        stateless_(device),
        object_lifetimes_(device),
        state_(device),
        lifetime_rules_(state_),
        syncval_(state_) {
    dispatch::HookBuilder builder;
    builder.Attach(messages_);
    stateless_.Attach(builder);
    AttachThreadSafety(thread_safety_, builder);
    AttachObjectLifetimes(object_lifetimes_, builder);
    AttachState(state_, builder);
    AttachLifetime(lifetime_rules_, builder);
    core_.Attach(state_, info, builder);
    AttachLastCheck(builder);
    AttachSyncval(syncval_, builder);
    builder.Attach(late_validator_);
    gpuav_.emplace(state_).Attach(builder);
    builder.Build(device.hooks);
  }

  void DumpTo(test::Dump& dump) {
    const dispatch::Device& device = state_.device();
    for (const dispatch::Slot* slot : dispatch::HandleTable::Get().SlotsOf(&device.instance, &device)) {
      object_lifetimes::DumpObject(*slot, dump);
    }
    DumpGpuavTo(dump);
    DumpCoreTo(dump);
    DumpSyncTo(dump);
    thread_safety_.DumpTo(dump);
    object_lifetimes_.DumpTo(dump);
    state::DumpState(state_, dump);
  }

  void DumpCoreTo(test::Dump& dump) {
    ForEachCommandBuffer([&](const state::CommandBuffer& buffer) { core::DumpScope(buffer, dump); });
    lifetime_rules_.DumpTo(dump);
    core_.Find<core::OwnershipTransferRules>()->DumpTo(dump);
    core_.Find<core::LayoutRules>()->DumpTo(dump);
    core_.Find<core::EventRules>()->DumpTo(dump);
  }

  void DumpSyncTo(test::Dump& dump) {
    ForEachCommandBuffer([&](const state::CommandBuffer& buffer) { syncval::DumpRecording(buffer, dump); });
    syncval_.DumpTo(dump);
  }

  void DumpGpuavTo(test::Dump& dump) {
    const dispatch::Device& device = state_.device();
    for (const dispatch::Slot* slot : dispatch::HandleTable::Get().SlotsOf(&device.instance, &device)) {
      gpuav::DumpObject(*slot, dump);
    }
    gpuav_->DumpTo(dump);
  }

 private:
  template <class F>
  void ForEachCommandBuffer(const F& f) {
    const dispatch::Device& device = state_.device();
    for (const dispatch::Slot* slot : dispatch::HandleTable::Get().SlotsOf(&device.instance, &device)) {
      if (slot->type != VK_OBJECT_TYPE_COMMAND_BUFFER) continue;
      const auto* buffer = state::DeviceState::Get(reinterpret_cast<VkCommandBuffer>(slot->application_handle));
      if (buffer != nullptr) f(*buffer);
    }
  }

  dispatch::DeviceMessageHooks messages_;
  thread_safety::ThreadSafety thread_safety_;
  stateless::Validator stateless_;
  object_lifetimes::ObjectLifetimes object_lifetimes_;
  // Made when there is state. Objects of the state have data of it, so that it outlives them.
  std::optional<gpuav::Validator> gpuav_;
  state::DeviceState state_;
  core::LifetimeRules lifetime_rules_;
  core::Validators core_;
  syncval::SyncValidator syncval_;
  LateValidator late_validator_;
};

DeviceValidators& ValidatorsOf(VkDevice device) {
  const dispatch::Device& owner = *dispatch::DispatchableTable::Get().Find(device)->device;
  return static_cast<DeviceValidators&>(*owner.validators);
}

VKAPI_ATTR VkResult VKAPI_CALL Negotiate(VkNegotiateLayerInterface* negotiation) {
  dispatch::SetValidatorFactory({
      .make_instance_validators = [](dispatch::Instance& instance, const VkInstanceCreateInfo&)
          -> std::unique_ptr<dispatch::ValidatorSet> { return std::make_unique<InstanceValidators>(instance); },
      .make_device_validators = [](dispatch::Device& device, const VkDeviceCreateInfo& info)
          -> std::unique_ptr<dispatch::ValidatorSet> { return std::make_unique<DeviceValidators>(device, info); },
  });
  return dispatch::NegotiateLoaderLayerInterfaceVersion(negotiation);
}

}  // namespace

void SetLastCheck(std::function<void(messages::Report& report)> check) { LastCheck() = std::move(check); }

void SetLastReport(std::function<void(messages::Report& report)> report) { LastReport() = std::move(report); }

bool IsReportedLate(vk::CommandId command) {
  bool is_reported = false;
  vk::ForEachCommand([&](auto tag) {
    using C = typename decltype(tag)::Command;
    if (dispatch::HasPreCallReport<syncval::SyncValidator, C>) is_reported |= C::kId == command;
  });
  return is_reported;
}

test::Dump DumpOfCore(VkDevice device) {
  test::Dump dump;
  ValidatorsOf(device).DumpCoreTo(dump);
  return dump;
}

test::Dump DumpOfSync(VkDevice device) {
  test::Dump dump;
  ValidatorsOf(device).DumpSyncTo(dump);
  return dump;
}

test::Dump DumpOfGpuav(VkDevice device) {
  test::Dump dump;
  ValidatorsOf(device).DumpGpuavTo(dump);
  return dump;
}

test::Dump DumpOf(VkInstance instance, VkDevice device) {
  test::Dump dump;
  const dispatch::Instance& owner = *dispatch::DispatchableTable::Get().Find(instance)->instance;
  dispatch::DumpHandles(owner, nullptr, dump);
  static_cast<InstanceValidators&>(*owner.validators).DumpTo(dump);
  if (device == VK_NULL_HANDLE) return dump;
  const dispatch::Device& owned = *dispatch::DispatchableTable::Get().Find(device)->device;
  dispatch::DumpHandles(owner, &owned, dump);
  static_cast<DeviceValidators&>(*owned.validators).DumpTo(dump);
  return dump;
}

}  // namespace assay::layer

namespace assay::test {

const InProcessLoader& LoaderUnderTest() {
  static const InProcessLoader loader(&layer::Negotiate);
  return loader;
}

}  // namespace assay::test
