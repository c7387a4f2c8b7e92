// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/module_checks.h"

#include "core/spirv/module_reader.h"

namespace assay::core {

void CheckModule(const dispatch::Device& device, ModuleFindings& findings) {
  ModuleReader reader(findings);
  CheckWorkgroups(reader);
  CheckInterfaces(reader);
  CheckBuiltInUse(reader);
  CheckTransformFeedback(reader);
  CheckMeshShaders(reader);
  CheckImages(reader);
  CheckTileImages(reader);
  CheckMatrixPointers(reader);
  if (!device.instance.settings.strict) return;
  // GLSL has blocks with arrays that specialization constants size, and drivers take them. Nor do compilers declare the
  // capabilities of dynamic indices, or many programs enable the features. Mesh shaders need no capability for layers,
  // and programs may not know that there is a feature.
  CheckTypes(reader);
  CheckDescriptorIndices(device, reader);
  CheckLayeredMeshes(device, reader);
}

}  // namespace assay::core
