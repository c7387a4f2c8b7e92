// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_SETTINGS_SETTINGS_TYPES_H_
#define ASSAY_DISPATCH_SETTINGS_SETTINGS_TYPES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "vk/vulkan.h"

// The settings as values. settings.h describes their sources.
namespace assay::dispatch {

inline constexpr std::string_view kLayerName = "VK_LAYER_ASSAY_validation";
// The name that applications have hard-coded. //:dropin has it.
inline constexpr std::string_view kDropInName = "VK_LAYER_KHRONOS_validation";

// The name under which the layer is loaded, which decides whose settings it takes.
enum class LoadedAs : uint8_t {
  kAssay,
  // Settings for the Khronos layer count as well as those for this one.
  kDropIn,
};

// A set of named bits. The setting's row has the names.
struct Flags {
  uint32_t bits = 0;

  bool Has(uint32_t bit) const { return (bits & bit) != 0; }
  friend bool operator==(const Flags&, const Flags&) = default;
};

enum DebugAction : uint32_t {
  kActionLogMessage = 1,
  kActionCallback = 2,
  kActionBreak = 4,
  kActionFailCall = 8,
};

// From lowest to highest precedence.
enum class SettingSource : uint8_t {
  kDefault,
  kFile,
  kEnvironment,
  kLayerSettings,
  kValidationFeatures,
  kValidationFlags,
};

struct SettingOrigin {
  SettingSource source = SettingSource::kDefault;
  // The place in words, for people: "default", "/home/me/vk_layer_settings.txt:3", "environment variable
  // VK_ASSAY_VALIDATE_SYNC".
  std::string where = "default";
};

struct Settings {
  bool unique_handles = true;
  bool validate_sync = true;
  bool syncval_submit_time_validation = true;
  bool stateless_param = true;
  bool validate_core = true;
  bool strict = false;
  bool check_command_buffer = true;
  bool check_image_layout = true;
  bool check_object_in_use = true;
  bool check_shaders = true;
  bool check_shaders_caching = true;
  bool debug_disable_spirv_val = false;
  bool object_lifetime = true;
  bool thread_safety = true;
  // VkDebugReportFlagBitsEXT.
  Flags report_flags = {VK_DEBUG_REPORT_ERROR_BIT_EXT | VK_DEBUG_REPORT_WARNING_BIT_EXT};
  // DebugAction.
  Flags debug_action = {kActionCallback};
  std::string log_filename = "stdout";
  bool print_settings = false;
  bool enable_message_limit = true;
  uint32_t duplicate_message_limit = 10;
  bool fold_messages = true;
  // See messages::IdPattern.
  std::vector<std::string> message_id_filter;
  bool message_format_json = false;
  bool message_format_display_application_name = false;
  std::string sarif_filename;
  std::string suppression_file;
  // GPU-assisted validation and debugPrintf.
  bool gpuav_enable = false;
  bool gpuav_shader_instrumentation = true;
  bool gpuav_descriptor_checks = true;
  bool gpuav_buffer_address_oob = true;
  bool gpuav_validate_ray_query = true;
  bool gpuav_vertex_attribute_fetch_oob = true;
  bool gpuav_warn_on_robust_oob = true;
  bool gpuav_markers = false;
  bool gpuav_buffers_validation = true;
  bool gpuav_buffer_copies = true;
  bool gpuav_image_layout = false;
  bool gpuav_index_buffers = true;
  bool gpuav_indirect_draws_buffers = true;
  bool gpuav_indirect_dispatches_buffers = true;
  bool gpuav_indirect_trace_rays_buffers = true;
  std::string gpuav_only_frames;
  std::string gpuav_only_labels;
  std::string gpuav_only_pipelines;
  std::string gpuav_only_shaders;
  bool gpuav_select_instrumented_shaders = false;
  bool gpuav_report_at_once = false;
  bool gpuav_reserve_binding_slot = true;
  bool gpuav_debug_disable_all = false;
  bool gpuav_debug_dump_instrumented_shaders = false;
  uint32_t gpuav_debug_max_instrumentations_count = 0;
  bool gpuav_debug_print_instrumentation_info = false;
  bool gpuav_debug_validate_instrumented_shaders = false;
  // Bytes, of what the shaders of one command print.
  uint32_t printf_buffer_size = 1024;
  bool printf_enable = false;
  bool printf_only_preset = false;
  bool printf_to_stdout = true;
  bool printf_verbose = false;
  bool syncval_mapped_ranges = false;
  bool syncval_shader_accesses_heuristic = false;
  std::string syncval_trace_file;
  uint32_t syncval_trace_limit = 200000;

  // The origin of each setting that a source set, by name.
  std::map<std::string, SettingOrigin, std::less<>> origins;

  // The origin of a setting; the default's when no source set it.
  SettingOrigin OriginOf(std::string_view name) const;
};

// The settings before any source sets one. As a drop-in, they are those that the Khronos layer's manifest has.
Settings DefaultSettings(LoadedAs loaded_as);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_SETTINGS_SETTINGS_TYPES_H_
