// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Any settings file: each setting comes from a line of it, and a line gives one setting or one problem at most.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "dispatch/settings/sources.h"
#include "messages/messages.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using assay::dispatch::LoadedAs;
  const std::string_view contents(reinterpret_cast<const char*>(data), size);
  const auto lines = static_cast<size_t>(std::count(contents.begin(), contents.end(), '\n')) + 1;
  for (LoadedAs loaded_as : {LoadedAs::kAssay, LoadedAs::kDropIn}) {
    std::vector<assay::messages::Message> problems;
    const auto settings = assay::dispatch::ParseSettingsFile(contents, "file", &problems, loaded_as);
    if (settings.size() + problems.size() > lines) std::abort();
    for (const auto& setting : settings) {
      if (setting.name.empty() || contents.find(setting.name) == std::string_view::npos) std::abort();
    }
  }
  return 0;
}
