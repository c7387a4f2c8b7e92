// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/settings/setting_table.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dispatch/settings/nearest.h"
#include "vk/vulkan.h"

namespace assay::dispatch {
namespace {

constexpr SettingChoice kReportFlags[] = {
    {"error", VK_DEBUG_REPORT_ERROR_BIT_EXT},
    {"warn", VK_DEBUG_REPORT_WARNING_BIT_EXT},
    {"perf", VK_DEBUG_REPORT_PERFORMANCE_WARNING_BIT_EXT},
    {"info", VK_DEBUG_REPORT_INFORMATION_BIT_EXT},
    {"verbose", VK_DEBUG_REPORT_DEBUG_BIT_EXT},
    {"debug", VK_DEBUG_REPORT_DEBUG_BIT_EXT},
};

constexpr SettingChoice kDebugActions[] = {
    {"VK_DBG_LAYER_ACTION_LOG_MSG", kActionLogMessage},
    {"VK_DBG_LAYER_ACTION_CALLBACK", kActionCallback},
    {"VK_DBG_LAYER_ACTION_BREAK", kActionBreak},
    {"ASSAY_ACTION_FAIL_CALL", kActionFailCall},
    {"VK_DBG_LAYER_ACTION_IGNORE", 0},
    {"VK_DBG_LAYER_ACTION_DEFAULT", kActionCallback},
    {"VK_DBG_LAYER_ACTION_DEBUG_OUTPUT", 0},
};

constexpr SettingInfo kSettings[] = {
    {"check_command_buffer", &Settings::check_command_buffer,
     "Whether command buffers are looked for that refer to objects that were destroyed, if object_lifetime is true."},
    {"check_image_layout", &Settings::check_image_layout,
     "Whether the layouts of images are compared with what commands expect, if validate_core is true."},
    {"check_object_in_use", &Settings::check_object_in_use,
     "Whether objects are looked for that are destroyed or reset while a queue uses them, if object_lifetime is true."},
    {"check_shaders", &Settings::check_shaders,
     "Whether shaders are checked: SPIR-V, stages and interfaces, if validate_core is true."},
    {"check_shaders_caching", &Settings::check_shaders_caching,
     "Whether SPIR-V that was found valid before is not looked at again, in this process and in later ones."},
    {"debug_action", &Settings::debug_action,
     "What happens with a message: logged always (LOG_MSG), logged while the application has no callback (CALLBACK), a "
     "debugger stops (BREAK), "
     "none of these (IGNORE); and whether a call with an error fails and is not passed on (FAIL_CALL). The "
     "application's "
     "callbacks are called in any case.",
     kDebugActions},
    {"debug_disable_spirv_val", &Settings::debug_disable_spirv_val,
     "Whether SPIR-V is not checked by the validator of SPIRV-Tools, and by what relies on it."},
    {"duplicate_message_limit", &Settings::duplicate_message_limit,
     "How many messages of one id are shown, if enable_message_limit is true; 0 for all of them."},
    {"enable_message_limit", &Settings::enable_message_limit,
     "Whether messages of one id are only counted once there have been duplicate_message_limit of them."},
    {"fold_messages", &Settings::fold_messages,
     "Whether of messages that say the same of the same mistake, such as a hazard in every frame, the first is shown "
     "and the rest are "
     "counted."},
    {"gpuav_buffer_address_oob", &Settings::gpuav_buffer_address_oob,
     "Whether accesses by device address are checked, if gpuav_shader_instrumentation is true."},
    {"gpuav_buffer_copies", &Settings::gpuav_buffer_copies,
     "Whether depths that are copied from buffers to images are checked, if gpuav_buffers_validation is true."},
    {"gpuav_buffers_validation", &Settings::gpuav_buffers_validation,
     "Whether what commands read from buffers is checked, if gpuav_enable is true."},
    {"gpuav_debug_disable_all", &Settings::gpuav_debug_disable_all,
     "Whether GPU-assisted validation is off, whatever the application enables."},
    {"gpuav_debug_dump_instrumented_shaders", &Settings::gpuav_debug_dump_instrumented_shaders,
     "Whether each shader is written to the working directory, as it is and as it is instrumented."},
    {"gpuav_debug_max_instrumentations_count", &Settings::gpuav_debug_max_instrumentations_count,
     "How many checks a shader may have; 0 for any number."},
    {"gpuav_debug_print_instrumentation_info", &Settings::gpuav_debug_print_instrumentation_info,
     "Whether messages at severity information say of each shader which checks it has and how it has grown."},
    {"gpuav_debug_validate_instrumented_shaders", &Settings::gpuav_debug_validate_instrumented_shaders,
     "Whether instrumented shaders are checked by SPIR-V Tools before the driver gets them."},
    {"gpuav_descriptor_checks", &Settings::gpuav_descriptor_checks,
     "Whether descriptors and accesses through them are checked, if gpuav_shader_instrumentation is true."},
    {"gpuav_enable", &Settings::gpuav_enable,
     "Whether shaders check themselves while they run: GPU-assisted validation."},
    {"gpuav_image_layout", &Settings::gpuav_image_layout,
     "Whether images that shaders access must be in the layouts that their descriptors name, if "
     "gpuav_descriptor_checks, "
     "validate_core and check_image_layout are true."},
    {"gpuav_index_buffers", &Settings::gpuav_index_buffers,
     "Whether indirect draws may not read indices past the end of the index buffer, if gpuav_indirect_draws_buffers is "
     "true."},
    {"gpuav_indirect_dispatches_buffers", &Settings::gpuav_indirect_dispatches_buffers,
     "Whether the parameters of indirect dispatches are checked, if gpuav_buffers_validation is true."},
    {"gpuav_indirect_draws_buffers", &Settings::gpuav_indirect_draws_buffers,
     "Whether the parameters of indirect draws and their number are checked, if gpuav_buffers_validation is true."},
    {"gpuav_indirect_trace_rays_buffers", &Settings::gpuav_indirect_trace_rays_buffers,
     "Whether the parameters of indirect ray traces are checked, if gpuav_buffers_validation is true."},
    {"gpuav_markers", &Settings::gpuav_markers,
     "Whether command buffers mark how far they come, so that the message about a lost device names what hangs."},
    {"gpuav_only_frames", &Settings::gpuav_only_frames,
     "In which frames commands run instrumented shaders: numbers and ranges, separated by commas (100-110,200), where "
     "vkQueuePresentKHR ends a frame and the first one is 0; empty for all frames."},
    {"gpuav_only_labels", &Settings::gpuav_only_labels,
     "In which debug label regions commands run instrumented shaders: patterns with * and ?, separated by commas, for "
     "paths such as frame::shadows; empty for everywhere."},
    {"gpuav_only_pipelines", &Settings::gpuav_only_pipelines,
     "With which pipelines and shader objects commands run instrumented shaders: patterns with * and ?, separated by "
     "commas, for their debug names; empty for all."},
    {"gpuav_only_shaders", &Settings::gpuav_only_shaders,
     "Which shaders are instrumented: patterns with * and ?, separated by commas, for the names of their modules, "
     "their "
     "entry points and their source files; empty for all shaders."},
    {"gpuav_report_at_once", &Settings::gpuav_report_at_once,
     "Whether shaders report each fault where it happens, which takes longer to compile; else a compute shader may "
     "report the first fault of an invocation alone, when the invocation ends."},
    {"gpuav_reserve_binding_slot", &Settings::gpuav_reserve_binding_slot,
     "Whether maxBoundDescriptorSets is one less than the device has, so that one is left for gpuav_enable."},
    {"gpuav_select_instrumented_shaders", &Settings::gpuav_select_instrumented_shaders,
     "Whether only shaders are instrumented whose VkShaderModuleCreateInfo or VkShaderCreateInfoEXT has a "
     "VkValidationFeaturesEXT that enables GPU-assisted validation."},
    {"gpuav_shader_instrumentation", &Settings::gpuav_shader_instrumentation,
     "Whether shaders are instrumented, if gpuav_enable is true."},
    {"gpuav_validate_ray_query", &Settings::gpuav_validate_ray_query,
     "Whether ray queries and traces are checked, if gpuav_shader_instrumentation is true."},
    {"gpuav_vertex_attribute_fetch_oob", &Settings::gpuav_vertex_attribute_fetch_oob,
     "Whether vertex attributes past the end of their buffer are looked for, if gpuav_shader_instrumentation is true."},
    {"gpuav_warn_on_robust_oob", &Settings::gpuav_warn_on_robust_oob,
     "Whether accesses that robustness makes harmless are reported too, as warnings."},
    {"log_filename", &Settings::log_filename, "Where messages are logged: stdout, stderr, or the path of a file."},
    {"message_format_display_application_name", &Settings::message_format_display_application_name,
     "Whether each message says the application's name."},
    {"message_format_json", &Settings::message_format_json, "Whether messages are JSON, one object a line."},
    {"message_id_filter", &Settings::message_id_filter,
     "Ids of messages that are not shown: names, in which * and ? are wildcards, or numbers."},
    {"object_lifetime", &Settings::object_lifetime,
     "Whether handles are looked for that are stale, of another type or from another device, and objects that are not "
     "destroyed."},
    {"print_settings", &Settings::print_settings, "Whether vkCreateInstance logs every setting with where it was set."},
    {"printf_buffer_size", &Settings::printf_buffer_size,
     "How many bytes there are for what the shaders of one command print."},
    {"printf_enable", &Settings::printf_enable, "Whether shaders may print: debugPrintfEXT in GLSL, printf in HLSL."},
    {"printf_only_preset", &Settings::printf_only_preset, "Whether shaders may print, and all else is off."},
    {"printf_to_stdout", &Settings::printf_to_stdout,
     "Whether what shaders print goes to the standard output, and to no callback."},
    {"printf_verbose", &Settings::printf_verbose,
     "Whether what shaders print has the command, the pipeline, the shader and the invocation with it."},
    {"report_flags", &Settings::report_flags, "Which messages are logged.", kReportFlags},
    {"sarif_filename", &Settings::sarif_filename,
     "The path of a file in which all messages that report_flags names are written in the SARIF 2.1.0 format."},
    {"stateless_param", &Settings::stateless_param, "Whether parameters are checked by themselves."},
    {"strict", &Settings::strict, "Whether rules that correct programs commonly violate are checked to the letter."},
    {"suppression_file", &Settings::suppression_file,
     "The path of a JSON file that lists, with reasons, what is known and not to be shown."},
    {"syncval_mapped_ranges", &Settings::syncval_mapped_ranges,
     "Whether ranges of mapped memory are taken at their word, if syncval_submit_time_validation is true: that the "
     "host has written "
     "what is given to vkFlushMappedMemoryRanges, and is about to read what is given to "
     "vkInvalidateMappedMemoryRanges."},
    {"syncval_shader_accesses_heuristic", &Settings::syncval_shader_accesses_heuristic,
     "Whether all counts that a shader may access: partially bound descriptors, every element of an array of "
     "descriptors whose index it computes, the accesses of hit, miss and callable shaders, and input attachments where "
     "draws may meet within their viewports and scissors. Accesses that never happen are then reported too."},
    {"syncval_submit_time_validation", &Settings::syncval_submit_time_validation,
     "Whether missing synchronization is looked for between submissions too, if validate_sync is true."},
    {"syncval_trace_file", &Settings::syncval_trace_file,
     "The path of a file in which synchronization validation writes what the queues did, as a trace for Perfetto; "
     "beside it, with "
     ".html in the place of its extension, a page that shows it. A process that is killed leaves a log beside it, with "
     "its id and .log, from which both can be made."},
    {"syncval_trace_limit", &Settings::syncval_trace_limit,
     "How many commands the trace of a device keeps; those that were submitted first go first."},
    {"thread_safety", &Settings::thread_safety,
     "Whether threads are looked for that use one object at the same time where the application has to keep them "
     "apart."},
    {"unique_handles", &Settings::unique_handles,
     "Whether the application is given handles of the layer's own, by which a stale one is recognised."},
    {"validate_core", &Settings::validate_core, "Whether commands are recorded where they may be."},
    {"validate_sync", &Settings::validate_sync, "Whether missing synchronization is looked for."},
};

// A visitor of a std::variant, with one function for each type of setting.
template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};

std::optional<bool> ParseBool(std::string_view text) {
  for (std::string_view yes : {"true", "1", "on", "yes"}) {
    if (absl::EqualsIgnoreCase(text, yes)) return true;
  }
  for (std::string_view no : {"false", "0", "off", "no"}) {
    if (absl::EqualsIgnoreCase(text, no)) return false;
  }
  return std::nullopt;
}

std::string ExpectedChoices(const SettingInfo& info, std::string_view wrong) {
  std::vector<std::string_view> names;
  for (const SettingChoice& choice : info.choices) names.push_back(choice.name);
  const std::string_view nearest = Nearest(wrong, names);
  return absl::StrCat("a list of ", absl::StrJoin(names, ", "), wrong.empty() ? "" : "; there is no \"", wrong,
                      wrong.empty() ? "" : "\"",
                      nearest.empty() ? "" : absl::StrCat(", perhaps ", nearest, " is meant"));
}

// Null when the setting has no such choice.
const SettingChoice* FindChoice(const SettingInfo& info, std::string_view name) {
  const auto found = std::ranges::find_if(
      info.choices, [name](const SettingChoice& choice) { return absl::EqualsIgnoreCase(choice.name, name); });
  return found == info.choices.end() ? nullptr : &*found;
}

bool ParseFlags(const SettingInfo& info, std::span<const std::string> values, Flags* flags, std::string* expected) {
  Flags result;
  for (const std::string& value : values) {
    for (std::string_view name : absl::StrSplit(value, ',')) {
      name = absl::StripAsciiWhitespace(name);
      if (name.empty()) continue;
      const SettingChoice* choice = FindChoice(info, name);
      if (choice == nullptr) {
        *expected = ExpectedChoices(info, name);
        return false;
      }
      result.bits |= choice->bits;
    }
  }
  *flags = result;
  return true;
}

std::vector<std::string> ParseList(std::span<const std::string> values) {
  std::vector<std::string> result;
  for (const std::string& value : values) {
    for (std::string_view element : absl::StrSplit(value, absl::ByAnyChar(",;"))) {
      element = absl::StripAsciiWhitespace(element);
      if (!element.empty()) result.emplace_back(element);
    }
  }
  return result;
}

}  // namespace

