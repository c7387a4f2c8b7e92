// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/layouts/known_layouts.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/layouts/layout_test.h"
#include "core/layouts/tracked_images.h"
#include "core/recording/layout_box.h"
#include "core/recording/layout_entries.h"
#include "core/recording/layout_recording.h"
#include "state/state.h"
#include "vk/command_id.h"

namespace assay::core {
namespace {

using Mismatch = state::ExecutionLayouts::Mismatch;

// An image of two levels, and a view of all.
class KnownLayoutsTest : public LayoutRulesTest {
 protected:
  void SetUp() override {
    LayoutRulesTest::SetUp();
    view_ = state::DeviceState::Get<state::ImageView>(MakeView(MakeColor(2)));
    ASSERT_NE(view_, nullptr);
  }

  LayoutChange Change(uint32_t position, VkImageLayout left, uint32_t level_begin = 0, uint32_t level_end = 2) const {
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, level_begin, level_end - level_begin, 0, 1};
    return {view_->image->address, BoxOf(*view_->image, LayoutAspect::kFirst, range), left,
            vk::CommandId::kCmdPipelineBarrier, position};
  }
  // The layouts of an execution before which the image is in a layout.
  KnownLayouts Execution(VkImageLayout before, const std::vector<LayoutChange>& changes) const {
    auto layouts = std::make_shared<ImageLayouts>();
    LayoutEntries& entries = (*layouts)[view_->image->address];
    const LayoutChange change = Change(0, before);
    entries.Access(change.box, {.left = change.left, .left_by = change.left_by}, [](const LayoutMismatch&) {});
    return {std::move(layouts), changes};
  }
  bool Matches(const KnownLayouts& layouts, VkImageLayout layout, uint32_t position) const {
    return !layouts.FindMismatch(*view_, layout, position).has_value();
  }

  const state::ImageView* view_ = nullptr;
};

TEST_F(KnownLayoutsTest, ImagesThatNoBatchHasAccessedAreAsTheyWereMade) {
  const KnownLayouts layouts(std::make_shared<ImageLayouts>(), {});
  const std::optional<Mismatch> mismatch = layouts.FindMismatch(*view_, kGeneral, 1);
  ASSERT_TRUE(mismatch.has_value());
  EXPECT_EQ(mismatch->actual, kUndefined);
  EXPECT_EQ(mismatch->left_by, vk::CommandId::kCreateImage);
  EXPECT_EQ(mismatch->level, 0u);
  EXPECT_FALSE(mismatch->is_stencil);
}

TEST_F(KnownLayoutsTest, ChangesCountForTheCommandsBehindThem) {
  const KnownLayouts layouts = Execution(kGeneral, {Change(3, kSource), Change(5, kTarget)});
  EXPECT_TRUE(Matches(layouts, kGeneral, 1));
  EXPECT_TRUE(Matches(layouts, kGeneral, 3));
  EXPECT_FALSE(Matches(layouts, kGeneral, 4));
  EXPECT_TRUE(Matches(layouts, kSource, 4));
  EXPECT_TRUE(Matches(layouts, kSource, 5));
  EXPECT_TRUE(Matches(layouts, kTarget, 6));
  EXPECT_EQ(layouts.FindMismatch(*view_, kSource, 6)->actual, kTarget);
}

TEST_F(KnownLayoutsTest, AllSubresourcesOfTheViewCount) {
  const KnownLayouts layouts = Execution(kGeneral, {Change(3, kSource, 1, 2)});
  EXPECT_FALSE(Matches(layouts, kSource, 4));
  const std::optional<Mismatch> mismatch = layouts.FindMismatch(*view_, kGeneral, 4);
  ASSERT_TRUE(mismatch.has_value());
  EXPECT_EQ(mismatch->level, 1u);
  EXPECT_EQ(mismatch->actual, kSource);
}

TEST_F(KnownLayoutsTest, NothingIsSaidOfUnknownLayouts) {
  LayoutChange whole = Change(3, kAnyLayout);
  whole.box = {};
  const KnownLayouts layouts = Execution(kGeneral, {whole});
  EXPECT_TRUE(Matches(layouts, kGeneral, 4));
  EXPECT_TRUE(Matches(layouts, kSource, 4));
  EXPECT_FALSE(Matches(layouts, kSource, 3));
  const KnownLayouts attachment = Execution(kGeneral, {Change(3, kAnyLayout), Change(7, kSource)});
  EXPECT_TRUE(Matches(attachment, kTarget, 5));
  EXPECT_FALSE(Matches(attachment, kTarget, 8));
  EXPECT_TRUE(Matches(attachment, kSource, 8));
  // The render pass instance has not ended.
  const KnownLayouts open = Execution(kGeneral, {Change(3, kAnyLayout), Change(LayoutChange::kAtEnd, kSource)});
  EXPECT_TRUE(Matches(open, kTarget, 1000));
}

TEST_F(KnownLayoutsTest, OtherImagesDoNotCount) {
  LayoutChange other = Change(3, kSource);
  other.address += 256;
  EXPECT_TRUE(Matches(Execution(kGeneral, {other}), kGeneral, 4));
}

}  // namespace
}  // namespace assay::core
