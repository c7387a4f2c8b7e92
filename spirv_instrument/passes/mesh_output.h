// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_MESH_OUTPUT_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_MESH_OUTPUT_H_

#include <cstdint>
#include <memory>

#include "spirv_instrument/passes/frame/pass.h"

namespace assay::spirv_instrument {

// Outputs of mesh and task shaders.
//
//   OpSetMeshOutputsEXT sets at most as many vertices and primitives as the entry point declares
//                                             VUID-RuntimeSpirv-MeshEXT-07332, 07333
//   outputs are written behind it             VUID-StandaloneSpirv-MeshEXT-07106
//   an output is written for a vertex or primitive that was set    SPIR-V, "OpSetMeshOutputsEXT"
//   indices of primitives name vertices below OutputVertices
//                                             VUID-PrimitivePointIndicesEXT-PrimitivePointIndicesEXT-07045,
//                                             PrimitiveLineIndicesEXT-07051, PrimitiveTriangleIndicesEXT-07057,
//                                             VUID-PrimitiveIndicesNV-PrimitiveIndicesNV-04341
//   OpEmitMeshTasksEXT emits at most as many groups as the device can run
//                                             VUID-RuntimeSpirv-TaskEXT-07299 to 07302
//
// Arrays of outputs have an element for each vertex, or for each primitive (PerPrimitiveEXT and the arrays of indices).
// The first index counts; who stores a whole array writes all that is declared. In shaders of NV_mesh_shader nothing is
// set before: arrays are as long as they are declared, PrimitiveCountNV is at most OutputPrimitivesNV.
//
// What was set is kept in a variable of the module's own. SPIR-V takes the operands of OpSetMeshOutputsEXT and
// OpEmitMeshTasksEXT from the first invocation of a workgroup. So what others pass does not matter: counts that are not
// plainly the same for all (UniformValues) are checked in the first invocation alone, which executes the instruction in
// any case, and outputs are not compared with them.
//
// A count of tasks that is too large is replaced: no group is emitted. The instruction ends the shader and cannot be
// left out.
//
// *Variant*: what is checked. *Literals*: limits; of outputs, how often counts may have been set before, as the
// function is written. *Ids*: counts, indices; of outputs also the label of the block: what the condition reads
// changes, so that it has to stay in its block.
//
// What it does not see: outputs through pointers that different calls pass; vertex indices that
// OpWritePackedPrimitiveIndices4x8NV packs; TaskCountNV; OpSetMeshOutputsEXT that is executed twice, or not by all.
struct MeshOutputConfig {
  // VkPhysicalDeviceMeshShaderPropertiesEXT: maxMeshWorkGroupCount and maxMeshWorkGroupTotalCount. These are the least
  // that a device has.
  struct TaskLimits {
    uint32_t x = 65535;
    uint32_t y = 65535;
    uint32_t z = 65535;
    uint32_t total = 1u << 22;
  };

  bool counts = true;
  bool outputs = true;
  bool indices = true;
  bool tasks = true;
  TaskLimits task_limits;
  // Emits tasks as they are, and only reports.
  bool keeps_tasks = false;
};

std::unique_ptr<Pass> MakeMeshOutput(const MeshOutputConfig& config);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_MESH_OUTPUT_H_
