// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/set_values.h"

#include <algorithm>
#include <initializer_list>

namespace assay::core {
namespace {

bool IsConstant(VkBlendFactor factor) {
  return factor == VK_BLEND_FACTOR_CONSTANT_COLOR || factor == VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR ||
         factor == VK_BLEND_FACTOR_CONSTANT_ALPHA || factor == VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
}

bool HasConstants(const VkColorBlendEquationEXT& equation) {
  return std::ranges::any_of(
      std::initializer_list<VkBlendFactor>{equation.srcColorBlendFactor, equation.dstColorBlendFactor,
                                           equation.srcAlphaBlendFactor, equation.dstAlphaBlendFactor},
      IsConstant);
}

// A factor of an operation that has factors.
bool IsSecondSource(VkBlendOp op, VkBlendFactor factor) {
  const bool has_factors = op == VK_BLEND_OP_ADD || op == VK_BLEND_OP_SUBTRACT || op == VK_BLEND_OP_REVERSE_SUBTRACT;
  return has_factors && (factor == VK_BLEND_FACTOR_SRC1_COLOR || factor == VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR ||
                         factor == VK_BLEND_FACTOR_SRC1_ALPHA || factor == VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA);
}
bool HasSecondSource(const VkColorBlendEquationEXT& equation) {
  return IsSecondSource(equation.colorBlendOp, equation.srcColorBlendFactor) ||
         IsSecondSource(equation.colorBlendOp, equation.dstColorBlendFactor) ||
         IsSecondSource(equation.alphaBlendOp, equation.srcAlphaBlendFactor) ||
         IsSecondSource(equation.alphaBlendOp, equation.dstAlphaBlendFactor);
}

template <class T, class F>
uint32_t WithBits(uint32_t bits, uint32_t first, absl::Span<const T> elements, F&& is_set) {
  for (uint64_t i = 0; i < elements.size() && first + i < 32; ++i) {
    const uint32_t bit = 1u << (first + i);
    bits = is_set(elements[i]) ? bits | bit : bits & ~bit;
  }
  return bits;
}

template <class T>
absl::Span<const T> Elements(const T* elements, uint32_t count) {
  return {elements, elements != nullptr ? count : 0};
}

// The bits of elements.
uint32_t ElementBits(uint32_t first, uint64_t count) {
  const auto below = [](uint64_t index) { return index >= 32 ? ~0u : (1u << index) - 1; };
  return below(first + count) & ~below(first);
}

template <class T>
void NoteElements(VkDynamicState state, uint32_t first, absl::Span<const T> elements, DrawRecording& draw) {
  const uint8_t index = IndexOf(state);
  draw.Set(index, WithElements(draw.last_value(index), first, elements), ElementBits(first, elements.size()));
}

}  // namespace

uint32_t WithElements(uint32_t bits, uint32_t first, absl::Span<const VkBool32> enables) {
  return WithBits(bits, first, enables, [](VkBool32 enable) { return enable != VK_FALSE; });
}
uint32_t WithElements(uint32_t bits, uint32_t first, absl::Span<const VkColorBlendEquationEXT> equations) {
  return WithBits(bits, first, equations, HasConstants);
}
uint32_t WithElements(uint32_t bits, uint32_t first, absl::Span<const VkColorBlendAdvancedEXT> blends) {
  return WithBits(bits, first, blends,
                  [](const VkColorBlendAdvancedEXT& blend) { return blend.advancedBlendOp >= VK_BLEND_OP_ZERO_EXT; });
}
uint32_t WithSecondSources(uint32_t bits, uint32_t first, absl::Span<const VkColorBlendEquationEXT> equations) {
  return WithBits(bits, first, equations, HasSecondSource);
}

void NoteState(const vk::CmdSetColorBlendEnableEXT& call, DrawRecording& draw) {
  NoteElements(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, call.firstAttachment,
               Elements(call.pColorBlendEnables, call.attachmentCount), draw);
}
void NoteState(const vk::CmdSetColorBlendEquationEXT& call, DrawRecording& draw) {
  const auto equations = Elements(call.pColorBlendEquations, call.attachmentCount);
  NoteElements(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, call.firstAttachment, equations, draw);
  draw.SetSecondSources(WithSecondSources(draw.second_sources(), call.firstAttachment, equations));
}
void NoteState(const vk::CmdSetColorWriteMaskEXT& call, DrawRecording& draw) {
  draw.Set(IndexOf(VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT), 0, ElementBits(call.firstAttachment, call.attachmentCount));
}
void NoteState(const vk::CmdSetColorBlendAdvancedEXT& call, DrawRecording& draw) {
  NoteElements(VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT, call.firstAttachment,
               Elements(call.pColorBlendAdvanced, call.attachmentCount), draw);
}
void NoteState(const vk::CmdSetExclusiveScissorEnableNV& call, DrawRecording& draw) {
  NoteElements(VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_ENABLE_NV, call.firstExclusiveScissor,
               Elements(call.pExclusiveScissorEnables, call.exclusiveScissorCount), draw);
}

}  // namespace assay::core
