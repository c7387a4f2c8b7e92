// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/operands/vertex_inputs.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/access_path.h"

namespace assay::spirv_instrument {
namespace {

constexpr int kMaxSteps = 16;
// No device has as many locations.
constexpr uint32_t kMaxLocations = 1u << 16;

// A variable, and the indices behind it.
struct Source {
  Instruction variable;
  absl::InlinedVector<Id, 4> indices;
};

Source FindSource(ModuleFacts& facts, Id pointer) {
  Module& module = facts.module();
  Source source;
  Instruction at = module.Find(pointer);
  for (int step = 0; step < kMaxSteps; ++step) {
    if (at.op() == spv::Op::OpAccessChain || at.op() == spv::Op::OpInBoundsAccessChain) {
      absl::InlinedVector<Id, 4> indices;
      for (size_t i = 1; i < at.operand_count(); ++i) indices.push_back(at.id(i));
      source.indices.insert(source.indices.begin(), indices.begin(), indices.end());
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
  if (at.op() == spv::Op::OpVariable && at.enumerant<spv::StorageClass>(0) == spv::StorageClass::Input) {
    source.variable = at;
  }
  return source;
}

// 0 for a type without locations.
uint32_t LocationsOf(ModuleFacts& facts, Instruction type, int depth) {
  const Module& module = facts.module();
  switch (type.op()) {
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return 1;
    case spv::Op::OpTypeVector:
      return module.Find(type.id(0)).literal(0) > 32 && type.literal(1) > 2 ? 2 : 1;
    case spv::Op::OpTypeMatrix: {
      const Instruction column = module.Find(type.id(0));
      return column.op() == spv::Op::OpTypeVector ? LocationsOf(facts, column, 0) * type.literal(1) : 0;
    }
    case spv::Op::OpTypeArray: {
      if (depth == 0) return 0;
      const uint64_t length = facts.layouts().ArrayLength(type.result_id()).value_or(0);
      const uint64_t locations = length * LocationsOf(facts, module.Find(type.id(0)), depth - 1);
      return locations > kMaxLocations ? 0 : static_cast<uint32_t>(locations);
    }
    default:
      return 0;
  }
}

}  // namespace

ShaderInput FindShaderInput(ModuleFacts& facts, Id pointer) {
  Module& module = facts.module();
  const Source source = FindSource(facts, pointer);
  if (!source.variable) return {};
  ShaderInput input;
  const Id variable = source.variable.result_id();
  if (const std::optional<Decoration> built_in = module.decorations().Find(variable, spv::Decoration::BuiltIn)) {
    input.built_in = static_cast<spv::BuiltIn>(built_in->parameter(0));
    return input;
  }
  const std::optional<Decoration> location = module.decorations().Find(variable, spv::Decoration::Location);
  if (!location) return {};
  Instruction type = module.Find(module.Find(source.variable.type_id()).id(1));
  input.first_location = location->parameter(0);
  for (Id index : source.indices) {
    if (type.op() != spv::Op::OpTypeArray && type.op() != spv::Op::OpTypeMatrix) break;
    const std::optional<int64_t> constant = facts.layouts().ConstantValue(index);
    const Instruction element = module.Find(type.id(0));
    // Those behind it select from each element alike.
    if (!constant || *constant < 0 || *constant >= kMaxLocations) break;
    input.first_location += static_cast<uint32_t>(*constant) * LocationsOf(facts, element, kMaxSteps);
    type = element;
  }
  input.location_count = LocationsOf(facts, type, kMaxSteps);
  return input;
}

}  // namespace assay::spirv_instrument
