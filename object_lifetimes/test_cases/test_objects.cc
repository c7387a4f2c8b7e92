// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/test_cases/test_objects.h"

#include "messages/messages.h"
#include "object_lifetimes/handles/handle_check.h"
#include "object_lifetimes/handles/handle_fast_path.h"

namespace assay::object_lifetimes {

std::vector<std::string> TestObjects::Check(const vk::CommandInfo& command, const void* call) {
  messages::Report report(instance().reporter, command.id);
  dispatch::Device* const of = vk::IsDeviceLevel(command.dispatch) ? &device() : nullptr;
  const bool took_fast_path =
      rules_ == &HandleRules::All() && HandleFastPath::Get().Accepts(command.id, call, of, nullptr);
  if (!took_fast_path) HandleCheck(*rules_, instance(), of, call, report).Run();
  return TakeIds();
}

}  // namespace assay::object_lifetimes
