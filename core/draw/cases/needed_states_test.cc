// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The rules of vk::kDynamicStateRules, through the whole layer: each for every command that has it, with a pipeline and
// with shader objects.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/draw/cases/draw_test.h"
#include "core/recording/dynamic_states.h"
#include "vk/dynamic_state_rules.h"

namespace assay::core {
namespace {

VkDynamicState StateAt(uint8_t index) { return vk::kDynamicStates[index]; }

// A number for which the term holds.
uint32_t NumberFor(const vk::DynamicStateTerm& term) {
  if (term.test == vk::DynamicStateTest::kIsLine) return VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
  return term.test == vk::DynamicStateTest::kDiffers ? term.number + 1 : term.number;
}

bool NeedsRateImages(const vk::DynamicStateRule& rule) {
  return rule.feature_count != 0 && rule.features[0] == vk::FeatureId::kShadingRateImage;
}

bool NeedsAllStages(VkShaderStageFlags stages) {
  constexpr VkShaderStageFlags kMore = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                                       VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT;
  return stages != 0 && (stages & ~kMore) == 0;
}

// Draws of meshes have some rules of vertex and geometry shaders, too, but no such shader.
bool HasRuleOf(const ActionCall& call, const vk::DynamicStateRule& rule) {
  if (call.draws_meshes && NeedsAllStages(rule.pipeline_stage)) return false;
  return call.Has(rule.name);
}

// What coverage is written to has a format of one integer.
constexpr VkFormat kInteger = VK_FORMAT_R32_UINT;

class NeededStates : public DrawTest {
 protected:
  void StartWithIntegers(const StartOptions& options) {
    Start(options);
    color_ = MakeView(MakeImage(kInteger, 64, 64, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT));
  }

  // The states of the pipeline for a rule: those that it needs, and those whose values decide.
  static PipelineOptions OptionsFor(const vk::DynamicStateRule& rule, const ActionCall& call) {
    PipelineOptions options;
    options.colors = {kInteger};
    options.stages = NeedsAllStages(rule.pipeline_stage) ? Stages::kAllVertex : StagesOf(call);
    for (const uint8_t state : rule.pipeline) {
      if (std::ranges::find(options.dynamic, StateAt(state)) == options.dynamic.end())
        options.dynamic.push_back(StateAt(state));
    }
    for (const vk::DynamicStateTerm& term : rule.terms) {
      if (&term >= rule.terms.data() + rule.term_count || IsStatic(term)) continue;
      options.dynamic.push_back(StateAt(term.state));
    }
    options.has_discard_rectangles = rule.discard_rectangles == vk::DiscardRectangles::kPresent;
    return options;
  }

  // Whether the pipelines of OptionsFor have the value themselves.
  static bool IsStatic(const vk::DynamicStateTerm& term) {
    return StateAt(term.state) == VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE ||
           StateAt(term.state) == VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY;
  }

  // Sets the states of the pipeline but those that the rule is about.
  void SetOthers(const vk::DynamicStateRule& rule, const std::vector<VkDynamicState>& all) {
    for (const VkDynamicState state : all) {
      if (state == StateAt(rule.needed[0]) || state == StateAt(rule.needed[1]) || !HasState(state)) continue;
      // Advanced equations stand for the others.
      const bool is_equation = StateAt(rule.needed[0]) == VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT;
      if (is_equation && state == VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT) continue;
      const auto terms = absl::MakeConstSpan(rule.terms).first(rule.term_count);
      const auto term = std::ranges::find(terms, IndexOf(state), &vk::DynamicStateTerm::state);
      Set(state, term != terms.end() ? NumberFor(*term) : PlainValue(state));
    }
  }

  // `bind` binds what needs the state of the rule, and sets the other states.
  template <class F>
  void RunNeeded(const ActionCall& call, const vk::DynamicStateRule& rule, const F& bind) {
    SCOPED_TRACE(rule.name);
    RecordFor(call, [&] {
      RenderInstead({.color = color_});
      bind();
      ExpectRule(rule.name);
      Set(StateAt(rule.needed[0]));
      ExpectSilence();
    });
  }

  void RunPipelines(bool has_rate_images) {
    StartWithIntegers({.has_rate_images = has_rate_images});
    for (const vk::DynamicStateRule& rule : vk::kDynamicStateRules) {
      if (rule.pipeline[0] == vk::kNoDynamicState || NeedsRateImages(rule) != has_rate_images) continue;
      std::map<Stages, VkPipeline> pipelines;
      for (const ActionCall& call : ActionCalls()) {
        if (!HasRuleOf(call, rule) || call.point != DrawRecording::kGraphics) continue;
        const PipelineOptions options = OptionsFor(rule, call);
        VkPipeline& pipeline = pipelines[StagesOf(call)];
        if (pipeline == VK_NULL_HANDLE) pipeline = MakePipeline(options);
        RunNeeded(call, rule, [&] {
          Bind(pipeline);
          SetOthers(rule, options.dynamic);
        });
      }
    }
  }

  void RunShaderObjects(bool has_rate_images) {
    StartWithIntegers({.has_rate_images = has_rate_images, .has_shader_objects = true});
    std::vector<VkDynamicState> all(std::begin(vk::kDynamicStates), std::end(vk::kDynamicStates));
    std::erase(all, VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR);
    for (const vk::DynamicStateRule& rule : vk::kDynamicStateRules) {
      if (rule.shader_stages == 0 || NeedsRateImages(rule) != has_rate_images) continue;
      for (const ActionCall& call : ActionCalls()) {
        if (!HasRuleOf(call, rule) || (call.draws_meshes && (rule.shader_stages & ~kVertexStages) == 0)) continue;
        const bool needs_all = NeedsAllStages(rule.shader_stages);
        RunNeeded(call, rule, [&] {
          BindShaders(call.draws_meshes ? Stages::kMesh : needs_all ? Stages::kAllVertex : Stages::kVertex);
          SetOthers(rule, all);
          if (needs_all) Set(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
        });
      }
    }
  }

  VkImageView color_ = VK_NULL_HANDLE;
};

TEST_F(NeededStates, Pipelines) { RunPipelines(false); }
TEST_F(NeededStates, PipelinesWithShadingRateImages) { RunPipelines(true); }
TEST_F(NeededStates, ShaderObjects) { RunShaderObjects(false); }
TEST_F(NeededStates, ShaderObjectsWithShadingRateImages) { RunShaderObjects(true); }

TEST_F(NeededStates, RayTracingStackSize) {
  Start();
  constexpr VkDynamicState kSize = VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR;
  RunRule("None-09458", [&] { Bind(MakeRayTracing({kSize})); }, [&] { Set(kSize); });
}

TEST_F(NeededStates, BlendConstantsOfShaderObjects) {
  Start({.has_shader_objects = true});
  RecordEach("None-08621", [&] {
    BindShaders(StagesOf(*call_));
    SetAll({VK_DYNAMIC_STATE_BLEND_CONSTANTS});
    // Without blending they are not read.
    ExpectSilence();
    Set(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_TRUE);
    ExpectRule("None-08621");
    Set(VK_DYNAMIC_STATE_BLEND_CONSTANTS);
    ExpectSilence();
  });
}

}  // namespace
}  // namespace assay::core
