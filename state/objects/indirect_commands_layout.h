// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_INDIRECT_COMMANDS_LAYOUT_H_
#define ASSAY_STATE_OBJECTS_INDIRECT_COMMANDS_LAYOUT_H_

#include <cstdint>

#include "state/objects/items.h"
#include "state/objects/object.h"
#include "vk/vulkan.h"

namespace assay::state {

// What generated commands do: each sequence of tokens binds, sets and pushes, and ends with one action
// (VK_EXT_device_generated_commands, VK_NV_device_generated_commands).
struct GeneratedSequence {
  enum class Action : uint8_t { kNone, kDraw, kDrawIndexed, kDrawMeshes, kDispatch, kTraceRays };

  Action action = Action::kNone;
  // Whether a sequence has a pipeline, shaders or fixed functions of its own.
  bool sets_states = false;
  bool binds_vertex_buffers = false;
  bool pushes_constants = false;
  // Whether the commands are preprocessed by a command of their own.
  bool is_preprocessed = false;

  explicit GeneratedSequence(const VkIndirectCommandsLayoutCreateInfoEXT& info)
      : is_preprocessed((info.flags & VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT) != 0) {
    for (const auto& token : Items(info.pTokens, info.tokenCount)) Add(token.type);
  }
  explicit GeneratedSequence(const VkIndirectCommandsLayoutCreateInfoNV& info)
      : is_preprocessed((info.flags & VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_NV) != 0) {
    for (const auto& token : Items(info.pTokens, info.tokenCount)) Add(token.tokenType);
  }

 private:
  void Add(VkIndirectCommandsTokenTypeEXT type);
  void Add(VkIndirectCommandsTokenTypeNV type);
};

class IndirectCommandsLayoutEXT : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_INDIRECT_COMMANDS_LAYOUT_EXT;
  IndirectCommandsLayoutEXT(uint64_t handle, const VkIndirectCommandsLayoutCreateInfoEXT& info)
      : Object(kType, handle), sequence(info) {}

  const GeneratedSequence sequence;
};

class IndirectCommandsLayoutNV : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_INDIRECT_COMMANDS_LAYOUT_NV;
  IndirectCommandsLayoutNV(uint64_t handle, const VkIndirectCommandsLayoutCreateInfoNV& info)
      : Object(kType, handle), sequence(info) {}

  const GeneratedSequence sequence;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_INDIRECT_COMMANDS_LAYOUT_H_
