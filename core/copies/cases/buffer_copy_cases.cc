// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/cases/buffer_copy_cases.h"

#include "vk/commands.h"

namespace assay::core {
namespace {

using Copy = BufferCopy;

constexpr FamilyCase<Copy> kCases[] = {
    {"srcBuffer-00118", [](Copy& c) { c.source_usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT; }},
    {"dstBuffer-00120 dstBuffer-00029 dstBuffer-00034",
     [](Copy& c) { c.target_usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT; }},
    {"srcBuffer-00119", [](Copy& c) { c.is_source_bound = false; }},
    {"dstBuffer-00121 dstBuffer-00031 dstBuffer-00035", [](Copy& c) { c.is_target_bound = false; }},
    {"commandBuffer-01822", [](Copy& c) { c.source_flags = VK_BUFFER_CREATE_PROTECTED_BIT; }},
    {"commandBuffer-01823 commandBuffer-01811 commandBuffer-01813",
     [](Copy& c) { c.target_flags = VK_BUFFER_CREATE_PROTECTED_BIT; }},
    {"commandBuffer-01824 commandBuffer-01812 commandBuffer-01814", [](Copy& c) { c.is_in_protected_commands = true; }},
    {"srcOffset-00113", [](Copy& c) { c.source_offset = 64; }},
    {"dstOffset-00114 dstOffset-00024 dstOffset-00032", [](Copy& c) { c.target_offset = 64; }},
    {"size-00115", [](Copy& c) { c.source_offset = 52; }},
    {"size-00116 size-00027 dataSize-00033", [](Copy& c) { c.target_offset = 52; }},
    {"pRegions-00117", [](Copy& c) { c.is_one_buffer = true, c.target_offset = 31; }},
    // One region of many, that reads what an earlier one writes.
    {"pRegions-00117", [](Copy& c) { c.is_one_buffer = true, c.more = {{0, 48, 4}, {48, 8, 1}, {35, 60, 1}}; }},
};

}  // namespace

absl::Span<const FamilyCase<BufferCopy>> BufferCopyCases() { return kCases; }

std::vector<vk::VuidIndex> BufferCopyIds() {
  return IdsOf<vk::CmdCopyBuffer, vk::CmdCopyBuffer2, vk::CmdFillBuffer, vk::CmdUpdateBuffer>(BufferCopyCases());
}

}  // namespace assay::core
