// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CHECKS_CHECKS_H_
#define ASSAY_SPIRV_INSTRUMENT_CHECKS_CHECKS_H_

#include <cstdint>
#include <string_view>

#include "absl/types/span.h"
#include "spirv_instrument/link/library.h"

// The check functions, which are written in GLSL: one file for each thing that is checked, all included by checks.comp.
// They are compiled when Assay is built, once for memory that is reached by descriptor set, once for device addresses,
// and once for device addresses where the application's descriptors are in descriptor buffers, and linked into shaders
// function by function.
//
// What a check function may do:
//   - Parameters are `const`, so that they are passed by value: 32-bit integers, vectors of them, Booleans. A device
//     address is a uvec2, low word first. No shader needs 64-bit integers for them.
//   - Names are not overloaded, and no function recurses.
//   - Memory is reached by the functions and macros of memory.glsl alone.
//   - A function that decides has no side effects. One that reports is called out of line, and its name begins with
//     Report; its first parameter is the instruction. One that does both (Pass::EmitReportingCondition) begins with
//     Check.
//   - It uses nothing that some stage does not have: no derivatives, no barriers, no built-in variables.
namespace assay::spirv_instrument {

enum class ChecksMemory : uint8_t {
  kDescriptorSet,
  kDeviceAddress,
  // The same, for shaders that have their descriptors in descriptor buffers.
  kDeviceAddressAndDescriptorBuffers,
};

// The words of the module that was compiled.
absl::Span<const uint32_t> ChecksWords(ChecksMemory memory);

// The same as a library, which is read when first asked for. Thread-safe.
const Library& Checks(ChecksMemory memory);

// The functions that are provided for each shader (memory.glsl).
inline constexpr std::string_view kImportedNames[] = {"ShaderId", "Stage", "StageWords", "ActionAddress"};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_CHECKS_CHECKS_H_
