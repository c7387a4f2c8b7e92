// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_SET_VALUES_H_
#define ASSAY_CORE_DRAW_SET_VALUES_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "absl/types/span.h"
#include "core/recording/draw_recording.h"
#include "vk/commands.h"
#include "vk/dynamic_state_rules.h"
#include "vk/vulkan.h"

// What a command that sets a dynamic state does to a recording. Private to the package.
namespace assay::core {

template <class C>
consteval std::optional<vk::DynamicStateSetter> SetterOf() {
  for (const vk::DynamicStateSetter& setter : vk::kDynamicStateSetters) {
    if (setter.command == C::kId) return setter;
  }
  return std::nullopt;
}

template <class C>
concept SetsDynamicState = SetterOf<C>().has_value();

// A state that is an array has a bit for each element below 32: whether it is enabled; of blend equations, whether it
// has the blend constants; of advanced blending, whether the operation is an advanced one.
uint32_t WithElements(uint32_t bits, uint32_t first, absl::Span<const VkBool32> enables);
uint32_t WithElements(uint32_t bits, uint32_t first, absl::Span<const VkColorBlendEquationEXT> equations);
uint32_t WithElements(uint32_t bits, uint32_t first, absl::Span<const VkColorBlendAdvancedEXT> blends);
// The same: whether equations have the second output of the fragment shader as a factor that counts.
uint32_t WithSecondSources(uint32_t bits, uint32_t first, absl::Span<const VkColorBlendEquationEXT> equations);

inline void NoteState(const vk::CmdBindVertexBuffers2& call, DrawRecording& draw) {
  if (call.pStrides != nullptr) draw.Set(IndexOf(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE));
}
// Their value is the number of viewports or scissors.
inline void NoteState(const vk::CmdSetViewportWithCount& call, DrawRecording& draw) {
  draw.Set(IndexOf(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT), call.viewportCount);
}
inline void NoteState(const vk::CmdSetScissorWithCount& call, DrawRecording& draw) {
  draw.Set(IndexOf(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT), call.scissorCount);
}
void NoteState(const vk::CmdSetColorBlendEnableEXT& call, DrawRecording& draw);
void NoteState(const vk::CmdSetColorBlendEquationEXT& call, DrawRecording& draw);
void NoteState(const vk::CmdSetColorWriteMaskEXT& call, DrawRecording& draw);
void NoteState(const vk::CmdSetColorBlendAdvancedEXT& call, DrawRecording& draw);
// The value is the number of attachments.
inline void NoteState(const vk::CmdSetColorWriteEnableEXT& call, DrawRecording& draw) {
  draw.Set(IndexOf(VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT), call.attachmentCount);
}
inline void NoteState(const vk::CmdSetRasterizationStreamEXT& call, DrawRecording& draw) {
  draw.Set(IndexOf(VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT), call.rasterizationStream);
}
inline void NoteState(const vk::CmdSetCoverageToColorLocationNV& call, DrawRecording& draw) {
  draw.Set(IndexOf(VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_LOCATION_NV), call.coverageToColorLocation);
}
// The value is the number of entries.
inline void NoteState(const vk::CmdSetCoverageModulationTableNV& call, DrawRecording& draw) {
  draw.Set(IndexOf(VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV), call.coverageModulationTableCount);
}
inline void NoteState(const vk::CmdSetSampleLocationsEXT& call, DrawRecording& draw) {
  if (call.pSampleLocationsInfo == nullptr) return;
  draw.SetLocations(
      {call.pSampleLocationsInfo->sampleLocationsPerPixel, call.pSampleLocationsInfo->sampleLocationGridSize});
}
// The value is the width in the upper half, and the height.
inline void NoteState(const vk::CmdSetFragmentShadingRateKHR& call, DrawRecording& draw) {
  if (call.pFragmentSize == nullptr) return;
  draw.Set(IndexOf(VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR),
           call.pFragmentSize->width << 16 | call.pFragmentSize->height);
}
// No size of its own.
inline void NoteState(const vk::CmdSetFragmentShadingRateEnumNV&, DrawRecording& draw) {
  draw.Set(IndexOf(VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR), 1u << 16 | 1);
}
// The value is the number of samples.
inline void NoteState(const vk::CmdSetSampleMaskEXT& call, DrawRecording& draw) {
  draw.Set(IndexOf(VK_DYNAMIC_STATE_SAMPLE_MASK_EXT), call.samples);
}
void NoteState(const vk::CmdSetExclusiveScissorEnableNV& call, DrawRecording& draw);

template <SetsDynamicState C>
void NoteState(const C& call, DrawRecording& draw) {
  constexpr vk::DynamicStateSetter kSetter = *SetterOf<C>();
  if constexpr (requires { call.firstViewport; }) {
    // The value is the number of viewports up to the last that was set.
    const uint32_t before = draw.set().Has(kSetter.state) ? draw.last_value(kSetter.state) : 0;
    draw.Set(kSetter.state, std::max(before, call.firstViewport + call.viewportCount));
  } else if constexpr (kSetter.value_offset == vk::DynamicStateSetter::kNoValue) {
    draw.Set(kSetter.state);
  } else {
    uint32_t value = 0;
    std::memcpy(&value, reinterpret_cast<const char*>(&call) + kSetter.value_offset, sizeof(value));
    draw.Set(kSetter.state, value);
  }
}

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_SET_VALUES_H_
