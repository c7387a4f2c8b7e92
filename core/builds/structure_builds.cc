// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Builds of acceleration structures.

#include <memory>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/builds/build_check.h"
#include "core/builds/build_rules.h"
#include "core/recording/recording_scope.h"
#include "state/state.h"
#include "vk/enum_info.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using Info = VkAccelerationStructureBuildGeometryInfoKHR;

template <class C>
PrimitiveCounts CountsOf(const C& call, uint32_t build) {
  if constexpr (requires { call.ppBuildRangeInfos; }) {
    return {.ranges = call.ppBuildRangeInfos != nullptr ? call.ppBuildRangeInfos[build] : nullptr};
  } else {
    return {.most = call.ppMaxPrimitiveCounts != nullptr ? call.ppMaxPrimitiveCounts[build] : nullptr};
  }
}

Build BuildOf(const Info& info) {
  Build build = {.dst = Object(info.dstAccelerationStructure),
                 .target = DeviceState::Get<state::AccelerationStructure>(info.dstAccelerationStructure),
                 .scratch = info.scratchData,
                 .is_update = IsUpdate(info)};
  if (!build.is_update) return build;
  build.src = Object(info.srcAccelerationStructure);
  build.source = DeviceState::Get<state::AccelerationStructure>(info.srcAccelerationStructure);
  return build;
}

void CheckMode(const BuildCheck& check, const Info& info, const Location& where) {
  const messages::ObjectRef dst = Object(info.dstAccelerationStructure);
  if (info.mode > VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR) {
    check.Say(check.Of({"mode-04628"}), dst, where.Dot("mode"),
              absl::StrCat("(", static_cast<uint32_t>(info.mode), ") is not a VkBuildAccelerationStructureModeKHR."));
  }
  if (IsUpdate(info) && info.srcAccelerationStructure == VK_NULL_HANDLE)
    check.Say(check.Of({"pInfos-04630"}), dst, where.Dot("srcAccelerationStructure"), "is VK_NULL_HANDLE.");
}

void CheckTarget(const BuildCheck& check, const Info& info, const Location& where) {
  const auto* const target = DeviceState::Get<state::AccelerationStructure>(info.dstAccelerationStructure);
  if (target == nullptr) return;
  const messages::ObjectRef dst = Object(info.dstAccelerationStructure);
  if (target->structure_type != VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR && target->structure_type != info.type) {
    const bool is_top = info.type == VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR;
    check.Say(is_top ? check.Of({"pInfos-03699"}) : check.Of({"pInfos-03700"}), dst,
              where.Dot("dstAccelerationStructure"),
              absl::StrCat("(", check.Describe(dst), ") was created with ", vk::ToString(target->structure_type),
                           ", but type is ", vk::ToString(info.type), "."));
  }
  const bool can_move = (target->create_flags & VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV) != 0;
  const bool moves = (info.flags & VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV) != 0;
  if (can_move == moves) return;
  check.Say(can_move ? vk::Vuid("VUID-VkAccelerationStructureBuildGeometryInfoKHR-dstAccelerationStructure-04927")
                     : vk::Vuid("VUID-VkAccelerationStructureBuildGeometryInfoKHR-flags-04928"),
            dst, where.Dot("flags"),
            absl::StrCat(moves ? "has" : "does not have", " VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV, but ",
                         check.Describe(dst), " was created ", can_move ? "with" : "without",
                         " VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV."));
}

