// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Types and instructions of cooperative matrices against what the physical device lists. Of what is not constant, and
// of component types that are not known here, nothing is reported.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/component_types.h"
#include "core/shader_stages/stage_reader.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::Op;
using spv::StorageClass;
using vk::FeatureId;
using vk::Vuid;

namespace {

using Fixed = VkCooperativeMatrixPropertiesKHR;
using Flexible = VkCooperativeMatrixFlexibleDimensionsPropertiesNV;
using FixedNv = VkCooperativeMatrixPropertiesNV;
enum Use : uint64_t { kA = 0, kB = 1, kAccumulator = 2 };

struct Matrix {
  Component component;
  uint64_t scope;
  uint64_t rows;
  uint64_t columns;
  // The extension of NVIDIA does not have it.
  uint64_t use;
};

// Whether a matrix has rows and columns of these sizes, or of multiples of them.
bool HasSize(const Matrix& matrix, uint32_t rows, uint32_t columns, bool is_flexible) {
  if (!is_flexible) return matrix.rows == rows && matrix.columns == columns;
  return rows != 0 && columns != 0 && matrix.rows % rows == 0 && matrix.columns % columns == 0;
}

// A row of either list, read alike.
struct Listed {
  explicit Listed(const Fixed& row)
      : rows(row.MSize),
        columns(row.NSize),
        depth(row.KSize),
        a(ComponentOf(row.AType)),
        b(ComponentOf(row.BType)),
        c(ComponentOf(row.CType)),
        result(ComponentOf(row.ResultType)),
        scope(row.scope),
        saturates(row.saturatingAccumulation == VK_TRUE) {}
  explicit Listed(const Flexible& row)
      : is_flexible(true),
        rows(row.MGranularity),
        columns(row.NGranularity),
        depth(row.KGranularity),
        a(ComponentOf(row.AType)),
        b(ComponentOf(row.BType)),
        c(ComponentOf(row.CType)),
        result(ComponentOf(row.ResultType)),
        scope(row.scope),
        saturates(row.saturatingAccumulation == VK_TRUE),
        invocations(row.workgroupInvocations) {}
  explicit Listed(const FixedNv& row)
      : rows(row.MSize),
        columns(row.NSize),
        depth(row.KSize),
        a(ComponentOf(row.AType)),
        b(ComponentOf(row.BType)),
        c(ComponentOf(row.CType)),
        result(ComponentOf(row.DType)),
        scope(row.scope) {}

  bool HasScope(const Matrix& matrix, uint64_t workgroup) const {
    if (matrix.scope != static_cast<uint64_t>(scope)) return false;
    return !is_flexible || scope != VK_SCOPE_WORKGROUP_KHR || workgroup == invocations;
  }
  bool IsA(const Matrix& matrix) const {
    return HasSize(matrix, rows, depth, is_flexible) && IsAlike(matrix.component, a);
  }
  bool IsB(const Matrix& matrix) const {
    return HasSize(matrix, depth, columns, is_flexible) && IsAlike(matrix.component, b);
  }
  bool IsC(const Matrix& matrix) const {
    return HasSize(matrix, rows, columns, is_flexible) && IsAlike(matrix.component, c);
  }
  bool IsResult(const Matrix& matrix) const {
    return HasSize(matrix, rows, columns, is_flexible) && IsAlike(matrix.component, result);
  }

  bool is_flexible = false;
  uint32_t rows;
  uint32_t columns;
  uint32_t depth;
  std::optional<Component> a;
  std::optional<Component> b;
  std::optional<Component> c;
  std::optional<Component> result;
  VkScopeKHR scope;
  bool saturates = false;
  uint32_t invocations = 0;
};

// The matrices and instructions of one of the extensions.
class MatrixCheck {
 public:
  MatrixCheck(StageReader& reader, Op type)
      : reader_(reader), type_(type), is_nv_(type == Op::OpTypeCooperativeMatrixNV) {}

  void Run() {
    ForEachInstruction(reader_, [&](Instruction instruction) { Collect(instruction); });
    if (types_.empty()) return;
    for (Id type : types_) NoteScope(type);
    CheckStage();
    List();
    for (Id type : types_) CheckType(type);
    for (Instruction instruction : operations_) {
      const Op op = instruction.op();
      if (op == Op::OpCooperativeMatrixMulAddKHR || op == Op::OpCooperativeMatrixMulAddNV) {
        CheckMultiplication(instruction);
      } else {
        CheckStride(instruction);
      }
    }
    CheckMemory();
  }

