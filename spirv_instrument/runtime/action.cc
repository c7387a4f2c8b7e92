// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/action.h"

#include <algorithm>
#include <optional>

#include "spirv_instrument/runtime/layout.h"
#include "spirv_instrument/runtime/vertex_attributes.h"

namespace assay::spirv_instrument {
namespace {

uint32_t& WordOf(absl::Span<uint32_t> action, uint32_t word) {
  constexpr uint32_t kQuadWords = 4;
  return action[kActionIndexQuad * kQuadWords + word];
}

}  // namespace

void InitializeAction(absl::Span<uint32_t> action) {
  std::ranges::fill(action, 0u);
  WordOf(action, kRecordsPerCauseWord) = 1;
  SetVertexAttributes({}, std::nullopt, action);
}

void InitializeUncheckedAction(absl::Span<uint32_t> action) {
  InitializeAction(action);
  WordOf(action, kUncheckedWord) = 0xffffffff;
}

}  // namespace assay::spirv_instrument
