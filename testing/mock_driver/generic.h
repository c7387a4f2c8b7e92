// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MOCK_DRIVER_GENERIC_H_
#define ASSAY_TESTING_MOCK_DRIVER_GENERIC_H_

#include <cstdint>

#include "vk/command_info.h"
#include "vk/struct_info.h"

// The driver's generic behaviour for any command. It follows from the registry's description of the parameters.
namespace assay::test {

// Executes a command without a behaviour of its own. Makes the handles that it creates, ends those that it destroys,
// answers every count with zero, and fills every other output with zeros. `parameters` points to the command's struct.
// Returns VK_SUCCESS, which is also the number zero.
uint64_t GenericCall(vk::CommandId id, void* parameters);

// Sets the inline members of a structure to zero, in its whole chain. Leaves sType, pNext and pointers as they are.
void ClearOutput(const vk::StructInfo& info, void* output);
// The same for a chain, whose head may be null.
void ClearOutputChain(void* output);

// Records a misuse for each parameter that is a handle, or an array of handles, and is not alive.
void CheckParameterHandles(const vk::CommandInfo& command, const void* parameters);

}  // namespace assay::test

#endif  // ASSAY_TESTING_MOCK_DRIVER_GENERIC_H_
