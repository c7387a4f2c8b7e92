// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "cache/cache.h"
#include "gtest/gtest.h"
#include "stateless/manual/manual_rules_test.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::stateless {
namespace {

template <class C, class Handle>
void TryMerge(const std::string& rule) {
  static const auto handle = [](uintptr_t number) { return reinterpret_cast<Handle>(number); };
  static const Handle sources[] = {handle(1), handle(2), handle(3)};
  TryAll<C>({.dstCache = handle(4), .srcCacheCount = 3, .pSrcCaches = sources},
            {{rule, [](C& c) { c.dstCache = handle(1); }, {}}, {rule, [](C& c) { c.dstCache = handle(3); }, {}}});
  // Beyond the count, a null handle, and an array that is none.
  EXPECT_TRUE(Check(C::kName, C{.dstCache = handle(3), .srcCacheCount = 2, .pSrcCaches = sources}).empty());
  EXPECT_TRUE(Check(C::kName, C{.srcCacheCount = 2, .pSrcCaches = sources}).empty());
  EXPECT_TRUE(Check(C::kName, C{.dstCache = handle(4), .srcCacheCount = 3}).empty());
}

TEST(NegativeManualCacheRules, Merge) {
  TryMerge<vk::MergePipelineCaches, VkPipelineCache>("dstCache-00770");
  TryMerge<vk::MergeValidationCachesEXT, VkValidationCacheEXT>("dstCache-01536");
}

std::vector<uint8_t> DataOf(const std::vector<cache::Key>& keys, const cache::Uuid& build) {
  std::vector<uint8_t> data(cache::KeyDataSize(keys.size()));
  cache::WriteKeyData(keys, build, absl::MakeSpan(data));
  return data;
}

std::vector<std::string> CheckData(const std::vector<uint8_t>& data) {
  const VkValidationCacheCreateInfoEXT create = {.initialDataSize = data.size(), .pInitialData = data.data()};
  return Check("VkValidationCacheCreateInfoEXT", create);
}

TEST(NegativeManualCacheRules, InitialData) {
  using Ids = std::vector<std::string>;
  const Ids size = {"VUID-VkValidationCacheCreateInfoEXT-initialDataSize-01534"};
  const Ids content = {"VUID-VkValidationCacheCreateInfoEXT-initialDataSize-01535"};
  const std::vector<uint8_t> correct = DataOf({{1, 2}, {3, 4}}, cache::UuidOfThisLibrary());
  EXPECT_EQ(CheckData(correct), Ids());
  std::vector<uint8_t> data = correct;
  data.pop_back();
  EXPECT_EQ(CheckData(data), size);
  data.resize(30);
  EXPECT_EQ(CheckData(data), size);
  data.resize(10);
  EXPECT_EQ(CheckData(data), content);
  data = correct;
  data.back() ^= 1;
  EXPECT_EQ(CheckData(data), content);
  data = correct;
  data[0] = 25;
  EXPECT_EQ(CheckData(data), content);
}

TEST(PositiveManualCacheRules, InitialDataOfOthersIsIgnored) {
  std::vector<uint8_t> data = DataOf({{1, 2}}, cache::UuidOf("another build"));
  EXPECT_TRUE(CheckData(data).empty());
  // Its size and content are not ours to judge.
  data.pop_back();
  EXPECT_TRUE(CheckData(data).empty());
  EXPECT_TRUE(CheckData({}).empty());
  // The address is an error of its own.
  EXPECT_TRUE(Check("VkValidationCacheCreateInfoEXT", VkValidationCacheCreateInfoEXT{.initialDataSize = 5}).empty());
}

}  // namespace
}  // namespace assay::stateless
