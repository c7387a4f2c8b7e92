// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Sample locations and coverage, for every draw, through the whole layer.

#include <vector>

#include "core/draw/cases/attachments_test.h"

namespace assay::core {
namespace {

class Samples : public Attachments {
 protected:
  // Sample locations of a grid.
  static SetFunction Locations(VkSampleCountFlagBits per_pixel, VkExtent2D grid = {1, 1}) {
    return [=](const test::Functions& vk, VkCommandBuffer commands) {
      const std::vector<VkSampleLocationEXT> locations(size_t{per_pixel} * grid.width * grid.height);
      const VkSampleLocationsInfoEXT info = {
          VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT, nullptr,         per_pixel, grid,
          static_cast<uint32_t>(locations.size()),     locations.data()};
      vk.CmdSetSampleLocationsEXT(commands, &info);
    };
  }
  static SetFunction Both(const SetFunction& one, const SetFunction& other) {
    return [=](const test::Functions& vk, VkCommandBuffer commands) { one(vk, commands), other(vk, commands); };
  }
  // Attachments whose image of depth may have sample locations, or may not.
  RenderingOptions With(VkSampleCountFlagBits samples, bool has_locations = true) {
    return {.color = MakeAttachment(kColor, samples),
            .depth = MakeAttachment(
                kDepth, samples, VK_IMAGE_TILING_OPTIMAL,
                has_locations ? VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT : VkImageCreateFlagBits{})};
  }
};

void Enable(const test::Functions& vk, VkCommandBuffer commands) {
  vk.CmdSetSampleLocationsEnableEXT(commands, VK_TRUE);
}
void SetFour(const test::Functions& vk, VkCommandBuffer commands) { vk.CmdSetRasterizationSamplesEXT(commands, kFour); }

void SetOne(const test::Functions& vk, VkCommandBuffer commands) {
  vk.CmdSetRasterizationSamplesEXT(commands, VK_SAMPLE_COUNT_1_BIT);
}

constexpr VkDynamicState kLocations = VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT;
constexpr VkDynamicState kEnable = VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT;
constexpr VkDynamicState kCount = VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT;
constexpr VkSampleCountFlagBits kOne = VK_SAMPLE_COUNT_1_BIT;

TEST_F(Samples, Locations) {
  Start({.has_shader_objects = true});
  const RenderingOptions one = With(kOne);
  const RenderingOptions four = With(kFour);
  const PipelineOptions sets = {.dynamic = {kLocations, kEnable}};
  const PipelineOptions sets_all = {.dynamic = {kLocations, kEnable, kCount}};
  // The largest grid of the driver is 4 by 4.
  const auto right = Both(Enable, Locations(kOne, {2, 2}));
  const auto wide = Both(Enable, Locations(kOne, {8, 1}));
  const auto high = Both(Enable, Locations(kOne, {1, 8}));
  RunCases({
      {nullptr, sets, one, right},
      {"sampleLocationsPerPixel-07482", sets, one, Both(Enable, Locations(kFour))},
      {"sampleLocationsPerPixel-07483", sets_all, four, Both(SetFour, right)},
      {nullptr, sets_all, four, Both(SetFour, Both(Enable, Locations(kFour)))},
      {"sampleLocationsEnable-07484", sets, With(kOne, false), right},
      {"sampleLocationsEnable-07485", sets, one, wide},
      {"sampleLocationsEnable-07486", sets, one, high},
  });
  RunShaders(nullptr, one, right);
  RunShaders("sampleLocationsEnable-07484", With(kOne, false), right);
  RunShaders("sampleLocationsEnable-07485", one, wide);
}
TEST_F(Samples, LocationsOfPipelines) {
  Start();
  const auto with = [](VkSampleCountFlagBits per_pixel, VkExtent2D grid) {
    PipelineOptions options = {.dynamic = {kCount}};
    options.locations = {per_pixel, grid};
    return options;
  };
  const RenderingOptions one = With(kOne);
  RunCases({
      {nullptr, with(kOne, {2, 2}), one, SetOne},
      {"sampleLocationsEnable-02689", with(kOne, {2, 2}), With(kOne, false), SetOne},
      {"sampleLocationsEnable-07936", with(kOne, {8, 1}), one, SetOne},
      {"sampleLocationsEnable-07937", with(kOne, {1, 8}), one, SetOne},
      {"sampleLocationsEnable-07938", with(kFour, {1, 1}), one, SetOne},
  });
}

TEST_F(Samples, CoverageToColor) {
  Start({.has_shader_objects = true});
  const auto set = [](uint32_t location) {
    return [=](const test::Functions& vk, VkCommandBuffer commands) {
      vk.CmdSetCoverageToColorEnableNV(commands, VK_TRUE);
      vk.CmdSetCoverageToColorLocationNV(commands, location);
    };
  };
  const PipelineOptions sets = {
      .dynamic = {VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_ENABLE_NV, VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_LOCATION_NV}};
  PipelineOptions sets_integer = sets;
  sets_integer.colors = {VK_FORMAT_R32_UINT};
  const RenderingOptions integer = {.color = MakeAttachment(VK_FORMAT_R32_UINT)};
  RunCases({
      {nullptr, sets_integer, integer, set(0)},
      {"coverageToColorEnable-07490", sets_integer, integer, set(1)},
      {"coverageToColorEnable-07490", sets, {}, set(0)},
  });
  RunShaders(nullptr, integer, set(0));
  RunShaders("rasterizerDiscardEnable-09420", {}, set(0));
}
TEST_F(Samples, ModulationTables) {
  Start();
  const auto set = [](uint32_t count) {
    return [=](const test::Functions& vk, VkCommandBuffer commands) {
      const float table[4] = {};
      vk.CmdSetCoverageModulationTableEnableNV(commands, VK_TRUE);
      vk.CmdSetCoverageModulationTableNV(commands, count, table);
    };
  };
  const PipelineOptions sets = {
      .dynamic = {VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_ENABLE_NV, VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV}};
  RunCases({{nullptr, sets, {}, set(1)}, {"coverageModulationTableEnable-07488", sets, {}, set(4)}});
}

TEST_F(Samples, WithoutAttachments) {
  driver().config().limits.framebufferNoAttachmentsSampleCounts = kOne;
  Start();
  const PipelineOptions sets = {
      .dynamic = {kCount}, .colors = {}, .depth = VK_FORMAT_UNDEFINED, .stencil = VK_FORMAT_UNDEFINED};
  const RenderingOptions none = {.has_color_attachment = false, .has_depth = false, .has_stencil = false};
  RunCases({{"rasterizationSamples-07471", sets, none, SetFour}, {nullptr, sets, none, SetOne}});
}
TEST_F(Samples, MixedAttachments) {
  Start();
  const auto test = [](const test::Functions& vk, VkCommandBuffer commands) {
    vk.CmdSetDepthTestEnable(commands, VK_TRUE);
  };
  constexpr VkDynamicState kTest = VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE;
  const PipelineOptions own = {.dynamic = {kTest}, .samples = kFour, .mixed_samples = kOne};
  const PipelineOptions sets = {.dynamic = {kCount}, .mixed_samples = kOne};
  PipelineOptions sets_shaded = sets;
  sets_shaded.has_sample_shading = true;
  PipelineOptions sets_both = {.dynamic = {kCount, kTest}, .mixed_samples = kOne};
  const auto with_mode = [](const test::Functions& vk, VkCommandBuffer commands) {
    SetFour(vk, commands);
    vk.CmdSetCoverageToColorEnableNV(commands, VK_FALSE);
    vk.CmdSetCoverageReductionModeNV(commands, VK_COVERAGE_REDUCTION_MODE_MERGE_NV);
  };
  PipelineOptions sets_mode = {
      .dynamic = {kCount, VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_ENABLE_NV, VK_DYNAMIC_STATE_COVERAGE_REDUCTION_MODE_NV},
      .mixed_samples = kOne};
  PipelineOptions sets_mode_without_depth = sets_mode;
  sets_mode_without_depth.depth = sets_mode_without_depth.stencil = VK_FORMAT_UNDEFINED;
  RunCases({
      {"rasterizationSamples-07489", own, {}, test},
      {"rasterizationSamples-07489", sets_both, {}, Both(SetFour, test)},
      {nullptr, sets_both, {}, Both(SetOne, test)},
      {nullptr, sets, {}, SetFour},
      {"rasterizationSamples-07494", sets_shaded, {}, SetFour},
      {nullptr, sets_shaded, {}, SetOne},
      // The driver does not support less samples of depth.
      {"coverageReductionMode-07491", sets_mode, {}, with_mode},
      {nullptr, sets_mode_without_depth, {.has_depth = false, .has_stencil = false}, with_mode},
  });
}

TEST_F(Samples, SingleSampledAttachments) {
  Start({.has_shader_objects = true, .extensions = {"VK_EXT_multisampled_render_to_single_sampled"}});
  const RenderingOptions four = {.single_sampled = kFour};
  const PipelineOptions sets = {.dynamic = {kCount}};
  RunCases({
      {nullptr, {.samples = kFour}, four},
      {nullptr, {.is_discarded = true}, four},
      {"pNext-07935", {}, four},
      {nullptr, sets, four, SetFour},
      {"None-09211", sets, four, SetOne},
  });
}

}  // namespace
}  // namespace assay::core
