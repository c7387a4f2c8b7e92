// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/recording/reference_replacements.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "gpuav/builds/layout.h"

namespace assay::gpuav {
namespace {

using dispatch::CallNext;
using BuildInfo = VkAccelerationStructureBuildGeometryInfoKHR;
using Geometry = VkAccelerationStructureGeometryKHR;
using Range = VkAccelerationStructureBuildRangeInfoKHR;

constexpr VkDeviceSize kInstanceBytes = sizeof(VkAccelerationStructureInstanceKHR);
constexpr VkDeviceSize kInstanceAlignment = 16;
constexpr VkDeviceSize kParameterBytes = VkDeviceSize{kParameterQuads} * 16;
// What is copied at most, in bytes, for all builds of a recording.
constexpr VkDeviceSize kMostOfRecording = VkDeviceSize{1} << 23;
constexpr VkDeviceSize kSmallestRange = VkDeviceSize{1} << 12;
// No layout of the application's has these push constants.
constexpr PushedAddress kPushed = {.stages = VK_SHADER_STAGE_COMPUTE_BIT,
                                   .ranges_id = std::numeric_limits<uint32_t>::max()};

VkDeviceSize CopyBytes(uint32_t instances, bool is_indirect) {
  return instances * kInstanceBytes + (is_indirect ? sizeof(Range) : 0);
}

}  // namespace

const Geometry* GeometryAt(const BuildInfo& info, uint32_t index) {
  if (info.pGeometries != nullptr) return &info.pGeometries[index];
  return info.ppGeometries != nullptr ? info.ppGeometries[index] : nullptr;
}

void ReferenceReplacements::Begin(const VkCommandBufferBeginInfo& info, bool is_conditional) {
  is_left_alone_ = true;
  planned_.clear();
  if (!context_.replaces_references()) return;
  // Executions that overlap would share the copies.
  const bool may_overlap = (info.flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT) != 0;
  const bool counts = buffer_.level == VK_COMMAND_BUFFER_LEVEL_SECONDARY && info.pInheritanceInfo != nullptr &&
                      info.pInheritanceInfo->pipelineStatistics != 0;
  const bool is_protected = (buffer_.pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) != 0;
  const bool computes = (buffer_.pool.queue_flags & VK_QUEUE_COMPUTE_BIT) != 0;
  is_left_alone_ = may_overlap || counts || is_conditional || is_protected || !computes;
  queries_ = 0;
  bytes_ = 0;
  parameters_ = copies_ = {};
}

bool ReferenceReplacements::MayDispatch() const {
  return !is_left_alone_ && queries_ == 0 && context_.is_enabled() && buffer_.draw.predicate().buffer == VK_NULL_HANDLE;
}

std::optional<VkDeviceAddress> ReferenceReplacements::InstancesOf(const BuildInfo& info) {
  if (info.type != VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR || info.geometryCount != 1 ||
      (info.flags & VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV) != 0) {
    return std::nullopt;
  }
  const Geometry* const geometry = GeometryAt(info, 0);
  if (geometry == nullptr || geometry->geometryType != VK_GEOMETRY_TYPE_INSTANCES_KHR) return std::nullopt;
  const VkAccelerationStructureGeometryInstancesDataKHR& instances = geometry->geometry.instances;
  if (instances.arrayOfPointers == VK_TRUE) return std::nullopt;
  return instances.data.deviceAddress;
}

VkDeviceSize ReferenceReplacements::RoomAt(VkDeviceAddress address, VkDeviceSize needed) const {
  VkDeviceSize room = 0;
  for (const state::Ref<state::Buffer>& buffer : context_.state().buffer_addresses().Find(address, needed)) {
    const bool is_readable = (buffer->flags & VK_BUFFER_CREATE_PROTECTED_BIT) == 0 && !buffer->is_partially_resident();
    if (address < buffer->device_address || !is_readable) continue;
    room = std::max(room, buffer->Clamp(address - buffer->device_address, VK_WHOLE_SIZE));
  }
  return room;
}

void ReferenceReplacements::Add(const Planned& planned) {
  const VkDeviceSize bytes = CopyBytes(planned.most, is_indirect_);
  if (planned.source % kInstanceAlignment != 0 || bytes > kMostOfRecording - bytes_) return;
  bytes_ += bytes;
  planned_.push_back(planned);
}

bool ReferenceReplacements::Plan(const vk::CmdBuildAccelerationStructuresKHR& call) {
  planned_.clear();
  is_indirect_ = false;
  if (!MayDispatch()) return false;
  for (uint32_t i = 0; i < call.infoCount; ++i) {
    const std::optional<VkDeviceAddress> instances = InstancesOf(call.pInfos[i]);
    if (!instances) continue;
    const Range& range = call.ppBuildRangeInfos[i][0];
    const VkDeviceAddress source = *instances + range.primitiveOffset;
    const VkDeviceSize needed = range.primitiveCount * kInstanceBytes;
    const VkDeviceSize room = range.primitiveCount != 0 ? RoomAt(source, needed) : 0;
    if (room == 0 || room < needed) continue;
    Add({.info = i, .source = source, .room = room, .most = range.primitiveCount});
  }
  return !planned_.empty();
}

bool ReferenceReplacements::Plan(const vk::CmdBuildAccelerationStructuresIndirectKHR& call) {
  planned_.clear();
  is_indirect_ = true;
  if (!MayDispatch()) return false;
  for (uint32_t i = 0; i < call.infoCount; ++i) {
    const std::optional<VkDeviceAddress> instances = InstancesOf(call.pInfos[i]);
    const VkDeviceAddress range = call.pIndirectDeviceAddresses[i];
    const uint32_t most = instances ? call.ppMaxPrimitiveCounts[i][0] : 0;
    if (most == 0 || range % sizeof(uint32_t) != 0 || RoomAt(range, sizeof(Range)) < sizeof(Range)) continue;
    const VkDeviceSize room = RoomAt(*instances, 1);
    if (room != 0) Add({.info = i, .source = *instances, .room = room, .most = most, .range = range});
  }
  return !planned_.empty();
}

MemoryRange ReferenceReplacements::Take(Filled& filled, VkDeviceSize bytes, Memory& of, ExecutionMemory& memory) {
  if (bytes > filled.range.size - filled.used) {
    filled = {.range = memory.Add(of, std::max(bytes, kSmallestRange))};
    if (!filled.range) return {};
  }
  MemoryRange taken = filled.range;
  taken.address += filled.used;
  if (taken.mapped != nullptr) taken.mapped += filled.used / sizeof(uint32_t);
  // The next one is aligned, too.
  filled.used += std::min((bytes + kInstanceBytes - 1) / kInstanceBytes * kInstanceBytes, taken.size - filled.used);
  return taken;
}

bool ReferenceReplacements::Allocate(Planned& planned, VkDeviceAddress table, ExecutionMemory& memory,
                                     MemoryRange& parameters) {
  const MemoryRange copy = Take(copies_, CopyBytes(planned.most, is_indirect_), memory.sources().instances, memory);
  if (!copy) return false;
  planned.target = copy.address;
  planned.target_range = is_indirect_ ? copy.address + planned.most * kInstanceBytes : 0;
  parameters = Take(parameters_, kParameterBytes, memory.sources().read, memory);
  if (!parameters) return false;
  std::array<uint32_t, size_t{kParameterQuads} * 4> words = {};
  const auto set = [&words](uint32_t word, VkDeviceAddress address) {
    words[word] = static_cast<uint32_t>(address);
    words[word + 1] = static_cast<uint32_t>(address >> 32);
  };
  set(kSourceWord, planned.source);
  set(kTargetWord, planned.target);
  set(kRangeWord, planned.range);
  set(kTargetRangeWord, planned.target_range);
  words[kMostWord] = planned.most;
  words[kRoomWord] = static_cast<uint32_t>(std::min<VkDeviceSize>(planned.room, std::numeric_limits<uint32_t>::max()));
  set(kTableWord, table);
  std::memcpy(parameters.mapped, words.data(), sizeof(words));
  return true;
}

// The dispatch sees what the stages of the build see, and what the host has written to the table. An execution before
// this one may have written the copies, or read them. What the application lets wait for the build, waits for the
// dispatch, too.
void ReferenceReplacements::Barrier(bool is_before) const {
  const VkPipelineStageFlags indirect = is_indirect_ ? VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT : 0;
  const VkPipelineStageFlags build = VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR | indirect;
  constexpr VkPipelineStageFlags kDispatch = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                             .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT,
                             .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
  if (!is_before) {
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | (is_indirect_ ? VK_ACCESS_INDIRECT_COMMAND_READ_BIT : 0);
  }
  CallNext(context_.device(),
           vk::CmdPipelineBarrier{reinterpret_cast<VkCommandBuffer>(buffer_.handle()),
                                  is_before ? build | kDispatch | VK_PIPELINE_STAGE_HOST_BIT : kDispatch,
                                  is_before ? kDispatch : build, 0, 1, &barrier, 0, nullptr, 0, nullptr});
}

bool ReferenceReplacements::Record(ExecutionMemory& memory, AddressPushes& pushes) {
  const VkDeviceAddress table = replacer_.pipeline.Make() ? replacer_.structures.Table() : 0;
  if (table == 0) {
    planned_.clear();
    return false;
  }
  absl::InlinedVector<MemoryRange, 2> parameters(planned_.size());
  for (size_t i = 0; i < planned_.size(); ++i) {
    if (!Allocate(planned_[i], table, memory, parameters[i])) planned_.resize(i);
  }
  if (planned_.empty()) return false;
  const dispatch::Device& device = context_.device();
  const auto command_buffer = reinterpret_cast<VkCommandBuffer>(buffer_.handle());
  Barrier(true);
  CallNext(device, vk::CmdBindPipeline{command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, replacer_.pipeline.pipeline()});
  for (size_t i = 0; i < planned_.size(); ++i) {
    pushes.Push(command_buffer, replacer_.pipeline.layout(), kPushed, parameters[i].address);
    const uint32_t groups = (planned_[i].most - 1) / kInstancesOfGroup + 1;
    CallNext(device, vk::CmdDispatch{command_buffer, groups, 1, 1});
  }
  Barrier(false);
  pushes.Restore(command_buffer);
  return true;
}

bool ReferenceReplacements::Replaces(uint32_t info) const {
  return std::ranges::find(planned_, info, &Planned::info) != planned_.end();
}

void ReferenceReplacements::Apply(const Planned& planned, BuildInfo& info, dispatch::Rewriter& rewriter) {
  Geometry& geometry = info.pGeometries != nullptr ? *rewriter.Copy(info.pGeometries)
                                                   : *rewriter.Copy(*rewriter.Copy(info.ppGeometries));
  geometry.geometry.instances.data.deviceAddress = planned.target;
}

void ReferenceReplacements::Rewrite(vk::CmdBuildAccelerationStructuresKHR& down, dispatch::Rewriter& rewriter) const {
  if (planned_.empty()) return;
  BuildInfo* const infos = rewriter.Copy(down.pInfos, down.infoCount);
  const Range** const ranges = rewriter.Copy(down.ppBuildRangeInfos, down.infoCount);
  for (const Planned& planned : planned_) {
    Apply(planned, infos[planned.info], rewriter);
    rewriter.Copy(ranges[planned.info])->primitiveOffset = 0;
  }
}

void ReferenceReplacements::Rewrite(vk::CmdBuildAccelerationStructuresIndirectKHR& down,
                                    dispatch::Rewriter& rewriter) const {
  if (planned_.empty()) return;
  BuildInfo* const infos = rewriter.Copy(down.pInfos, down.infoCount);
  VkDeviceAddress* const ranges = rewriter.Copy(down.pIndirectDeviceAddresses, down.infoCount);
  for (const Planned& planned : planned_) {
    Apply(planned, infos[planned.info], rewriter);
    ranges[planned.info] = planned.target_range;
  }
}

}  // namespace assay::gpuav
