// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SHADER_STAGES_STAGE_CASES_TEST_H_
#define ASSAY_CORE_SHADER_STAGES_STAGE_CASES_TEST_H_

#include <functional>
#include <string>
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
  void ExpectReported() {
    const StageCase& row = GetParam();
    for (const char* feature : row.disabled) driver().config().disabled_features.insert(feature);
    MakeDeviceOf(row);
    Make(row.shader.model, Text(row.shader), row.flags);
    std::vector<std::string> ids = {absl::StrCat("VUID-", row.id)};
    ids.insert(ids.end(), row.also.begin(), row.also.end());
    ExpectMessages(ids);
  }
  void ExpectTwinSilent() {
    StageCase row = GetParam();
    const std::string text = Text(row.shader);
    const std::string twin = row.from.empty() ? text : absl::StrReplaceAll(text, {{row.from, row.to}});
    // A case without anything to replace is one of the device.
    EXPECT_EQ(row.from.empty(), twin == text);
    EXPECT_TRUE(!row.from.empty() || row.configure || !row.disabled.empty());
    row.configure = nullptr;
    MakeDeviceOf(row);
    Make(row.shader.model, twin, row.flags);
    ExpectNothing();
  }

 private:
  void MakeDeviceOf(const StageCase& row) {
    extensions.insert(extensions.end(), row.extensions.begin(), row.extensions.end());
    feature_structs.insert(feature_structs.end(), row.feature_structs.begin(), row.feature_structs.end());
    if (row.always) row.always(driver().config());
    if (row.configure) row.configure(driver().config());
    MakeDevice();
  }
};

inline std::string NameOfCase(const ::testing::TestParamInfo<StageCase>& info) {
  return absl::StrCat(info.index, "_", absl::StrReplaceAll(info.param.id, {{"-", "_"}}));
}

// Sets members of a structure of properties, after what was set before.
template <class T>
std::function<void(test::MockConfig&)> With(std::function<void(T&)> change) {
  return [change = std::move(change)](test::MockConfig& config) {
    config.adjust_properties = [change, before = config.adjust_properties](VkBaseOutStructure* properties) {
      if (before) before(properties);
      if (properties->sType == vk::kStructureTypeOf<T>) change(*reinterpret_cast<T*>(properties));
    };
  };
}
inline std::function<void(test::MockConfig&)> Limit(std::function<void(VkPhysicalDeviceLimits&)> change) {
  return [change = std::move(change)](test::MockConfig& config) { change(config.limits); };
}

// A variable of the type in Workgroup storage.
inline std::string Shared(const std::string& type) {
  return absl::StrCat("%pointer = OpTypePointer Workgroup ", type, "\n%shared = OpVariable %pointer Workgroup\n");
}

// A buffer at set 0, binding 0, with one member of the type.
inline constexpr char kBufferDecorations[] =
    "OpDecorate %Block Block\nOpMemberDecorate %Block 0 Offset 0\nOpDecorate %buffer DescriptorSet 0\n"
    "OpDecorate %buffer Binding 0\n";
inline std::string Buffer(const std::string& type, const std::string& storage = "StorageBuffer") {
  return absl::StrCat("%Block = OpTypeStruct ", type, "\n%block_pointer = OpTypePointer ", storage,
                      " %Block\n%member_pointer = OpTypePointer ", storage, " ", type,
                      "\n%buffer = OpVariable %block_pointer ", storage, "\n");
}
inline constexpr char kLong[] = "%ulong = OpTypeInt 64 0\n%long1 = OpConstant %ulong 1\n";

}  // namespace assay::core

#endif  // ASSAY_CORE_SHADER_STAGES_STAGE_CASES_TEST_H_
