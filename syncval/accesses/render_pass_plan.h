// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ACCESSES_RENDER_PASS_PLAN_H_
#define ASSAY_SYNCVAL_ACCESSES_RENDER_PASS_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "state/state.h"
#include "syncval/engine/engine.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// The dependencies and the layout transitions of a render pass object, computed once for all of its instances.
class RenderPassPlan {
 public:
  // An automatic layout transition.
  struct AutomaticTransition {
    uint32_t attachment;
    VkImageAspectFlags aspects;
    // Its scopes: see "Automatic layout transitions" in Vulkan, "Render Pass Creation". Its flags are those of
    // `dependency` if the application gave that, for the first scope only.
    Barrier barrier;
    // The subpass after it and the subpass before it; VK_SUBPASS_EXTERNAL for outside of the render pass.
    uint32_t src_subpass;
    uint32_t dst_subpass;
    // The dependency in RenderPass::dependencies that it comes after; kNoDependency for none.
    uint32_t dependency;
  };
  static constexpr uint32_t kNoDependency = ~0u;

  RenderPassPlan(const state::RenderPass& render_pass, VkQueueFlags queue_flags);

  const SubpassGraph& graph() const { return graph_; }
  // The transitions into a subpass; for VK_SUBPASS_EXTERNAL, the transitions to the final layouts.
  absl::Span<const AutomaticTransition> TransitionsInto(uint32_t subpass) const {
    return subpass == VK_SUBPASS_EXTERNAL ? transitions_.back() : transitions_[subpass];
  }

 private:
  void AddTransition(const state::RenderPass& render_pass, uint32_t attachment, const state::AttachmentLayouts& from,
                     const state::AttachmentLayouts& to, uint32_t src_subpass, uint32_t dst_subpass);

  SubpassGraph graph_;
  // By subpass, then the final ones.
  std::vector<std::vector<AutomaticTransition>> transitions_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ACCESSES_RENDER_PASS_PLAN_H_
