// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Types and instructions of cooperative vectors against what the physical device lists. Of what is not constant nothing
// is reported.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/component_types.h"
#include "core/shader_stages/stage_reader.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::Op;
using spv::StorageClass;
using vk::Vuid;

namespace {

using Row = VkCooperativeVectorPropertiesNV;
using Limits = VkPhysicalDeviceCooperativeVectorPropertiesNV;

// Operands of a multiplication; 0 for a bias that it does not have.
struct Multiplication {
  size_t bias_offset;
  size_t bias_interpretation;
  size_t layout;
};
constexpr Multiplication kMultiply = {0, 0, 7};
constexpr Multiplication kMultiplyAdd = {6, 7, 10};
constexpr size_t kInput = 0, kInputInterpretation = 1, kMatrixOffset = 3, kMatrixInterpretation = 4;

bool IsOptimal(uint64_t layout) {
  return layout == VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_INFERENCING_OPTIMAL_NV ||
         layout == VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_TRAINING_OPTIMAL_NV;
}

class VectorCheck {
 public:
  VectorCheck(StageReader& reader, const Limits& limits) : reader_(reader), limits_(limits) {}

  void Run() {
    rows_ = QueryProperties<vk::GetPhysicalDeviceCooperativeVectorPropertiesNV, Row>(
        reader_.device, vk::ExtensionId::kNvCooperativeVector);
    std::set<Id> types;
    ForEachInstruction(reader_, [&](Instruction instruction) {
      Instruction type = reader_.module.Find(instruction.type_id());
      if (type.op() == Op::OpTypePointer) type = reader_.module.Find(type.id(1));
      type = ElementOf(reader_, type);
      if (type.op() == Op::OpTypeCooperativeVectorNV) types.insert(type.result_id());
      CheckInstruction(instruction);
    });
    for (Id type : types) CheckType(reader_.module.Find(type));
    const VkShaderStageFlags stages = limits_.cooperativeVectorSupportedStages;
    if (types.empty() || stages == 0 || (stages & reader_.stage) != 0) return;
    reader_.Add(Vuid("VUID-RuntimeSpirv-cooperativeVectorSupportedStages-10091"),
                "has cooperative vectors in a stage that cooperativeVectorSupportedStages does not have.");
  }

 private:
  // Of a value that is a cooperative vector.
  std::optional<Component> ComponentOfValue(Id value) const {
    return ComponentOfType(reader_.module.module().TypeOf(value));
  }
  std::optional<Component> ComponentOfType(Instruction type) const {
    if (type.op() != Op::OpTypeCooperativeVectorNV) return std::nullopt;
    return ComponentOf(reader_.module.Find(type.id(0)));
  }

  void CheckType(Instruction type) {
    if (const auto count = reader_.Evaluate(type.id(1))) {
      reader_.CheckLimit(Vuid("VUID-RuntimeSpirv-maxCooperativeVectorComponents-10094"), *count,
                         limits_.maxCooperativeVectorComponents, "a cooperative vector with a number of components",
                         "maxCooperativeVectorComponents");
    }
    const auto component = ComponentOfType(type);
    // A driver that lists nothing says nothing.
    if (!component || rows_.empty()) return;
    const auto has = [&](VkComponentTypeKHR listed) { return IsAlike(*component, ComponentOf(listed)); };
    for (const Row& row : rows_) {
      if (has(row.inputType) || has(row.inputInterpretation) || has(row.matrixInterpretation) ||
          has(row.biasInterpretation) || has(row.resultType)) {
        return;
      }
    }
    reader_.Add(
        Vuid("VUID-RuntimeSpirv-OpTypeCooperativeVector-10095"),
        absl::StrCat("has a cooperative vector of ", TextOf(*component), ", which the physical device does not list."));
  }

