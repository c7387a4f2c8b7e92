// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/core.h"

#include <type_traits>

#include "dispatch/dispatch.h"

namespace assay::core {
namespace {

using dispatch::Settings;

// The setting besides validate_core that switches a validator.
template <class V>
constexpr bool Settings::* kSetting = &Settings::validate_core;
template <>
constexpr bool Settings::* kSetting<InterfaceRules> = &Settings::check_shaders;
template <>
constexpr bool Settings::* kSetting<ShaderStageRules> = &Settings::check_shaders;
template <>
constexpr bool Settings::* kSetting<SpirvRules> = &Settings::check_shaders;
template <>
constexpr bool Settings::* kSetting<LayoutRules> = &Settings::check_image_layout;

template <class V>
V& Make(std::optional<V>& validator, state::DeviceState& state, const VkDeviceCreateInfo& info) {
  if constexpr (std::is_constructible_v<V, state::DeviceState&, const VkDeviceCreateInfo&>) {
    return validator.emplace(state, info);
  } else if constexpr (std::is_constructible_v<V, state::DeviceState&>) {
    return validator.emplace(state);
  } else if constexpr (std::is_constructible_v<V, const dispatch::Device&>) {
    return validator.emplace(state.device());
  } else if constexpr (std::is_constructible_v<V, const dispatch::Device&, const VkDeviceCreateInfo&>) {
    return validator.emplace(state.device(), info);
  } else {
    return validator.emplace();
  }
}

template <class V>
void AttachTo(std::optional<V>& validator, state::DeviceState& state, const VkDeviceCreateInfo& info,
              dispatch::HookBuilder& builder) {
  if (!(state.device().instance.settings.*kSetting<V>)) return;
  V& made = Make(validator, state, info);
  if constexpr (requires { made.Attach(builder); }) {
    made.Attach(builder);
  } else {
    builder.Attach(made);
  }
}

}  // namespace

void Validators::Attach(state::DeviceState& state, const VkDeviceCreateInfo& info, dispatch::HookBuilder& builder) {
  std::apply([&](auto&... validators) { (AttachTo(validators, state, info, builder), ...); }, validators_);
}

}  // namespace assay::core
