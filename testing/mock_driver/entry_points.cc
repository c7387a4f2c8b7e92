// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/mock_driver/entry_points.h"

#include <unordered_map>

#include "vk/command_info.h"

namespace assay::test {
namespace {

using Functions = std::unordered_map<std::string_view, PFN_vkVoidFunction>;

Functions* MakeFunctions() {
  auto* functions = new Functions;
  for (auto shard : {&EntryPoints0, &EntryPoints1, &EntryPoints2, &EntryPoints3, &EntryPoints4, &EntryPoints5,
                     &EntryPoints6, &EntryPoints7}) {
    for (const EntryPoint& entry : shard()) functions->emplace(entry.name, entry.function);
  }
  for (const vk::CommandAlias& alias : vk::CommandAliases()) {
    functions->emplace(alias.name, functions->at(vk::GetCommandInfo(alias.id).name));
  }
  return functions;
}

}  // namespace

PFN_vkVoidFunction FindEntryPoint(std::string_view name) {
  static const Functions* const functions = MakeFunctions();
  auto found = functions->find(name);
  return found != functions->end() ? found->second : nullptr;
}

}  // namespace assay::test
