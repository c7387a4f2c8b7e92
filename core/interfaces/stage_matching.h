// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_INTERFACES_STAGE_MATCHING_H_
#define ASSAY_CORE_INTERFACES_STAGE_MATCHING_H_

#include <cstdint>
#include <vector>

#include "core/interfaces/shader_interface.h"
#include "spirv/unified1/spirv.hpp11"
#include "vk/vulkan.h"

// Matches the outputs of a shader stage with the inputs of the next one ("Interface Matching").
namespace assay::core {

struct StageMismatch {
  enum class Kind : uint8_t {
    // No output has a word of the input.
    kNoOutput,
    // The components have other types or widths.
    kComponentType,
    // One is for patches or primitives and the other is not, or they begin at other components.
    kDecoration,
    // The output is a longer vector, which needs maintenance4.
    kLongerVector,
    // The types differ in other ways: in arrays, matrices, or a scalar and a vector.
    kShape,
    // The built-ins of both interface blocks are others, or in another order.
    kBuiltInBlock,
    // The input block has Position, which the previous stage does not have.
    kNoPosition,
  };

  Kind kind;
  // Null for built-ins; `output` is null for kNoOutput, too.
  const InterfaceElement* input = nullptr;
  const InterfaceElement* output = nullptr;
  // Of kNoOutput and kComponentType.
  uint32_t location = 0;
  uint32_t word = 0;
};

// At most one mismatch for each input, and one for the built-ins. Nothing if a side is not understood. The result
// refers to both.
std::vector<StageMismatch> MatchStages(const ShaderInterface& producer, const ShaderInterface& consumer,
                                       bool maintenance4);

// How many locations the stage has for its inputs or outputs (the table of "Location Assignment"); 0 for no limit.
uint32_t LocationLimit(VkShaderStageFlagBits stage, bool is_input, const VkPhysicalDeviceLimits& limits);

}  // namespace assay::core

#endif  // ASSAY_CORE_INTERFACES_STAGE_MATCHING_H_
