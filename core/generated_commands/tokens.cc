// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/generated_commands/tokens.h"

namespace assay::core {
namespace {

struct KindRow {
  int32_t type;
  TokenKind kind;
};
constexpr KindRow kKinds[] = {
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT, kSet},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT, kPush},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT, kSequenceIndex},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_INDEX_BUFFER_EXT, kIndexBuffer},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_EXT, kVertexBuffer},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_EXT, kIndexedDraw},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_COUNT_EXT, kIndexedDraw},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT, kDraw},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_COUNT_EXT, kDraw},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_EXT, kMeshDraw},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_EXT, kMeshDraw},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_NV_EXT, kMeshDrawNv},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_NV_EXT, kMeshDrawNv},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT, kDispatch},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_TRACE_RAYS2_EXT, kTrace},
};
constexpr KindRow kNvKinds[] = {
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_SHADER_GROUP_NV, kShaderGroup},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_STATE_FLAGS_NV, kStateFlags},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_INDEX_BUFFER_NV, kIndexBuffer},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_NV, kVertexBuffer},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_NV, kPush},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_NV, kIndexedDraw},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_NV, kDraw},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_TASKS_NV, kMeshDrawNv},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_NV, kMeshDraw},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_PIPELINE_NV, kPipeline},
    {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_NV, kDispatch},
};

TokenKind Find(absl::Span<const KindRow> rows, int32_t type) {
  const auto found = std::ranges::find(rows, type, &KindRow::type);
  return found != rows.end() ? found->kind : kOtherToken;
}

}  // namespace

TokenKind KindOf(const VkIndirectCommandsLayoutTokenEXT& token) { return Find(kKinds, token.type); }
TokenKind KindOf(const VkIndirectCommandsLayoutTokenNV& token) { return Find(kNvKinds, token.tokenType); }

bool CountsDraws(VkIndirectCommandsTokenTypeEXT type) {
  return type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_COUNT_EXT ||
         type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_COUNT_EXT ||
         type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_EXT ||
         type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_NV_EXT;
}

std::vector<VkPushConstantRange> RangesOf(const VkIndirectCommandsLayoutCreateInfoEXT& info, uint32_t kinds) {
  std::vector<VkPushConstantRange> ranges;
  for (const auto& token : state::Items(info.pTokens, info.tokenCount)) {
    if ((KindOf(token) & kinds) != 0 && token.data.pPushConstant != nullptr)
      ranges.push_back(token.data.pPushConstant->updateRange);
  }
  return ranges;
}

bool IsOutside(const VkPushConstantRange& range, absl::Span<const VkPushConstantRange> others) {
  const auto is_in_none = [&](uint64_t byte) {
    return std::ranges::none_of(others, [=](const auto& o) { return byte >= o.offset && byte - o.offset < o.size; });
  };
  return range.size != 0 && (is_in_none(range.offset) || is_in_none(uint64_t{range.offset} + range.size - 1));
}

bool AreOutside(absl::Span<const VkPushConstantRange> ranges, absl::Span<const VkPushConstantRange> others) {
  return std::ranges::any_of(ranges, [&](const auto& range) { return IsOutside(range, others); });
}

}  // namespace assay::core
