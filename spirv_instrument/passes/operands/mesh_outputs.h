// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_OPERANDS_MESH_OUTPUTS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_OPERANDS_MESH_OUTPUTS_H_

#include <cstdint>

#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/passes/frame/module_facts.h"

namespace assay::spirv_instrument {

// What a pointer in a mesh shader points to.
struct MeshOutput {
  enum class Kind : uint8_t {
    // No output, or not known.
    kNone,
    // Arrays with one element for each vertex or primitive.
    kVertex,
    kPrimitive,
    // The same of vertex indices: PrimitiveTriangleIndicesEXT and its like.
    kIndices,
    // The scalar PrimitiveCountNV.
    kPrimitiveCount,
  };

  Kind kind = Kind::kNone;
  // The first index; kNoId if all elements are accessed.
  Id index = kNoId;
  // How many elements the array declares; 0 if that is not constant.
  uint32_t length = 0;
};

// Through access chains, and parameters that are variables.
MeshOutput FindMeshOutput(ModuleFacts& facts, Id pointer);

// What the entry points that reach a function declare: execution modes OutputVertices and OutputPrimitivesEXT. The
// largest, if they differ; 0 if one of them declares none.
struct MeshLimits {
  uint32_t vertices = 0;
  uint32_t primitives = 0;
  // Indices that a primitive has, by execution mode OutputPoints, OutputLinesEXT or OutputTrianglesEXT.
  uint32_t vertices_of_primitive = 0;
};
MeshLimits FindMeshLimits(ModuleFacts& facts, Function function);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_OPERANDS_MESH_OUTPUTS_H_
