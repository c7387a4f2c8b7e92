// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/accesses/ordering.h"

#include <array>
#include <cstddef>

namespace assay::syncval {
namespace {

constexpr VkAccessFlags2 kColor = VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
                                  VK_ACCESS_2_COLOR_ATTACHMENT_READ_NONCOHERENT_BIT_EXT |
                                  VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT;
constexpr VkAccessFlags2 kDepthStencil = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                         VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT |
                                         VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT;

SyncAccessMask PairsWith(VkAccessFlags2 accesses) {
  SyncAccessMask result;
  const auto pairs = vk::SyncStageAccesses();
  for (size_t i = 1; i < pairs.size(); ++i) {
    if ((pairs[i].access & accesses) != 0) result.Set(static_cast<vk::SyncAccessIndex>(i));
  }
  return result;
}

}  // namespace

const SyncAccessMask& OrderedAccesses(OrderingRule rule) {
  static const std::array<SyncAccessMask, 6> masks = {SyncAccessMask(),         PairsWith(kColor),
                                                      PairsWith(kDepthStencil), PairsWith(kColor | kDepthStencil),
                                                      SyncAccessMask(),         SyncAccessMask()};
  return masks[static_cast<size_t>(rule)];
}

}  // namespace assay::syncval