// From the driver. Nothing if it cannot be asked: chained structures may hold handles that are not the driver's.
std::optional<BuildSizes> SizesOf(const BuildCheck& check, const Info& info, const PrimitiveCounts& counts) {
  const dispatch::Device& device = check.facts.state.device();
  const auto get = dispatch::Next<vk::GetAccelerationStructureBuildSizesKHR>(device.next);
  if (get == nullptr || info.pNext != nullptr || !counts.is_known()) return std::nullopt;
  absl::InlinedVector<uint32_t, 8> most;
  for (uint32_t i = 0; i < info.geometryCount; ++i) {
    const auto& geometry = *GeometryAt(info, i);
    if (geometry.pNext != nullptr || geometry.geometryType > VK_GEOMETRY_TYPE_INSTANCES_KHR) return std::nullopt;
    const bool is_triangles = geometry.geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR;
    if (is_triangles && geometry.geometry.triangles.pNext != nullptr) return std::nullopt;
    most.push_back(counts.Of(i));
  }
  Info asked = info;
  asked.srcAccelerationStructure = VK_NULL_HANDLE;
  asked.dstAccelerationStructure = VK_NULL_HANDLE;
  VkAccelerationStructureBuildSizesInfoKHR sizes = {.sType =
                                                        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
  const auto by =
      check.on_host ? VK_ACCELERATION_STRUCTURE_BUILD_TYPE_HOST_KHR : VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR;
  get(device.handle, by, &asked, most.data(), &sizes);
  return BuildSizes{sizes.accelerationStructureSize, IsUpdate(info) ? sizes.updateScratchSize : sizes.buildScratchSize};
}

// Where an indirect build has its ranges.
template <class C>
void CheckArguments(const BuildCheck& check, const C& call, uint32_t build) {
  if constexpr (requires { call.pIndirectStrides; }) {
    if (call.pIndirectDeviceAddresses == nullptr || call.pIndirectStrides == nullptr) return;
    const uint32_t stride = call.pIndirectStrides[build];
    const Location command = check.location();
    if (stride % 4 != 0) {
      check.Say(check.Of({"pIndirectStrides-03787"}), Object(call.pInfos[build].dstAccelerationStructure),
                command.Dot("pIndirectStrides", build), absl::StrCat("(", stride, ") is not a multiple of 4."));
    }
    check.CheckAddress(call.pIndirectDeviceAddresses[build],
                       {.bound = check.Of({"pIndirectDeviceAddresses-03645"}),
                        .usage = check.Of({"pIndirectDeviceAddresses-03647"}),
                        .aligned = check.Of({"pIndirectDeviceAddresses-03648"}),
                        .range = check.Of({"pIndirectDeviceAddresses-03646"}),
                        .needed_usage = VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                        .alignment = 4,
                        .bytes = VkDeviceSize{call.pInfos[build].geometryCount} * stride},
                       command.Dot("pIndirectDeviceAddresses", build));
  }
}

// The structures that the host reads in the instances of a build.
void CheckInstances(const BuildCheck& check, absl::Span<const Build> builds, uint32_t of, const Info& info,
                    const PrimitiveCounts& counts) {
  const Location command = check.location();
  const Location where = command.Dot("pInfos", of);
  const auto check_reference = [&](uint64_t reference, const Location& at) {
    const auto* const structure = DeviceState::Get<state::AccelerationStructure>(reference);
    if (structure == nullptr) {
      return check.Say(check.Of({"pInfos-03779"}), builds[of].dst, at,
                       absl::StrCat("refers to 0x", absl::Hex(reference), ", which is no VkAccelerationStructureKHR."));
    }
    const messages::ObjectRef object = {VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR, reference};
    CheckBound(check, object, structure, {}, {"pInfos-03724"}, at);
    for (uint32_t i = 0; i < builds.size(); ++i) {
      if (i == of) continue;
      const state::ByteRange written = AccessedBytes(builds[i], builds[i].target);
      const bool is_same = builds[i].dst.handle == reference;
      if (!is_same && (written.begin >= structure->range().end || written.end <= structure->range().begin)) continue;
      check.Say(
          is_same ? check.Of({"None-03407"}) : check.Of({"dstAccelerationStructure-03706"}), object, at,
          absl::StrCat("refers to ", check.Describe(object), is_same ? ", which is" : ", which shares memory with",
                       " pInfos[", i, "].dstAccelerationStructure."));
    }
  };
  for (uint32_t i = 0; i < info.geometryCount; ++i) {
    const auto& geometry = *GeometryAt(info, i);
    const bool moves = (info.flags & VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV) != 0;
    if (geometry.geometryType != VK_GEOMETRY_TYPE_INSTANCES_KHR || moves || counts.ranges == nullptr) continue;
    const auto& instances = geometry.geometry.instances;
    if (instances.data.hostAddress == nullptr) continue;
    const char* const data = static_cast<const char*>(instances.data.hostAddress) + counts.ranges[i].primitiveOffset;
    const Location at = where.Dot(info.pGeometries != nullptr ? "pGeometries" : "ppGeometries", i);
    for (uint32_t j = 0; j < counts.Of(i); ++j) {
      const auto* const instance = instances.arrayOfPointers != VK_FALSE
                                       ? reinterpret_cast<const VkAccelerationStructureInstanceKHR* const*>(data)[j]
                                       : reinterpret_cast<const VkAccelerationStructureInstanceKHR*>(data) + j;
      // An instance without a structure is inactive.
      if (instance == nullptr || instance->accelerationStructureReference == 0) continue;
      check_reference(instance->accelerationStructureReference,
                      at.Dot("geometry").Dot("instances").Dot("data").Dot("hostAddress", j));
    }
  }
}

template <class C>
void CheckStructures(const C& call, const BuildFacts& facts, Report& report) {
  const BuildCheck check(call, facts, report);
  const Location command = report.location();
  std::vector<Build> builds;
  std::vector<bool> have_geometries;
  const auto infos = state::Items(call.pInfos, call.infoCount);
  for (uint32_t i = 0; i < infos.size(); ++i) {
    const Info& info = infos[i];
    const PrimitiveCounts counts = CountsOf(call, i);
    const Location where = command.Dot("pInfos", i);
    CheckMode(check, info, where);
    CheckTarget(check, info, where);
    Build& build = builds.emplace_back(BuildOf(info));
    const bool has_geometries = CheckGeometries(check, info, counts, where);
    have_geometries.push_back(has_geometries);
    if (has_geometries) {
      CheckInputs(check, info, counts, where);
      build.sizes = SizesOf(check, info, counts);
    }
    CheckBuild(check, build, where);
    CheckArguments(check, call, i);
  }
  CheckOverlaps(check, builds);
  for (uint32_t i = 0; check.on_host && i < builds.size(); ++i) {
    if (have_geometries[i]) CheckInstances(check, builds, i, infos[i], CountsOf(call, i));
  }
}

// Whether its contents may come from elsewhere.
bool IsImported(VkAccelerationStructureKHR handle) {
  const auto* const structure = DeviceState::Get<state::AccelerationStructure>(handle);
  const auto* const buffer = structure != nullptr ? structure->buffer.get() : nullptr;
  return buffer != nullptr && buffer->memory && buffer->memory->is_imported;
}

// Calls visit(index, info, shape) for each update.
template <class C, class F>
void ForEachUpdate(const C& call, F&& visit) {
  const auto infos = state::Items(call.pInfos, call.infoCount);
  for (uint32_t i = 0; i < infos.size(); ++i) {
    if (IsUpdate(infos[i])) visit(i, infos[i], ShapeOf(infos[i], CountsOf(call, i)));
  }
}

template <class C>
void NoteBuilds(const C& call, BuildHistory& history) {
  const auto infos = state::Items(call.pInfos, call.infoCount);
  for (uint32_t i = 0; i < infos.size(); ++i) {
    const Info& info = infos[i];
    // An update in place says nothing new.
    if (!IsUpdate(info) || info.srcAccelerationStructure != info.dstAccelerationStructure)
      history.Add(info.dstAccelerationStructure, ShapeOf(info, CountsOf(call, i)));
  }
}

template <class C>
void AddUpdateNeeds(const C& call, const BuildHistory& history, const dispatch::Slot& slot) {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  auto* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
  if (scope == nullptr) return;
  static const BuildRuleIds ids(C::kName);
  ForEachUpdate(call, [&](uint32_t, const Info& info, BuildShape shape) {
    const auto source = info.srcAccelerationStructure;
    if (history.Knows(source, shape)) return;
    const auto update = std::make_shared<const BuildShape>(std::move(shape));
    for (size_t rule = 0; rule < std::size(kUpdateRules); ++rule) {
      AddNeed({.kind = ContentNeed::Kind::kOwn,
               .rule = ids.Of(kUpdateRules[rule].rule),
               .command = C::kId,
               .object = Object(source),
               .own = std::make_shared<const UpdateNeed>(history, source, update, rule)},
              scope->needs);
    }
  });
}

}  // namespace

