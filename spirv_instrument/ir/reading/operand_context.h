// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_READING_OPERAND_CONTEXT_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_READING_OPERAND_CONTEXT_H_

#include <cstdint>

#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/grammar/operands.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// What the operands of an instruction depend on, in a module that may still be read.
class ModuleOperandContext : public OperandContext {
 public:
  explicit ModuleOperandContext(const Module& module) : module_(module) {}

  uint32_t LiteralWordsOfType(uint32_t type) const override {
    const Instruction definition = module_.Find(Id{type});
    if (definition.op() != spv::Op::OpTypeInt && definition.op() != spv::Op::OpTypeFloat) return 0;
    const uint32_t width = definition.literal(0);
    return width / 32 + (width % 32 == 0 ? 0 : 1);
  }

  uint32_t LiteralWordsOfValue(uint32_t value) const override {
    return LiteralWordsOfType(ToNumber(module_.Find(Id{value}).type_id()));
  }

  const ExtendedSetInfo* ExtendedSet(uint32_t id) const override {
    const Instruction import = module_.Find(Id{id});
    return import.op() == spv::Op::OpExtInstImport ? FindExtendedSet(import.string(0)) : nullptr;
  }

 private:
  const Module& module_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_READING_OPERAND_CONTEXT_H_
