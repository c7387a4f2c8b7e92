// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_ATTACH_PART_H_
#define ASSAY_CORE_ATTACH_PART_H_

#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/core.h"
#include "dispatch/dispatch.h"
#include "state/state.h"

// Private to the package: makes and attaches validators. The compiler asks for each whether it has hooks for each of
// some hundred commands, which takes it a second. Hence they are attached in parts, which attach_part_0.cc and its like
// instantiate.
namespace assay::core {

// The setting besides validate_core that switches a validator.
template <class V>
constexpr bool dispatch::Settings::* kSetting = &dispatch::Settings::validate_core;
template <>
constexpr bool dispatch::Settings::* kSetting<InterfaceRules> = &dispatch::Settings::check_shaders;
template <>
constexpr bool dispatch::Settings::* kSetting<ShaderStageRules> = &dispatch::Settings::check_shaders;
template <>
constexpr bool dispatch::Settings::* kSetting<SpirvRules> = &dispatch::Settings::check_shaders;
template <>
constexpr bool dispatch::Settings::* kSetting<LayoutRules> = &dispatch::Settings::check_image_layout;

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

template <size_t part>
void Validators::AttachPart(state::DeviceState& state, const VkDeviceCreateInfo& info, dispatch::HookBuilder& builder) {
  constexpr size_t kFirst = kCount * part / kParts;
  constexpr size_t kEnd = kCount * (part + 1) / kParts;
  [&]<size_t... i>(std::index_sequence<i...>) {
    (AttachTo(std::get<kFirst + i>(validators_), state, info, builder), ...);
  }(std::make_index_sequence<kEnd - kFirst>());
}

}  // namespace assay::core

#endif  // ASSAY_CORE_ATTACH_PART_H_
