// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_REPORTS_FAULT_TEXT_H_
#define ASSAY_GPUAV_REPORTS_FAULT_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "spirv_instrument/runtime/records.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// What a record says, in words.
namespace assay::gpuav {

// What is known of a fault besides its record.
struct FaultFacts {
  // The command that ran the shader: "vkCmdDispatch".
  std::string_view command;
  // The instruction's name: "OpRayQueryInitializeKHR"; "" if it is not known.
  std::string_view instruction;
  // The type of the binding that the record names.
  VkDescriptorType descriptor_type = VK_DESCRIPTOR_TYPE_MAX_ENUM;
  // Whether that is in a descriptor buffer, and whether the shader is a shader object.
  bool is_in_descriptor_buffer = false;
  bool is_shader_object = false;
  // What the descriptor refers to, in words with a space before it: " (VkBuffer 0x12[y])"; "" if it is not known.
  std::string resource;
  // Of a kImageLayout: what is in which layout, in words.
  std::string layout;
  // The live buffer that is nearest to the address of the record, in words; "" if it is not known.
  std::string nearest_buffer;
};

struct FaultText {
  // The rule that is violated. Where there is none in the registry, `vuid` is kNoVuid and `id` has the field's name.
  vk::VuidIndex vuid = vk::kNoVuid;
  std::string_view id;
  // Full sentences, which continue the command.
  std::string text;
  // Whether robust access to buffers makes the fault harmless.
  bool is_bounds = false;
};

FaultText TextOf(const spirv_instrument::ErrorRecord& record, const FaultFacts& facts);

// The invocation by the stage words of a record: "global invocation (16, 0, 0)".
std::string InvocationText(const spirv_instrument::ErrorRecord& record);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_REPORTS_FAULT_TEXT_H_