BuildRules::BuildRules(const DeviceState& state)
    : facts_(state),
      knows_constructions_(!state.device().has_unknown_extensions &&
                           !state.device().IsEnabled(vk::ExtensionId::kNvClusterAccelerationStructure) &&
                           !state.device().IsEnabled(vk::ExtensionId::kNvPartitionedAccelerationStructure)) {}

void BuildRules::PreCallValidate(const vk::CmdBuildAccelerationStructuresKHR& call, Report& report) const {
  CheckStructures(call, facts_, report);
}
void BuildRules::PreCallValidate(const vk::CmdBuildAccelerationStructuresIndirectKHR& call, Report& report) const {
  CheckStructures(call, facts_, report);
}
void BuildRules::PreCallValidate(const vk::BuildAccelerationStructuresKHR& call, Report& report) const {
  CheckStructures(call, facts_, report);
  if (!knows_constructions_) return;
  const BuildCheck check(call, facts_, report);
  ForEachUpdate(call, [&](uint32_t i, const Info& info, const BuildShape& shape) {
    const messages::ObjectRef source = Object(info.srcAccelerationStructure);
    const auto broken = history_.Compare(info.srcAccelerationStructure, shape);
    if (!broken || IsImported(info.srcAccelerationStructure)) return;
    const Location command = report.location();
    const Location where = command.Dot("pInfos", i);
    check.Say(check.Of({kUpdateRules[broken->rule].rule}), source, where.Dot("srcAccelerationStructure"),
              absl::StrCat("is ", check.Describe(source), TextOf(*broken), "."));
  });
}
void BuildRules::PreCallValidate(const vk::GetAccelerationStructureBuildSizesKHR& call, Report& report) const {
  if (call.pBuildInfo == nullptr) return;
  const BuildCheck check(call, facts_, report);
  const Location command = report.location();
  CheckGeometries(check, *call.pBuildInfo, {.most = call.pMaxPrimitiveCounts}, command.Dot("pBuildInfo"));
  if (call.pBuildInfo->geometryCount != 0 && call.pMaxPrimitiveCounts == nullptr)
    check.Say(check.Of({"pBuildInfo-03619"}), {}, command.Dot("pMaxPrimitiveCounts"), "is NULL.");
}

void BuildRules::PreCallRecord(const vk::CmdBuildAccelerationStructuresKHR& call, dispatch::Slot& slot) {
  if (knows_constructions_) AddUpdateNeeds(call, history_, slot);
  NoteBuilds(call, history_);
}
void BuildRules::PreCallRecord(const vk::CmdBuildAccelerationStructuresIndirectKHR& call, dispatch::Slot& slot) {
  if (knows_constructions_) AddUpdateNeeds(call, history_, slot);
  NoteBuilds(call, history_);
}
void BuildRules::PreCallRecord(const vk::BuildAccelerationStructuresKHR& call) { NoteBuilds(call, history_); }

}  // namespace assay::core
