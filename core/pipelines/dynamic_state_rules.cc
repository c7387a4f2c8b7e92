// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of dynamic states.

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "core/pipelines/pipeline_rule.h"

namespace assay::core {
namespace {

using vk::Vuid;
using View = GraphicsView;
using E = vk::ExtensionId;
using F = vk::FeatureId;

// The first of the states that is dynamic.
Result Forbid(const View& view, bool is_forbidden, std::string_view why, std::initializer_list<VkDynamicState> states) {
  if (!is_forbidden) return kFine;
  for (const VkDynamicState state : states) {
    for (uint32_t i = 0; i < view.dynamic_states.size(); ++i) {
      if (view.dynamic_states[i] == state) return Wrong(Value(state, why), "", i);
    }
  }
  return kFine;
}

Result CheckExtended(const View& view) {
  return Forbid(
      view, !view.Has(F::kExtendedDynamicState) && view.device.api_version < VK_API_VERSION_1_3,
      "needs the feature extendedDynamicState or Vulkan 1.3.",
      {VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_FRONT_FACE, VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
       VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
       VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE, VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
       VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
       VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP});
}
Result CheckExtended2(const View& view) {
  return Forbid(view, !view.Has(F::kExtendedDynamicState2) && view.device.api_version < VK_API_VERSION_1_3,
                "needs the feature extendedDynamicState2 or Vulkan 1.3.",
                {VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
                 VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE});
}
Result CheckVertexInput(const View& view) {
  return Forbid(view, view.Requires(kPreRasterization) && !view.Has(F::kVertexInputDynamicState),
                "needs the feature vertexInputDynamicState.", {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT});
}
Result CheckRayTracing(const View& view) {
  return Forbid(view, true, "is not a state of graphics pipelines.",
                {VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR});
}
Result CheckViewports(const View& view) {
  return Forbid(view, view.Requires(kPreRasterization) && view.IsDynamic(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT),
                "is set together with VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT.", {VK_DYNAMIC_STATE_VIEWPORT});
}
Result CheckScissors(const View& view) {
  return Forbid(view, view.Requires(kPreRasterization) && view.IsDynamic(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT),
                "is set together with VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT.", {VK_DYNAMIC_STATE_SCISSOR});
}
template <VkDynamicState... kStates>
Result CheckMesh(const View& view) {
  return Forbid(view, view.Requires(kPreRasterization) && view.HasStage(VK_SHADER_STAGE_MESH_BIT_EXT),
                "is set, but the pipeline has a mesh shader.", {kStates...});
}

// The specVersion of an extension that the device supports; of another one nothing is known.
uint32_t VersionOf(const View& view, std::string_view extension) {
  constexpr uint32_t kUnknown = ~0u;
  const auto enumerate = dispatch::Next<vk::EnumerateDeviceExtensionProperties>(view.device.instance.next);
  const VkPhysicalDevice device = view.device.physical_device->handle;
  uint32_t count = 0;
  if (enumerate == nullptr || enumerate(device, nullptr, &count, nullptr) != VK_SUCCESS) return kUnknown;
  std::vector<VkExtensionProperties> extensions(count);
  if (enumerate(device, nullptr, &count, extensions.data()) != VK_SUCCESS) return kUnknown;
  extensions.resize(std::min<size_t>(count, extensions.size()));
  const auto found =
      std::ranges::find(extensions, extension, [](const auto& e) { return std::string_view(e.extensionName); });
  return found != extensions.end() ? found->specVersion : kUnknown;
}
template <VkDynamicState kState, E kExtension>
Result CheckVersion(const View& view) {
  if (!view.IsDynamic(kState) || !view.IsEnabled(kExtension)) return kFine;
  const std::string_view extension = vk::GetExtensionInfo(kExtension).name;
  const uint32_t version = VersionOf(view, extension);
  return Forbid(view, version < 2,
                absl::StrCat("needs version 2 of ", extension, ", but the device has version ", version, "."),
                {kState});
}

constexpr char kStates[] = "pDynamicState.pDynamicStates[]";
constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-03378"), kStates, CheckExtended},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04868"), kStates, CheckExtended2},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04807"), kStates, CheckVertexInput},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-03578"), kStates, CheckRayTracing},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04132"), kStates, CheckViewports},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04133"), kStates, CheckScissors},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07065"), kStates,
     CheckMesh<VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07066"), kStates,
     CheckMesh<VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07067"), kStates,
     CheckMesh<VK_DYNAMIC_STATE_VERTEX_INPUT_EXT>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07854"), kStates,
     CheckVersion<VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_ENABLE_NV, E::kNvScissorExclusive>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07855"), kStates,
     CheckVersion<VK_DYNAMIC_STATE_DISCARD_RECTANGLE_ENABLE_EXT, E::kExtDiscardRectangles>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07856"), kStates,
     CheckVersion<VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT, E::kExtDiscardRectangles>},
};

}  // namespace

absl::Span<const PipelineRule> DynamicStateRules() { return kRules; }

}  // namespace assay::core
