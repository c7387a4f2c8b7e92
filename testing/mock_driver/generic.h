// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MOCK_DRIVER_GENERIC_H_
#define ASSAY_TESTING_MOCK_DRIVER_GENERIC_H_

#include <cstdint>

#include "vk/command_info.h"
#include "vk/struct_info.h"

// What the driver does for any command, by what the registry says of its parameters.
namespace assay::test {

// Carries out a command that has no behaviour of its own: makes the handles it creates, ends those it destroys, answers
// every count with zero and every other output with zeros. parameters points to the command's struct. Returns
// VK_SUCCESS, which is also the number zero.
uint64_t GenericCall(vk::CommandId id, void* parameters);

// Sets what a structure holds in line to zero, in its whole chain, and leaves sType, pNext and pointers as they are.
void ClearOutput(const vk::StructInfo& info, void* output);
// The same for a chain, whose head may be null.
void ClearOutputChain(void* output);

// Notes a misuse for each parameter that is a handle, or an array of them, and is not alive.
void CheckParameterHandles(const vk::CommandInfo& info, const void* parameters);

}  // namespace assay::test

#endif  // ASSAY_TESTING_MOCK_DRIVER_GENERIC_H_
