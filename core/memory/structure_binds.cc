// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Memory that is bound to acceleration structures and video sessions.

#include <algorithm>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/memory/bind_place.h"
#include "core/memory/memory_rules.h"
#include "state/state.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using vk::Vuid;

constexpr RequirementIds kRequiredOfStructure = {
    Vuid("VUID-VkBindAccelerationStructureMemoryInfoNV-memory-03622"),
    Vuid("VUID-VkBindAccelerationStructureMemoryInfoNV-memoryOffset-03623"),
    Vuid("VUID-VkBindAccelerationStructureMemoryInfoNV-size-03624")};
constexpr RequirementIds kRequiredOfSession = {Vuid("VUID-vkBindVideoSessionMemoryKHR-pBindSessionMemoryInfos-07198"),
                                               Vuid("VUID-vkBindVideoSessionMemoryKHR-pBindSessionMemoryInfos-07199")};

}  // namespace

void MemoryRules::PreCallValidate(const vk::BindAccelerationStructureMemoryNV& call, Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; call.pBindInfos != nullptr && i < call.bindInfoCount; ++i) {
    const VkBindAccelerationStructureMemoryInfoNV& bind = call.pBindInfos[i];
    const auto* const structure = DeviceState::Get<state::AccelerationStructureNV>(bind.accelerationStructure);
    const auto* const memory = DeviceState::Get<state::DeviceMemory>(bind.memory);
    if (structure == nullptr || memory == nullptr || memory->size == 0) continue;
    const Location where = command.Dot("pBindInfos", i);
    const Place at = {Object(bind.accelerationStructure), bind.memory, *memory, bind.memoryOffset, where, report};
    at.Require(!structure->memory, Vuid("VUID-VkBindAccelerationStructureMemoryInfoNV-accelerationStructure-03620"),
               "accelerationStructure", [&] { return absl::StrCat("(", at.resource(), ") has memory already."); });
    const VkAccelerationStructureMemoryRequirementsInfoNV info = {
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_MEMORY_REQUIREMENTS_INFO_NV, nullptr,
        VK_ACCELERATION_STRUCTURE_MEMORY_REQUIREMENTS_TYPE_OBJECT_NV,
        dispatch::DriverHandle(bind.accelerationStructure)};
    VkMemoryRequirements2 required = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    dispatch::CallNext(device_, vk::GetAccelerationStructureMemoryRequirementsNV{device_.handle, &info, &required});
    CheckRequirements(at, kRequiredOfStructure, required.memoryRequirements);
  }
}

void MemoryRules::PreCallValidate(const vk::BindVideoSessionMemoryKHR& call, Report& report) const {
  const auto handle = reinterpret_cast<uint64_t>(call.videoSession);
  if (dispatch::HandleTable::Get().Find(VK_OBJECT_TYPE_VIDEO_SESSION_KHR, handle) == nullptr) return;
  const VkVideoSessionKHR session = dispatch::DriverHandle(call.videoSession);
  uint32_t count = 0;
  dispatch::CallNext(device_, vk::GetVideoSessionMemoryRequirementsKHR{device_.handle, session, &count, nullptr});
  std::vector<VkVideoSessionMemoryRequirementsKHR> all(
      count, {.sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_MEMORY_REQUIREMENTS_KHR});
  dispatch::CallNext(device_, vk::GetVideoSessionMemoryRequirementsKHR{device_.handle, session, &count, all.data()});
  const Location command = report.location();
  absl::flat_hash_set<uint32_t> indices;
  for (uint32_t i = 0; call.pBindSessionMemoryInfos != nullptr && i < call.bindSessionMemoryInfoCount; ++i) {
    const VkBindVideoSessionMemoryInfoKHR& bind = call.pBindSessionMemoryInfos[i];
    const auto* const memory = DeviceState::Get<state::DeviceMemory>(bind.memory);
    const auto required =
        std::ranges::find(all, bind.memoryBindIndex, &VkVideoSessionMemoryRequirementsKHR::memoryBindIndex);
    if (memory == nullptr || memory->size == 0) continue;
    const Location where = command.Dot("pBindSessionMemoryInfos", i);
    const Place at = {Object(call.videoSession), bind.memory, *memory, bind.memoryOffset, where, report};
    const auto index_text = [&](std::string_view what) {
      return [&at, &bind, what] { return absl::StrCat("(", bind.memoryBindIndex, ") ", what, at.resource(), "."); };
    };
    at.Require(indices.insert(bind.memoryBindIndex).second,
               Vuid("VUID-vkBindVideoSessionMemoryKHR-memoryBindIndex-07196"), "memoryBindIndex",
               index_text("is in an element before, for "));
    at.Require(required != all.end(), Vuid("VUID-vkBindVideoSessionMemoryKHR-pBindSessionMemoryInfos-07197"),
               "memoryBindIndex", index_text("is of none of the memory requirements of "));
    const bool has_bytes = bind.memoryOffset < memory->size;
    at.Require(has_bytes && bind.memorySize <= memory->size - bind.memoryOffset,
               has_bytes ? Vuid("VUID-VkBindVideoSessionMemoryInfoKHR-memorySize-07202")
                         : Vuid("VUID-VkBindVideoSessionMemoryInfoKHR-memoryOffset-07201"),
               has_bytes ? "memorySize" : "memoryOffset", [&] {
                 return absl::StrCat("(", has_bytes ? bind.memorySize : bind.memoryOffset, ") is not in the ",
                                     memory->size, " bytes of memory, from memoryOffset (", bind.memoryOffset, ") on.");
               });
    if (required == all.end()) continue;
    CheckRequirements(at, kRequiredOfSession, required->memoryRequirements);
    at.Require(bind.memorySize == required->memoryRequirements.size,
               Vuid("VUID-vkBindVideoSessionMemoryKHR-pBindSessionMemoryInfos-07200"), "memorySize", [&] {
                 return absl::StrCat("(", bind.memorySize, ") is not the size that ", at.resource(), " needs (",
                                     required->memoryRequirements.size, ").");
               });
  }
}

}  // namespace assay::core
