// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/frames/hidden_extensions.h"

#include <array>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::test {
namespace {

constexpr std::array<VkExtensionProperties, 3> kExtensions = {{{"VK_EXT_a", 1}, {"VK_EXT_b", 2}, {"VK_EXT_bc", 3}}};

std::vector<std::string> NamesWithout(std::string_view hidden) {
  std::vector<std::string> names;
  for (const VkExtensionProperties& extension : WithoutHidden(kExtensions, hidden)) {
    names.emplace_back(extension.extensionName);
  }
  return names;
}

TEST(HiddenExtensionsTest, ListedOnesAreHidden) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(NamesWithout(""), (Names{"VK_EXT_a", "VK_EXT_b", "VK_EXT_bc"}));
  EXPECT_EQ(NamesWithout("VK_EXT_b"), (Names{"VK_EXT_a", "VK_EXT_bc"}));
  EXPECT_EQ(NamesWithout("VK_EXT_a,VK_EXT_none,VK_EXT_bc"), (Names{"VK_EXT_b"}));
}

TEST(HiddenExtensionsTest, EnumeratesAsTheCommandDoes) {
  uint32_t count = 0;
  EXPECT_EQ(Enumerate(kExtensions, &count, nullptr), VK_SUCCESS);
  EXPECT_EQ(count, 3u);
  std::vector<VkExtensionProperties> properties(4);
  count = 2;
  EXPECT_EQ(Enumerate(kExtensions, &count, properties.data()), VK_INCOMPLETE);
  EXPECT_EQ(count, 2u);
  EXPECT_STREQ(properties[1].extensionName, "VK_EXT_b");
  EXPECT_EQ(properties[2].specVersion, 0u);
  count = 4;
  EXPECT_EQ(Enumerate(kExtensions, &count, properties.data()), VK_SUCCESS);
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(properties[2].specVersion, 3u);
}

}  // namespace
}  // namespace assay::test
