// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Vertex and index buffers, and the attributes that vertex shaders read from them.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/draw/action_report.h"
#include "core/draw/draw_rules.h"
#include "core/interfaces/attribute_match.h"
#include "core/interfaces/resource_accesses.h"
#include "core/interfaces/variable_text.h"
#include "vk/feature_info.h"
#include "vk/format_info.h"

namespace assay::core {
namespace {

using state::DeviceState;
using state::VertexAttribute;
using vk::FeatureId;

// By AttributeRule.
constexpr ActionRule kInputRules[] = {"Input-07939", "Input-08734", "format-08936", "format-08937", "None-09203"};

// What a draw reads vertices with.
struct VertexFetch {
  // Null with shader objects.
  const state::Pipeline* pipeline = nullptr;
  // Null if it is not known, or has no inputs.
  const ShaderInterface* shader = nullptr;
  // Null if it is not known, or not set.
  const state::VertexInput* input = nullptr;
  // Whether vkCmdSetVertexInputEXT sets the input.
  bool is_dynamic = false;

  explicit VertexFetch(const Action& action) {
    const state::ObjectSubState* noted = nullptr;
    if (action.draw().HasPipeline(DrawRecording::kGraphics)) {
      pipeline = DeviceState::Get<state::Pipeline>(action.buffer.At(VK_PIPELINE_BIND_POINT_GRAPHICS).pipeline);
      if (pipeline == nullptr || pipeline->graphics == nullptr) return;
      noted = pipeline->core_resources.get();
    } else if (const auto* object =
                   DeviceState::Get<state::Shader>(action.buffer.draw.shader(VK_SHADER_STAGE_VERTEX_BIT))) {
      noted = object->core_resources.get();
    }
    if (noted != nullptr) shader = static_cast<const ResourceAccesses*>(noted)->vertex.get();
    is_dynamic = pipeline == nullptr || pipeline->graphics->has_dynamic_vertex_input;
    if (!is_dynamic) {
      input = &pipeline->graphics->vertex_input;
    } else if (action.draw().set().Has(IndexOf(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT))) {
      input = &action.buffer.draw.dynamic_vertex_input();
    }
  }

