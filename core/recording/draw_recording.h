// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_DRAW_RECORDING_H_
#define ASSAY_CORE_RECORDING_DRAW_RECORDING_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/recording/dynamic_states.h"
#include "vk/dynamic_state_rules.h"
#include "vk/vulkan.h"

namespace assay::core {

// What a recording has bound and set for draws, dispatches and traces (core/draw).
//
// A dynamic state is *set* from the command that sets it until it is invalidated: by binding a pipeline that has the
// state itself, or by executing secondary command buffers, after which nothing is set or bound.
class DrawRecording {
 public:
  enum BindPoint : uint8_t { kGraphics, kCompute, kRayTracing, kSubpassShading, kExecutionGraph, kBindPoints };

  const StateSet& set() const { return set_; }
  // The states that commands have set since the last pipeline was bound that could have them.
  const StateSet& set_since_bind() const { return set_since_bind_; }
  // The stages that vkCmdBindShadersEXT has bound, shader objects or none.
  VkShaderStageFlags called_stages() const { return called_stages_; }
  bool HasPipeline(BindPoint point) const { return has_pipeline_[point]; }
  // Null if no pipeline is bound, or nothing is noted of it.
  const PipelineStates* pipeline(BindPoint point) const { return pipelines_[point].get(); }

  // The number that a state has now: of the bound graphics pipeline if the pipeline has the state itself, or as a
  // command has set it. nullopt if it is not known.
  std::optional<uint32_t> ValueOf(uint8_t state) const {
    const PipelineStates* const bound = pipeline(kGraphics);
    if (bound != nullptr && !bound->dynamic.Has(state)) {
      return bound->known.Has(state) ? std::optional(bound->values[state]) : std::nullopt;
    }
    return set_.Has(state) ? std::optional(values_[state]) : std::nullopt;
  }
  // The number that commands have set last, for states that are arrays.
  uint32_t last_value(uint8_t state) const { return values_[state]; }

  void Set(uint8_t state) {
    set_.Add(state);
    set_since_bind_.Add(state);
    checked_ = {};
  }
  void Set(uint8_t state, uint32_t value) {
    values_[state] = value;
    Set(state);
  }
  // The same for some elements of a state that is an array: bits by index.
  void Set(uint8_t state, uint32_t value, uint32_t elements) {
    elements_[state] = (set_.Has(state) ? elements_[state] : 0) | elements;
    Set(state, value);
  }
  // Those of its elements that are set, if the state is.
  uint32_t elements(uint8_t state) const { return elements_[state]; }
  // Of color attachments, by the equations that commands have set: as PipelineStates::second_sources.
  void SetSecondSources(uint32_t attachments) { second_sources_ = attachments; }
  uint32_t second_sources() const { return second_sources_; }
  void SetLocations(const SampleLocations& locations) {
    locations_ = locations;
    Set(IndexOf(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT));
  }
  // Those that commands have set; nothing if they are not set.
  std::optional<SampleLocations> sample_locations() const {
    return set_.Has(IndexOf(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT)) ? std::optional(locations_) : std::nullopt;
  }

  void BindPipeline(BindPoint point, std::shared_ptr<const PipelineStates> states) {
    if (point != kCompute) {
      if (states != nullptr) set_ = set_.Without(states->fixed) | inherited_;
      // The stack size is the one state of ray tracing pipelines.
      StateSet stack_size;
      stack_size.Add(IndexOf(VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR));
      set_since_bind_ = point == kRayTracing ? set_since_bind_.Without(stack_size) : set_since_bind_ & stack_size;
    }
    pipelines_[point] = std::move(states);
    has_pipeline_[point] = true;
    checked_ = {};
  }
  void BindShader(VkShaderStageFlagBits stage) {
    const BindPoint point = stage == VK_SHADER_STAGE_COMPUTE_BIT ? kCompute : kGraphics;
    called_stages_ |= stage;
    pipelines_[point] = nullptr;
    has_pipeline_[point] = false;
    checked_ = {};
  }

  // Begins with nothing, but for the viewports and scissors that a secondary command buffer may inherit.
  void Begin(bool inherits_viewports) {
    *this = {};
    if (!inherits_viewports) return;
    for (const VkDynamicState state : {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                       VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT}) {
      inherited_.Add(IndexOf(state));
    }
    set_ = inherited_;
  }
  // Secondary command buffers were executed.
  void Forget() {
    const StateSet inherited = inherited_;
    *this = {};
    inherited_ = inherited;
    has_executed_ = true;
  }
  bool inherits_viewports() const { return !inherited_.empty(); }
  // Whether secondary command buffers were executed, so that what the state tracker has as bound may not be.
  bool has_executed() const { return has_executed_; }

  // A draw that follows a correct one of the same kind, with the same things bound and set, is correct. A key stands
  // for all that is not kept here.
  struct Checked {
    // A bit for each kind.
    uint32_t kinds = 0;
    uint64_t key = 0;

    bool Has(uint32_t kind, uint64_t of) const { return (kinds & kind) != 0 && key == of; }
  };
  const Checked& checked() const { return checked_; }
  void ForgetChecked() { checked_ = {}; }
  void SetChecked(uint32_t kind, uint64_t key) { checked_ = {(checked_.key == key ? checked_.kinds : 0) | kind, key}; }

 private:
  Checked checked_;
  StateSet set_;
  StateSet set_since_bind_;
  StateSet inherited_;
  VkShaderStageFlags called_stages_ = 0;
  bool has_executed_ = false;
  std::array<bool, kBindPoints> has_pipeline_ = {};
  std::array<std::shared_ptr<const PipelineStates>, kBindPoints> pipelines_;
  std::array<uint32_t, vk::kDynamicStateCount> values_ = {};
  std::array<uint32_t, vk::kDynamicStateCount> elements_ = {};
  uint32_t second_sources_ = 0;
  SampleLocations locations_ = {};
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_DRAW_RECORDING_H_
