// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_LAYER_VALIDATORS_VALIDATOR_SETS_H_
#define ASSAY_LAYER_VALIDATORS_VALIDATOR_SETS_H_

#include <memory>

#include "core/core.h"
#include "dispatch/dispatch.h"
#include "object_lifetimes/object_lifetimes.h"
#include "state/state.h"
#include "syncval/syncval.h"
#include "syncval/trace/trace.h"
#include "thread_safety/thread_safety.h"
#include "vk/vulkan.h"

// The validators that the settings of an instance ask for. They are in several sources, since the compiler asks for
// each validator whether it has hooks for each of some hundred commands, which takes it seconds.
namespace assay::layer {

// The validators of `instance`, which must outlive them. Builds its hooks.
std::unique_ptr<dispatch::ValidatorSet> MakeInstanceValidators(dispatch::Instance& instance);

// The validators of `device`, which must outlive them, and which is created with `info`. Builds its hooks.
std::unique_ptr<dispatch::ValidatorSet> MakeDeviceValidators(dispatch::Device& device, const VkDeviceCreateInfo& info);

// Attach a validator, which must live as long as the hooks that `builder` builds.
void AttachThreadSafety(thread_safety::ThreadSafety& validator, dispatch::HookBuilder& builder);
void AttachObjectLifetimes(object_lifetimes::ObjectLifetimes& validator, dispatch::HookBuilder& builder);
void AttachState(state::DeviceState& state, dispatch::HookBuilder& builder);
void AttachState(state::QueueState& state, dispatch::HookBuilder& builder);
void AttachLifetime(core::LifetimeRules& rules, dispatch::HookBuilder& builder);
void AttachSyncval(syncval::SyncValidator& syncval, dispatch::HookBuilder& builder);
void AttachTrace(syncval::trace::Tracer& trace, dispatch::HookBuilder& builder);

// Whether shaders are instrumented.
inline bool WantsGpuav(const dispatch::Settings& settings) { return settings.gpuav_enable || settings.printf_enable; }

}  // namespace assay::layer

#endif  // ASSAY_LAYER_VALIDATORS_VALIDATOR_SETS_H_
