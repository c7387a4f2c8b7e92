// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies between buffers, fills and updates of buffers.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "core/copies/copy_check.h"
#include "core/copies/copy_rules.h"
#include "vk/families/vuid_families.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using vk::AnyFamilyVuid;
using vk::FamilyVuid;

// The rules of a buffer, and of the range of it that is accessed.
struct BufferIds : ResourceIds {
  // Where the range begins.
  vk::VuidIndex offset = vk::kNoVuid;
  // Where it ends.
  vk::VuidIndex size = vk::kNoVuid;
};

template <class C>
constexpr BufferIds kSourceIds = {{
                                      .usage = FamilyVuid<C>("srcBuffer-00118"),
                                      .bound = FamilyVuid<C>("srcBuffer-00119"),
                                      .is_protected = FamilyVuid<C>("commandBuffer-01822"),
                                  },
                                  FamilyVuid<C>("srcOffset-00113"),
                                  FamilyVuid<C>("size-00115")};
template <class C>
constexpr BufferIds kTargetIds = {
    {
        .usage = AnyFamilyVuid<C>("dstBuffer-00120", "dstBuffer-00029", "dstBuffer-00034"),
        .bound = AnyFamilyVuid<C>("dstBuffer-00121", "dstBuffer-00031", "dstBuffer-00035"),
        .is_protected = AnyFamilyVuid<C>("commandBuffer-01823", "commandBuffer-01811", "commandBuffer-01813"),
        .is_unprotected = AnyFamilyVuid<C>("commandBuffer-01824", "commandBuffer-01812", "commandBuffer-01814"),
    },
    AnyFamilyVuid<C>("dstOffset-00114", "dstOffset-00024", "dstOffset-00032"),
    AnyFamilyVuid<C>("size-00116", "size-00027", "dataSize-00033")};

// A buffer as a parameter of a command.
struct BufferOperand {
  BufferOperand(VkBuffer buffer, std::string_view parameter, const BufferIds& of, VkBufferUsageFlagBits needed)
      : state(DeviceState::Get<state::Buffer>(buffer)),
        object(Object(buffer)),
        name(parameter),
        ids(of),
        usage(needed) {}

  // Null for a buffer that is not known.
  const state::Buffer* state;
  messages::ObjectRef object;
  std::string_view name;
  const BufferIds& ids;
  VkBufferUsageFlagBits usage;
};

// Whether no rule of the buffer as a whole can be violated.
bool IsUsable(const CopyCheck& check, const state::Buffer& buffer, VkBufferUsageFlagBits usage) {
  const bool is_protected = (buffer.flags & VK_BUFFER_CREATE_PROTECTED_BIT) != 0;
  return (buffer.usage & usage) != 0 && (buffer.memory || buffer.is_sparse()) && is_protected == check.is_protected();
}

void CheckBuffer(const CopyCheck& check, const BufferOperand& buffer, const Location& parameter) {
  if (buffer.state == nullptr || IsUsable(check, *buffer.state, buffer.usage)) [[likely]]
    return;
  const bool is_source = buffer.usage == VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  CheckResource(check, buffer.ids,
                {.object = buffer.object,
                 .name = buffer.name,
                 .has_usage = (buffer.state->usage & buffer.usage) != 0,
                 .usage = is_source ? "VK_BUFFER_USAGE_TRANSFER_SRC_BIT" : "VK_BUFFER_USAGE_TRANSFER_DST_BIT",
                 .is_bound = buffer.state->memory || buffer.state->is_sparse(),
                 .is_protected = (buffer.state->flags & VK_BUFFER_CREATE_PROTECTED_BIT) != 0},
                parameter);
}

// Bytes of a buffer that are accessed. VK_WHOLE_SIZE reaches to its end. Where the members are.
struct BufferRange {
  VkDeviceSize offset;
  VkDeviceSize size;
  std::string_view offset_name;
  std::string_view size_name;
};

// Whether a range of some bytes is inside of the buffer.
bool HasRange(const BufferOperand& buffer, VkDeviceSize offset, VkDeviceSize size) {
  return buffer.state == nullptr || (offset < buffer.state->size && size <= buffer.state->size - offset);
}

void CheckRange(const CopyCheck& check, const BufferOperand& buffer, const BufferRange& range, const Location& region) {
  if (HasRange(buffer, range.offset, range.size)) [[likely]]
    return;
  const VkDeviceSize size = buffer.state->size;
  const auto describe = [&] {
    return absl::StrCat(buffer.name, " ", check.report().reporter().Describe(buffer.object), ", which has ", size,
                        " bytes");
  };
  check.Require(range.offset < size, buffer.ids.offset, buffer.object, region.Dot(range.offset_name), [&] {
    return std::pair(absl::StrCat("(", range.offset, ") is not less than the size of ", describe(), "."), "");
  });
  if (range.offset >= size || range.size == VK_WHOLE_SIZE) return;
  const VkDeviceSize left = size - range.offset;
  check.Require(range.size <= left, buffer.ids.size, buffer.object, region.Dot(range.size_name), [&] {
    return std::pair(absl::StrCat("(", range.size, ") is larger than the ", left, " bytes from ", range.offset_name,
                                  " (", range.offset, ") to the end of ", describe(), "."),
                     absl::StrCat("Let ", range.size_name, " be at most ", left, ", or create the buffer with ",
                                  range.offset + range.size, " bytes or more."));
  });
}

