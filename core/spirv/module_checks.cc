// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/module_checks.h"

#include "core/spirv/indices/index_checks.h"
#include "core/spirv/module_reader.h"
#include "vk/extension_info.h"
#include "vk/feature_id.h"

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
  CheckNonUniformIndices(device, reader);
  if (!device.instance.settings.strict) return;
  // GLSL has blocks with arrays that specialization constants size, and drivers take them. Nor do compilers declare the
  // capabilities of dynamic indices, or many programs enable the features. Mesh shaders need no capability for layers,
  // and programs may not know that there is a feature.
  CheckTypes(reader);
  CheckDescriptorIndices(device, reader);
  CheckLayeredMeshes(device, reader);
}

std::string ModuleCheckFeatures(const dispatch::Device& device) {
  std::string text = device.instance.settings.strict ? "strict " : "";
  text += IndexCheckFeatures(device);
  // Of CheckLayeredMeshes().
  text.push_back(device.IsEnabled(vk::ExtensionId::kExtShaderViewportIndexLayer) ? '1' : '0');
  for (const auto feature : {vk::FeatureId::kShaderOutputLayer, vk::FeatureId::kShaderOutputViewportIndex}) {
    text.push_back(device.HasFeature(feature) ? '1' : '0');
  }
  return text;
}

}  // namespace assay::core
