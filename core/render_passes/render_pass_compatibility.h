// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RENDER_PASSES_RENDER_PASS_COMPATIBILITY_H_
#define ASSAY_CORE_RENDER_PASSES_RENDER_PASS_COMPATIBILITY_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "state/state.h"

namespace assay::core {

// In what two render passes differ, so that they are not compatible ("Render Pass Compatibility").
struct RenderPassDifference {
  // "the format", "the number".
  std::string_view what;
  // "color attachment"; empty for subpasses themselves.
  std::string_view attachment;
  size_t index = 0;
  size_t subpass = 0;

  // "the format of color attachment 0 of subpass 1".
  std::string Text() const;

  friend bool operator==(const RenderPassDifference&, const RenderPassDifference&) = default;
};

// nullopt if they are compatible, and for differences that are not compared: dependencies, flags and structures of
// extensions.
std::optional<RenderPassDifference> DifferenceOf(const state::RenderPass& one, const state::RenderPass& other);

}  // namespace assay::core

#endif  // ASSAY_CORE_RENDER_PASSES_RENDER_PASS_COMPATIBILITY_H_