 private:
  void Collect(Instruction instruction) {
    Instruction type = reader_.module.Find(instruction.type_id());
    if (type.op() == Op::OpTypePointer) type = reader_.module.Find(type.id(1));
    type = ElementOf(reader_, type);
    if (type.op() == type_) types_.insert(type.result_id());
    switch (instruction.op()) {
      case Op::OpCooperativeMatrixLoadKHR:
      case Op::OpCooperativeMatrixStoreKHR:
      case Op::OpCooperativeMatrixMulAddKHR:
        if (!is_nv_) operations_.push_back(instruction);
        break;
      case Op::OpCooperativeMatrixLoadNV:
      case Op::OpCooperativeMatrixStoreNV:
      case Op::OpCooperativeMatrixMulAddNV:
        if (is_nv_) operations_.push_back(instruction);
        break;
      default:
        break;
    }
  }

  // nullopt if something is not constant or not known.
  std::optional<Matrix> Read(Id id) {
    const Instruction type = reader_.module.Find(id);
    if (type.op() != type_) return std::nullopt;
    const auto component = ComponentOf(reader_.module.Find(type.id(0)));
    const auto scope = reader_.Evaluate(type.id(1));
    const auto rows = reader_.Evaluate(type.id(2));
    const auto columns = reader_.Evaluate(type.id(3));
    const auto use = is_nv_ ? std::optional<uint64_t>(0) : reader_.Evaluate(type.id(4));
    if (!component || !scope || !rows || !columns || !use) return std::nullopt;
    return Matrix{*component, *scope, *rows, *columns, *use};
  }
  static std::string Text(const Matrix& matrix) {
    return absl::StrCat("a cooperative matrix of ", matrix.rows, " rows and ", matrix.columns, " columns of ",
                        TextOf(matrix.component));
  }

  void NoteScope(Id type) {
    if (is_nv_) return;
    const auto scope = reader_.Evaluate(reader_.module.Find(type).id(1));
    reader_.facts.uses.has_subgroup_matrices |= scope == static_cast<uint64_t>(spv::Scope::Subgroup);
    reader_.facts.uses.has_workgroup_matrices |= scope == static_cast<uint64_t>(spv::Scope::Workgroup);
  }

  void CheckStage() {
    VkShaderStageFlags stages = 0;
    if (is_nv_) {
      const auto* properties = reader_.Properties<VkPhysicalDeviceCooperativeMatrixPropertiesNV>();
      if (properties != nullptr) stages = properties->cooperativeMatrixSupportedStages;
    } else {
      const auto* properties = reader_.Properties<VkPhysicalDeviceCooperativeMatrixPropertiesKHR>();
      if (properties != nullptr) stages = properties->cooperativeMatrixSupportedStages;
    }
    if (stages == 0 || (stages & reader_.stage) != 0) return;
    reader_.Add(is_nv_ ? Vuid("VUID-RuntimeSpirv-OpTypeCooperativeMatrixNV-06322")
                       : Vuid("VUID-RuntimeSpirv-cooperativeMatrixSupportedStages-08985"),
                "has cooperative matrices in a stage that cooperativeMatrixSupportedStages does not have.");
  }

  void List() {
    const auto append = [&](const auto& rows) {
      for (const auto& row : rows) listed_.emplace_back(row);
    };
    if (is_nv_) {
      return append(QueryProperties<vk::GetPhysicalDeviceCooperativeMatrixPropertiesNV, FixedNv>(
          reader_.device, vk::ExtensionId::kNvCooperativeMatrix));
    }
    append(QueryProperties<vk::GetPhysicalDeviceCooperativeMatrixPropertiesKHR, Fixed>(
        reader_.device, vk::ExtensionId::kKhrCooperativeMatrix));
    // A driver that lists nothing says nothing.
    if (listed_.empty() || !IsFlexible()) return;
    append(QueryProperties<vk::GetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV, Flexible>(
        reader_.device, vk::ExtensionId::kNvCooperativeMatrix2));
  }
  bool IsFlexible() const { return reader_.Has(FeatureId::kCooperativeMatrixFlexibleDimensions); }
  uint64_t Invocations() const {
    return uint64_t{reader_.facts.local_size[0]} * reader_.facts.local_size[1] * reader_.facts.local_size[2];
  }

