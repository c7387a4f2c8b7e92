// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Samplers and the images that shaders sample with them, for every command that runs shaders, through the whole layer.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/descriptors/bound_test.h"

namespace assay::core {
namespace {

constexpr std::string_view kSample = "%value = OpImageSampleExplicitLod %v4 %loaded %null2 Lod %null1";
constexpr std::string_view kSample3 = "%value = OpImageSampleExplicitLod %v4 %loaded %null3 Lod %null1";
// It can only be sampled, and that without any filter.
constexpr VkFormat kPoor = VK_FORMAT_R16G16B16A16_UNORM;

VkSamplerCreateInfo Filtering(VkFilter filter, const void* chain = nullptr) {
  return {.pNext = chain, .magFilter = filter, .minFilter = filter};
}
VkSamplerCreateInfo Mipmapping(const void* chain = nullptr) {
  return {.pNext = chain, .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR};
}
const VkSamplerCreateInfo kUnnormalized = Clamped({.unnormalizedCoordinates = VK_TRUE});

const auto kMaximum = Of<VkSamplerReductionModeCreateInfo>(VK_SAMPLER_REDUCTION_MODE_MAX);
const auto kClamped = Of<VkSamplerReductionModeCreateInfo>(VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE_RANGECLAMP_QCOM);

AccessedImage Combined(std::string_view body, std::string_view type = AccessedImage().type) {
  return {.type = type, .is_combined = true, .body = body};
}

class BoundSamplers : public BoundTest {
 protected:
  struct Case {
    std::string_view rule;
    VkSamplerCreateInfo sampler;
    ViewOptions view;
    // A view that the sampler suits; otherwise a plain sampler suits the view.
    std::optional<ViewOptions> other_view;
    AccessedImage shader = Combined(kSample);
  };

