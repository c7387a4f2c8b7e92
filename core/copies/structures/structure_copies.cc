// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies between structures, and between structures and device memory.

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "core/copies/structures/serialized_structure.h"
#include "core/copies/structures/structure_check.h"
#include "core/copies/structures/structure_copy_rules.h"
#include "vk/families/vuid_families.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using vk::AnyFamilyVuid;
using vk::FamilyVuid;

// The structures of a call, with the rules that the command has. Where a command has two ids of one rule, that of the
// command stands first.
template <class C>
constexpr StructureMemoryIds kSourceMemory = {
    AnyFamilyVuid<C>("buffer-03737", "None-03559", "buffer-03718", "buffer-07529", "buffer-07539", "buffer-07534"),
    AnyFamilyVuid<C>("buffer-03727", "buffer-03731", "buffer-07558", "buffer-07568")};
template <class C>
constexpr StructureMemoryIds kTargetMemory = {
    AnyFamilyVuid<C>("buffer-03738", "buffer-03745", "dst-07792", "buffer-03719", "buffer-07530", "buffer-07546",
                     "buffer-07535"),
    AnyFamilyVuid<C>("buffer-03728", "buffer-03730", "buffer-07559", "buffer-07565")};

template <class C>
constexpr vk::VuidIndex kConstructed = AnyFamilyVuid<C>("src-04963", "src-04959", "src-07532", "src-07540");
template <class C>
constexpr vk::VuidIndex kCompactable = AnyFamilyVuid<C>("src-03411", "mode-07533");

bool IsCompact(VkCopyAccelerationStructureModeKHR mode) {
  return mode == VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR;
}
bool IsCompact(VkCopyMicromapModeEXT mode) { return mode == VK_COPY_MICROMAP_MODE_COMPACT_EXT; }

// Of a copy with a mode.
template <class C, class Mode>
StructureContentIds ContentIds(Mode mode) {
  return {kConstructed<C>, IsCompact(mode) ? kCompactable<C> : vk::kNoVuid};
}

// Between two structures. `info` has the parameters.
template <class C, class Info>
void CheckCopy(const StructureCheck& check, const Info& info, const Location& where) {
  const StructureOperand source(info.src), target(info.dst);
  check.CheckMemory(source, kSourceMemory<C>, where.Dot("src"));
  check.CheckMemory(target, kTargetMemory<C>, where.Dot("dst"));
  // Which bytes of a structure a copy accesses, only the driver knows; the first ones it does.
  const bool overlap = source.begin != 0 && source.begin == target.begin;
  check.Require(!overlap, AnyFamilyVuid<C>("dst-07791"), target.object, where.Dot("dst"), [&] {
    return absl::StrCat("(", check.reporter().Describe(target.object), ") begins at the same byte of memory as src ",
                        check.reporter().Describe(source.object), ".");
  });
}

