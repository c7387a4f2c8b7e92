// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/recording/content_needs.h"

#include "absl/strings/str_cat.h"

namespace assay::core {
namespace {

using Kind = ContentNeed::Kind;
using state::DeviceState;

// Null for an object that is not known, or whose memory may have contents from elsewhere.
const state::Construction* ConstructionIn(const state::AccelerationStructureNV* structure) {
  if (structure == nullptr || (structure->memory && structure->memory->is_imported)) return nullptr;
  return &structure->construction;
}
template <class T>
const state::Construction* ConstructionIn(const T* structure) {
  if (structure == nullptr) return nullptr;
  const state::Buffer* buffer = structure->buffer.get();
  const bool is_imported = buffer != nullptr && buffer->memory && buffer->memory->is_imported;
  return is_imported ? nullptr : &structure->construction;
}

const state::Construction* ConstructionOf(const messages::ObjectRef& object) {
  switch (object.type) {
    case VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR:
      return ConstructionIn(DeviceState::Get<state::AccelerationStructure>(object.handle));
    case VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV:
      return ConstructionIn(DeviceState::Get<state::AccelerationStructureNV>(object.handle));
    case VK_OBJECT_TYPE_MICROMAP_EXT:
      return ConstructionIn(DeviceState::Get<state::Micromap>(object.handle));
    default:
      return nullptr;
  }
}

// Whether what was recorded so far may have met the need.
bool MayBeMet(Kind kind, const state::Construction& construction) {
  switch (kind) {
    case Kind::kCompactable:
      return construction.may_be_compactable();
    case Kind::kTopLevel:
      return construction.may_be_top_level();
    case Kind::kTopLevelWithMotion:
      return construction.may_be_top_level_with_motion();
    case Kind::kWithoutMotion:
      return construction.may_be_without_motion();
    case Kind::kDataAccess:
      return construction.may_allow_data_access();
    default:
      return construction.any();
  }
}

// The first query for which nothing can have met the need; the end of the range if there is none.
uint32_t UnmetQuery(const ContentNeed& need) {
  const uint32_t end = need.first + need.count;
  const auto* pool = DeviceState::Get<state::QueryPool>(need.object.handle);
  if (pool == nullptr) return end;
  if (need.kind == Kind::kReset) return pool->reset.FirstMissing(need.first, need.count);
  return pool->reset.HasAll(need.first, need.count) ? pool->written.FirstMissing(need.first, need.count) : end;
}

}  // namespace

bool IsOpen(const ContentNeed& need) {
  if (const auto* pool = need.object.type == VK_OBJECT_TYPE_QUERY_POOL
                             ? DeviceState::Get<state::QueryPool>(need.object.handle)
                             : nullptr) {
    const state::QuerySet& queries = need.kind == Kind::kReset ? pool->reset : pool->written;
    return !queries.HasAll(need.first, need.count);
  }
  const state::Construction* construction = ConstructionOf(need.object);
  if (need.own != nullptr) return construction != nullptr;
  return construction != nullptr && !MayBeMet(need.kind, *construction);
}

bool IsUnmet(const ContentNeed& need) {
  if (need.kind == Kind::kReset || need.kind == Kind::kWritten) return UnmetQuery(need) != need.first + need.count;
  const state::Construction* construction = ConstructionOf(need.object);
  if (need.own != nullptr) return construction != nullptr && need.own->IsUnmet();
  if (construction == nullptr || MayBeMet(need.kind, *construction)) return false;
  return need.kind == Kind::kConstructed || construction->any();
}

std::string UnmetText(const ContentNeed& need, const messages::Reporter& reporter) {
  std::string object = reporter.Describe(need.object);
  switch (need.kind) {
    case Kind::kConstructed:
      return absl::StrCat(object, ", which no command and no call of the host has built or copied to");
    case Kind::kCompactable:
      return absl::StrCat(object, ", of which no build allows compaction");
    case Kind::kTopLevel:
      return absl::StrCat(object, ", which no build makes a top-level acceleration structure");
    case Kind::kTopLevelWithMotion:
      return absl::StrCat(object,
                          ", which no build with VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV makes a top-level "
                          "acceleration structure");
    case Kind::kWithoutMotion:
      return absl::StrCat(object, ", of which every build has VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV");
    case Kind::kDataAccess:
      return absl::StrCat(object, ", of which no build has VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_DATA_ACCESS_KHR");
    case Kind::kReset:
      return absl::StrCat(object, ", of which nothing has reset query ", UnmetQuery(need), " since it was created");
    case Kind::kWritten:
      return absl::StrCat(object, ", of which no command makes query ", UnmetQuery(need), " available");
    case Kind::kOwn:
      return absl::StrCat(object, need.own->Text());
  }
  return object;
}

}  // namespace assay::core