  void CheckInstruction(Instruction instruction) {
    switch (instruction.op()) {
      case Op::OpCooperativeVectorMatrixMulNV:
        return CheckMultiplication(instruction, kMultiply);
      case Op::OpCooperativeVectorMatrixMulAddNV:
        CheckAlignment(instruction, kMultiplyAdd.bias_offset, 16, "BiasOffset",
                       Vuid("VUID-RuntimeSpirv-OpCooperativeVectorMatrixMulAddNV-10098"));
        return CheckMultiplication(instruction, kMultiplyAdd);
      case Op::OpCooperativeVectorLoadNV:
      case Op::OpCooperativeVectorStoreNV:
        return CheckAlignment(instruction, 1, 16, "Offset", Vuid("VUID-RuntimeSpirv-OpCooperativeVectorLoadNV-10099"));
      case Op::OpCooperativeVectorReduceSumAccumulateNV:
        CheckAlignment(instruction, 1, 16, "Offset",
                       Vuid("VUID-RuntimeSpirv-OpCooperativeVectorReduceSumAccumulateNV-10100"));
        return CheckSum(instruction);
      case Op::OpCooperativeVectorOuterProductAccumulateNV:
        CheckAlignment(instruction, 1, 64, "Offset",
                       Vuid("VUID-RuntimeSpirv-OpCooperativeVectorOuterProductAccumulateNV-10101"));
        return CheckProduct(instruction);
      default:
        return;
    }
  }

  void CheckAlignment(Instruction instruction, size_t operand, uint64_t alignment, const char* name,
                      vk::VuidIndex vuid) {
    const auto value = reader_.Evaluate(instruction.id(operand));
    if (!value || *value % alignment == 0) return;
    reader_.Add(vuid, absl::StrCat("has ", reader_.Name(instruction), " with ", name, " (", *value,
                                   ") that is not a multiple of ", alignment, "."));
  }

  void CheckMultiplication(Instruction instruction, const Multiplication& operands) {
    CheckAlignment(instruction, kMatrixOffset, 64, "MatrixOffset",
                   Vuid("VUID-RuntimeSpirv-OpCooperativeVectorMatrixMulNV-10097"));
    const auto layout = reader_.Evaluate(instruction.id(operands.layout));
    const auto interpretation = reader_.Evaluate(instruction.id(kMatrixInterpretation));
    if (layout && !IsOptimal(*layout) && operands.layout + 2 < instruction.operand_count()) {
      CheckAlignment(instruction, operands.layout + 2, 16, "MatrixStride",
                     Vuid("VUID-RuntimeSpirv-OpCooperativeVectorMatrixMulNV-10096"));
    }
    const bool is_small = interpretation == uint64_t{VK_COMPONENT_TYPE_FLOAT_E4M3_NV} ||
                          interpretation == uint64_t{VK_COMPONENT_TYPE_FLOAT_E5M2_NV};
    if (layout && is_small && !IsOptimal(*layout)) {
      reader_.Add(Vuid("VUID-RuntimeSpirv-OpCooperativeVectorMatrixMulNV-10090"),
                  absl::StrCat("has ", reader_.Name(instruction),
                               " on a matrix of floats of 8 bits whose layout is neither inferencing-optimal nor "
                               "training-optimal."));
    }
    CheckListed(instruction, operands);
  }

  void CheckListed(Instruction instruction, const Multiplication& operands) {
    const auto input = ComponentOfValue(instruction.id(kInput));
    const auto result = ComponentOfType(reader_.module.Find(instruction.type_id()));
    if (!input || !result || rows_.empty()) return;
    // What is not constant may be anything.
    const auto is = [&](size_t operand, VkComponentTypeKHR type) {
      const auto value = reader_.Evaluate(instruction.id(operand));
      return !value || *value == static_cast<uint64_t>(type);
    };
    const bool transposes = reader_.Evaluate(instruction.id(operands.layout + 1)) == uint64_t{1};
    for (const Row& row : rows_) {
      if (IsAlike(*input, ComponentOf(row.inputType)) && IsAlike(*result, ComponentOf(row.resultType)) &&
          is(kInputInterpretation, row.inputInterpretation) && is(kMatrixInterpretation, row.matrixInterpretation) &&
          (operands.bias_interpretation == 0 || is(operands.bias_interpretation, row.biasInterpretation)) &&
          (!transposes || row.transpose == VK_TRUE)) {
        return;
      }
    }
    reader_.Add(Vuid("VUID-RuntimeSpirv-OpCooperativeVectorMatrixMulNV-10089"),
                absl::StrCat("has ", reader_.Name(instruction),
                             ", whose types and interpretations are those of no multiplication that the physical "
                             "device lists."));
  }

