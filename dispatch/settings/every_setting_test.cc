// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Every setting of the table, in every source.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dispatch/settings/setting_table.h"
#include "dispatch/settings/settings.h"
#include "dispatch/settings/settings_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vk/vulkan.h"

namespace assay::dispatch {
namespace {

using ::testing::IsEmpty;

// A value other than the default, for any setting of the table.
std::string OtherValue(const SettingInfo& info) {
  if (std::holds_alternative<bool Settings::*>(info.member))
    return FormatSetting(info, {}) == "true" ? "false" : "true";
  if (std::holds_alternative<Flags Settings::*>(info.member)) {
    return absl::StrCat(info.choices[0].name, ",", info.choices[2].name);
  }
  if (std::holds_alternative<uint32_t Settings::*>(info.member)) return "4294967295";
  if (std::holds_alternative<std::vector<std::string> Settings::*>(info.member)) return "VUID-a*,-12";
  return "/some/where else.txt";
}

class EverySetting : public testing::TestWithParam<SettingInfo> {
 protected:
  void ExpectSetBy(SettingSource source, const std::string& where) {
    const Settings settings = sources_.Load();
    EXPECT_EQ(FormatSetting(info_, settings), value_);
    EXPECT_EQ(settings.OriginOf(info_.name).source, source);
    EXPECT_EQ(settings.OriginOf(info_.name).where, where);
    EXPECT_EQ(settings.origins.size(), 1u);
    EXPECT_THAT(sources_.problems, IsEmpty());
  }

  const SettingInfo& info_ = GetParam();
  const std::string value_ = OtherValue(info_);
  Sources sources_;
};

TEST_P(EverySetting, InTheFile) {
  sources_.SetFile(info_.name, value_);
  ExpectSetBy(SettingSource::kFile, "vk_layer_settings.txt:1");
}

TEST_P(EverySetting, InTheEnvironment) {
  sources_.SetFile(info_.name, FormatSetting(info_, {}));
  sources_.SetEnvironment(info_.name, value_);
  ExpectSetBy(SettingSource::kEnvironment,
              absl::StrCat("environment variable VK_ASSAY_", absl::AsciiStrToUpper(info_.name)));
}

TEST_P(EverySetting, InLayerSettings) {
  sources_.SetFile(info_.name, FormatSetting(info_, {}));
  sources_.SetEnvironment(info_.name, FormatSetting(info_, {}));
  sources_.SetLayerSetting(info_.name, value_);
  ExpectSetBy(SettingSource::kLayerSettings, "VkLayerSettingsCreateInfoEXT");
}

// Users of the Khronos layer set VK_LAYER_ variables. The VK_ASSAY_ ones have precedence.
TEST_P(EverySetting, InTheEnvironmentForAnyLayer) {
  const std::string variable = absl::StrCat("VK_LAYER_", absl::AsciiStrToUpper(info_.name));
  sources_.SetFile(info_.name, FormatSetting(info_, {}));
  sources_.system.variables[variable] = value_;
  ExpectSetBy(SettingSource::kEnvironment, absl::StrCat("environment variable ", variable));
  sources_.system.variables[variable] = FormatSetting(info_, {});
  sources_.SetEnvironment(info_.name, value_);
  ExpectSetBy(SettingSource::kEnvironment,
              absl::StrCat("environment variable VK_ASSAY_", absl::AsciiStrToUpper(info_.name)));
}

TEST_P(EverySetting, AsTheKhronosLayersInTheFile) {
  sources_.system.files["vk_layer_settings.txt"] = absl::StrCat("khronos_validation.", info_.name, " = ", value_);
  EXPECT_TRUE(sources_.Load().origins.empty());
  sources_.loaded_as = LoadedAs::kDropIn;
  ExpectSetBy(SettingSource::kFile, "vk_layer_settings.txt:1");
}

TEST_P(EverySetting, AsTheKhronosLayersInTheEnvironment) {
  const std::string variable = absl::StrCat("VK_KHRONOS_VALIDATION_", absl::AsciiStrToUpper(info_.name));
  sources_.system.variables[variable] = value_;
  EXPECT_TRUE(sources_.Load().origins.empty());
  sources_.loaded_as = LoadedAs::kDropIn;
  ExpectSetBy(SettingSource::kEnvironment, absl::StrCat("environment variable ", variable));
}

TEST_P(EverySetting, AsTheKhronosLayersInLayerSettings) {
  sources_.SetLayerSetting(info_.name, value_);
  sources_.layer_setting.pLayerName = kDropInName.data();
  EXPECT_TRUE(sources_.Load().origins.empty());
  sources_.loaded_as = LoadedAs::kDropIn;
  ExpectSetBy(SettingSource::kLayerSettings, "VkLayerSettingsCreateInfoEXT");
}

// In VkLayerSettingTypeEXT's type for it, not as text.
TEST_P(EverySetting, InLayerSettingsOfItsOwnType) {
  sources_.SetLayerSetting(info_.name, value_);
  const VkBool32 flag = value_ == "true" ? VK_TRUE : VK_FALSE;
  const uint32_t number = 4294967295;
  std::vector<std::string> elements;
  std::vector<const char*> texts;
  if (std::holds_alternative<bool Settings::*>(info_.member)) {
    sources_.layer_setting.type = VK_LAYER_SETTING_TYPE_BOOL32_EXT;
    sources_.layer_setting.pValues = &flag;
  } else if (std::holds_alternative<uint32_t Settings::*>(info_.member)) {
    sources_.layer_setting.type = VK_LAYER_SETTING_TYPE_UINT32_EXT;
    sources_.layer_setting.pValues = &number;
  } else if (!std::holds_alternative<std::string Settings::*>(info_.member)) {
    elements = absl::StrSplit(value_, ',');
    for (const std::string& element : elements) texts.push_back(element.c_str());
    sources_.layer_setting.valueCount = static_cast<uint32_t>(texts.size());
    sources_.layer_setting.pValues = texts.data();
  }
  ExpectSetBy(SettingSource::kLayerSettings, "VkLayerSettingsCreateInfoEXT");
}

TEST_P(EverySetting, ChangesNoOther) {
  const Settings defaults;
  Settings settings;
  std::string expected;
  ASSERT_TRUE(ParseSetting(info_, std::vector<std::string>{value_}, &settings, &expected));
  for (const SettingInfo& other : SettingTable()) {
    EXPECT_EQ(FormatSetting(other, settings) != FormatSetting(other, defaults), other.name == info_.name) << other.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EverySetting, testing::ValuesIn(SettingTable().begin(), SettingTable().end()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace assay::dispatch