std::span<const SettingInfo> SettingTable() { return kSettings; }

const SettingInfo* FindSetting(std::string_view name) {
  const auto found = std::ranges::lower_bound(kSettings, name, {}, &SettingInfo::name);
  return found == std::end(kSettings) || found->name != name ? nullptr : &*found;
}

std::string_view NearestSetting(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SettingInfo& info : kSettings) names.push_back(info.name);
  return Nearest(name, names);
}

bool ParseSetting(const SettingInfo& info, std::span<const std::string> values, Settings* settings,
                  std::string* expected) {
  return std::visit(
      Overloaded{
          [&](bool Settings::* member) {
            const std::optional<bool> parsed = values.size() == 1 ? ParseBool(values[0]) : std::nullopt;
            if (parsed.has_value()) settings->*member = *parsed;
            *expected = "true or false";
            return parsed.has_value();
          },
          [&](uint32_t Settings::* member) {
            uint32_t parsed = 0;
            const bool is_number = values.size() == 1 && absl::SimpleAtoi(values[0], &parsed);
            if (is_number) settings->*member = parsed;
            *expected = "a number from 0 to 4294967295";
            return is_number;
          },
          [&](std::vector<std::string> Settings::* member) {
            settings->*member = ParseList(values);
            return true;
          },
          [&](Flags Settings::* member) { return ParseFlags(info, values, &(settings->*member), expected); },
          [&](std::string Settings::* member) {
            if (values.size() == 1) settings->*member = values[0];
            *expected = "one text";
            return values.size() == 1;
          },
      },
      info.member);
}

std::string FormatSetting(const SettingInfo& info, const Settings& settings) {
  return std::visit(
      Overloaded{
          [&](bool Settings::* member) { return std::string(settings.*member ? "true" : "false"); },
          [&](uint32_t Settings::* member) { return absl::StrCat(settings.*member); },
          [&](std::vector<std::string> Settings::* member) { return absl::StrJoin(settings.*member, ","); },
          [&](Flags Settings::* member) {
            std::vector<std::string_view> names;
            uint32_t named = 0;
            for (const SettingChoice& choice : info.choices) {
              // Of several names for the same bits, only the first.
              if ((settings.*member).Has(choice.bits & ~named)) names.push_back(choice.name);
              named |= choice.bits;
            }
            return absl::StrJoin(names, ",");
          },
          [&](std::string Settings::* member) { return settings.*member; },
      },
      info.member);
}

}  // namespace assay::dispatch