  // Of an accumulation. Empty if the physical device can.
  const char* MissingAccumulation(uint64_t width) const {
    if (width == 16 && limits_.cooperativeVectorTrainingFloat16Accumulation == VK_FALSE) {
      return "cooperativeVectorTrainingFloat16Accumulation";
    }
    if (width == 32 && limits_.cooperativeVectorTrainingFloat32Accumulation == VK_FALSE) {
      return "cooperativeVectorTrainingFloat32Accumulation";
    }
    return "";
  }
  // Adds what is wrong with an accumulation into a pointer; nothing for an empty text.
  void AddAccumulation(Instruction instruction, vk::VuidIndex vuid, std::string wrong) {
    const StorageClass storage = reader_.module.StorageClassOf(instruction.id(0));
    if (wrong.empty() && storage != StorageClass::StorageBuffer && storage != StorageClass::PhysicalStorageBuffer) {
      wrong = "whose pointer is neither to StorageBuffer nor to PhysicalStorageBuffer";
    }
    if (!wrong.empty()) reader_.Add(vuid, absl::StrCat("has ", reader_.Name(instruction), ", ", wrong, "."));
  }

  void CheckSum(Instruction instruction) {
    const auto component = ComponentOfValue(instruction.id(2));
    if (!component) return;
    std::string wrong;
    if (!component->is_float || (component->width != 16 && component->width != 32)) {
      wrong = absl::StrCat("whose vector has ", TextOf(*component));
    } else if (const std::string_view missing = MissingAccumulation(component->width); !missing.empty()) {
      wrong = absl::StrCat("and ", missing, " is VK_FALSE");
    }
    AddAccumulation(instruction, Vuid("VUID-RuntimeSpirv-OpCooperativeVectorReduceSumAccumulateNV-10092"),
                    std::move(wrong));
  }

  void CheckProduct(Instruction instruction) {
    const auto layout = reader_.Evaluate(instruction.id(4));
    const auto interpretation = reader_.Evaluate(instruction.id(5));
    std::string wrong;
    for (size_t operand : {2, 3}) {
      const auto component = ComponentOfValue(instruction.id(operand));
      if (component && !(component->is_float && component->width == 16))
        wrong = "whose vectors are not of 16-bit floats";
    }
    if (layout && *layout != VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_TRAINING_OPTIMAL_NV) {
      wrong = "whose layout is not training-optimal";
    }
    if (interpretation) {
      const bool is_half = *interpretation == VK_COMPONENT_TYPE_FLOAT16_KHR;
      const std::string_view missing = MissingAccumulation(is_half ? 16 : 32);
      if (!is_half && *interpretation != VK_COMPONENT_TYPE_FLOAT32_KHR) {
        wrong = "whose MatrixInterpretation is neither a float of 16 nor of 32 bits";
      } else if (!missing.empty()) {
        wrong = absl::StrCat("and ", missing, " is VK_FALSE");
      }
    }
    AddAccumulation(instruction, Vuid("VUID-RuntimeSpirv-OpCooperativeVectorOuterProductAccumulateNV-10093"),
                    std::move(wrong));
  }

  StageReader& reader_;
  const Limits& limits_;
  std::vector<Row> rows_;
};

}  // namespace

void CheckCooperativeVectors(StageReader& reader) {
  const auto* limits = reader.Properties<Limits>();
  if (limits == nullptr || !reader.Declares(spv::Capability::CooperativeVectorNV)) return;
  VectorCheck(reader, *limits).Run();
}

}  // namespace assay::core
