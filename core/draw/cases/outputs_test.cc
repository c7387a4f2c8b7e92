// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What fragment shaders write and do, and the attachments that they write: for every draw, through the whole layer.

#include <utility>
#include <vector>

#include "core/draw/cases/attachments_test.h"

namespace assay::core {
namespace {

class Outputs : public Attachments {};

constexpr VkDynamicState kCoverage = VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT;
constexpr VkDynamicState kRate = VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR;

TEST_F(Outputs, AlphaToCoverage) {
  Start({.has_shader_objects = true});
  AddOutput(3, 0);
  const PipelineOptions sets = {.dynamic = {kCoverage}};
  RunState("alphaToCoverageEnable-08919", "alphaToCoverageEnable-08920", sets, {}, Sets(kCoverage, VK_TRUE),
           Sets(kCoverage, VK_FALSE));
  AddOutput(4, 0);
  RunCases({{"", sets, {}, Sets(kCoverage, VK_TRUE)}});
}

TEST_F(Outputs, InterpolateAtSample) {
  constexpr VkDynamicState kEnable = VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT;
  Start({.has_shader_objects = true});
  AddFragment({.capabilities = Capabilities("InterpolationFunction") + "%glsl = OpExtInstImport \"GLSL.std.450\"\n",
               .declarations = "%place = OpTypeVector %float 4\n",
               .globals = {{"%input", "Input", "%place", "BuiltIn FragCoord"}},
               .body = "%there = OpExtInst %place %glsl InterpolateAtSample %input %zero\n"});
  const SetFunction locations = Sets(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT, 0);
  RunState("sampleLocationsEnable-07487", "sampleLocationsEnable-07487",
           {.dynamic = {kEnable, VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT}}, {}, Both(locations, Sets(kEnable, VK_TRUE)),
           Both(locations, Sets(kEnable, VK_FALSE)));
}

TEST_F(Outputs, EarlyTileReads) {
  Start({.extensions = {"VK_EXT_shader_tile_image"}});
  AddFragment({.capabilities = Capabilities("TileImageDepthReadAccessEXT, TileImageStencilReadAccessEXT",
                                            "SPV_EXT_shader_tile_image"),
               .decorations = Modes("EarlyFragmentTests"),
               .body = "%depth = OpDepthAttachmentReadEXT %float\n%stencil = OpStencilAttachmentReadEXT %uint\n"});
  const auto mask = [](uint32_t value) {
    return Calls(&test::Functions::CmdSetStencilWriteMask, VK_STENCIL_FACE_FRONT_AND_BACK, value);
  };
  constexpr VkDynamicState kWrite = VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE;
  RunState("pDynamicStates-08715", "", {.dynamic = {kWrite}}, {}, Sets(kWrite, VK_TRUE), Sets(kWrite, VK_FALSE));
  RunState("pDynamicStates-08716", "", {.dynamic = {VK_DYNAMIC_STATE_STENCIL_WRITE_MASK}}, {}, mask(1), mask(0));
}

constexpr VkFragmentShadingRateCombinerOpKHR kKeep[2] = {};
constexpr VkBool32 kTrue[] = {VK_TRUE, VK_TRUE};

// Sets everything that is for each attachment. The second one has its own mask, operation and factor.
SetFunction Blends(VkBlendFactor factor, VkBlendOp op = VK_BLEND_OP_ADD) {
  return [=](auto& vk, auto commands) {
    const VkColorBlendEquationEXT equations[] = {{}, {.srcColorBlendFactor = factor, .colorBlendOp = op}};
    constexpr VkColorComponentFlags kMask[] = {0xf, 0xf};
    vk.CmdSetColorBlendEnableEXT(commands, 0, 2, kTrue);
    vk.CmdSetColorBlendEquationEXT(commands, 0, 2, equations);
    vk.CmdSetColorWriteMaskEXT(commands, 0, 2, kMask);
    vk.CmdSetColorWriteEnableEXT(commands, 2, kTrue);
  };
}
TEST_F(Outputs, SecondSources) {
  Start({.has_shader_objects = true});
  AddOutput(4, 1);
  const RenderingOptions two = {.second = MakeAttachment(kColor)};
  const PipelineOptions sets = {.dynamic = {kEnables, kEquations, kMasks, VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT},
                                .colors = {kColor, kColor}};
  const PipelineOptions own = {
      .has_blend_constants = true, .factor = VK_BLEND_FACTOR_SRC1_ALPHA, .colors = {kColor, kColor}};
  constexpr char kRule[] = "maxFragmentDualSrcAttachments-09239";
  RunState(kRule, kRule, sets, two, Blends(VK_BLEND_FACTOR_SRC1_COLOR), Blends(VK_BLEND_FACTOR_ONE));
  RunCases({{kRule, own, two}, {"", sets, two, Blends(VK_BLEND_FACTOR_SRC1_COLOR, VK_BLEND_OP_MAX)}});
  AddOutput(4, 0);
  RunCases({{"", own, two}, {"", sets, two, Blends(VK_BLEND_FACTOR_SRC1_COLOR)}});
}

TEST_F(Outputs, AdvancedBlending) {
  ChangeProperties<VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT>(
      [](auto& limits) { limits.advancedBlendMaxColorAttachments = 1; });
  Start();
  const PipelineOptions two = {.dynamic = {kEnables, kAdvanced}, .colors = {kColor, kColor}};
  const auto set = [](VkBlendOp op) {
    return [=](auto& vk, auto commands) {
      const VkColorBlendAdvancedEXT blend = {op, VK_TRUE, VK_TRUE, VK_BLEND_OVERLAP_UNCORRELATED_EXT, VK_FALSE};
      const VkColorBlendAdvancedEXT both[] = {blend, blend};
      vk.CmdSetColorBlendEnableEXT(commands, 0, 2, kTrue);
      vk.CmdSetColorBlendAdvancedEXT(commands, 0, 2, both);
    };
  };
  const RenderingOptions rendering = {.second = MakeAttachment(kColor)};
  RunState("advancedBlendMaxColorAttachments-07480", "", two, rendering, set(VK_BLEND_OP_MULTIPLY_EXT),
           set(VK_BLEND_OP_ADD));
  RunCases({{"", {.dynamic = {kEnables, kAdvanced}}, {}, set(VK_BLEND_OP_MULTIPLY_EXT)}});
}

TEST_F(Outputs, SharedExponents) {
  constexpr VkFormat kShared = VK_FORMAT_E5B9G9R9_UFLOAT_PACK32;
  driver().config().formats[kShared] = {.optimalTilingFeatures = VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT};
  Start({.has_shader_objects = true});
  const auto mask = [](VkColorComponentFlags value) {
    return [=](auto& vk, auto commands) { vk.CmdSetColorWriteMaskEXT(commands, 0, 1, &value); };
  };
  RunState("None-09116", "None-09116", {.dynamic = {kMasks}, .colors = {kShared}}, {.color = MakeAttachment(kShared)},
           mask(VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_A_BIT), mask(0x7));
}

TEST_F(Outputs, ExternalFormats) {
  Start({.has_shader_objects = true,
         .extensions = {"VK_EXT_queue_family_foreign", "VK_ANDROID_external_memory_android_hardware_buffer",
                        "VK_ANDROID_external_format_resolve"}});
  const auto same = Of<VkExternalFormatANDROID>(1), other = Of<VkExternalFormatANDROID>(2);
  // An image of an external format. Its memory would be that of a hardware buffer, and its view would convert.
  VkImageCreateInfo info = test::ImageInfo(VK_FORMAT_UNDEFINED, 64, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
  info.pNext = &same;
  const VkImageViewCreateInfo view_info = {.image = MakeFrom(info, vk.CreateImage, vk.DestroyImage),
                                           .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                           .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  const RenderingOptions external = {.external = MakeFrom(view_info, vk.CreateImageView, vk.DestroyImageView)};
  messages.Take();
  const auto with = [&](std::vector<VkDynamicState> dynamic) {
    return PipelineOptions{.dynamic = std::move(dynamic), .next = &same};
  };
  const auto rate = [](VkExtent2D size) {
    return [=](auto& vk, auto commands) { vk.CmdSetFragmentShadingRateKHR(commands, &size, kKeep); };
  };
  const RenderingOptions external_alone = {.has_color = false, .external = external.external};
  RunCases({
      {"", with({}), external},
      {"colorAttachmentCount-09362", {.next = &other}, external},
      {"colorAttachmentCount-09362", {.colors = {VK_FORMAT_UNDEFINED}, .next = &other}, external_alone},
  });
  RunState("None-09364", "None-09366", with({kEnables}), external, Sets(kEnables, VK_TRUE), Sets(kEnables, VK_FALSE));
  RunState("None-09368", "pFragmentSize-09370", with({kRate}), external, rate({2, 1}), rate({1, 1}));
  RunState("None-09369", "pFragmentSize-09371", with({kRate}), external, rate({1, 2}), rate({1, 1}));
  const RenderingOptions four = {
      .color = MakeAttachment(kColor, kFour), .depth = MakeAttachment(kDepth, kFour), .external = external.external};
  RunCases({{"None-09365", with({kSamples}), four, Sets(kSamples, kFour)}});
  RunShaders("rasterizationSamples-09367", external, Sets(kSamples, kFour));
  AddFragment({.decorations = Modes("DepthReplacing")});
  RunShaders("colorAttachmentCount-09372", external, Sets(kEnables, VK_FALSE));
  RunShaders("", {}, Sets(kEnables, VK_FALSE));
}

TEST_F(Outputs, LocalReads) {
  Start({.extensions = {"VK_KHR_dynamic_rendering_local_read"}});
  constexpr uint32_t kSwapped[] = {1, 0};
  const auto locations = Of<VkRenderingAttachmentLocationInfo>(2, kSwapped);
  const auto indices = Of<VkRenderingInputAttachmentIndexInfo>(2, kSwapped);
  const auto depth = Of<VkRenderingInputAttachmentIndexInfo>(2, nullptr, &kSwapped[0]);
  const auto set_locations = Calls(&test::Functions::CmdSetRenderingAttachmentLocations, &locations);
  const auto set_indices = Calls(&test::Functions::CmdSetRenderingInputAttachmentIndices, &indices);
  const auto with = [](const void* next) { return PipelineOptions{.colors = {kColor, kColor}, .next = next}; };
  const RenderingOptions two = {.second = MakeAttachment(kColor)};
  RunCases({
      {"", with(nullptr), two},
      {"None-09548", with(&locations), two, nullptr, set_locations},
      {"None-09548", with(nullptr), two, set_locations},
      {"None-09549", with(&indices), two, nullptr, set_indices},
      {"None-09549", with(nullptr), two, set_indices},
      {"None-09549", with(&depth), two},
  });
}

}  // namespace
}  // namespace assay::core
