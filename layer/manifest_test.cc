// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The manifests agree with the layer. The drop-in's has all that the Khronos layer's has.

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include "dispatch/extensions/layer_identity.h"
#include "dispatch/settings/khronos_settings.h"
#include "dispatch/settings/setting_table.h"
#include "dispatch/settings/settings_types.h"
#include "gtest/gtest.h"

namespace assay::layer {
namespace {

using dispatch::LoadedAs;
using nlohmann::json;

json Read(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return json::parse(file)["layer"];
}

json Own(LoadedAs loaded_as) {
  return Read(loaded_as == LoadedAs::kDropIn ? "layer/dropin/VkLayer_khronos_validation.json"
                                             : "layer/VkLayer_assay.json");
}

void ExpectExtensions(const json& listed, std::span<const VkExtensionProperties> extensions) {
  ASSERT_EQ(listed.size(), extensions.size());
  for (size_t i = 0; i < extensions.size(); ++i) {
    EXPECT_EQ(listed[i]["name"], extensions[i].extensionName);
    EXPECT_EQ(listed[i]["spec_version"], std::to_string(extensions[i].specVersion));
  }
}

class Manifest : public testing::TestWithParam<LoadedAs> {};

TEST_P(Manifest, AgreesWithTheLayer) {
  const json layer = Own(GetParam());
  const dispatch::LayerIdentity& identity = dispatch::GetLayerIdentity(GetParam());
  const VkLayerProperties& properties = identity.properties;
  EXPECT_EQ(layer["name"], properties.layerName);
  EXPECT_EQ(layer["description"], properties.description);
  EXPECT_EQ(layer["implementation_version"], std::to_string(properties.implementationVersion));
  const uint32_t version = properties.specVersion;
  EXPECT_EQ(layer["api_version"], std::to_string(VK_API_VERSION_MAJOR(version)) + "." +
                                      std::to_string(VK_API_VERSION_MINOR(version)) + "." +
                                      std::to_string(VK_API_VERSION_PATCH(version)));
  EXPECT_EQ(layer["type"], "GLOBAL");
  EXPECT_EQ(layer["platforms"], json::array({"LINUX"}));
  ExpectExtensions(layer["instance_extensions"], identity.instance_extensions);
  ExpectExtensions(layer["device_extensions"], identity.device_extensions);
}

TEST_P(Manifest, DocumentsEverySetting) {
  const json layer = Own(GetParam());
  const json& settings = layer["features"]["settings"];
  ASSERT_EQ(settings.size(), dispatch::SettingTable().size());
  for (size_t i = 0; i < settings.size(); ++i) {
    EXPECT_EQ(settings[i]["key"], std::string(dispatch::SettingTable()[i].name));
    EXPECT_EQ(settings[i]["description"], std::string(dispatch::SettingTable()[i].description));
    for (const char* member : {"env", "label", "type", "default"}) EXPECT_TRUE(settings[i].contains(member));
  }
}

std::vector<std::string> Texts(const json& value) {
  if (value.is_string()) return {value};
  if (!value.is_array()) return {value.dump()};
  return value;
}

// Tools show and write settings by the manifest. It has the defaults and names that the layer reads.
TEST_P(Manifest, DefaultsAndChoicesAreTheLayers) {
  const json layer = Own(GetParam());
  for (const json& documented : layer["features"]["settings"]) {
    const dispatch::SettingInfo& info = *dispatch::FindSetting(std::string(documented["key"]));
    const dispatch::Settings defaults = dispatch::DefaultSettings(GetParam());
    dispatch::Settings settings;
    std::string expected;
    EXPECT_TRUE(dispatch::ParseSetting(info, Texts(documented["default"]), &settings, &expected)) << info.name;
    EXPECT_EQ(dispatch::FormatSetting(info, settings), dispatch::FormatSetting(info, defaults)) << info.name;
    for (const json& flag : documented.value("flags", json::array())) {
      EXPECT_TRUE(dispatch::ParseSetting(info, Texts(flag["key"]), &settings, &expected)) << expected;
    }
    std::string variable = GetParam() == LoadedAs::kDropIn ? "VK_LAYER_" : "VK_ASSAY_";
    for (const char c : info.name) variable += static_cast<char>(std::toupper(c));
    EXPECT_EQ(documented["env"], variable);
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Manifest, testing::Values(LoadedAs::kAssay, LoadedAs::kDropIn));

std::set<std::string> Names(const json& extensions) {
  std::set<std::string> names;
  for (const json& extension : extensions) {
    names.insert(extension["name"]);
    for (const json& entry_point : extension.value("entrypoints", json::array())) names.insert(entry_point);
  }
  return names;
}

TEST(DropIn, HasTheExtensionsOfTheKhronosLayer) {
  const json khronos = Read("external/khronos_validation_layer/layer/VkLayer_khronos_validation.json");
  const json own = Own(LoadedAs::kDropIn);
  EXPECT_EQ(own["name"], khronos["name"]);
  EXPECT_EQ(own["api_version"], khronos["api_version"]);
  for (const char* kind : {"instance_extensions", "device_extensions"}) {
    const std::set<std::string> ours = Names(own[kind]);
    for (const std::string& name : Names(khronos[kind])) EXPECT_TRUE(ours.contains(name)) << name;
  }
}

// The layer knows the name of every setting of the Khronos layer.
void ExpectKnown(const json& settings) {
  for (const json& setting : settings) {
    const std::string key = setting["key"];
    const bool is_known = setting["type"] == "GROUP" || dispatch::FindSetting(key) != nullptr ||
                          !dispatch::WhyWithoutEffect(key).empty() || key == "enables" || key == "disables";
    EXPECT_TRUE(is_known) << key;
    if (setting.contains("settings")) ExpectKnown(setting["settings"]);
    for (const json& flag : setting.value("flags", json::array())) {
      if (flag.contains("settings")) ExpectKnown(flag["settings"]);
    }
  }
}

// The defaults by key, also of settings within others.
void CollectDefaults(const json& settings, std::map<std::string, json>* defaults) {
  for (const json& setting : settings) {
    if (setting.contains("default")) (*defaults)[setting["key"]] = setting["default"];
    if (setting.contains("settings")) CollectDefaults(setting["settings"], defaults);
    for (const json& flag : setting.value("flags", json::array())) {
      if (flag.contains("settings")) CollectDefaults(flag["settings"], defaults);
    }
  }
}

TEST(DropIn, KnowsTheKhronosLayersSettings) {
  ExpectKnown(Read("external/khronos_validation_layer/layer/VkLayer_khronos_validation.json")["features"]["settings"]);
}

// Whoever replaces that layer gets the checks and messages that were on before.
TEST(DropIn, HasTheDefaultsOfTheKhronosLayer) {
  const json khronos = Read("external/khronos_validation_layer/layer/VkLayer_khronos_validation.json");
  std::map<std::string, json> theirs;
  CollectDefaults(khronos["features"]["settings"], &theirs);
  int compared = 0;
  const json own = Own(LoadedAs::kDropIn);
  for (const json& setting : own["features"]["settings"]) {
    const std::string key = setting["key"];
    // That layer's manifest says that it logs messages in any case. It does so only while there is no callback.
    if (key == "debug_action" || !theirs.contains(key)) continue;
    EXPECT_EQ(setting["default"], theirs[key]) << key;
    ++compared;
  }
  EXPECT_GE(compared, 12);
}

}  // namespace
}  // namespace assay::layer
