// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MOCK_DRIVER_ENTRY_POINTS_H_
#define ASSAY_TESTING_MOCK_DRIVER_ENTRY_POINTS_H_

#include <span>
#include <string_view>

#include "vk/command_id.h"
#include "vk/vulkan.h"

// The driver's functions by name.
namespace assay::test {

struct EntryPoint {
  std::string_view name;
  vk::CommandId id;
  PFN_vkVoidFunction function;
};

// The driver's function for a command or an alias of one. Null if the registry does not have such a command.
PFN_vkVoidFunction FindEntryPoint(std::string_view name);

// The commands of one of the shards of vk/commands.h. Each shard is compiled by itself.
std::span<const EntryPoint> EntryPoints0();
std::span<const EntryPoint> EntryPoints1();
std::span<const EntryPoint> EntryPoints2();
std::span<const EntryPoint> EntryPoints3();
std::span<const EntryPoint> EntryPoints4();
std::span<const EntryPoint> EntryPoints5();
std::span<const EntryPoint> EntryPoints6();
std::span<const EntryPoint> EntryPoints7();

}  // namespace assay::test

#endif  // ASSAY_TESTING_MOCK_DRIVER_ENTRY_POINTS_H_
