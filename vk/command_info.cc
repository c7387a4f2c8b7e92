// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/command_info.h"

#include <algorithm>

#include "vk/command_tables.h"

namespace assay::vk {

const CommandInfo& GetCommandInfo(CommandId id) { return tables::kCommands[static_cast<size_t>(id)]; }

std::span<const CommandAlias> CommandAliases() { return {tables::kCommandAliases, tables::kCommandAliasCount}; }

namespace {

template <class T>
std::optional<CommandId> Find(std::span<const T> sorted, std::string_view name) {
  auto found = std::ranges::lower_bound(sorted, name, {}, &T::name);
  if (found == sorted.end() || found->name != name) return std::nullopt;
  return found->id;
}

}  // namespace

std::optional<CommandId> FindCommand(std::string_view name) {
  if (auto id = Find(std::span<const CommandInfo>(tables::kCommands, kCommandCount), name)) return id;
  return Find(CommandAliases(), name);
}

}  // namespace assay::vk
