// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_CALL_BY_ID_H_
#define ASSAY_TESTING_CALL_BY_ID_H_

#include <cstdint>
#include <vector>

#include "vk/command_info.h"
#include "vk/vulkan.h"

// Tests of all commands loop over ids, so that one function, and not one for each command, is compiled.
namespace assay::test {

// Memory for the parameter struct of a command (vk::CmdCopyBuffer), all zero, aligned for any of them.
class ParameterMemory {
 public:
  explicit ParameterMemory(vk::CommandId command);

  void* data() { return words_.data(); }
  const void* data() const { return words_.data(); }

 private:
  std::vector<uint64_t> words_;
};

// Calls function, which is a function of this command, with the parameters in the command's parameter struct. Returns
// the command's VkResult, or VK_SUCCESS where it returns something else or nothing. function must not be null.
VkResult CallById(vk::CommandId command, const void* parameters, PFN_vkVoidFunction function);

}  // namespace assay::test

#endif  // ASSAY_TESTING_CALL_BY_ID_H_