  void CheckType(Id id) {
    const auto matrix = Read(id);
    if (!matrix) return;
    const bool is_workgroup = matrix->scope == static_cast<uint64_t>(spv::Scope::Workgroup);
    if (!is_nv_ && is_workgroup && !reader_.Has(FeatureId::kCooperativeMatrixWorkgroupScope)) {
      is_known_ = false;
      return reader_.Add(Vuid("VUID-RuntimeSpirv-cooperativeMatrixWorkgroupScope-10164"),
                         absl::StrCat("has ", Text(*matrix),
                                      " of the scope Workgroup, and the feature cooperativeMatrixWorkgroupScope is not "
                                      "enabled."),
                         "Enable cooperativeMatrixWorkgroupScope.");
    }
    const auto* flexible = reader_.Properties<VkPhysicalDeviceCooperativeMatrix2PropertiesNV>();
    if (!is_nv_ && IsFlexible() && flexible != nullptr &&
        !reader_.CheckLimit(
            Vuid("VUID-RuntimeSpirv-cooperativeMatrixFlexibleDimensionsMaxDimension-10167"),
            std::max(matrix->rows, matrix->columns), flexible->cooperativeMatrixFlexibleDimensionsMaxDimension,
            "a cooperative matrix with a dimension", "cooperativeMatrixFlexibleDimensionsMaxDimension")) {
      is_known_ = false;
      return;
    }
    if (listed_.empty() || std::ranges::any_of(listed_, [&](const Listed& row) { return Fits(*matrix, row); })) return;
    is_known_ = false;
    reader_.Add(is_nv_         ? Vuid("VUID-RuntimeSpirv-OpTypeCooperativeMatrixNV-06316")
                : IsFlexible() ? Vuid("VUID-RuntimeSpirv-cooperativeMatrixFlexibleDimensions-10165")
                               : Vuid("VUID-RuntimeSpirv-OpTypeCooperativeMatrixKHR-10163"),
                absl::StrCat("has ", Text(*matrix), ", which the physical device does not list."));
  }
  bool Fits(const Matrix& matrix, const Listed& row) const {
    if (!row.HasScope(matrix, Invocations())) return false;
    if (is_nv_) return row.IsA(matrix) || row.IsB(matrix) || row.IsC(matrix) || row.IsResult(matrix);
    switch (matrix.use) {
      case kA:
        return row.IsA(matrix);
      case kB:
        return row.IsB(matrix);
      case kAccumulator:
        return row.IsC(matrix) || row.IsResult(matrix);
      default:
        return true;
    }
  }

  void CheckMultiplication(Instruction instruction) {
    const auto type_of = [&](size_t operand) {
      return Read(reader_.module.module().TypeOf(instruction.id(operand)).result_id());
    };
    const auto a = type_of(0), b = type_of(1), c = type_of(2), result = Read(instruction.type_id());
    // What a type breaks is reported with the type.
    if (!a || !b || !c || !result || listed_.empty() || !is_known_) return;
    const uint32_t mask = instruction.literal(3);
    for (const Listed& row : listed_) {
      bool fits = row.IsA(*a) && row.IsB(*b) && row.IsC(*c) && row.IsResult(*result);
      for (const Matrix* matrix : {&*a, &*b, &*c, &*result}) fits = fits && row.HasScope(*matrix, Invocations());
      if (fits && (is_nv_ ? HasSigns(row, *a, *b, *c, *result) : HasMask(row, mask))) return;
    }
    reader_.Add(is_nv_         ? Vuid("VUID-RuntimeSpirv-OpTypeCooperativeMatrixMulAddNV-10059")
                : IsFlexible() ? Vuid("VUID-RuntimeSpirv-cooperativeMatrixFlexibleDimensions-10166")
                               : Vuid("VUID-RuntimeSpirv-OpCooperativeMatrixMulAddKHR-10060"),
                absl::StrCat("has ", reader_.Name(instruction),
                             ", whose matrices and operands are those of no multiplication that the physical device "
                             "lists."));
  }
  static bool IsSigned(const std::optional<Component>& component) {
    return component && !component->is_float && component->is_signed;
  }
  static bool HasMask(const Listed& row, uint32_t mask) {
    const auto has = [&](spv::CooperativeMatrixOperandsMask bit) { return (mask & static_cast<uint32_t>(bit)) != 0; };
    using enum spv::CooperativeMatrixOperandsMask;
    return has(MatrixASignedComponentsKHR) == IsSigned(row.a) && has(MatrixBSignedComponentsKHR) == IsSigned(row.b) &&
           has(MatrixCSignedComponentsKHR) == IsSigned(row.c) &&
           has(MatrixResultSignedComponentsKHR) == IsSigned(row.result) &&
           has(SaturatingAccumulationKHR) == row.saturates;
  }
  static bool HasSigns(const Listed& row, const Matrix& a, const Matrix& b, const Matrix& c, const Matrix& result) {
    return IsSigned(row.a) == IsSigned(a.component) && IsSigned(row.b) == IsSigned(b.component) &&
           IsSigned(row.c) == IsSigned(c.component) && IsSigned(row.result) == IsSigned(result.component);
  }

