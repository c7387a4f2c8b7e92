// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <iterator>
#include <string>
#include <vector>

#include "dispatch/settings/setting_table.h"
#include "dispatch/settings/settings.h"
#include "dispatch/settings/settings_test.h"
#include "dispatch/settings/sources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vk/vulkan.h"

namespace assay::dispatch {
namespace {

using ::testing::IsEmpty;

TEST(ValidationFeatures, OverrideLayerSettings) {
  Sources sources;
  sources.SetLayerSetting("thread_safety", "true");
  const VkValidationFeatureDisableEXT disabled[] = {
      VK_VALIDATION_FEATURE_DISABLE_THREAD_SAFETY_EXT,    VK_VALIDATION_FEATURE_DISABLE_API_PARAMETERS_EXT,
      VK_VALIDATION_FEATURE_DISABLE_OBJECT_LIFETIMES_EXT, VK_VALIDATION_FEATURE_DISABLE_CORE_CHECKS_EXT,
      VK_VALIDATION_FEATURE_DISABLE_UNIQUE_HANDLES_EXT,   VK_VALIDATION_FEATURE_DISABLE_SHADERS_EXT};
  const VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                            .disabledValidationFeatureCount = std::size(disabled),
                                            .pDisabledValidationFeatures = disabled};
  sources.layer_settings.pNext = &features;
  const Settings settings = sources.Load();
  EXPECT_FALSE(settings.thread_safety || settings.stateless_param || settings.object_lifetime ||
               settings.validate_core || settings.unique_handles || settings.check_shaders);
  EXPECT_TRUE(settings.validate_sync);
  EXPECT_EQ(settings.OriginOf("thread_safety").source, SettingSource::kValidationFeatures);
  EXPECT_EQ(settings.OriginOf("thread_safety").where, "VkValidationFeaturesEXT");
  EXPECT_THAT(sources.problems, IsEmpty());
}

TEST(ValidationFeatures, EnabledOnesOverrideDisabledOnes) {
  Sources sources;
  const VkValidationFeatureEnableEXT enabled = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  const VkValidationFeatureDisableEXT disabled = VK_VALIDATION_FEATURE_DISABLE_ALL_EXT;
  const VkValidationFeaturesEXT features = {
      VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT, nullptr, 1, &enabled, 1, &disabled};
  sources.create_info.pNext = &features;
  const Settings settings = sources.Load();
  EXPECT_TRUE(settings.validate_sync);
  EXPECT_FALSE(settings.validate_core);
  const VkValidationFeaturesEXT null_arrays = {
      VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT, nullptr, 1, nullptr, 1, nullptr};
  sources.create_info.pNext = &null_arrays;
  EXPECT_TRUE(sources.Load().origins.empty());
}

TEST(ValidationFlags, OverrideValidationFeatures) {
  Sources sources;
  const VkValidationFeatureEnableEXT enabled = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  const VkValidationCheckEXT checks[] = {VK_VALIDATION_CHECK_SHADERS_EXT, VK_VALIDATION_CHECK_ALL_EXT};
  VkValidationFlagsEXT flags = {VK_STRUCTURE_TYPE_VALIDATION_FLAGS_EXT, nullptr, 2, checks};
  const VkValidationFeaturesEXT features = {VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT, &flags, 1, &enabled, 0, nullptr};
  sources.create_info.pNext = &features;
  const Settings settings = sources.Load();
  EXPECT_FALSE(settings.validate_sync || settings.validate_core || settings.stateless_param ||
               settings.object_lifetime || settings.thread_safety);
  EXPECT_EQ(settings.OriginOf("validate_sync").source, SettingSource::kValidationFlags);
  flags.disabledValidationCheckCount = 1;
  EXPECT_TRUE(sources.Load().validate_core);
  EXPECT_FALSE(sources.Load().check_shaders);
}

TEST(FeatureLists, SwitchPartsOfValidators) {
  Sources sources;
  sources.SetLayerSetting("disables", "VALIDATION_CHECK_DISABLE_OBJECT_IN_USE");
  Settings settings = sources.Load();
  EXPECT_FALSE(settings.check_object_in_use);
  EXPECT_TRUE(settings.check_command_buffer && settings.check_image_layout && settings.object_lifetime);
  sources.SetLayerSetting("disables", "VALIDATION_CHECK_DISABLE_COMMAND_BUFFER_STATE");
  settings = sources.Load();
  EXPECT_FALSE(settings.check_command_buffer);
  EXPECT_TRUE(settings.check_object_in_use && settings.check_image_layout && settings.object_lifetime);
  EXPECT_THAT(sources.problems, IsEmpty());
}

TEST(FeatureLists, StandForSettings) {
  Sources sources;
  sources.system.files["vk_layer_settings.txt"] =
      "assay.validate_sync = false\n"
      "assay.enables = "
      "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,VALIDATION_CHECK_ENABLE_VENDOR_SPECIFIC_ALL\n";
  sources.system.variables["VK_LAYER_DISABLES"] =
      "VK_VALIDATION_FEATURE_DISABLE_CORE_CHECKS_EXT:VK_VALIDATION_FEATURE_DISABLE_THREAD_SAFETY_EXT";
  Settings settings = sources.Load();
  EXPECT_TRUE(settings.validate_sync);
  EXPECT_EQ(settings.OriginOf("validate_sync").where, "vk_layer_settings.txt:2");
  EXPECT_FALSE(settings.validate_core || settings.thread_safety);
  EXPECT_EQ(settings.OriginOf("validate_core").where, "environment variable VK_LAYER_DISABLES");
  EXPECT_THAT(sources.problems, IsEmpty());
  sources.SetLayerSetting("disables", "VK_VALIDATION_FEATURE_DISABLE_ALL_EXT,oops");
  settings = sources.Load();
  EXPECT_FALSE(settings.validate_sync || settings.stateless_param);
  ASSERT_EQ(sources.problems.size(), 1u);
  EXPECT_EQ(sources.problems[0].id, "ASSAY-malformed-setting");
}

// Each name that stands for a setting, in each source that has lists of names.
class EveryFeatureName : public testing::TestWithParam<FeatureName> {
 protected:
  void ExpectSetBy(SettingSource source) {
    const Settings settings = sources_.Load();
    EXPECT_EQ(FormatSetting(*FindSetting(feature_.setting), settings), feature_.value);
    EXPECT_EQ(settings.OriginOf(feature_.setting).source, source);
    EXPECT_EQ(settings.origins.size(), 1u);
    EXPECT_THAT(sources_.problems, IsEmpty());
  }