// Where the device reads or writes serialized data of at least `bytes` bytes.
template <class C>
void CheckAddress(const StructureCheck& check, VkDeviceAddress address, messages::ObjectRef object, VkDeviceSize bytes,
                  const Location& where) {
  constexpr VkDeviceAddress kAlignment = 256;
  check.Require(address % kAlignment == 0, AnyFamilyVuid<C>("pInfo-03740", "pInfo-03743", "pInfo-07537", "pInfo-07544"),
                object, where,
                [&] { return absl::StrCat("(0x", absl::Hex(address), ") is not a multiple of ", kAlignment, "."); });
  const DeviceState& state = check.state();
  const auto buffers = state.buffer_addresses().Find(address);
  if (buffers.empty()) {
    const bool is_unknown = !state.buffer_addresses().KnowsAll() || !state.structure_addresses().Find(address).empty();
    return check.Require(
        is_unknown, AnyFamilyVuid<C>("pInfo-03739", "pInfo-03742", "pInfo-07536", "pInfo-07543"), object, where,
        [&] { return absl::StrCat("(0x", absl::Hex(address), ") is in none of the buffers that have an address."); });
  }
  const auto is_bound = [](const state::Ref<state::Buffer>& buffer) { return buffer->memory || buffer->is_sparse(); };
  const messages::ObjectRef first = {VK_OBJECT_TYPE_BUFFER, buffers.front()->handle()};
  if (std::ranges::none_of(buffers, is_bound)) {
    return check.Require(false, AnyFamilyVuid<C>("pInfo-03741", "pInfo-03744", "pInfo-07538", "pInfo-07545"), first,
                         where, [&] {
                           return absl::StrCat("(0x", absl::Hex(address), ") is in ", check.reporter().Describe(first),
                                               ", which is not bound to memory.");
                         });
  }
  VkDeviceSize left = 0;
  for (const auto& buffer : buffers) left = std::max(left, buffer->device_address + buffer->size - address);
  check.Require(left >= bytes, AnyFamilyVuid<C>("dst-03561", "dst-07541"), first, where, [&] {
    return absl::StrCat("(0x", absl::Hex(address), ") has ", left, " bytes to the end of ",
                        check.reporter().Describe(first), ", fewer than the ", bytes,
                        " bytes with which serialized data begins.");
  });
}

template <class C, class Info>
void CheckToMemory(const StructureCheck& check, const Info& info, const Location& where) {
  const StructureOperand source(info.src);
  check.CheckMemory(source, kSourceMemory<C>, where.Dot("src"));
  const Location to = where.Dot("dst");
  CheckAddress<C>(check, info.dst.deviceAddress, source.object, SerializedHeader::SizeOf(source.object.type),
                  to.Dot("deviceAddress"));
}

template <class C, class Info>
void CheckFromMemory(const StructureCheck& check, const Info& info, const Location& where) {
  const StructureOperand target(info.dst);
  check.CheckMemory(target, kTargetMemory<C>, where.Dot("dst"));
  const Location from = where.Dot("src");
  CheckAddress<C>(check, info.src.deviceAddress, target.object, 0, from.Dot("deviceAddress"));
}

// Where the host reads or writes serialized data. Whether it can be read.
template <class C>
bool CheckPointer(const StructureCheck& check, const void* data, messages::ObjectRef object, const Location& where) {
  constexpr uintptr_t kAlignment = 16;
  const bool is_aligned = reinterpret_cast<uintptr_t>(data) % kAlignment == 0;
  check.Require(data != nullptr, AnyFamilyVuid<C>("pInfo-03732", "pInfo-03729", "pInfo-07569", "pInfo-07563"), object,
                where, [] { return "is null."; });
  check.Require(is_aligned, AnyFamilyVuid<C>("pInfo-03751", "pInfo-03750", "pInfo-07570", "pInfo-07564"), object, where,
                [&] { return absl::StrCat("(", absl::Hex(data), ") is not a multiple of ", kAlignment, "."); });
  return data != nullptr && is_aligned;
}

template <class C, class Info>
void CheckHostCopy(const StructureCheck& check, const Info& info, bool knows_constructions, const Location& where) {
  CheckCopy<C>(check, info, where);
  if (knows_constructions) check.CheckContents(StructureOperand(info.src), ContentIds<C>(info.mode), where.Dot("src"));
}

template <class C, class Info>
void CheckHostToMemory(const StructureCheck& check, const Info& info, bool knows_constructions, const Location& where) {
  const StructureOperand source(info.src);
  check.CheckMemory(source, kSourceMemory<C>, where.Dot("src"));
  const Location to = where.Dot("dst");
  CheckPointer<C>(check, info.dst.hostAddress, source.object, to.Dot("hostAddress"));
  if (knows_constructions) check.CheckContents(source, {kConstructed<C>}, where.Dot("src"));
}

