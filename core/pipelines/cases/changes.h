// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINES_CASES_CHANGES_H_
#define ASSAY_CORE_PIPELINES_CASES_CHANGES_H_

#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

#include "core/pipelines/pipeline_setup.h"

// Test-only: changes to a pipeline that cases of several files make. Most return the pipeline, for one change more.
namespace assay::core {

using Setup = PipelineSetup;
using Change = void (*)(Setup&);
// Around the changes of a row that are several statements.
constexpr Change By(Change change) { return change; }

// A case without a mistake. The ids of other cases are short: "flags-11000" for a rule of VkGraphicsPipelineCreateInfo,
// and "VkVertexInputBindingDescription-stride-04456" for one of another structure or a command.
constexpr PipelineCase Correct(Change change) { return {nullptr, change}; }

inline constexpr VkShaderStageFlagBits kVertex = VK_SHADER_STAGE_VERTEX_BIT;
inline constexpr VkShaderStageFlagBits kControl = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
inline constexpr VkShaderStageFlagBits kEvaluation = VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
inline constexpr VkShaderStageFlagBits kGeometry = VK_SHADER_STAGE_GEOMETRY_BIT;
inline constexpr VkShaderStageFlagBits kTask = VK_SHADER_STAGE_TASK_BIT_EXT;
inline constexpr VkShaderStageFlagBits kMesh = VK_SHADER_STAGE_MESH_BIT_EXT;
inline constexpr VkShaderStageFlagBits kFragment = VK_SHADER_STAGE_FRAGMENT_BIT;
inline constexpr VkShaderStageFlags kBoth = kVertex | kFragment;

// The parts of libraries.
using Parts = VkGraphicsPipelineLibraryFlagsEXT;
inline constexpr Parts kInputPart = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
inline constexpr Parts kVertexPart = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
inline constexpr Parts kFragmentPart = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
inline constexpr Parts kOutputPart = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

inline constexpr VkPipelineCreateFlags2 kGraphLibrary =
    VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX;
inline constexpr VkPipelineDepthStencilStateCreateFlags kDepthAccess =
    VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT;

// The device does not have these features.
inline Setup& Without(Setup& w, std::initializer_list<const char*> features) {
  for (const char* feature : features) w.Disable(feature);
  return w;
}
// The device has these extensions, without these features.
inline Setup& With(Setup& w, std::initializer_list<const char*> extensions,
                   std::initializer_list<const char*> features = {}) {
  for (const char* extension : extensions) w.Enable(extension);
  return Without(w, features);
}
inline Setup& OfPortability(Setup& w, const char* without) { return With(w, {"VK_KHR_portability_subset"}, {without}); }
// A member of a structure of the physical device's properties.
template <class T, class V>
Setup& Limit(Setup& w, V T::* limit, std::type_identity_t<V> value) {
  w.Limit<T>([=](T& limits) { limits.*limit = value; });
  return w;
}
// A member of a structure of the pipeline.
template <class V>
Setup& Set(Setup& w, V& member, std::type_identity_t<V> value) {
  member = value;
  return w;
}

// Calls a function of the pipeline that has no result.
template <class... Parameters>
Setup& Call(Setup& w, void (Setup::*function)(Parameters...), std::type_identity_t<Parameters>... arguments) {
  (w.*function)(arguments...);
  return w;
}
// Adds a structure to a chain.
template <class T, class S>
Setup& Chain(Setup& w, S& to, const T& more) {
  w.Chain(to, more);
  return w;
}

inline Setup& UseDynamic(Setup& w, std::initializer_list<VkDynamicState> states) {
  for (const VkDynamicState state : states) w.SetDynamic(state);
  return w;
}
inline Setup& UseRenderPass(Setup& w, VkSubpassDescriptionFlags flags = 0) {
  return Call(w, &Setup::UseRenderPass, flags);
}
// One view, of dynamic rendering.
inline Setup& UseView(Setup& w) { return Set(w, w.rendering.viewMask, 1); }
inline Setup& UseFragmentRegions(Setup& w) {
  With(w, {"VK_QCOM_render_pass_shader_resolve"}).UseRenderPass(VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_QCOM);
  return w;
}
inline Setup& UseDepth(Setup& w) {
  w.UseDepth();
  return w;
}
inline Setup& UseTwoViewports(Setup& w) {
  w.viewport.viewportCount = w.viewport.scissorCount = 2;
  return w;
}
inline Setup& UseTwoColors(Setup& w) {
  w.rendering.colorAttachmentCount = w.blend.attachmentCount = 2;
  return w;
}
inline Setup& UseSamples(Setup& w, VkSampleCountFlagBits samples) {
  return Set(w, w.samples.rasterizationSamples, samples);
}
inline Setup& ShadeSamples(Setup& w) { return Set(w, w.samples.sampleShadingEnable, VK_TRUE); }
inline Setup& UseNoColor(Setup& w) {
  w.rendering.colorAttachmentCount = 0;
  w.info.pColorBlendState = nullptr;
  return w;
}
inline Setup& UseMeshShader(Setup& w) { return Call(w, &Setup::UseMeshShader); }
inline Setup& UsePatches(Setup& w) { return Set(w, w.assembly.topology, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST); }
inline Setup& Tessellate(Setup& w) {
  w.AddStage(kControl);
  w.AddStage(kEvaluation);
  return UsePatches(w);
}
inline Setup& BeLibrary(Setup& w, Parts parts) { return Call(w, &Setup::BeLibrary, parts); }
// Libraries with these parts, perhaps beside parts of the pipeline itself.
inline Setup& Link(Setup& w, std::initializer_list<Parts> parts) { return Call(w, &Setup::Link, parts); }
inline Setup& LinkTo(Setup& w, Parts own, std::initializer_list<Parts> parts) {
  return Call(w, &Setup::LinkTo, own, parts);
}
// The fragment output, and a library for the rest.
inline Setup& LinkOwnOutput(Setup& w) { return LinkTo(w, kOutputPart, {kInputPart | kVertexPart | kFragmentPart}); }
// A vertex shader without attributes.
inline Setup& UseVertexShader(Setup& w, std::string text) {
  w.texts[kVertex] = std::move(text);
  w.info.pVertexInputState = &w.no_input;
  return w;
}
// Locations of all samples of a grid's texels, of which the driver has 4 by 4.
inline VkPipelineSampleLocationsStateCreateInfoEXT& UseGrid(Setup& w, VkExtent2D size,
                                                            VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT) {
  static constexpr VkSampleLocationEXT kAt[16] = {};
  return With(w, {"VK_EXT_sample_locations"})
      .Chain<VkPipelineSampleLocationsStateCreateInfoEXT>(
          w.samples, {.sampleLocationsEnable = VK_TRUE,
                      .sampleLocationsInfo = {VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT, nullptr, samples, size,
                                              size.width * size.height * samples, kAt}});
}
inline Setup& LimitLocations(Setup& w, VkSampleCountFlags counts) {
  return Limit(w, &VkPhysicalDeviceSampleLocationsPropertiesEXT::sampleLocationSampleCounts, counts);
}
inline Setup& UseWrites(Setup& w, uint32_t count) {
  static constexpr VkBool32 kWrites[100] = {};
  return Chain<VkPipelineColorWriteCreateInfoEXT>(With(w, {"VK_EXT_color_write_enable"}), w.blend,
                                                  {.attachmentCount = count, .pColorWriteEnables = kWrites});
}
inline Setup& SetFlags2(Setup& w, VkPipelineCreateFlags2 flags) {
  return Set(w, w.Chain<VkPipelineCreateFlags2CreateInfo>(w.info, {}).flags, flags);
}
inline Setup& GenerateCommandsNv(Setup& w) { return With(w, {"VK_NV_device_generated_commands"}); }
inline Setup& BeBindable(Setup& w) {
  return SetFlags2(With(w, {"VK_EXT_device_generated_commands"}), VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT);
}
inline VkPipelineRasterizationConservativeStateCreateInfoEXT& AddConservativeState(Setup& w) {
  w.Enable("VK_EXT_conservative_rasterization");
  return w.Chain<VkPipelineRasterizationConservativeStateCreateInfoEXT>(w.raster, {});
}
inline Setup& RasterizeConservatively(Setup& w) {
  AddConservativeState(w).conservativeRasterizationMode = VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT;
  return Limit(w, &VkPhysicalDeviceConservativeRasterizationPropertiesEXT::conservativePointAndLineRasterization,
               VK_FALSE);
}
inline Setup& UseSecondStream(Setup& w) {
  return Chain<VkPipelineRasterizationStateStreamCreateInfoEXT>(With(w, {"VK_EXT_transform_feedback"}), w.raster,
                                                                {.rasterizationStream = 1});
}
// A fragment shading rate, to which two operations add others.
inline Setup& SetRate(Setup& w, VkExtent2D size,
                      VkFragmentShadingRateCombinerOpKHR first = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR,
                      VkFragmentShadingRateCombinerOpKHR second = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR) {
  return Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(With(w, {"VK_KHR_fragment_shading_rate"}), w.info,
                                                                {.fragmentSize = size, .combinerOps = {first, second}});
}
// The same as an enumeration value.
inline VkPipelineFragmentShadingRateEnumStateCreateInfoNV& UseEnums(
    Setup& w, VkFragmentShadingRateNV rate = VK_FRAGMENT_SHADING_RATE_1_INVOCATION_PER_PIXEL_NV,
    VkFragmentShadingRateCombinerOpKHR first = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR,
    VkFragmentShadingRateCombinerOpKHR second = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR) {
  return With(w, {"VK_KHR_fragment_shading_rate", "VK_NV_fragment_shading_rate_enums"})
      .Chain<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>(
          w.info, {.shadingRateType = VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV,
                   .shadingRate = rate,
                   .combinerOps = {first, second}});
}
inline Setup& EnableExternalFormats(Setup& w) {
  return With(w, {"VK_EXT_queue_family_foreign", "VK_ANDROID_external_memory_android_hardware_buffer",
                  "VK_ANDROID_external_format_resolve"});
}
inline Setup& UseExternalFormat(Setup& w) {
  return Set(w, EnableExternalFormats(w).Chain<VkExternalFormatANDROID>(w.info, {}).externalFormat, 1);
}

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINES_CASES_CHANGES_H_
