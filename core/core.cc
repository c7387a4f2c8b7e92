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
V& Make(std::optional<V>& validator, state::DeviceState& state) {
  if constexpr (std::is_constructible_v<V, state::DeviceState&>) {
    return validator.emplace(state);
  } else if constexpr (std::is_constructible_v<V, const dispatch::Device&>) {
    return validator.emplace(state.device());
  } else {
    return validator.emplace();
  }
}

template <class V>
void AttachTo(std::optional<V>& validator, state::DeviceState& state, dispatch::HookBuilder& builder) {
  if (!(state.device().instance.settings.*kSetting<V>)) return;
  V& made = Make(validator, state);
  if constexpr (requires { made.Attach(builder); }) {
    made.Attach(builder);
  } else {
    builder.Attach(made);
  }
}

}  // namespace

void Validators::Attach(state::DeviceState& state, dispatch::HookBuilder& builder) {
  std::apply([&](auto&... validators) { (AttachTo(validators, state, builder), ...); }, validators_);
}

}  // namespace assay::core