  // Bytes from a row or column to the next must be a multiple of 16, or of the size of a smaller row or column.
  void CheckStride(Instruction instruction) {
    const Op op = instruction.op();
    const bool is_store = op == Op::OpCooperativeMatrixStoreKHR || op == Op::OpCooperativeMatrixStoreNV;
    const size_t first = is_store ? 2 : 1;
    const size_t stride_operand = is_nv_ ? first : first + 1, layout_operand = is_nv_ ? first + 1 : first;
    if (stride_operand >= instruction.operand_count()) return;
    const auto matrix =
        Read(is_store ? reader_.module.module().TypeOf(instruction.id(1)).result_id() : instruction.type_id());
    const auto stride = reader_.Evaluate(instruction.id(stride_operand));
    const auto layout = reader_.Evaluate(instruction.id(layout_operand));
    const Instruction pointer = reader_.module.module().TypeOf(instruction.id(0));
    if (!matrix || !stride || !layout || *layout > 1 || pointer.op() != Op::OpTypePointer) return;
    const uint64_t unit = reader_.SizeOf(pointer.id(1));
    const uint64_t line = (*layout == 1 ? matrix->rows : matrix->columns) * (matrix->component.width / 8);
    const uint64_t needed = std::min<uint64_t>(line, 16);
    // Alignments are powers of two.
    if (unit == 0 || needed == 0 || (needed & (needed - 1)) != 0 || *stride * unit % needed == 0) return;
    reader_.Add(is_nv_ ? Vuid("VUID-RuntimeSpirv-OpCooperativeMatrixLoadNV-06324")
                       : Vuid("VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986"),
                absl::StrCat("has ", reader_.Name(instruction), " with a stride of ", *stride * unit,
                             " bytes, which is not a multiple of ", needed, "."));
  }

  void CheckMemory() {
    const auto* properties = reader_.Properties<VkPhysicalDeviceCooperativeMatrix2PropertiesNV>();
    if (properties == nullptr || !reader_.facts.uses.has_workgroup_matrices ||
        !reader_.IsModel(spv::ExecutionModel::GLCompute)) {
      return;
    }
    const uint64_t most = reader_.device.physical_device->limits.maxComputeSharedMemorySize;
    const uint64_t reserved = properties->cooperativeMatrixWorkgroupScopeReservedSharedMemory;
    const uint64_t memory = MemoryOf(reader_, StorageClass::Workgroup);
    // Memory above the limit itself breaks another rule.
    if (memory > most || reserved >= most) return;
    reader_.CheckLimit(Vuid("VUID-RuntimeSpirv-maxComputeSharedMemorySize-10168"), memory, most - reserved,
                       "shared memory in bytes",
                       "maxComputeSharedMemorySize - cooperativeMatrixWorkgroupScopeReservedSharedMemory");
  }

  StageReader& reader_;
  const Op type_;
  const bool is_nv_;
  std::set<Id> types_;
  std::vector<Instruction> operations_;
  std::vector<Listed> listed_;
  // Whether the physical device has each type.
  bool is_known_ = true;
};

}  // namespace

void CheckCooperativeMatrices(StageReader& reader) {
  if (reader.Declares(spv::Capability::CooperativeMatrixKHR)) {
    MatrixCheck(reader, Op::OpTypeCooperativeMatrixKHR).Run();
  }
  if (reader.Declares(spv::Capability::CooperativeMatrixNV)) {
    MatrixCheck(reader, Op::OpTypeCooperativeMatrixNV).Run();
  }
}

}  // namespace assay::core
