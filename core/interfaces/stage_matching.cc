// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/interfaces/stage_matching.h"

#include <algorithm>
#include <optional>

namespace assay::core {
namespace {

using Kind = StageMismatch::Kind;

// The difference of two types whose components are alike.
std::optional<Kind> CompareShapes(const InterfaceElement& output, const InterfaceElement& input, bool maintenance4) {
  if (output.location == input.location && output.type == input.type) return std::nullopt;
  const bool are_single = output.type.lengths.empty() && input.type.lengths.empty();
  const bool are_alike = output.location == input.location && output.type.columns == 0 && input.type.columns == 0 &&
                         output.type.lengths == input.type.lengths;
  if (!are_alike || output.type.components < input.type.components) return Kind::kShape;
  // The feature speaks of vectors. That a scalar may be the first component of one is not said, nor that it may not.
  if (maintenance4) return std::nullopt;
  return are_single && input.type.is_vector() ? Kind::kLongerVector : Kind::kShape;
}

std::optional<StageMismatch> Match(const StageInterface& outputs, const InterfaceElement& input, bool maintenance4) {
  const uint32_t count = input.type.vector_count();
  for (uint32_t vector = 0; vector < count; ++vector) {
    const uint32_t first = input.location + vector * input.type.locations();
    for (uint32_t word = input.component; word < input.component + input.type.words(); ++word) {
      const uint32_t location = first + word / 4;
      const InterfaceElement* const output = outputs.At(location, word % 4);
      StageMismatch mismatch{Kind::kNoOutput, &input, output, location, word % 4};
      if (output == nullptr) return mismatch;
      mismatch.kind = Kind::kComponentType;
      if (output->type.kind != input.type.kind || output->type.width != input.type.width) return mismatch;
    }
  }
  const InterfaceElement* const output = outputs.At(input.location, input.component);
  if (output == nullptr) return std::nullopt;
  const bool are_decorated_alike = output->is_patch == input.is_patch &&
                                   output->is_per_primitive == input.is_per_primitive &&
                                   output->component == input.component;
  if (!are_decorated_alike) return StageMismatch{Kind::kDecoration, &input, output};
  const std::optional<Kind> shape = CompareShapes(*output, input, maintenance4);
  if (!shape) return std::nullopt;
  return StageMismatch{*shape, &input, output};
}

// The built-ins that every stage before the fragments has. Blocks with others are of extensions, or have members that
// one stage alone has.
bool IsCommonBlock(const std::vector<spv::BuiltIn>& block) {
  return !block.empty() && std::all_of(block.begin(), block.end(), [](spv::BuiltIn built_in) {
    return built_in == spv::BuiltIn::Position || built_in == spv::BuiltIn::PointSize ||
           built_in == spv::BuiltIn::ClipDistance || built_in == spv::BuiltIn::CullDistance;
  });
}

std::optional<Kind> MatchBuiltIns(const StageInterface& outputs, const StageInterface& inputs) {
  if (!IsCommonBlock(inputs.block)) return std::nullopt;
  if (IsCommonBlock(outputs.block)) {
    if (inputs.block != outputs.block) return Kind::kBuiltInBlock;
    return std::nullopt;
  }
  const bool has_position = inputs.is_block_used && inputs.Has(spv::BuiltIn::Position);
  if (has_position && !outputs.Has(spv::BuiltIn::Position)) return Kind::kNoPosition;
  return std::nullopt;
}

}  // namespace

std::vector<StageMismatch> MatchStages(const ShaderInterface& producer, const ShaderInterface& consumer,
                                       bool maintenance4) {
  std::vector<StageMismatch> found;
  // The inputs of the producer, too: a geometry shader may pass them through.
  if (!producer.is_known || !producer.inputs.is_complete || !producer.outputs.is_complete) return found;
  if (!consumer.is_known || !consumer.inputs.is_complete) return found;
  for (const InterfaceElement& input : consumer.inputs.elements) {
    if (const auto mismatch = Match(producer.outputs, input, maintenance4)) found.push_back(*mismatch);
  }
  if (consumer.stage == VK_SHADER_STAGE_FRAGMENT_BIT) return found;
  if (const std::optional<Kind> kind = MatchBuiltIns(producer.outputs, consumer.inputs)) found.push_back({*kind});
  return found;
}

uint32_t LocationLimit(VkShaderStageFlagBits stage, bool is_input, const VkPhysicalDeviceLimits& limits) {
  switch (stage) {
    case VK_SHADER_STAGE_VERTEX_BIT:
      return is_input ? limits.maxVertexInputAttributes : limits.maxVertexOutputComponents / 4;
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
      return (is_input ? limits.maxTessellationControlPerVertexInputComponents
                       : limits.maxTessellationControlPerVertexOutputComponents) /
             4;
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
      return (is_input ? limits.maxTessellationEvaluationInputComponents
                       : limits.maxTessellationEvaluationOutputComponents) /
             4;
    case VK_SHADER_STAGE_GEOMETRY_BIT:
      return (is_input ? limits.maxGeometryInputComponents : limits.maxGeometryOutputComponents) / 4;
    case VK_SHADER_STAGE_FRAGMENT_BIT:
      return is_input ? limits.maxFragmentInputComponents / 4 : limits.maxFragmentOutputAttachments;
    default:
      return 0;
  }
}

}  // namespace assay::core
