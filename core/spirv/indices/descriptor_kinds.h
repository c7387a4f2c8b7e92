// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_INDICES_DESCRIPTOR_KINDS_H_
#define ASSAY_CORE_SPIRV_INDICES_DESCRIPTOR_KINDS_H_

#include <cstdint>
#include <optional>

#include "core/spirv/module_reader.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/instruction.h"

namespace assay::core {

// The kinds of descriptors that have capabilities for indices into their arrays.
enum class DescriptorKind : uint8_t {
  kUniformBuffer,
  kSampledImage,
  kStorageBuffer,
  kStorageImage,
  kInputAttachment,
  kUniformTexelBuffer,
  kStorageTexelBuffer
};

struct DescriptorKindInfo {
  // The capability for indices that are no constants, and that for indices that are not uniform.
  spv::Capability dynamic;
  spv::Capability non_uniform;
  const char* non_uniform_name;
  // In the plural.
  const char* name;
};
const DescriptorKindInfo& InfoOf(DescriptorKind kind);

// Of a variable that is an array of descriptors; nullopt for other variables.
std::optional<DescriptorKind> KindOfArray(const ModuleReader& reader, spirv_instrument::Instruction variable);

// Whether the result is a pointer into what an operand points to, or a descriptor that is read from there.
bool IsSameResource(const ModuleReader& reader, spirv_instrument::Instruction instruction);

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_INDICES_DESCRIPTOR_KINDS_H_
