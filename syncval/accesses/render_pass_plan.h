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

// What a render pass orders and which layouts it changes, worked out once for all of its instances.
class RenderPassPlan {
 public:
  // An automatic layout transition.
  struct AutomaticTransition {
    uint32_t attachment;
    VkImageAspectFlags aspects;
    // The scopes that it is between: see "Automatic layout transitions" in Vulkan, "Render Pass Creation". Its flags
    // are those of `dependency`, for the first scope alone, if the application wrote that.
    Barrier barrier;
    // Into this subpass, from this one; VK_SUBPASS_EXTERNAL for what is outside.
    uint32_t src_subpass;
    uint32_t dst_subpass;
    // A dependency that it follows upon, of RenderPass::dependencies; kNoDependency if it follows upon nothing.
    uint32_t dependency;
  };
  static constexpr uint32_t kNoDependency = ~0u;

  RenderPassPlan(const state::RenderPass& render_pass, VkQueueFlags queue_flags);

  const SubpassGraph& graph() const { return graph_; }
  // Those into a subpass, and those to the final layouts for VK_SUBPASS_EXTERNAL.
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
