// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Properties of structures, which the host gets or queries are written with.

#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/copies/structures/structure_check.h"
#include "core/copies/structures/structure_copy_rules.h"
#include "state/state.h"
#include "vk/families/vuid_families.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using vk::AnyFamilyVuid;

template <class C>
constexpr StructureMemoryIds kMemory = {AnyFamilyVuid<C>("buffer-03736", "accelerationStructure-03757", "buffer-07527"),
                                        AnyFamilyVuid<C>("buffer-03733", "buffer-07577")};

bool IsCompactedSize(VkQueryType type) {
  return type == VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR ||
         type == VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_NV ||
         type == VK_QUERY_TYPE_MICROMAP_COMPACTED_SIZE_EXT;
}

template <class C>
StructureContentIds ContentIds(VkQueryType type) {
  return {AnyFamilyVuid<C>("pAccelerationStructures-04964", "pAccelerationStructures-04958", "pMicromaps-07501"),
          IsCompactedSize(type)
              ? AnyFamilyVuid<C>("accelerationStructures-03431", "pAccelerationStructures-06215", "pMicromaps-07502")
              : vk::kNoVuid};
}

template <class C, class H>
void Check(const StructureCheck& check, const H* structures, uint32_t count, std::string_view name,
           const Location& command) {
  for (uint32_t i = 0; structures != nullptr && i < count; ++i)
    check.CheckMemory(StructureOperand(structures[i]), kMemory<C>, command.Dot(name, i));
}

template <class C>
void CheckDataSize(const StructureCheck& check, const C& call, uint32_t count, const Location& command) {
  check.Require(call.dataSize >= uint64_t{count} * call.stride, AnyFamilyVuid<C>("dataSize-03452", "dataSize-07576"),
                messages::Object(call.device), command.Dot("dataSize"), [&] {
                  return absl::StrCat("(", call.dataSize, ") is less than the stride (", call.stride, ") times ", count,
                                      ".");
                });
}

template <class C, class H>
void CheckContents(const StructureCheck& check, const H* structures, uint32_t count, VkQueryType type,
                   std::string_view name, const Location& command) {
  for (uint32_t i = 0; structures != nullptr && i < count; ++i)
    check.CheckContents(StructureOperand(structures[i]), ContentIds<C>(type), command.Dot(name, i));
}

template <class C, class H>
void AddNeeds(const H* structures, uint32_t count, VkQueryType type, const dispatch::Slot& slot) {
  for (uint32_t i = 0; structures != nullptr && i < count; ++i)
    AddContentNeeds(messages::Object(structures[i]), ContentIds<C>(type), C::kId, slot);
}

}  // namespace

void StructureCopyRules::PreCallValidate(const vk::CmdWriteAccelerationStructuresPropertiesKHR& call,
                                         dispatch::Slot& slot, Report& report) const {
  Check<vk::CmdWriteAccelerationStructuresPropertiesKHR>({state_, DeviceState::CommandBufferIn(slot), report},
                                                         call.pAccelerationStructures, call.accelerationStructureCount,
                                                         "pAccelerationStructures", report.location());
}
void StructureCopyRules::PreCallValidate(const vk::CmdWriteAccelerationStructuresPropertiesNV& call,
                                         dispatch::Slot& slot, Report& report) const {
  Check<vk::CmdWriteAccelerationStructuresPropertiesNV>({state_, DeviceState::CommandBufferIn(slot), report},
                                                        call.pAccelerationStructures, call.accelerationStructureCount,
                                                        "pAccelerationStructures", report.location());
}
void StructureCopyRules::PreCallValidate(const vk::CmdWriteMicromapsPropertiesEXT& call, dispatch::Slot& slot,
                                         Report& report) const {
  Check<vk::CmdWriteMicromapsPropertiesEXT>({state_, DeviceState::CommandBufferIn(slot), report}, call.pMicromaps,
                                            call.micromapCount, "pMicromaps", report.location());
}

void StructureCopyRules::PreCallValidate(const vk::WriteAccelerationStructuresPropertiesKHR& call,
                                         Report& report) const {
  const StructureCheck check(state_, nullptr, report);
  using C = vk::WriteAccelerationStructuresPropertiesKHR;
  Check<C>(check, call.pAccelerationStructures, call.accelerationStructureCount, "pAccelerationStructures",
           report.location());
  CheckDataSize(check, call, call.accelerationStructureCount, report.location());
  if (!knows_constructions_) return;
  CheckContents<C>(check, call.pAccelerationStructures, call.accelerationStructureCount, call.queryType,
                   "pAccelerationStructures", report.location());
}
void StructureCopyRules::PreCallValidate(const vk::WriteMicromapsPropertiesEXT& call, Report& report) const {
  const StructureCheck check(state_, nullptr, report);
  using C = vk::WriteMicromapsPropertiesEXT;
  Check<C>(check, call.pMicromaps, call.micromapCount, "pMicromaps", report.location());
  CheckDataSize(check, call, call.micromapCount, report.location());
  if (!knows_constructions_) return;
  CheckContents<C>(check, call.pMicromaps, call.micromapCount, call.queryType, "pMicromaps", report.location());
}

void StructureCopyRules::PreCallRecord(const vk::CmdWriteAccelerationStructuresPropertiesKHR& call,
                                       dispatch::Slot& slot) const {
  if (!knows_constructions_) return;
  AddNeeds<vk::CmdWriteAccelerationStructuresPropertiesKHR>(call.pAccelerationStructures,
                                                            call.accelerationStructureCount, call.queryType, slot);
}
void StructureCopyRules::PreCallRecord(const vk::CmdWriteAccelerationStructuresPropertiesNV& call,
                                       dispatch::Slot& slot) const {
  if (!knows_constructions_) return;
  AddNeeds<vk::CmdWriteAccelerationStructuresPropertiesNV>(call.pAccelerationStructures,
                                                           call.accelerationStructureCount, call.queryType, slot);
}
void StructureCopyRules::PreCallRecord(const vk::CmdWriteMicromapsPropertiesEXT& call, dispatch::Slot& slot) const {
  if (!knows_constructions_) return;
  AddNeeds<vk::CmdWriteMicromapsPropertiesEXT>(call.pMicromaps, call.micromapCount, call.queryType, slot);
}

}  // namespace assay::core
