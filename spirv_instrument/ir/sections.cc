// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/sections.h"

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/instruction.h"

namespace assay::spirv_instrument {

Section SectionOf(spv::Op op) {
  switch (op) {
    case spv::Op::OpCapability:
      return Section::kCapabilities;
    case spv::Op::OpExtension:
      return Section::kExtensions;
    case spv::Op::OpExtInstImport:
      return Section::kExtendedSetImports;
    case spv::Op::OpMemoryModel:
    case spv::Op::OpSamplerImageAddressingModeNV:
      return Section::kMemoryModel;
    case spv::Op::OpEntryPoint:
      return Section::kEntryPoints;
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
      return Section::kExecutionModes;
    case spv::Op::OpString:
    case spv::Op::OpSource:
    case spv::Op::OpSourceExtension:
    case spv::Op::OpSourceContinued:
      return Section::kSources;
    case spv::Op::OpName:
    case spv::Op::OpMemberName:
      return Section::kNames;
    case spv::Op::OpModuleProcessed:
      return Section::kModuleProcessed;
    case spv::Op::OpTypeForwardPointer:
    case spv::Op::OpTypeStructContinuedINTEL:
    case spv::Op::OpConstantCompositeContinuedINTEL:
    case spv::Op::OpSpecConstantCompositeContinuedINTEL:
    case spv::Op::OpVariable:
    case spv::Op::OpUntypedVariableKHR:
    case spv::Op::OpUndef:
    case spv::Op::OpExtInst:
    case spv::Op::OpExtInstWithForwardRefsKHR:
    case spv::Op::OpAsmTargetINTEL:
    case spv::Op::OpAsmINTEL:
    case spv::Op::OpAliasDomainDeclINTEL:
    case spv::Op::OpAliasScopeDeclINTEL:
    case spv::Op::OpAliasScopeListDeclINTEL:
      return Section::kGlobals;
    default:
      if (IsAnnotation(op)) return Section::kAnnotations;
      return IsType(op) || IsConstant(op) ? Section::kGlobals : Section::kFunctions;
  }
}

}  // namespace assay::spirv_instrument
