// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_ANNOTATE_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_ANNOTATE_H_

#include <cstdint>
#include <string_view>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

// Changes decorations and names; decorations.h looks them up.
namespace assay::spirv_instrument {

Instruction Decorate(Module& module, Id target, spv::Decoration decoration, absl::Span<const Word> parameters = {});
Instruction DecorateMember(Module& module, Id type, uint32_t member, spv::Decoration decoration,
                           absl::Span<const Word> parameters = {});
// Gives `to` the decorations of `from`, those of members and of groups too. Each decoration that `to` has already, with
// the same member, is left out.
void CopyDecorations(Module& module, Id from, Id to);
// Removes this decoration of the id itself. If the id has decorations from a group, it gets the others as its own.
void RemoveDecoration(Module& module, Id target, spv::Decoration decoration);
// Removes decorations, member decorations and names of the id.
void RemoveAnnotations(Module& module, Id target);
// Replaces the name of the id, or adds one.
void SetName(Module& module, Id target, std::string_view name);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_ANNOTATE_H_