template <class C, class Info>
void CheckHostFromMemory(const StructureCheck& check, const Info& info, const Location& where) {
  const StructureOperand target(info.dst);
  check.CheckMemory(target, kTargetMemory<C>, where.Dot("dst"));
  const Location from = where.Dot("src");
  const void* data = info.src.hostAddress;
  if (!CheckPointer<C>(check, data, target.object, from.Dot("hostAddress"))) return;
  constexpr SerializedIds kIds = {AnyFamilyVuid<C>("src-04960", "src-07547"),
                                  AnyFamilyVuid<C>("pInfo-03414", "src-07549"),
                                  AnyFamilyVuid<C>("dst-03746", "dst-07550")};
  CheckSerialized(check, data, target, kIds, from.Dot("hostAddress"));
}

}  // namespace

StructureCopyRules::StructureCopyRules(const state::DeviceState& state)
    : state_(state),
      knows_constructions_(!state.device().has_unknown_extensions &&
                           !state.device().IsEnabled(vk::ExtensionId::kNvClusterAccelerationStructure) &&
                           !state.device().IsEnabled(vk::ExtensionId::kNvPartitionedAccelerationStructure)) {}

void StructureCopyRules::PreCallValidate(const vk::CmdCopyAccelerationStructureKHR& call, dispatch::Slot& slot,
                                         Report& report) const {
  if (call.pInfo == nullptr) return;
  const Location command = report.location();
  CheckCopy<vk::CmdCopyAccelerationStructureKHR>({state_, DeviceState::CommandBufferIn(slot), report}, *call.pInfo,
                                                 command.Dot("pInfo"));
}
void StructureCopyRules::PreCallValidate(const vk::CmdCopyAccelerationStructureNV& call, dispatch::Slot& slot,
                                         Report& report) const {
  CheckCopy<vk::CmdCopyAccelerationStructureNV>({state_, DeviceState::CommandBufferIn(slot), report}, call,
                                                report.location());
}
void StructureCopyRules::PreCallValidate(const vk::CmdCopyAccelerationStructureToMemoryKHR& call, dispatch::Slot& slot,
                                         Report& report) const {
  if (call.pInfo == nullptr) return;
  const Location command = report.location();
  CheckToMemory<vk::CmdCopyAccelerationStructureToMemoryKHR>({state_, DeviceState::CommandBufferIn(slot), report},
                                                             *call.pInfo, command.Dot("pInfo"));
}
void StructureCopyRules::PreCallValidate(const vk::CmdCopyMemoryToAccelerationStructureKHR& call, dispatch::Slot& slot,
                                         Report& report) const {
  if (call.pInfo == nullptr) return;
  const Location command = report.location();
  CheckFromMemory<vk::CmdCopyMemoryToAccelerationStructureKHR>({state_, DeviceState::CommandBufferIn(slot), report},
                                                               *call.pInfo, command.Dot("pInfo"));
}
void StructureCopyRules::PreCallValidate(const vk::CmdCopyMicromapEXT& call, dispatch::Slot& slot,
                                         Report& report) const {
  if (call.pInfo == nullptr) return;
  const Location command = report.location();
  CheckCopy<vk::CmdCopyMicromapEXT>({state_, DeviceState::CommandBufferIn(slot), report}, *call.pInfo,
                                    command.Dot("pInfo"));
}
void StructureCopyRules::PreCallValidate(const vk::CmdCopyMicromapToMemoryEXT& call, dispatch::Slot& slot,
                                         Report& report) const {
  if (call.pInfo == nullptr) return;
  const Location command = report.location();
  CheckToMemory<vk::CmdCopyMicromapToMemoryEXT>({state_, DeviceState::CommandBufferIn(slot), report}, *call.pInfo,
                                                command.Dot("pInfo"));
}
void StructureCopyRules::PreCallValidate(const vk::CmdCopyMemoryToMicromapEXT& call, dispatch::Slot& slot,
                                         Report& report) const {
  if (call.pInfo == nullptr) return;
  const Location command = report.location();
  CheckFromMemory<vk::CmdCopyMemoryToMicromapEXT>({state_, DeviceState::CommandBufferIn(slot), report}, *call.pInfo,
                                                  command.Dot("pInfo"));
}

