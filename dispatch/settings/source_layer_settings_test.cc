// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <string>
#include <vector>

#include "dispatch/settings/sources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vk/vulkan.h"

namespace assay::dispatch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kLayer[] = "VK_LAYER_ASSAY_validation";

struct Read {
  std::vector<RawSetting> settings;
  std::vector<messages::Message> problems;
};

Read ReadAll(std::vector<VkLayerSettingEXT> settings) {
  const VkLayerSettingsCreateInfoEXT layer_settings = {.sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
                                                       .settingCount = static_cast<uint32_t>(settings.size()),
                                                       .pSettings = settings.data()};
  const VkInstanceCreateInfo create_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pNext = &layer_settings};
  Read read;
  read.settings = LayerSettings(&create_info, &read.problems);
  return read;
}

template <class T>
std::vector<std::string> AsText(VkLayerSettingTypeEXT type, std::vector<T> values) {
  const Read read = ReadAll({{kLayer, "name", type, static_cast<uint32_t>(values.size()), values.data()}});
  EXPECT_THAT(read.problems, IsEmpty());
  return read.settings.at(0).values;
}

TEST(LayerSettings, AreEmptyWithoutAStructure) {
  std::vector<messages::Message> problems;
  EXPECT_THAT(LayerSettings(nullptr, &problems), IsEmpty());
  const VkInstanceCreateInfo create_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  EXPECT_THAT(LayerSettings(&create_info, &problems), IsEmpty());
  EXPECT_THAT(problems, IsEmpty());
}

TEST(LayerSettings, EveryTypeBecomesText) {
  EXPECT_THAT(AsText<VkBool32>(VK_LAYER_SETTING_TYPE_BOOL32_EXT, {VK_TRUE, VK_FALSE}), ElementsAre("true", "false"));
  EXPECT_THAT(AsText<int32_t>(VK_LAYER_SETTING_TYPE_INT32_EXT, {-1, 2}), ElementsAre("-1", "2"));
  EXPECT_THAT(AsText<int64_t>(VK_LAYER_SETTING_TYPE_INT64_EXT, {INT64_MIN}), ElementsAre("-9223372036854775808"));
  EXPECT_THAT(AsText<uint32_t>(VK_LAYER_SETTING_TYPE_UINT32_EXT, {4294967295u}), ElementsAre("4294967295"));
  EXPECT_THAT(AsText<uint64_t>(VK_LAYER_SETTING_TYPE_UINT64_EXT, {UINT64_MAX}), ElementsAre("18446744073709551615"));
  EXPECT_THAT(AsText<float>(VK_LAYER_SETTING_TYPE_FLOAT32_EXT, {0.5f}), ElementsAre("0.5"));
  EXPECT_THAT(AsText<double>(VK_LAYER_SETTING_TYPE_FLOAT64_EXT, {0.25}), ElementsAre("0.25"));
  EXPECT_THAT(AsText<const char*>(VK_LAYER_SETTING_TYPE_STRING_EXT, {"a", "b"}), ElementsAre("a", "b"));
  EXPECT_THAT(AsText<const char*>(VK_LAYER_SETTING_TYPE_STRING_EXT, {}), IsEmpty());
}

TEST(LayerSettings, OnlyThoseOfThisLayerCount) {
  const VkBool32 value = VK_TRUE;
  const Read read = ReadAll({{"VK_LAYER_KHRONOS_validation", "a", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &value},
                             {nullptr, "b", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &value},
                             {kLayer, "c", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &value}});
  ASSERT_EQ(read.settings.size(), 1u);
  EXPECT_EQ(read.settings[0].name, "c");
  EXPECT_EQ(read.settings[0].origin.source, SettingSource::kLayerSettings);
  EXPECT_THAT(read.problems, IsEmpty());
}

TEST(LayerSettings, SeveralStructures) {
  const VkBool32 value = VK_TRUE;
  const VkLayerSettingEXT first = {kLayer, "a", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &value};
  const VkLayerSettingEXT second = {kLayer, "b", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &value};
  const VkLayerSettingsCreateInfoEXT last = {VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT, nullptr, 1, &second};
  const VkLayerSettingsCreateInfoEXT empty = {VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT, &last, 1, nullptr};
  const VkLayerSettingsCreateInfoEXT head = {VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT, &empty, 1, &first};
  const VkInstanceCreateInfo create_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pNext = &head};
  std::vector<messages::Message> problems;
  const std::vector<RawSetting> settings = LayerSettings(&create_info, &problems);
  ASSERT_EQ(settings.size(), 2u);
  EXPECT_EQ(settings[0].name, "a");
  EXPECT_EQ(settings[1].name, "b");
}

TEST(LayerSettings, UnreadableValuesAreReported) {
  const VkBool32 value = VK_TRUE;
  const char* null_text = nullptr;
  const Read read = ReadAll({{kLayer, nullptr, VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &value},
                             {kLayer, "a", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, nullptr},
                             {kLayer, "b", static_cast<VkLayerSettingTypeEXT>(99), 1, &value},
                             {kLayer, "c", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &null_text}});
  EXPECT_THAT(read.settings, IsEmpty());
  ASSERT_EQ(read.problems.size(), 4u);
  for (const messages::Message& problem : read.problems) EXPECT_EQ(problem.id, "ASSAY-malformed-setting");
}

}  // namespace
}  // namespace assay::dispatch
