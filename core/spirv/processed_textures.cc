// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The decorations of textures that VK_QCOM_image_processing reads.

#include <cstddef>
#include <initializer_list>

#include "absl/strings/str_cat.h"
#include "core/spirv/module_checks.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "vk/vuid.h"

namespace assay::core {

using spirv_instrument::Decorations;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Module;
using spv::Decoration;
using spv::Op;

namespace {

constexpr size_t kTarget = 0;
constexpr size_t kReferenceOrWeights = 2;

// The pointer from which an image, or an image with a sampler, is loaded; kNoId if that is not to be seen.
Id PointerOf(const Module& module, Id value) {
  Instruction at = module.Find(value);
  if (at.op() == Op::OpSampledImage) at = module.Find(at.id(0));
  return at.op() == Op::OpLoad ? at.id(0) : spirv_instrument::kNoId;
}

}  // namespace

void CheckProcessedTextures(ModuleFindings& findings) {
  const Module& module = findings.module();
  const Decorations decorations(module);
  for (Instruction at : module.instructions()) {
    const auto check = [&](std::initializer_list<size_t> operands, Decoration decoration, const char* name,
                           vk::VuidIndex rule) {
      for (size_t operand : operands) {
        const Id pointer = PointerOf(module, at.id(operand));
        if (pointer == spirv_instrument::kNoId || decorations.Has(pointer, decoration)) continue;
        findings.Add(
            rule,
            absl::StrCat("An operand is loaded from %", ToNumber(pointer), ", which ", name, " does not decorate."),
            at);
      }
    };
    switch (at.op()) {
      case Op::OpImageSampleWeightedQCOM:
        check({kReferenceOrWeights}, Decoration::WeightTextureQCOM, "WeightTextureQCOM",
              vk::Vuid("VUID-RuntimeSpirv-OpImageWeightedSampleQCOM-06981"));
        break;
      case Op::OpImageBlockMatchSSDQCOM:
      case Op::OpImageBlockMatchSADQCOM:
        check({kTarget, kReferenceOrWeights}, Decoration::BlockMatchTextureQCOM, "BlockMatchTextureQCOM",
              vk::Vuid("VUID-RuntimeSpirv-OpImageBlockMatchSSDQCOM-06984"));
        break;
      case Op::OpImageBlockMatchWindowSSDQCOM:
      case Op::OpImageBlockMatchWindowSADQCOM:
      case Op::OpImageBlockMatchGatherSSDQCOM:
      case Op::OpImageBlockMatchGatherSADQCOM:
        check({kTarget, kReferenceOrWeights}, Decoration::BlockMatchTextureQCOM, "BlockMatchTextureQCOM",
              vk::Vuid("VUID-RuntimeSpirv-OpImageBlockMatchWindow-09221"));
        break;
      default:
        break;
    }
  }
}

}  // namespace assay::core
