// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/objects/indirect_commands_layout.h"

namespace assay::state {

void GeneratedSequence::Add(VkIndirectCommandsTokenTypeEXT type) {
  switch (type) {
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT:
      sets_states = true;
      return;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT:
      pushes_constants = true;
      return;
    // No rule asks for an index buffer.
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_INDEX_BUFFER_EXT:
      return;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_EXT:
      binds_vertex_buffers = true;
      return;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_COUNT_EXT:
      action = Action::kDraw;
      return;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_COUNT_EXT:
      action = Action::kDrawIndexed;
      return;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_NV_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_NV_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_EXT:
      action = Action::kDrawMeshes;
      return;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT:
      action = Action::kDispatch;
      return;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_TRACE_RAYS2_EXT:
      action = Action::kTraceRays;
      return;
    default:
      // A token that is not known may do anything.
      sets_states = true;
  }
}

void GeneratedSequence::Add(VkIndirectCommandsTokenTypeNV type) {
  switch (type) {
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_INDEX_BUFFER_NV:
      return;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_NV:
      binds_vertex_buffers = true;
      return;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_NV:
      pushes_constants = true;
      return;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_NV:
      action = Action::kDrawIndexed;
      return;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_NV:
      action = Action::kDraw;
      return;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_TASKS_NV:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_NV:
      action = Action::kDrawMeshes;
      return;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_NV:
      action = Action::kDispatch;
      return;
    default:
      sets_states = true;
  }
}

}  // namespace assay::state
