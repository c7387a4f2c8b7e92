// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/call_by_id.h"

#include <cstddef>
#include <type_traits>

#include "vk/commands.h"
#include "vk/struct_info.h"

namespace assay::test {
namespace {

template <class C>
VkResult CallCommand(const void* parameters, PFN_vkVoidFunction function) {
  const C& call = *static_cast<const C*>(parameters);
  const auto typed = reinterpret_cast<typename C::Function>(function);
  if constexpr (std::is_same_v<typename C::Result, VkResult>) {
    return vk::CallDown(call, typed);
  } else {
    vk::CallDown(call, typed);
    return VK_SUCCESS;
  }
}

using CallFunction = VkResult (*)(const void* parameters, PFN_vkVoidFunction function);

// In the order of the ids.
#define ASSAY_CALL(Command) CallCommand<vk::Command>,
constexpr CallFunction kCalls[] = {ASSAY_VK_COMMANDS(ASSAY_CALL)};
#undef ASSAY_CALL
static_assert(sizeof(kCalls) / sizeof(kCalls[0]) == vk::kCommandCount);

}  // namespace

ParameterMemory::ParameterMemory(vk::CommandId command)
    : words_((vk::GetCommandInfo(command).parameters->size + sizeof(uint64_t) - 1) / sizeof(uint64_t)) {}

VkResult CallById(vk::CommandId command, const void* parameters, PFN_vkVoidFunction function) {
  return kCalls[static_cast<size_t>(command)](parameters, function);
}

}  // namespace assay::test
