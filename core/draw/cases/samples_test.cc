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
    return [=](auto& vk, auto commands) {
      const std::vector<VkSampleLocationEXT> locations(size_t{per_pixel} * grid.width * grid.height);
      const auto info = Of<VkSampleLocationsInfoEXT>(per_pixel, grid, locations.size(), locations.data());
      vk.CmdSetSampleLocationsEXT(commands, &info);
    };
  }
  // Attachments whose image of depth may have sample locations, or may not with other flags.
  RenderingOptions With(VkSampleCountFlagBits samples,
                        VkImageCreateFlags flags = VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT) {
    return {.color = MakeAttachment(kColor, samples),
            .depth = MakeAttachment(kDepth, samples, VK_IMAGE_TILING_OPTIMAL, flags)};
  }
};

constexpr VkDynamicState kLocations = VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT;
constexpr VkDynamicState kEnable = VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT;
constexpr VkDynamicState kToColor = VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_ENABLE_NV;
constexpr VkSampleCountFlagBits kOne = VK_SAMPLE_COUNT_1_BIT;

const SetFunction kEnabled = Sets(kEnable, VK_TRUE);
const SetFunction kSetsOne = Sets(kSamples, kOne);
const SetFunction kSetsFour = Sets(kSamples, kFour);

TEST_F(Samples, Locations) {
  Start({.has_shader_objects = true});
  const RenderingOptions one = With(kOne);
  const RenderingOptions four = With(kFour);
  const PipelineOptions sets = {.dynamic = {kLocations, kEnable}};
  const PipelineOptions sets_all = {.dynamic = {kLocations, kEnable, kSamples}};
  // The largest grid of the driver is 4 by 4.
  const auto right = Both(kEnabled, Locations(kOne, {2, 2}));
  const auto wide = Both(kEnabled, Locations(kOne, {8, 1}));
  const auto high = Both(kEnabled, Locations(kOne, {1, 8}));
  RunCases({
      {"sampleLocationsPerPixel-07482", sets, one, Both(kEnabled, Locations(kFour)), right},
      {"sampleLocationsPerPixel-07483", sets_all, four, Both(kSetsFour, right)},
      {"", sets_all, four, Both(kSetsFour, Both(kEnabled, Locations(kFour)))},
      {"sampleLocationsEnable-07484", sets, With(kOne, 0), right},
      {"sampleLocationsEnable-07485", sets, one, wide},
      {"sampleLocationsEnable-07486", sets, one, high},
  });
  RunShaders("sampleLocationsEnable-07484", With(kOne, 0), right);
  RunShaders("sampleLocationsEnable-07485", one, wide, right);
}
TEST_F(Samples, LocationsOfPipelines) {
  Start();
  const auto with = [](VkSampleCountFlagBits per_pixel, VkExtent2D grid) {
    return PipelineOptions{.dynamic = {kSamples}, .locations = {per_pixel, grid}};
  };
  const RenderingOptions one = With(kOne);
  RunCases({
      {"", with(kOne, {2, 2}), one, kSetsOne},
      {"sampleLocationsEnable-02689", with(kOne, {2, 2}), With(kOne, 0), kSetsOne},
      {"sampleLocationsEnable-07936", with(kOne, {8, 1}), one, kSetsOne},
      {"sampleLocationsEnable-07937", with(kOne, {1, 8}), one, kSetsOne},
      {"sampleLocationsEnable-07938", with(kFour, {1, 1}), one, kSetsOne},
  });
}

