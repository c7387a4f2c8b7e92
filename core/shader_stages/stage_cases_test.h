// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SHADER_STAGES_STAGE_CASES_TEST_H_
#define ASSAY_CORE_SHADER_STAGES_STAGE_CASES_TEST_H_

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/shader_stages/stage_test.h"
#include "gtest/gtest.h"
#include "vk/struct_traits.h"

// How rows of StageCase are tested: each is reported, and its twin is silent.
namespace assay::core {

class StageCaseTest : public StageTest, public ::testing::WithParamInterface<StageCase> {
 protected:
  void SetUp() override {}
  void ExpectReported() {
    const StageCase& row = GetParam();
    for (const char* feature : row.disabled) driver().config().disabled_features.insert(feature);
    MakeDeviceOf(row);
    Make(row.shader.model, Text(row.shader), row.flags);
    std::vector<std::string> ids = {row.Vuid()};
    ids.insert(ids.end(), row.also.begin(), row.also.end());
    ExpectMessages(ids);
  }
  void ExpectTwinSilent() {
    StageCase row = GetParam();
    const std::string text = Text(row.shader);
    const std::string twin = row.from.empty() ? text : absl::StrReplaceAll(text, {{row.from, row.to}});
    // A case without anything to replace is one of the device.
    EXPECT_EQ(row.from.empty(), twin == text);
    EXPECT_TRUE(!row.from.empty() || row.configure || !row.disabled.empty() || row.right_flags);
    row.configure = nullptr;
    MakeDeviceOf(row);
    Make(row.shader.model, twin, row.right_flags.value_or(row.flags));
    ExpectNothing();
  }

 private:
  void MakeDeviceOf(const StageCase& row) {
    if (row.always) row.always(driver().config());
    if (row.configure) row.configure(driver().config());
    MakeDeviceWith(row.extensions);
  }
};

inline std::string NameOfCase(const ::testing::TestParamInfo<StageCase>& info) {
  return absl::StrCat(info.index, "_", absl::StrReplaceAll(info.param.Vuid(), {{"VUID-", ""}, {"-", "_"}}));
}

// Of all tables, as parameters.
inline auto CasesOf(std::initializer_list<std::vector<StageCase>> tables) {
  return ::testing::ValuesIn(Joined(tables));
}

// Sets members of limits or of a structure of properties, after what was set before.
template <class T>
Change With(std::function<void(T&)> change) {
  return [change = std::move(change)](test::MockConfig& config) {
    if constexpr (std::is_same_v<T, VkPhysicalDeviceLimits>) {
      change(config.limits);
    } else {
      config.adjust_properties = [change, before = config.adjust_properties](VkBaseOutStructure* properties) {
        if (before) before(properties);
        if (properties->sType == vk::kStructureTypeOf<T>) change(*reinterpret_cast<T*>(properties));
      };
    }
  };
}
template <class T, class V>
Change Set(V T::* member, std::type_identity_t<V> value) {
  return With<T>([=](T& properties) { properties.*member = value; });
}
template <class T, class V, size_t N>
Change Set(V (T::*member)[N], size_t i, std::type_identity_t<V> value) {
  return With<T>([=](T& properties) { (properties.*member)[i] = value; });
}
inline Change Disable(const char* feature) {
  return [=](test::MockConfig& config) { config.disabled_features.insert(feature); };
}

// Of capabilities that the device does not have.
inline constexpr char kModuleCapability[] = "VUID-VkShaderModuleCreateInfo-pCode-08740";
inline constexpr char kObjectCapability[] = "VUID-VkShaderCreateInfoEXT-pCode-08740";

// Rows of shaders that are correct on another device: with other properties, or with the features.
inline StageCase OnDevice(const std::string& id, const StageText& shader, Change configure) {
  return {.id = id, .shader = shader, .configure = std::move(configure)};
}
inline StageCase Without(const std::string& id, const StageText& shader, std::vector<const char*> features,
                         std::vector<std::string> also = {}) {
  return {.id = id, .shader = shader, .disabled = std::move(features), .also = std::move(also)};
}
// A row of a shader that is wrong and right on the same device.
inline StageCase Always(Change always, StageCase row) {
  row.always = std::move(always);
  return row;
}
// The rows on devices that have more.
inline std::vector<StageCase> Extended(const std::vector<const char*>& extensions, std::vector<StageCase> rows) {
  for (StageCase& row : rows) row.extensions = extensions;
  return rows;
}

// The shader with a buffer at set 0, or push constants: one member of the type, which %member_pointer points to.
inline StageText WithBuffer(const std::string& type, StageText text, const std::string& storage = "StorageBuffer",
                            const std::string& bound = "DescriptorSet 0, Binding 0") {
  text.variables.push_back({"%buffer", storage, "%Block", bound});
  text.decorations += DecorateBlock("%Block");
  absl::StrAppend(&text.globals, "%Block = OpTypeStruct ", type, "\n%member_pointer = OpTypePointer ", storage, " ",
                  type, "\n");
  return text;
}
inline constexpr char kLong[] = "%ulong = OpTypeInt 64 0\n%long1 = OpConstant %ulong 1\n";

}  // namespace assay::core

#endif  // ASSAY_CORE_SHADER_STAGES_STAGE_CASES_TEST_H_
