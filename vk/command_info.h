// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_COMMAND_INFO_H_
#define ASSAY_VK_COMMAND_INFO_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "vk/command_enums.h"
#include "vk/command_id.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

// Commands as the registry describes them. There is one record a command. An alias (vkCmdPipelineBarrier2KHR) does not
// have its own record; it is found by name and leads to its command.
namespace assay::vk {

struct CommandInfo {
  std::string_view name;
  // The parameters in order, described as the members of the parameter struct of the same name (vk::CmdCopyBuffer).
  const StructInfo* parameters;
  CommandId id;
  DispatchLevel dispatch;
  LifetimeEffect lifetime;
  // Bits of CommandTask.
  uint8_t tasks;
  // Queue types a command buffer's pool must be of; 0 for commands that are not recorded.
  VkQueueFlags queues;
  bool primary;
  bool secondary;
  CommandScope render_pass;
  CommandScope video_coding;
  // 0 when the command is in no core version, else VK_API_VERSION_1_0 and so on.
  uint32_t core_version;
  // Every extension that provides the command (under its own name), ExtensionId values; empty for core-only commands.
  std::span<const uint16_t> extensions;
  // VkResult values the specification lists.
  std::span<const int32_t> success_codes;
  std::span<const int32_t> error_codes;
  // The implicitly externally synchronized objects, in the registry's words.
  std::span<const std::string_view> implicit_extern_sync;
  // Objects behind a parameter that must be externally synchronized, in the registry's words:
  // "pAllocateInfo->descriptorPool", "pPresentInfo->pSwapchains[]". The parameters themselves have kMemberExternSync.
  std::span<const std::string_view> extern_sync_members;
};

// The record of a command; id must be below kCommandCount.
const CommandInfo& GetCommandInfo(CommandId id);

// The command that a name stands for, aliases included; nothing when the registry has no such name.
std::optional<CommandId> FindCommand(std::string_view name);

// A second name of a command and the extensions that provide that name.
struct CommandAlias {
  std::string_view name;
  CommandId id;
  std::span<const uint16_t> extensions;
};
std::span<const CommandAlias> CommandAliases();

}  // namespace assay::vk

#endif  // ASSAY_VK_COMMAND_INFO_H_
