// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_STATE_SOURCES_H_
#define ASSAY_CORE_DRAW_STATE_SOURCES_H_

#include <array>
#include <cstdint>

#include "core/recording/dynamic_states.h"
#include "vk/dynamic_state_rules.h"
#include "vk/vulkan.h"

// Where the create info of a graphics pipeline has a state that is not dynamic. Private to the package.
namespace assay::core {

enum class StateSource : uint8_t {
  kNone,
  kCreateInfo,
  kVertexInput,
  kAssembly,
  kTessellation,
  kViewport,
  kRasterization,
  kMultisample,
  kDepthStencil,
  kBlend,
};
inline constexpr size_t kStateSources = 10;

struct SourceOfState {
  static constexpr uint16_t kNoValue = 0xffff;

  // The part of a pipeline that the state belongs to; 0 for a state of other pipelines. Without that part, the dynamic
  // state is ignored.
  VkGraphicsPipelineLibraryFlagsEXT part = 0;
  StateSource source = StateSource::kNone;
  // If not 0, the state is in a structure of the source's chain, and the pipeline has it if the structure is there.
  VkStructureType link = {};
  // Bytes from the beginning of the structure to the value, if it is one number.
  uint16_t value_offset = kNoValue;
  // The value is whether that number is not 0.
  bool is_count = false;
};

// By index in vk::kDynamicStates.
const std::array<SourceOfState, vk::kDynamicStateCount>& SourcesOfStates();

// The states that have one source.
struct StatesOfSource {
  // Of the source itself, and of structures in its chain.
  StateSet own;
  StateSet chained;
  // Those that have a value.
  StateSet numbers;
};
// By StateSource.
const std::array<StatesOfSource, kStateSources>& StatesOfSources();

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_STATE_SOURCES_H_
