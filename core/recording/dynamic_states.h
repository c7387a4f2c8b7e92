// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_DYNAMIC_STATES_H_
#define ASSAY_CORE_RECORDING_DYNAMIC_STATES_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "state/state.h"
#include "vk/dynamic_state_rules.h"
#include "vk/rules/dynamic_state_index.h"
#include "vk/vulkan.h"

namespace assay::core {

// The index of a dynamic state in vk::kDynamicStates, or vk::kNoDynamicState.
constexpr uint8_t IndexOf(VkDynamicState state) { return vk::DynamicStateIndex(state); }

// A set of dynamic states, by index.
class StateSet {
 public:
  constexpr void Add(uint8_t state) {
    if (state < vk::kDynamicStateCount) words_[state / 64] |= uint64_t{1} << state % 64;
  }
  constexpr bool Has(uint8_t state) const {
    return state < vk::kDynamicStateCount && (words_[state / 64] >> state % 64 & 1) != 0;
  }
  constexpr bool empty() const { return (words_[0] | words_[1]) == 0; }
  constexpr StateSet operator|(const StateSet& other) const {
    return {words_[0] | other.words_[0], words_[1] | other.words_[1]};
  }
  constexpr StateSet operator&(const StateSet& other) const {
    return {words_[0] & other.words_[0], words_[1] & other.words_[1]};
  }
  constexpr StateSet Without(const StateSet& other) const {
    return {words_[0] & ~other.words_[0], words_[1] & ~other.words_[1]};
  }
  // Calls visit(state) for each, in order.
  template <class F>
  void ForEach(const F& visit) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      for (uint64_t word = words_[i]; word != 0; word &= word - 1)
        visit(static_cast<uint8_t>(64 * i + std::countr_zero(word)));
    }
  }
  // A bit for each state.
  const std::array<uint64_t, 2>& words() const { return words_; }
  friend constexpr bool operator==(const StateSet&, const StateSet&) = default;

  constexpr StateSet() = default;

 private:
  constexpr StateSet(uint64_t low, uint64_t high) : words_{low, high} {}
  static_assert(vk::kDynamicStateCount <= 128);

  std::array<uint64_t, 2> words_ = {};
};

// VkAttachmentSampleCountInfoAMD.
struct AttachmentSamples {
  std::vector<VkSampleCountFlagBits> colors;
  VkSampleCountFlagBits depth_stencil;
};

// VkSampleLocationsInfoEXT, but for the locations themselves.
struct SampleLocations {
  VkSampleCountFlagBits per_pixel;
  VkExtent2D grid;
};

// What is noted of a graphics or ray tracing pipeline.
struct PipelineStates : state::ObjectSubState {
  // The dynamic states of the parts that the pipeline has.
  StateSet dynamic;
  // The states that the pipeline has itself, for certain. A state that it neither has nor ignores, such as one of an
  // extension's structure that is not there, is in neither set.
  StateSet fixed;
  // Those of them that are one number, which `values` has by index.
  StateSet known;
  std::array<uint32_t, vk::kDynamicStateCount> values = {};
  VkShaderStageFlags stages = 0;
  bool has_discard_rectangles = false;
  // Whether it blends with the blend constants, for certain.
  bool uses_blend_constants = false;
  // Whether it is created for a render pass object.
  bool has_render_pass = false;
  // Whether it is linked from libraries.
  bool is_linked = false;
  std::optional<AttachmentSamples> attachment_samples;
  std::optional<SampleLocations> locations;
  bool has_sample_shading = false;
  // A bit for each color attachment whose blend equation has the second output as a factor.
  uint32_t second_sources = 0;
  // VkExternalFormatANDROID::externalFormat; 0 without.
  uint64_t external_format = 0;
  // Dynamic rendering with the color locations, and with the input attachment indices, that the pipeline is created
  // for. Null where it has the default.
  std::shared_ptr<const state::RenderPassInstance> color_locations;
  std::shared_ptr<const state::RenderPassInstance> input_indices;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_DYNAMIC_STATES_H_
