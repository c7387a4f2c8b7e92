// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// A shader that makes a pointer of an address.
StageText Address(const std::string& body, const std::string& address = "%address") {
  return {.capabilities = Capabilities("Int64, PhysicalStorageBufferAddresses") + kAddressModel,
          .globals =
              "%wide = OpTypeInt 64 0\n%address = OpConstant %wide 4096\n"
              "%pointer = OpTypePointer PhysicalStorageBuffer %uint\n",
          .body = "%1 = OpConvertUToPtr %pointer " + address + "\n" + body};
}

// A shader that goes from one element to the next.
StageText PointerArithmetic(const std::string& storage, const std::string& capability) {
  return {
      .capabilities = "OpCapability " + capability + "\n",
      .variables = {{"%variable", storage, "%block", "DescriptorSet 0, Binding 0"}},
      .decorations =
          DecorateBlock("%block") + Decorate("%array", "ArrayStride 4") + Decorate("%member_pointer", "ArrayStride 4"),
      .globals = "%array = OpTypeArray %uint %u4\n%block = OpTypeStruct %array\n%member_pointer = OpTypePointer " +
                 storage + " %uint\n",
      .body = "%1 = OpAccessChain %member_pointer %variable %u0 %u0\n%2 = OpPtrAccessChain %member_pointer %1 %u1\n"};
}

}  // namespace

std::vector<SpirvCase> MemoryCases() {
  StageText uniform = PointerArithmetic("Uniform", "Shader");
  uniform.body = "%1 = OpAccessChain %member_pointer %variable %u0 %u0\nOpStore %1 %u1\n";
  const StageText matrix = {
      .capabilities =
          Capabilities("CooperativeMatrixKHR, VulkanMemoryModel", "SPV_KHR_cooperative_matrix") + kVulkanModel,
      .variables = {{"%variable", "Private", "%array"}},
      .globals =
          "%array = OpTypeArray %uint %u4\n%matrix = OpTypeCooperativeMatrixKHR %uint %u3 %u2 %u2 %u0\n"
          "%element = OpTypePointer Private %uint\n",
      .body = "%1 = OpAccessChain %element %variable %u0\n%2 = OpCooperativeMatrixLoadKHR %matrix %1 %u0 %u2\n"};
  const StageText shared = {.capabilities = Capabilities("VariablePointersStorageBuffer"),
                            .variables = {{"%variable", "Workgroup", "%uint"}},
                            .body = "%1 = OpPtrAccessChain %variable_pointer %variable %u0\n"};
  return {
      {"PhysicalStorageBuffer64-04708", Address("%2 = OpLoad %uint %1\n"), "OpLoad %uint %1",
       "OpLoad %uint %1 Aligned 4"},
      {"PhysicalStorageBuffer64-04708", Address("OpStore %1 %u1 Volatile\n"), "%u1 Volatile", "%u1 Volatile|Aligned 4"},
      {"PhysicalStorageBuffer64-04710", Address("", "%u4"), "%pointer %u4", "%pointer %address"},
      {"PhysicalStorageBuffer64-04710", Address("%2 = OpConvertPtrToU %uint %1\n"), "OpConvertPtrToU %uint",
       "OpConvertPtrToU %wide"},
      {"Base-07650", PointerArithmetic("Uniform", "VariablePointers"), "Uniform", "StorageBuffer"},
      {"Base-07651", shared, "VariablePointersStorageBuffer", "VariablePointers"},
      {"Base-07652",
       PointerArithmetic("StorageBuffer",
                         "PhysicalStorageBufferAddresses\nOpMemoryModel PhysicalStorageBuffer64 GLSL450"),
       "OpMemoryModel", "OpCapability VariablePointersStorageBuffer\nOpMemoryModel"},
      {"Uniform-06925", uniform, "Uniform", "StorageBuffer"},
      {"Pointer-08973", matrix, "Private", "Workgroup"}};
}

}  // namespace assay::core
