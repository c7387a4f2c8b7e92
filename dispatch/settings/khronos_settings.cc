// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/settings/khronos_settings.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace assay::dispatch {
namespace {

constexpr std::string_view kLocks = "each object has its own lock";
constexpr std::string_view kNoBestPractices = "best practices are not checked";
constexpr std::string_view kAnyNumber = "there may be any number of buffers with addresses";
constexpr std::string_view kOwnMemory = "memory for records is not allocated by VMA";
constexpr std::string_view kRecordsSay = "records say which descriptor it was";
constexpr std::string_view kTwoSettings = "gpuav_enable and printf_enable say the same";
constexpr std::string_view kNoQueries = "queries are not checked yet";
constexpr std::string_view kProperties = "message_format_json has the properties of each message";
constexpr std::string_view kStableMessages = "object names replace handles in messages that are to be compared";

struct KhronosSetting {
  std::string_view name;
  std::string_view why;
};

// Sorted by name.
constexpr KhronosSetting kKhronosSettings[] = {
    {"check_query", kNoQueries},
    {"debug_stable_messages", kStableMessages},
    {"fine_grained_locking", kLocks},
    {"gpuav_max_buffer_device_addresses", kAnyNumber},
    {"gpuav_post_process_descriptor_indexing", kRecordsSay},
    {"gpuav_vma_linear_output", kOwnMemory},
    {"syncval_message_extra_properties", kProperties},
    {"syncval_message_extra_properties_pretty_print", kProperties},
    {"validate_best_practices", kNoBestPractices},
    {"validate_best_practices_amd", kNoBestPractices},
    {"validate_best_practices_arm", kNoBestPractices},
    {"validate_best_practices_img", kNoBestPractices},
    {"validate_best_practices_nvidia", kNoBestPractices},
    {"validate_gpu_based", kTwoSettings},
};

}  // namespace

std::string_view WhyWithoutEffect(std::string_view name) {
  const auto found = std::ranges::lower_bound(kKhronosSettings, name, {}, &KhronosSetting::name);
  return found == std::end(kKhronosSettings) || found->name != name ? std::string_view() : found->why;
}

}  // namespace assay::dispatch
