// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/vuid.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "gtest/gtest.h"
#include "vk/commands.h"

namespace assay::vk {
namespace {

TEST(Vuid, EveryIdIsFoundAndHasText) {
  for (uint32_t i = 0; i < kVuidCount; ++i) {
    const VuidInfo info = GetVuid(VuidIndex{i});
    ASSERT_EQ(VuidHash(info.id), kVuidHashes[i]);
    VuidIndex found{};
    ASSERT_TRUE(FindVuid(info.id, &found));
    ASSERT_EQ(found, VuidIndex{i});
    EXPECT_TRUE(info.id.starts_with("VUID-"));
    EXPECT_FALSE(info.text.empty()) << info.id;
    EXPECT_FALSE(info.text.starts_with(' ') || info.text.ends_with(' ')) << info.id;
    for (std::string_view markup : {"</", "<code", "&lt;", "&#", "latexmath", "  ", "\n", "\\"}) {
      EXPECT_EQ(info.text.find(markup), std::string_view::npos) << info.id << ": " << info.text;
    }
    EXPECT_TRUE(info.page.ends_with(".html")) << info.page;
  }
}

TEST(Vuid, Literal) {
  constexpr VuidIndex kSize = Vuid("VUID-vkCmdCopyBuffer-size-00115");
  const VuidInfo info = GetVuid(kSize);
  EXPECT_EQ(info.id, "VUID-vkCmdCopyBuffer-size-00115");
  EXPECT_EQ(info.text,
            "The size member of each element of pRegions must be less than or equal to the size of srcBuffer minus "
            "srcOffset");
  EXPECT_EQ(info.page, "chapters/copies.html");
}

TEST(Vuid, FamilyOfCommands) {
  EXPECT_EQ(GetVuid(CommandVuid<CmdDraw>("None-08600")).id, "VUID-vkCmdDraw-None-08600");
  EXPECT_EQ(GetVuid(CommandVuid<CmdDrawIndexed>("None-08600")).id, "VUID-vkCmdDrawIndexed-None-08600");
}

TEST(Vuid, FoundByOwnerAndRule) {
  EXPECT_EQ(FindVuidOf("vkCmdCopyBuffer", "size-00115"), Vuid("VUID-vkCmdCopyBuffer-size-00115"));
  EXPECT_EQ(FindVuidOf("vkCmdCopyBuffer", "size-99999"), kNoVuid);
  EXPECT_EQ(FindVuidOf("vkCmdCopy", "Buffer-size-00115"), kNoVuid);
}

TEST(Vuid, EachOwnerHasItsOwn) {
  for (uint32_t i = 0; i < kVuidCount; ++i) {
    const VuidInfo info = GetVuid(VuidIndex{i});
    const std::string_view owner = info.id.substr(5, info.id.find('-', 5) - 5);
    const std::span<const VuidIndex> ids = VuidsOf(owner);
    EXPECT_EQ(std::ranges::count(ids, VuidIndex{i}), 1) << info.id;
    for (const VuidIndex id : ids) EXPECT_TRUE(GetVuid(id).id.starts_with(info.id.substr(0, 6 + owner.size())));
  }
  EXPECT_TRUE(VuidsOf("vkCmdCopyBuf").empty());
  EXPECT_TRUE(VuidsOf("").empty());
  EXPECT_TRUE(VuidsOf("zz").empty());
}

TEST(Vuid, Unknown) {
  VuidIndex index{};
  EXPECT_FALSE(FindVuid("VUID-vkCmdCopyBuffer-size-99999", &index));
  EXPECT_FALSE(FindVuid("", &index));
}

}  // namespace
}  // namespace assay::vk