// Bytes [begin, end) of region `index`.
struct Interval {
  VkDeviceSize begin;
  VkDeviceSize end;
  uint32_t index;
};
using Intervals = absl::InlinedVector<Interval, 8>;

// Sources and targets of one buffer must have no bytes in common. There are regions.
template <class Region>
void CheckOverlap(const CopyCheck& check, const BufferOperand& buffer, const Region* regions, uint32_t count,
                  vk::VuidIndex rule, const Location& parameter) {
  const VkDeviceSize distance = regions->srcOffset < regions->dstOffset ? regions->dstOffset - regions->srcOffset
                                                                        : regions->srcOffset - regions->dstOffset;
  if (count == 1 && distance >= regions->size) return;
  Intervals sources, targets;
  for (uint32_t i = 0; i < count; ++i) {
    const Region& region = regions[i];
    sources.push_back({region.srcOffset, region.srcOffset + region.size, i});
    targets.push_back({region.dstOffset, region.dstOffset + region.size, i});
  }
  std::ranges::sort(sources, {}, &Interval::begin);
  std::ranges::sort(targets, {}, &Interval::begin);
  auto source = sources.begin();
  auto target = targets.begin();
  while (source != sources.end() && target != targets.end()) {
    if (source->begin < target->end && target->begin < source->end) {
      return check.Require(false, rule, buffer.object, parameter.Dot("pRegions", target->index), [&] {
        return std::pair(absl::StrCat("writes bytes ", target->begin, " to ", target->end - 1, " of ",
                                      check.report().reporter().Describe(buffer.object), ", of which pRegions[",
                                      source->index, "] reads bytes ", source->begin, " to ", source->end - 1, "."),
                         "");
      });
    }
    // The one that ends first meets no others.
    source->end <= target->end ? void(++source) : void(++target);
  }
}

// C is the command; `info` has its parameters, or is what these lead to.
template <class C, class Info>
void CheckCopy(const CopyCheck& check, const Info& info, const Location& parameter) {
  const BufferOperand source(info.srcBuffer, "srcBuffer", kSourceIds<C>, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  const BufferOperand target(info.dstBuffer, "dstBuffer", kTargetIds<C>, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  CheckBuffer(check, source, parameter);
  CheckBuffer(check, target, parameter);
  for (uint32_t i = 0; i < info.regionCount; ++i) {
    const auto& region = info.pRegions[i];
    if (HasRange(source, region.srcOffset, region.size) && HasRange(target, region.dstOffset, region.size)) [[likely]]
      continue;
    const Location where = parameter.Dot("pRegions", i);
    CheckRange(check, source, {region.srcOffset, region.size, "srcOffset", "size"}, where);
    CheckRange(check, target, {region.dstOffset, region.size, "dstOffset", "size"}, where);
  }
  if (info.srcBuffer != info.dstBuffer || source.state == nullptr || source.state->is_sparse()) return;
  if (info.regionCount == 0) return;
  CheckOverlap(check, source, info.pRegions, info.regionCount, FamilyVuid<C>("pRegions-00117"), parameter);
}

// Of commands that write one range.
template <class C>
void CheckWrite(const CopyCheck& check, VkBuffer buffer, const BufferRange& range) {
  const BufferOperand target(buffer, "dstBuffer", kTargetIds<C>, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const Location command = check.report().location();
  CheckBuffer(check, target, command);
  CheckRange(check, target, range, command);
}

}  // namespace

void CopyRules::PreCallValidate(const vk::CmdCopyBuffer& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  CheckCopy<vk::CmdCopyBuffer>({*buffer, facts_, report}, call, report.location());
}
void CopyRules::PreCallValidate(const vk::CmdCopyBuffer2& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pCopyBufferInfo == nullptr) return;
  const Location command = report.location();
  CheckCopy<vk::CmdCopyBuffer2>({*buffer, facts_, report}, *call.pCopyBufferInfo, command.Dot("pCopyBufferInfo"));
}
void CopyRules::PreCallValidate(const vk::CmdFillBuffer& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  CheckWrite<vk::CmdFillBuffer>({*buffer, facts_, report}, call.dstBuffer,
                                {call.dstOffset, call.size, "dstOffset", "size"});
}
void CopyRules::PreCallValidate(const vk::CmdUpdateBuffer& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  CheckWrite<vk::CmdUpdateBuffer>({*buffer, facts_, report}, call.dstBuffer,
                                  {call.dstOffset, call.dataSize, "dstOffset", "dataSize"});
}

}  // namespace assay::core