  absl::Span<const VertexAttribute> attributes() const {
    return absl::MakeConstSpan(input->attributes).first(input->attribute_count);
  }
  // Calls visit(attribute) for those that the shader has inputs for.
  template <class F>
  void ForEachRead(const F& visit) const {
    const auto& slots = shader->inputs.slots;
    for (const VertexAttribute& attribute : attributes()) {
      if (attribute.location >= slots.size() || attribute.binding >= state::kMaxVertexBindings) continue;
      const auto is_used = [](int16_t element) { return element >= 0; };
      if (std::ranges::any_of(slots[attribute.location], is_used)) visit(attribute);
    }
  }
  std::string ShaderText(const Action& action) const {
    return pipeline != nullptr ? absl::StrCat("the vertex shader of ", PipelineText(action))
                               : "the bound vertex shader";
  }
};

void CheckInputs(const VertexFetch& fetch, AttributeFeatures features, Action& action) {
  // More are not tracked.
  features.is_robust |= fetch.attributes().size() == state::VertexInput::kMaxAttributes;
  const auto format_of = [&](uint32_t location) -> std::optional<VkFormat> {
    for (const VertexAttribute& attribute : fetch.attributes()) {
      if (attribute.location == location) return attribute.format;
    }
    return std::nullopt;
  };
  for (const InterfaceElement& input : fetch.shader->inputs.elements) {
    const auto fault = FindAttributeFault(input, features, format_of);
    if (!fault) continue;
    Report(action, action.ids.Of(kInputRules[static_cast<size_t>(fault->rule)]),
           absl::StrCat("At location ", input.location, ", ", fetch.ShaderText(action), " has an input of type ",
                        TypeText(input.type), ", ", fault->text),
           fault->fix);
  }
}

void CheckBindings(const VertexFetch& fetch, bool may_be_null, Action& action) {
  const state::DrawState& bound = action.buffer.draw;
  uint32_t missing = 0;
  uint32_t null = 0;
  fetch.ForEachRead([&](const VertexAttribute& attribute) {
    const uint32_t bit = 1u << attribute.binding;
    if ((bound.vertex_bindings() & bit) == 0) {
      missing |= bit;
    } else if (bound.vertex_buffer(attribute.binding).buffer == VK_NULL_HANDLE && !may_be_null) {
      null |= bit;
    }
  });
  const auto report = [&](uint32_t bindings, ActionRule rule, std::string_view what) {
    if (bindings == 0) return;
    Report(action, rule,
           absl::StrCat(what, " is bound to binding ", std::countr_zero(bindings), ", which ", fetch.ShaderText(action),
                        " reads."));
  };
  report(missing, "None-04007", "No vertex buffer");
  report(null, "None-04008", "VK_NULL_HANDLE");
}

// What the addresses of an attribute are certainly multiples of, if they are right.
struct Alignment {
  ActionRule rule;
  // 1 if everything is right.
  uint32_t bytes;
};
Alignment AlignmentOf(const vk::FormatInfo& format, bool is_legacy) {
  // No driver puts buffers at addresses that are not multiples of this.
  constexpr uint32_t kMost = 4;
  const bool is_packed = format.name.find("PACK") != std::string_view::npos;
  const uint32_t bits = format.components.empty() ? 8 : format.components[0].bits;
  if (is_legacy && (is_packed || bits != 64)) return {"format-10390", 1};
  if (is_packed) return {"format-10389", std::min<uint32_t>(format.block_size, kMost)};
  return {"format-10390", std::clamp<uint32_t>(bits / 8, 1, kMost)};
}

void CheckAttributes(const VertexFetch& fetch, bool is_legacy, Action& action) {
  const bool has_own_strides = !fetch.is_dynamic && !fetch.pipeline->graphics->has_dynamic_strides;
  const bool sets_strides = !fetch.is_dynamic && !has_own_strides;
  if (sets_strides && !action.draw().set().Has(IndexOf(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE))) return;
  bool is_misaligned = false;
  bool is_short = false;
  fetch.ForEachRead([&](const VertexAttribute& attribute) {
    const state::BoundBuffer& bound = action.buffer.draw.vertex_buffer(attribute.binding);
    const vk::FormatInfo* const format = vk::GetFormatInfo(attribute.format);
    if (bound.buffer == VK_NULL_HANDLE || format == nullptr) return;
    const VkDeviceSize stride = has_own_strides ? fetch.input->bindings[attribute.binding].stride : bound.stride;
    const uint64_t extent = uint64_t{attribute.offset} + attribute.size;
    if (sets_strides && !is_short && stride != 0 && stride < extent) {
      is_short = true;
      Report(action, vk::Vuid("VUID-vkCmdBindVertexBuffers2-pStrides-06209"),
             absl::StrCat("The stride (", stride, ") of binding ", attribute.binding,
                          " is set by vkCmdBindVertexBuffers2. It is less than the ", extent,
                          " bytes to the end of the attribute at location ", attribute.location, " (", format->name,
                          " at offset ", attribute.offset, ")."));
    }
    const Alignment alignment = AlignmentOf(*format, is_legacy);
    // With another stride, the address of the first vertex may be right.
    if (is_misaligned || action.runs_nothing || stride % alignment.bytes != 0) return;
    if ((bound.offset + attribute.offset) % alignment.bytes == 0) return;
    is_misaligned = true;
    Report(action, alignment.rule,
           absl::StrCat("The attribute at location ", attribute.location, " is ", format->name,
                        ", whose addresses must be multiples of ", alignment.bytes, ". It has offset ",
                        attribute.offset, ", and ", action.report.reporter().Describe(messages::Object(bound.buffer)),
                        " is bound to binding ", attribute.binding, " at offset ", bound.offset, "."));
  });
}

}  // namespace

void DrawRules::CheckBuffers(Action& action) const {
  if (!action.Has("None-04007")) return;
  const VertexFetch fetch(action);
  const bool is_known = fetch.shader != nullptr && fetch.input != nullptr;
  const bool is_legacy = device_.HasFeature(FeatureId::kLegacyVertexAttributes);
  if (is_known && fetch.is_dynamic) {
    CheckInputs(fetch, {.is_robust = device_.HasFeature(FeatureId::kVertexAttributeRobustness), .is_legacy = is_legacy},
                action);
  }
  // After secondary command buffers, the tracked buffers are not those that are bound.
  if (action.draw().has_executed()) return;
  if (is_known && !action.form.binds_vertex_buffers) {
    CheckBindings(fetch, device_.HasFeature(FeatureId::kNullDescriptor), action);
    CheckAttributes(fetch, is_legacy, action);
  }
  if (action.buffer.draw.index_buffer().key == 0 && !device_.HasFeature(FeatureId::kMaintenance6))
    Report(action, "None-07312", "No index buffer is bound.");
}

void DrawRules::ReportIndices(Action action, uint64_t end) {
  const state::BoundBuffer& bound = action.buffer.draw.index_buffer();
  // Without a size nothing is bound, or nothing that could be read. The tracked buffer may not be the bound one after
  // secondary command buffers.
  if (bound.size == 0 || action.draw().has_executed()) return;
  const VkDeviceSize size = IndexSize(action.buffer.draw.index_type());
  Report(action, "robustBufferAccess2-08798",
         absl::StrCat("The last index ends at byte ", end * size, " (", end, " indices of ", size, " bytes), past the ",
                      bound.size, " bytes of ", action.report.reporter().Describe(messages::Object(bound.buffer)),
                      " that are bound from offset ", bound.offset, "."));
}

void DrawRules::CheckFirstInstance(Action action, uint32_t first) const {
  const VertexFetch fetch(action);
  if (fetch.input == nullptr) return;
  for (uint32_t rest = fetch.input->described_bindings; rest != 0; rest &= rest - 1) {
    const int binding = std::countr_zero(rest);
    if (fetch.input->bindings[binding].divisor == 1) continue;
    return Report(
        action, fetch.is_dynamic ? ActionRule("None-09462") : ActionRule("pNext-09461"),
        absl::StrCat("firstInstance is ", first, ". It must be 0, since binding ", binding, " has the divisor ",
                     fetch.input->bindings[binding].divisor, ", and supportsNonZeroFirstInstance is VK_FALSE."));
  }
}

}  // namespace assay::core