  const FeatureName& feature_ = GetParam();
  const std::string list_ = feature_.value == "true" ? "enables" : "disables";
  const std::string opposite_ = feature_.value == "true" ? "false" : "true";
  Sources sources_;
};

TEST_P(EveryFeatureName, InTheFile) {
  sources_.SetFile(list_, feature_.name);
  ExpectSetBy(SettingSource::kFile);
}

TEST_P(EveryFeatureName, InTheEnvironment) {
  sources_.SetFile(feature_.setting, opposite_);
  sources_.SetEnvironment(list_, feature_.name);
  ExpectSetBy(SettingSource::kEnvironment);
}

TEST_P(EveryFeatureName, InLayerSettings) {
  sources_.SetFile(feature_.setting, opposite_);
  sources_.SetEnvironment(feature_.setting, opposite_);
  sources_.SetLayerSetting(list_, feature_.name);
  ExpectSetBy(SettingSource::kLayerSettings);
}

std::vector<FeatureName> NamesOfSettings() {
  std::vector<FeatureName> names(FeatureNames().begin(), FeatureNames().end());
  std::erase_if(names, [](const FeatureName& feature) { return feature.setting.empty(); });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Names, EveryFeatureName, testing::ValuesIn(NamesOfSettings()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace assay::dispatch
