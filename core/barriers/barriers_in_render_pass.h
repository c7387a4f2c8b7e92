// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BARRIERS_BARRIERS_IN_RENDER_PASS_H_
#define ASSAY_CORE_BARRIERS_BARRIERS_IN_RENDER_PASS_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "core/barriers/barriers.h"
#include "core/barriers/recorded_command.h"
#include "core/barriers/subpass_barriers.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vulkan.h"

// Private to the package: the rules of pipeline barriers inside render pass instances.
namespace assay::core {

// All barriers of a command together; made inside render pass instances alone.
struct BarrierSummary {
  VkPipelineStageFlags2 src_stages = 0;
  VkPipelineStageFlags2 dst_stages = 0;
  VkAccessFlags2 accesses = 0;
  VkDependencyFlags flags = 0;
  uint32_t buffers = 0;
  uint32_t images = 0;
  bool has_transfer = false;
  bool has_transition = false;

  template <class Barrier>
  void Add(const Barrier& barrier) {
    accesses |= barrier.srcAccessMask | barrier.dstAccessMask;
    if constexpr (requires { barrier.srcStageMask; }) {
      src_stages |= barrier.srcStageMask;
      dst_stages |= barrier.dstStageMask;
    }
    if constexpr (requires { barrier.srcQueueFamilyIndex; }) has_transfer |= FamiliesOf(barrier).differ();
    if constexpr (requires { barrier.oldLayout; }) has_transition |= barrier.oldLayout != barrier.newLayout;
  }
  // VkDependencyInfo, or a command with the same members.
  template <class Dependency>
  void AddAll(const Dependency& d) {
    for (const auto& b : state::Items(d.pMemoryBarriers, d.memoryBarrierCount)) Add(b);
    for (const auto& b : state::Items(d.pBufferMemoryBarriers, d.bufferMemoryBarrierCount)) Add(b);
    for (const auto& b : state::Items(d.pImageMemoryBarriers, d.imageMemoryBarrierCount)) Add(b);
    flags |= d.dependencyFlags;
    buffers += d.bufferMemoryBarrierCount;
    images += d.imageMemoryBarrierCount;
  }
};

// Rules of all barriers of the command together. C is vk::CmdPipelineBarrier or vk::CmdPipelineBarrier2.
template <class C>
[[gnu::noinline, gnu::cold]] void CheckInRenderPass(const RecordedCommand& recorded, const BarrierSummary& summary,
                                                    const messages::Location& command);

// Rules of the current subpass. d is the command, or its VkDependencyInfo; where leads to it.
template <class C, class Dependency>
void CheckSubpass(const RecordedCommand& recorded, const Dependency& d, const messages::Location& where) {
  absl::InlinedVector<VkImage, 8> images;
  for (const auto& b : state::Items(d.pImageMemoryBarriers, d.imageMemoryBarrierCount)) images.push_back(b.image);
  CheckSubpassBarrier(recorded.check, recorded.buffer.rendering, kSubpassBarrierIds<C>, d.dependencyFlags, images,
                      where);
}

}  // namespace assay::core

#endif  // ASSAY_CORE_BARRIERS_BARRIERS_IN_RENDER_PASS_H_
