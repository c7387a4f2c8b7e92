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
constexpr std::string_view kNoGpuAv = "there is no GPU-assisted validation yet";
constexpr std::string_view kNoPrintf = "there is no debugPrintf yet";
constexpr std::string_view kNoQueries = "queries are not checked yet";
constexpr std::string_view kNoShaders = "shaders are not checked yet";
constexpr std::string_view kProperties = "message_format_json has the properties of each message";
constexpr std::string_view kStableMessages = "object names replace handles in messages that are to be compared";

struct KhronosSetting {
  std::string_view name;
  std::string_view why;
};

// Sorted by name.
constexpr KhronosSetting kKhronosSettings[] = {
    {"check_query", kNoQueries},
    {"check_shaders", kNoShaders},
    {"check_shaders_caching", kNoShaders},
    {"debug_disable_spirv_val", kNoShaders},
    {"debug_stable_messages", kStableMessages},
    {"fine_grained_locking", kLocks},
    {"gpuav_buffer_address_oob", kNoGpuAv},
    {"gpuav_buffer_copies", kNoGpuAv},
    {"gpuav_buffers_validation", kNoGpuAv},
    {"gpuav_debug_disable_all", kNoGpuAv},
    {"gpuav_debug_dump_instrumented_shaders", kNoGpuAv},
    {"gpuav_debug_max_instrumentations_count", kNoGpuAv},
    {"gpuav_debug_print_instrumentation_info", kNoGpuAv},
    {"gpuav_debug_validate_instrumented_shaders", kNoGpuAv},
    {"gpuav_descriptor_checks", kNoGpuAv},
    {"gpuav_enable", kNoGpuAv},
    {"gpuav_image_layout", kNoGpuAv},
    {"gpuav_index_buffers", kNoGpuAv},
    {"gpuav_indirect_dispatches_buffers", kNoGpuAv},
    {"gpuav_indirect_draws_buffers", kNoGpuAv},
    {"gpuav_indirect_trace_rays_buffers", kNoGpuAv},
    {"gpuav_max_buffer_device_addresses", kNoGpuAv},
    {"gpuav_post_process_descriptor_indexing", kNoGpuAv},
    {"gpuav_reserve_binding_slot", kNoGpuAv},
    {"gpuav_select_instrumented_shaders", kNoGpuAv},
    {"gpuav_shader_instrumentation", kNoGpuAv},
    {"gpuav_validate_ray_query", kNoGpuAv},
    {"gpuav_vertex_attribute_fetch_oob", kNoGpuAv},
    {"gpuav_vma_linear_output", kNoGpuAv},
    {"gpuav_warn_on_robust_oob", kNoGpuAv},
    {"printf_buffer_size", kNoPrintf},
    {"printf_enable", kNoPrintf},
    {"printf_only_preset", kNoPrintf},
    {"printf_to_stdout", kNoPrintf},
    {"printf_verbose", kNoPrintf},
    {"syncval_message_extra_properties", kProperties},
    {"syncval_message_extra_properties_pretty_print", kProperties},
    {"validate_best_practices", kNoBestPractices},
    {"validate_best_practices_amd", kNoBestPractices},
    {"validate_best_practices_arm", kNoBestPractices},
    {"validate_best_practices_img", kNoBestPractices},
    {"validate_best_practices_nvidia", kNoBestPractices},
    {"validate_gpu_based", kNoGpuAv},
};

}  // namespace

std::string_view WhyWithoutEffect(std::string_view name) {
  const auto found = std::ranges::lower_bound(kKhronosSettings, name, {}, &KhronosSetting::name);
  return found == std::end(kKhronosSettings) || found->name != name ? std::string_view() : found->why;
}

}  // namespace assay::dispatch
