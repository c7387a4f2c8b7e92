// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/log/log_format.h"

#include <bit>

#include "vk/command_id.h"
#include "vk/sync/sync_info.h"
#include "vk/vulkan.h"

namespace assay::syncval::trace {
namespace {

void AppendNumber(uint32_t number, std::string& out) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(number >> shift));
}

}  // namespace

std::string LogHeader() {
  std::string header(kLogName);
  AppendNumber(kLogVersion, header);
  AppendNumber(VK_HEADER_VERSION_COMPLETE, header);
  AppendNumber(static_cast<uint32_t>(vk::kCommandCount), header);
  AppendNumber(static_cast<uint32_t>(vk::SyncStageAccesses().size()), header);
  return header;
}

uint32_t ChecksumOf(std::string_view bytes) {
  uint64_t sum = bytes.size();
  for (size_t at = 0; at < bytes.size(); at += 8) {
    uint64_t word = 0;
    bytes.substr(at, 8).copy(reinterpret_cast<char*>(&word), sizeof(word));
    sum = std::rotl((sum ^ word) * 0x9E3779B97F4A7C15u, 29);
  }
  return static_cast<uint32_t>(sum ^ (sum >> 32));
}

void AppendRecord(std::string_view bytes, std::string& log) {
  AppendNumber(static_cast<uint32_t>(bytes.size()), log);
  AppendNumber(ChecksumOf(bytes), log);
  log.append(bytes);
}

uint32_t TakeNumber(std::string_view& bytes) {
  uint32_t number = 0;
  for (int i = 0; i < 4; ++i) number |= uint32_t{static_cast<uint8_t>(bytes[static_cast<size_t>(i)])} << (8 * i);
  bytes.remove_prefix(4);
  return number;
}

}  // namespace assay::syncval::trace
