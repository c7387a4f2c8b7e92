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

// The settings: what the user can set, and the sources that set it.
//
// A setting has one name in all sources. It is the Khronos layer's name where that layer has the setting. A later
// source overrides an earlier one:
//
// 1. The default (DefaultSettings). Loaded as the Khronos layer it is that of the Khronos layer's manifest:
//    synchronization validation is off, and only errors are logged.
// 2. The settings file, as "assay.validate_sync = false". Keys may also begin with "assay_validation.", as the Vulkan
//    Configurator writes them. The file is the first of these that exists:
//    - the one that VK_LAYER_SETTINGS_PATH names, as a file or by its folder;
//    - vk_layer_settings.txt in the working directory;
//    - vulkan/settings.d/vk_layer_settings.txt in $XDG_DATA_HOME, or in ~/.local/share if that variable is not set.
// 3. The environment, as VK_ASSAY_VALIDATE_SYNC=false. Users of the Khronos layer know VK_LAYER_VALIDATE_SYNC, which
//    works too; VK_ASSAY_ overrides VK_LAYER_.
// 4. VK_EXT_layer_settings in VkInstanceCreateInfo::pNext, with pLayerName "VK_LAYER_ASSAY_validation".
// 5. VK_EXT_validation_features in the same pNext chain.
// 6. VK_EXT_validation_flags in the same pNext chain.
//
// Loaded as the Khronos layer (LoadedAs::kDropIn) this layer also takes, in 2, keys that begin with
// "khronos_validation."; in 3, variables that begin with VK_KHRONOS_VALIDATION_; in 4, "VK_LAYER_KHRONOS_validation".
// Settings that only the Khronos layer has are accepted, and reported at severity information.
//
// "enables" and "disables" list names of VK_EXT_validation_features. They stand for the settings that those names stand
// for (source_features.cc).
//
// An unknown name and a malformed value change nothing. One message reports each.
//
// To add a setting: add a member with its default to Settings in settings_types.h, and a row to setting_table.cc. All
// else follows from the row.
namespace assay::dispatch {

// Reads and merges all sources. With a null create_info sources 4 to 6 are empty. Appends problems with the settings to
// problems, in the order of the sources; these messages have no objects and no location. Does not throw, and has no
// side effects.
Settings LoadSettings(const VkInstanceCreateInfo* create_info, const SystemAccess& system,
                      std::vector<messages::Message>* problems, LoadedAs loaded_as = LoadedAs::kAssay);
// The same with the environment and files of this process.
Settings LoadSettings(const VkInstanceCreateInfo* create_info, std::vector<messages::Message>* problems,
                      LoadedAs loaded_as);

// The settings that concern the delivery of messages, for a reporter. application_name is VkApplicationInfo's.
messages::ReporterOptions ToReporterOptions(const Settings& settings, std::string_view application_name = {});

// Every setting with its value and origin, a line each, in the syntax of the settings file. The setting print_settings
// prints this (messages::Reporter::Print()).
std::string DescribeSettings(const Settings& settings);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_SETTINGS_SETTINGS_H_