TEST_F(Samples, CoverageToColor) {
  Start({.has_shader_objects = true});
  const auto set = [](uint32_t location) {
    return Both(Sets(kToColor, VK_TRUE), Calls(&test::Functions::CmdSetCoverageToColorLocationNV, location));
  };
  const PipelineOptions sets = {.dynamic = {kToColor, VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_LOCATION_NV}};
  PipelineOptions sets_integer = sets;
  sets_integer.colors = {VK_FORMAT_R32_UINT};
  const RenderingOptions integer = {.color = MakeAttachment(VK_FORMAT_R32_UINT)};
  RunCases({
      {"coverageToColorEnable-07490", sets_integer, integer, set(1), set(0)},
      {"coverageToColorEnable-07490", sets, {}, set(0)},
  });
  RunShaders("", integer, set(0));
  RunShaders("rasterizerDiscardEnable-09420", {}, set(0));
}
TEST_F(Samples, ModulationTables) {
  Start();
  const auto set = [](uint32_t count) {
    return [=](auto& vk, auto commands) {
      const float table[4] = {};
      vk.CmdSetCoverageModulationTableEnableNV(commands, VK_TRUE);
      vk.CmdSetCoverageModulationTableNV(commands, count, table);
    };
  };
  const PipelineOptions sets = {
      .dynamic = {VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_ENABLE_NV, VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV}};
  RunCases({{"coverageModulationTableEnable-07488", sets, {}, set(4), set(1)}});
}

TEST_F(Samples, WithoutAttachments) {
  driver().config().limits.framebufferNoAttachmentsSampleCounts = kOne;
  Start();
  const PipelineOptions sets = {
      .dynamic = {kSamples}, .colors = {}, .depth = VK_FORMAT_UNDEFINED, .stencil = VK_FORMAT_UNDEFINED};
  const RenderingOptions none = {.has_color_attachment = false, .has_depth = false, .has_stencil = false};
  RunCases({{"rasterizationSamples-07471", sets, none, kSetsFour, kSetsOne}});
}
TEST_F(Samples, MixedAttachments) {
  Start();
  constexpr VkDynamicState kTest = VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE;
  constexpr VkDynamicState kMode = VK_DYNAMIC_STATE_COVERAGE_REDUCTION_MODE_NV;
  const SetFunction test = Sets(kTest, VK_TRUE);
  const PipelineOptions own = {.dynamic = {kTest}, .samples = kFour, .mixed_samples = kOne};
  const PipelineOptions sets = {.dynamic = {kSamples}, .mixed_samples = kOne};
  const PipelineOptions sets_shaded = {.dynamic = {kSamples}, .has_sample_shading = true, .mixed_samples = kOne};
  const PipelineOptions sets_both = {.dynamic = {kSamples, kTest}, .mixed_samples = kOne};
  const SetFunction with_mode =
      Both(kSetsFour, Both(Sets(kToColor, VK_FALSE), Sets(kMode, VK_COVERAGE_REDUCTION_MODE_MERGE_NV)));
  const PipelineOptions sets_mode = {.dynamic = {kSamples, kToColor, kMode}, .mixed_samples = kOne};
  PipelineOptions sets_mode_without_depth = sets_mode;
  sets_mode_without_depth.depth = sets_mode_without_depth.stencil = VK_FORMAT_UNDEFINED;
  RunCases({
      {"rasterizationSamples-07489", own, {}, test},
      {"rasterizationSamples-07489", sets_both, {}, Both(kSetsFour, test), Both(kSetsOne, test)},
      {"", sets, {}, kSetsFour},
      {"rasterizationSamples-07494", sets_shaded, {}, kSetsFour, kSetsOne},
      // The driver does not support less samples of depth.
      {"coverageReductionMode-07491", sets_mode, {}, with_mode},
      {"", sets_mode_without_depth, {.has_depth = false, .has_stencil = false}, with_mode},
  });
}

TEST_F(Samples, SingleSampledAttachments) {
  Start({.has_shader_objects = true, .extensions = {"VK_EXT_multisampled_render_to_single_sampled"}});
  const RenderingOptions four = {.single_sampled = kFour};
  const PipelineOptions sets = {.dynamic = {kSamples}};
  RunCases({
      {"", {.samples = kFour}, four},
      {"", {.is_discarded = true}, four},
      {"pNext-07935", {}, four},
      {"None-09211", sets, four, kSetsOne, kSetsFour},
  });
}

}  // namespace
}  // namespace assay::core
