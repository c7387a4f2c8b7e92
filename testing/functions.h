// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_FUNCTIONS_H_
#define ASSAY_TESTING_FUNCTIONS_H_

#include <cstddef>
#include <cstring>

#include "vk/command_info.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::test {

// A function pointer for each command, under the command's name without "vk": functions.CmdCopyBuffer(...). Null for
// unavailable commands.
struct Functions {
#define ASSAY_MEMBER(Command) vk::Command::Function Command = nullptr;
  ASSAY_VK_COMMANDS(ASSAY_MEMBER)
#undef ASSAY_MEMBER

  // The function of a command; null if it is unavailable.
  PFN_vkVoidFunction Find(vk::CommandId command) const {
    static_assert(sizeof(Functions) == vk::kCommandCount * sizeof(PFN_vkVoidFunction));
    // The members are in the order of the ids.
    PFN_vkVoidFunction function = nullptr;
    std::memcpy(&function, reinterpret_cast<const char*>(this) + static_cast<size_t>(command) * sizeof(function),
                sizeof(function));
    return function;
  }

  // Loads each command with get(name).
  template <class GetFunction>
  static Functions Load(const GetFunction& get) {
    return LoadFrom<vk::DispatchLevel::kGlobal>(get);
  }
  // The same for commands of devices, queues and command buffers only: vkGetDeviceProcAddr must not be asked for
  // others.
  template <class GetFunction>
  static Functions LoadDevice(const GetFunction& get) {
    return LoadFrom<vk::DispatchLevel::kDevice>(get);
  }

 private:
  template <vk::DispatchLevel first, class GetFunction>
  static Functions LoadFrom(const GetFunction& get) {
    Functions functions;
#define ASSAY_LOAD(Command)                                                                      \
  if constexpr (vk::Command::kDispatch >= first) {                                               \
    functions.Command = reinterpret_cast<vk::Command::Function>(get(vk::Command::kName.data())); \
  }
    ASSAY_VK_COMMANDS(ASSAY_LOAD)  // NOLINT(bugprone-suspicious-stringview-data-usage): names are string literals.
#undef ASSAY_LOAD
    return functions;
  }
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_FUNCTIONS_H_
