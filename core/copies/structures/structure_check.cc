// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/structures/structure_check.h"

#include "absl/strings/str_cat.h"
#include "core/recording/content_needs.h"

namespace assay::core {
namespace {

using messages::Location;
using state::DeviceState;
using Kind = ContentNeed::Kind;

bool IsHostVisible(const state::DeviceMemory& memory) {
  return (memory.properties & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
}

}  // namespace

StructureOperand::StructureOperand(VkAccelerationStructureKHR handle) : object(messages::Object(handle)) {
  Take(DeviceState::Get<state::AccelerationStructure>(handle));
}

StructureOperand::StructureOperand(VkMicromapEXT handle) : object(messages::Object(handle)) {
  Take(DeviceState::Get<state::Micromap>(handle));
}

StructureOperand::StructureOperand(VkAccelerationStructureNV handle) : object(messages::Object(handle)) {
  const auto* structure = DeviceState::Get<state::AccelerationStructureNV>(handle);
  if (structure == nullptr) return;
  is_known = true;
  is_bound = static_cast<bool>(structure->memory);
  is_host_visible = is_bound && IsHostVisible(*structure->memory);
  begin = structure->address;
}

void StructureOperand::Take(const state::BufferRange* range) {
  if (range == nullptr || !range->buffer) return;
  const state::Buffer& buffer = *range->buffer;
  is_known = true;
  is_bound = buffer.memory || buffer.is_sparse();
  is_host_visible = buffer.memory ? IsHostVisible(*buffer.memory) : buffer.is_sparse();
  begin = range->range().begin;
  size = range->size;
}

void StructureCheck::CheckMemory(const StructureOperand& structure, const StructureMemoryIds& ids,
                                 const Location& where) const {
  if (!structure.is_known || structure.is_host_visible) return;
  const bool has_buffer = structure.object.type != VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV;
  const auto text = [&](const char* without) {
    return absl::StrCat("(", reporter().Describe(structure.object), ") is ", has_buffer ? "in a buffer that is " : "",
                        without, ".");
  };
  const vk::VuidIndex bound = ids.bound != vk::kNoVuid ? ids.bound : ids.host_visible;
  Require(structure.is_bound, bound, structure.object, where, [&] { return text("not bound to memory"); });
  Require(!structure.is_bound, ids.host_visible, structure.object, where,
          [&] { return text("bound to memory that is not host-visible"); });
}

void StructureCheck::CheckContents(const StructureOperand& structure, const StructureContentIds& ids,
                                   const Location& where) const {
  const auto check = [&](Kind kind, vk::VuidIndex rule) {
    const ContentNeed need = {.kind = kind, .rule = rule, .command = {}, .object = structure.object};
    Require(rule == vk::kNoVuid || !IsUnmet(need), rule, structure.object, where,
            [&] { return absl::StrCat("is ", UnmetText(need, reporter()), "."); });
  };
  check(Kind::kConstructed, ids.constructed);
  check(Kind::kCompactable, ids.compactable);
}

void AddContentNeeds(messages::ObjectRef structure, const StructureContentIds& ids, vk::CommandId command,
                     const dispatch::Slot& slot) {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  auto* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
  if (scope == nullptr) return;
  AddNeed({Kind::kConstructed, ids.constructed, command, structure}, scope->needs);
  AddNeed({Kind::kCompactable, ids.compactable, command, structure}, scope->needs);
}

}  // namespace assay::core
