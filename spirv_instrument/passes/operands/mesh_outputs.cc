// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/operands/mesh_outputs.h"

#include <algorithm>
#include <optional>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/access_path.h"

namespace assay::spirv_instrument {
namespace {

using Kind = MeshOutput::Kind;

constexpr int kMaxSteps = 16;

// The kind of an output that is an array of something else than indices: all members of a block are of primitives, or
// none is.
Kind KindOfArray(Module& module, Id variable, Instruction element) {
  const Decorations& decorations = module.decorations();
  const bool is_of_primitives = decorations.Has(variable, spv::Decoration::PerPrimitiveEXT) ||
                                decorations.HasMember(element.result_id(), 0, spv::Decoration::PerPrimitiveEXT);
  return is_of_primitives ? Kind::kPrimitive : Kind::kVertex;
}

Kind KindOf(Module& module, Id variable, Instruction type) {
  const std::optional<Decoration> built_in = module.decorations().Find(variable, spv::Decoration::BuiltIn);
  if (built_in) {
    switch (static_cast<spv::BuiltIn>(built_in->parameter(0))) {
      case spv::BuiltIn::PrimitivePointIndicesEXT:
      case spv::BuiltIn::PrimitiveLineIndicesEXT:
      case spv::BuiltIn::PrimitiveTriangleIndicesEXT:
      case spv::BuiltIn::PrimitiveIndicesNV:
        return Kind::kIndices;
      case spv::BuiltIn::PrimitiveCountNV:
        return Kind::kPrimitiveCount;
      default:
        break;
    }
  }
  if (type.op() != spv::Op::OpTypeArray) return Kind::kNone;
  return KindOfArray(module, variable, module.Find(type.id(0)));
}

uint32_t Mode(const Module& module, const EntryPoint& entry_point, spv::ExecutionMode mode) {
  return FindExecutionMode(module, entry_point.function(), mode).literal(2);
}

uint32_t VerticesOfPrimitive(const Module& module, const EntryPoint& entry_point) {
  if (FindExecutionMode(module, entry_point.function(), spv::ExecutionMode::OutputPoints)) return 1;
  if (FindExecutionMode(module, entry_point.function(), spv::ExecutionMode::OutputLinesEXT)) return 2;
  return 3;
}

}  // namespace

MeshOutput FindMeshOutput(ModuleFacts& facts, Id pointer) {
  Module& module = facts.module();
  MeshOutput output;
  Instruction at = module.Find(pointer);
  for (int step = 0; step < kMaxSteps; ++step) {
    if (at.op() == spv::Op::OpAccessChain || at.op() == spv::Op::OpInBoundsAccessChain) {
      // The chain nearest to the variable has the first index.
      if (at.operand_count() > 1) output.index = at.id(1);
    } else if (at.op() == spv::Op::OpFunctionParameter) {
      const AccessPath path = facts.paths().Find(at.result_id());
      if (path.root != AccessPath::Root::kOther || path.type != module.TypeOf(path.base).id(1)) return {};
      at = module.Find(path.base);
      break;
    } else if (at.op() != spv::Op::OpCopyObject) {
      break;
    }
    at = module.Find(at.id(0));
  }
  if (at.op() != spv::Op::OpVariable) return {};
  if (at.enumerant<spv::StorageClass>(0) != spv::StorageClass::Output) return {};
  const Instruction type = module.Find(module.Find(at.type_id()).id(1));
  output.kind = KindOf(module, at.result_id(), type);
  if (output.kind == Kind::kNone) return {};
  if (type.op() == spv::Op::OpTypeArray) output.length = facts.layouts().ArrayLength(type.result_id()).value_or(0);
  return output;
}

MeshLimits FindMeshLimits(ModuleFacts& facts, Function function) {
  const Module& module = facts.module();
  MeshLimits limits;
  bool lacks_vertices = false;
  bool lacks_primitives = false;
  for (uint32_t index : facts.EntryPointsOf(function)) {
    const EntryPoint& entry_point = facts.entry_points()[index];
    const uint32_t vertices = Mode(module, entry_point, spv::ExecutionMode::OutputVertices);
    const uint32_t primitives = Mode(module, entry_point, spv::ExecutionMode::OutputPrimitivesEXT);
    lacks_vertices = lacks_vertices || vertices == 0;
    lacks_primitives = lacks_primitives || primitives == 0;
    limits.vertices = std::max(limits.vertices, vertices);
    limits.primitives = std::max(limits.primitives, primitives);
    limits.vertices_of_primitive = std::max(limits.vertices_of_primitive, VerticesOfPrimitive(module, entry_point));
  }
  if (lacks_vertices) limits.vertices = 0;
  if (lacks_primitives) limits.primitives = 0;
  return limits;
}

}  // namespace assay::spirv_instrument
