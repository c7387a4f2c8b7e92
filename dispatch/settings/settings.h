// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_SETTINGS_SETTINGS_H_
#define ASSAY_DISPATCH_SETTINGS_SETTINGS_H_

#include <string>
#include <string_view>
#include <vector>

#include "dispatch/settings/settings_types.h"  // IWYU pragma: export
#include "dispatch/settings/system_access.h"
#include "messages/messages.h"
#include "vk/vulkan.h"

// What the user can set, and where it is set.
//
// A setting has one name, the Khronos layer's where that has it too, in each of these sources. A later one overrides an
// earlier one:
//
// 1. The default.
// 2. The settings file, as "assay.validate_sync = false". The file is the first of these that there is: what
//    VK_LAYER_SETTINGS_PATH names (the file or its folder), vk_layer_settings.txt in the working directory, and
//    vulkan/settings.d/vk_layer_settings.txt in $XDG_DATA_HOME (~/.local/share if that is not set). Keys may also begin
//    with "assay_validation.", as the Vulkan Configurator writes them.
// 3. The environment, as VK_ASSAY_VALIDATE_SYNC=false, or, as users of the Khronos layer have it, with VK_LAYER_ in the
//    place of VK_ASSAY_, which counts less.
// 4. VK_EXT_layer_settings in VkInstanceCreateInfo::pNext, with pLayerName "VK_LAYER_ASSAY_validation".
// 5. VK_EXT_validation_features in the same chain.
// 6. VK_EXT_validation_flags in the same chain.
//
// Loaded as the Khronos layer (LoadedAs::kDropIn) this layer also takes, in 2, keys that begin with
// "khronos_validation."; in 3, variables that begin with VK_KHRONOS_VALIDATION_; in 4, "VK_LAYER_KHRONOS_validation".
// Settings of that layer that have nothing to act on here are accepted, and told of at severity information.
//
// "enables" and "disables" list names of VK_EXT_validation_features, and are short for the settings that those stand
// for (source_features.cc).
//
// What a source says wrongly (a name that is not known, a value that is not of the setting's type) is told in one
// message and changes nothing.
//
// To add a setting: a member of Settings in settings_types.h, with its default, and a row in setting_table.cc.
// Everything else follows from the row.
namespace assay::dispatch {

// Reads and merges all sources. create_info may be null, and then source 4 is not there. What was wrong is appended to
// problems, in the order of the sources; the messages have no objects and no location. Does not throw and does not
// change anything outside.
Settings LoadSettings(const VkInstanceCreateInfo* create_info, const SystemAccess& system,
                      std::vector<messages::Message>* problems, LoadedAs loaded_as = LoadedAs::kAssay);
// The same on this process's own environment and files.
Settings LoadSettings(const VkInstanceCreateInfo* create_info, std::vector<messages::Message>* problems,
                      LoadedAs loaded_as);

// How messages are delivered under these settings. application_name is VkApplicationInfo's.
messages::ReporterOptions ToReporterOptions(const Settings& settings, std::string_view application_name = {});

// Every setting with its value and origin, a line each, in the settings file's own syntax: what print_settings prints
// (messages::Reporter::Print()).
std::string DescribeSettings(const Settings& settings);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_SETTINGS_SETTINGS_H_