void StructureCopyRules::PreCallValidate(const vk::CopyAccelerationStructureKHR& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  const Location command = report.location();
  CheckHostCopy<vk::CopyAccelerationStructureKHR>({state_, nullptr, report}, *call.pInfo, knows_constructions_,
                                                  command.Dot("pInfo"));
}
void StructureCopyRules::PreCallValidate(const vk::CopyAccelerationStructureToMemoryKHR& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  const Location command = report.location();
  CheckHostToMemory<vk::CopyAccelerationStructureToMemoryKHR>({state_, nullptr, report}, *call.pInfo,
                                                              knows_constructions_, command.Dot("pInfo"));
}
void StructureCopyRules::PreCallValidate(const vk::CopyMemoryToAccelerationStructureKHR& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  const Location command = report.location();
  CheckHostFromMemory<vk::CopyMemoryToAccelerationStructureKHR>({state_, nullptr, report}, *call.pInfo,
                                                                command.Dot("pInfo"));
}
void StructureCopyRules::PreCallValidate(const vk::CopyMicromapEXT& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  const Location command = report.location();
  CheckHostCopy<vk::CopyMicromapEXT>({state_, nullptr, report}, *call.pInfo, knows_constructions_,
                                     command.Dot("pInfo"));
}
void StructureCopyRules::PreCallValidate(const vk::CopyMicromapToMemoryEXT& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  const Location command = report.location();
  CheckHostToMemory<vk::CopyMicromapToMemoryEXT>({state_, nullptr, report}, *call.pInfo, knows_constructions_,
                                                 command.Dot("pInfo"));
}
void StructureCopyRules::PreCallValidate(const vk::CopyMemoryToMicromapEXT& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  const Location command = report.location();
  CheckHostFromMemory<vk::CopyMemoryToMicromapEXT>({state_, nullptr, report}, *call.pInfo, command.Dot("pInfo"));
}

void StructureCopyRules::PreCallRecord(const vk::CmdCopyAccelerationStructureKHR& call, dispatch::Slot& slot) const {
  using C = vk::CmdCopyAccelerationStructureKHR;
  if (call.pInfo == nullptr || !knows_constructions_) return;
  AddContentNeeds(messages::Object(call.pInfo->src), ContentIds<C>(call.pInfo->mode), C::kId, slot);
}
void StructureCopyRules::PreCallRecord(const vk::CmdCopyAccelerationStructureNV& call, dispatch::Slot& slot) const {
  using C = vk::CmdCopyAccelerationStructureNV;
  if (!knows_constructions_) return;
  AddContentNeeds(messages::Object(call.src), ContentIds<C>(call.mode), C::kId, slot);
}
void StructureCopyRules::PreCallRecord(const vk::CmdCopyAccelerationStructureToMemoryKHR& call,
                                       dispatch::Slot& slot) const {
  using C = vk::CmdCopyAccelerationStructureToMemoryKHR;
  if (call.pInfo == nullptr || !knows_constructions_) return;
  AddContentNeeds(messages::Object(call.pInfo->src), {kConstructed<C>}, C::kId, slot);
}
void StructureCopyRules::PreCallRecord(const vk::CmdCopyMicromapEXT& call, dispatch::Slot& slot) const {
  using C = vk::CmdCopyMicromapEXT;
  if (call.pInfo == nullptr || !knows_constructions_) return;
  AddContentNeeds(messages::Object(call.pInfo->src), ContentIds<C>(call.pInfo->mode), C::kId, slot);
}
void StructureCopyRules::PreCallRecord(const vk::CmdCopyMicromapToMemoryEXT& call, dispatch::Slot& slot) const {
  using C = vk::CmdCopyMicromapToMemoryEXT;
  if (call.pInfo == nullptr || !knows_constructions_) return;
  AddContentNeeds(messages::Object(call.pInfo->src), {kConstructed<C>}, C::kId, slot);
}

}  // namespace assay::core
