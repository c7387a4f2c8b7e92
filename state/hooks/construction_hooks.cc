// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/hooks/constructions.h"

#include "state/hooks/device_state.h"
#include "state/objects/items.h"

namespace assay::state {
namespace {

// A view mask has no more bits, and may not be known where it is inherited.
constexpr uint32_t kMostViews = 32;

template <class T, class H>
void NoteCopy(H target) {
  if (auto* object = DeviceState::Get<T>(target)) object->construction.AddCopy();
}
template <class Info>
void NoteStructureCopy(const Info* info) {
  if (info != nullptr) NoteCopy<AccelerationStructure>(info->dst);
}
template <class Info>
void NoteMicromapCopy(const Info* info) {
  if (info != nullptr) NoteCopy<Micromap>(info->dst);
}

// The enumerants of VK_NV_ray_tracing are the same.
BuildProperties PropertiesOf(VkAccelerationStructureTypeKHR type, VkBuildAccelerationStructureFlagsKHR flags) {
  return {.allows_compaction = (flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR) != 0,
          .is_top_level = type == VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR,
          .has_motion = (flags & VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV) != 0,
          .allows_data_access = (flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_DATA_ACCESS_KHR) != 0};
}

void NoteBuilds(const VkAccelerationStructureBuildGeometryInfoKHR* infos, uint32_t count) {
  for (const auto& info : Items(infos, count)) {
    if (auto* object = DeviceState::Get<AccelerationStructure>(info.dstAccelerationStructure))
      object->construction.AddBuild(PropertiesOf(info.type, info.flags));
  }
}
void NoteBuilds(const VkMicromapBuildInfoEXT* infos, uint32_t count) {
  for (const auto& info : Items(infos, count)) {
    if (auto* object = DeviceState::Get<Micromap>(info.dstMicromap))
      object->construction.AddBuild(
          {.allows_compaction = (info.flags & VK_BUILD_MICROMAP_ALLOW_COMPACTION_BIT_EXT) != 0});
  }
}

}  // namespace

void NoteQueries(const dispatch::VisibleChange& change, const RenderPassInstance& rendering) {
  using Kind = dispatch::VisibleChange::Kind;
  if (change.kind != Kind::kResetQueries && change.kind != Kind::kWriteQueries) return;
  auto* pool = DeviceState::Get<QueryPool>(change.handle);
  if (pool == nullptr) return;
  if (change.kind == Kind::kResetQueries) return pool->reset.Add(change.first, change.count);
  const bool may_have_views = rendering.view_mask() != 0 || rendering.is_inherited();
  pool->written.Add(change.first, change.count + (may_have_views ? kMostViews : 0));
}

void NoteConstruction(const vk::CmdBuildAccelerationStructuresKHR& call) { NoteBuilds(call.pInfos, call.infoCount); }
void NoteConstruction(const vk::CmdBuildAccelerationStructuresIndirectKHR& call) {
  NoteBuilds(call.pInfos, call.infoCount);
}
void NoteConstruction(const vk::CmdCopyAccelerationStructureKHR& call) { NoteStructureCopy(call.pInfo); }
void NoteConstruction(const vk::CmdCopyMemoryToAccelerationStructureKHR& call) { NoteStructureCopy(call.pInfo); }
void NoteConstruction(const vk::CmdBuildAccelerationStructureNV& call) {
  auto* object = DeviceState::Get<AccelerationStructureNV>(call.dst);
  if (object == nullptr || call.pInfo == nullptr) return;
  object->construction.AddBuild(PropertiesOf(call.pInfo->type, call.pInfo->flags));
}
void NoteConstruction(const vk::CmdCopyAccelerationStructureNV& call) { NoteCopy<AccelerationStructureNV>(call.dst); }
void NoteConstruction(const vk::CmdBuildMicromapsEXT& call) { NoteBuilds(call.pInfos, call.infoCount); }
void NoteConstruction(const vk::CmdCopyMicromapEXT& call) { NoteMicromapCopy(call.pInfo); }
void NoteConstruction(const vk::CmdCopyMemoryToMicromapEXT& call) { NoteMicromapCopy(call.pInfo); }

void NoteConstruction(const vk::BuildAccelerationStructuresKHR& call) { NoteBuilds(call.pInfos, call.infoCount); }
void NoteConstruction(const vk::CopyAccelerationStructureKHR& call) { NoteStructureCopy(call.pInfo); }
void NoteConstruction(const vk::CopyMemoryToAccelerationStructureKHR& call) { NoteStructureCopy(call.pInfo); }
void NoteConstruction(const vk::BuildMicromapsEXT& call) { NoteBuilds(call.pInfos, call.infoCount); }
void NoteConstruction(const vk::CopyMicromapEXT& call) { NoteMicromapCopy(call.pInfo); }
void NoteConstruction(const vk::CopyMemoryToMicromapEXT& call) { NoteMicromapCopy(call.pInfo); }

}  // namespace assay::state
