// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_GENERATED_COMMANDS_TOKENS_H_
#define ASSAY_CORE_GENERATED_COMMANDS_TOKENS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "state/state.h"
#include "vk/vulkan.h"

// Private to the package: tokens of both extensions.
namespace assay::core {

// Kinds of tokens, as bits.
enum TokenKind : uint32_t {
  kSet = 1u << 0,
  kPush = 1u << 1,
  kSequenceIndex = 1u << 2,
  kIndexBuffer = 1u << 3,
  kVertexBuffer = 1u << 4,
  kIndexedDraw = 1u << 5,
  kDraw = 1u << 6,
  kMeshDraw = 1u << 7,
  kMeshDrawNv = 1u << 8,
  kDispatch = 1u << 9,
  kTrace = 1u << 10,
  kShaderGroup = 1u << 11,
  kStateFlags = 1u << 12,
  kPipeline = 1u << 13,
  kOtherToken = 1u << 14,
};
inline constexpr uint32_t kMeshDraws = kMeshDraw | kMeshDrawNv;
inline constexpr uint32_t kDraws = kIndexedDraw | kDraw | kMeshDraws;
inline constexpr uint32_t kActions = kDraws | kDispatch | kTrace;
inline constexpr uint32_t kPushes = kPush | kSequenceIndex;

TokenKind KindOf(const VkIndirectCommandsLayoutTokenEXT& token);
TokenKind KindOf(const VkIndirectCommandsLayoutTokenNV& token);
// Whether the number of draws is read from memory.
bool CountsDraws(VkIndirectCommandsTokenTypeEXT type);

// The kinds of a layout's tokens, in order.
class TokenKinds {
 public:
  template <class Info>
  explicit TokenKinds(const Info& info) {
    for (const auto& token : state::Items(info.pTokens, info.tokenCount)) kinds_.push_back(KindOf(token));
  }

  size_t Count(uint32_t kinds) const {
    return std::ranges::count_if(kinds_, [=](uint32_t kind) { return (kind & kinds) != 0; });
  }
  bool Has(uint32_t kinds) const { return Count(kinds) != 0; }
  bool HasOther(uint32_t than) const { return Has(~(than | kOtherToken)); }
  bool StartsWith(uint32_t kinds) const { return !kinds_.empty() && (kinds_.front() & kinds) != 0; }
  bool EndsWith(uint32_t kinds) const { return !kinds_.empty() && (kinds_.back() & kinds) != 0; }
  uint32_t All() const {
    uint32_t all = 0;
    for (const uint32_t kind : kinds_) all |= kind;
    return all;
  }
  uint32_t operator[](size_t i) const { return kinds_[i]; }

 private:
  std::vector<uint32_t> kinds_;
};

// What is noted of a layout.
struct LayoutNote {
  // All kinds of its tokens.
  uint32_t kinds = 0;
  bool is_preprocessed = false;
  bool counts_draws = false;
  // Of VK_EXT_device_generated_commands.
  VkShaderStageFlags set_stages = 0;
  std::vector<VkPushConstantRange> pushed;
  std::vector<VkPushConstantRange> indices;
  // What its push constants are of; empty if that is not known.
  state::Ref<state::PipelineLayout> pipeline_layout;
  // Of VK_NV_device_generated_commands.
  bool is_indexed = false;
  uint32_t stream_count = 0;

  bool Has(uint32_t of) const { return (kinds & of) != 0; }
};

// The ranges that tokens of these kinds push.
std::vector<VkPushConstantRange> RangesOf(const VkIndirectCommandsLayoutCreateInfoEXT& info, uint32_t kinds);
// Whether the first or the last byte of a range is in none of the others.
bool IsOutside(const VkPushConstantRange& range, absl::Span<const VkPushConstantRange> others);
bool AreOutside(absl::Span<const VkPushConstantRange> ranges, absl::Span<const VkPushConstantRange> others);

// Whether sets that both have are defined differently. Layouts that are not known are defined alike.
using SetLayouts = absl::Span<const state::Ref<state::DescriptorSetLayout>>;
inline bool HaveOtherSets(SetLayouts a, SetLayouts b) {
  const size_t common = std::min(a.size(), b.size());
  return !state::AreDefinedAlike(a.first(common), b.first(common));
}
inline bool AreIncompatible(const state::PipelineLayout& a, const state::PipelineLayout& b) {
  return HaveOtherSets(a.set_layouts, b.set_layouts) || !state::AreAlike(a.push_constants, b.push_constants);
}

inline constexpr VkShaderStageFlags kRayStages =
    VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR | VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR |
    VK_SHADER_STAGE_MISS_BIT_KHR | VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;

}  // namespace assay::core

#endif  // ASSAY_CORE_GENERATED_COMMANDS_TOKENS_H_