  void SetUp() override { StartWith({}); }
  void StartWith(std::vector<const char*> extensions, std::set<std::string> without = {}) {
    driver().config().formats[kPoor] = {.optimalTilingFeatures = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT};
    Start({.without = std::move(without), .extensions = std::move(extensions)});
  }
  void FilterCubic(bool filters) {
    ChangeProperties<VkFilterCubicImageViewImageFormatPropertiesEXT>(
        [=](auto& properties) { properties.filterCubic = filters; });
  }
  void Expect(const Case& test) {
    Use(test.shader, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
    const VkSampler sampler = MakeSampler(test.sampler);
    const VkImageView view = MakeViewOf(test.view);
    ExpectRuleOfEach(SetWith(view, sampler), test.rule,
                     test.other_view ? SetWith(MakeViewOf(*test.other_view), sampler) : SetWith(view, MakeSampler({})));
  }
  // Of a view that cannot be filtered like that.
  VkDescriptorSet PoorSet() { return SetWith(MakeViewOf({.format = kPoor}), MakeSampler(Filtering(VK_FILTER_LINEAR))); }
};

TEST_F(BoundSamplers, LinearFilters) {
  StartWith({"VK_EXT_sampler_filter_minmax"});
  Expect({"magFilter-04553", Filtering(VK_FILTER_LINEAR), {.format = kPoor}, ViewOptions()});
  Expect({"magFilter-09598", Filtering(VK_FILTER_LINEAR, &kMaximum), {.format = kPoor}, ViewOptions()});
  // Between levels it filters only where there are several.
  Expect({"mipmapMode-04770", Mipmapping(), {.format = kPoor, .levels = 2}, ViewOptions{.format = kPoor}});
  Expect({"mipmapMode-09599", Mipmapping(&kMaximum), {.format = kPoor, .levels = 2}, ViewOptions{.levels = 2}});
  // One message for both.
  VkSamplerCreateInfo both = Filtering(VK_FILTER_LINEAR);
  both.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
  Expect({"magFilter-04553", both, {.format = kPoor, .levels = 2}, ViewOptions{.levels = 2}});
}

TEST_F(BoundSamplers, UnnormalizedCoordinates) {
  Expect({"unnormalizedCoordinates-09635", kUnnormalized, {.levels = 2}, ViewOptions()});
  const AccessedImage array = Combined(kSample3, "%scalar 2D 0 1 0 1 Unknown");
  Expect({"None-08609", kUnnormalized, {.type = VK_IMAGE_VIEW_TYPE_2D_ARRAY}, {}, array});
  const AccessedImage projecting = Combined("%value = OpImageSampleProjExplicitLod %v4 %loaded %null3 Lod %null1");
  Expect({"None-08610", kUnnormalized, {}, {}, projecting});
  const AccessedImage moving =
      Combined("%value = OpImageSampleExplicitLod %v4 %loaded %null2 Lod|ConstOffset %null1 %at");
  Expect({"None-08611", kUnnormalized, {}, {}, moving});
}

TEST_F(BoundSamplers, CubicFilters) {
  FilterCubic(true);
  StartWith({"VK_EXT_filter_cubic", "VK_EXT_sampler_filter_minmax"});
  Expect({"None-02692", Filtering(VK_FILTER_CUBIC_EXT), {.format = kPoor}, ViewOptions()});
  Expect({"filterCubicMinmax-02695", Filtering(VK_FILTER_CUBIC_EXT, &kMaximum), {}, {}});
  FilterCubic(false);
  Expect({"filterCubic-02694", Filtering(VK_FILTER_CUBIC_EXT), {}, {}});
}
TEST_F(BoundSamplers, CubicFiltersOfTheOlderExtension) {
  StartWith({"VK_IMG_filter_cubic"});
  const AccessedImage cube = Combined(kSample3, "%scalar Cube 0 0 0 1 Unknown");
  Expect({"None-02693", Filtering(VK_FILTER_CUBIC_EXT), {.type = VK_IMAGE_VIEW_TYPE_CUBE}, {}, cube});
}
TEST_F(BoundSamplers, CubicFiltersWithMore) {
  FilterCubic(true);
  StartWith({"VK_EXT_filter_cubic", "VK_QCOM_filter_cubic_clamp", "VK_QCOM_filter_cubic_weights"},
            {"cubicRangeClamp", "selectableCubicWeights"});
  const auto weights = Of<VkSamplerCubicWeightsCreateInfoQCOM>(VK_CUBIC_FILTER_WEIGHTS_B_SPLINE_QCOM);
  Expect({"selectableCubicWeights-09214", Filtering(VK_FILTER_CUBIC_EXT, &weights), {}, {}});
  Expect({"cubicRangeClamp-09212", Filtering(VK_FILTER_CUBIC_EXT, &kClamped), {}, {}});
  Expect({"reductionMode-09213", Filtering(VK_FILTER_NEAREST, &kClamped), {}, {}});
}

TEST_F(BoundSamplers, CornerSampledImages) {
  StartWith({"VK_NV_corner_sampled_image"});
  const ViewOptions corners = {.flags = VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV};
  Expect({"flags-02696", {.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE}, corners, ViewOptions()});
}

// The instruction does not sample, and so it is not filtered.
TEST_F(BoundSamplers, Gathers) {
  Use(Combined("%value = OpImageGather %v4 %loaded %null2 %zero"), VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
  ExpectSilenceOfEach(PoorSet());
}

TEST_F(BoundSamplers, Text) {
  Use(Combined(kSample), VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
  ExpectTextsOfDispatch(PoorSet(), "magFilter-04553",
                        {"accesses binding 0 of set 0 as an image, with VkSampler 0x",
                         ", which has VK_FILTER_LINEAR, but the descriptor in VkDescriptorSet 0x",
                         ", whose format VK_FORMAT_R16G16B16A16_UNORM does not have "
                         "VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT."});
}

TEST_F(BoundSamplers, InLayouts) {
  for (const VkFilter filter : {VK_FILTER_NEAREST, VK_FILTER_LINEAR}) {
    const VkSampler sampler = MakeSampler(Filtering(filter));
    Use(Combined(kSample), VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, &sampler);
    // Its own sampler is ignored.
    ExpectRuleOfEach(PoorSet(), filter == VK_FILTER_NEAREST ? "" : "magFilter-04553");
  }
}
TEST_F(BoundSamplers, ApartFromImages) {
  ShaderAddition shader = ShaderWith({.body = "%sampler_value = OpLoad %sampler_type %sampler\n"
                                              "%both = OpSampledImage %combined %loaded %sampler_value\n"
                                              "%value = OpImageSampleExplicitLod %v4 %both %null2 Lod %null1"});
  shader.globals.push_back(Descriptor("%sampler", "%sampler_type", 1));
  shader.declarations += "%combined = OpTypeSampledImage %type\n%sampler_type = OpTypeSampler\n";
  Use(shader, {{0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE}, {1, VK_DESCRIPTOR_TYPE_SAMPLER}});
  for (const VkFilter filter : {VK_FILTER_NEAREST, VK_FILTER_LINEAR}) {
    const VkDescriptorSet set = SetWith(MakeViewOf({.format = kPoor}));
    WriteImage(set, 1, VK_DESCRIPTOR_TYPE_SAMPLER, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED,
               MakeSampler(Filtering(filter)));
    ExpectRuleOfEach(set, filter == VK_FILTER_NEAREST ? "" : "magFilter-04553");
  }
}

}  // namespace
}  // namespace assay::core
