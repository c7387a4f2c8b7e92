// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_RECORDING_SCOPE_H_
#define ASSAY_CORE_RECORDING_RECORDING_SCOPE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "core/recording/content_needs.h"
#include "core/recording/draw_recording.h"
#include "core/recording/event_recording.h"
#include "core/recording/layout_recording.h"
#include "core/recording/rendering_chain.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/vulkan.h"

namespace assay::core {

struct CodingScope;

// The scopes of a command buffer that is being recorded. Each scope has a bit for inside and one for outside, so one
// mask holds all in which a command must not be recorded.
enum RecordingScopeBit : uint8_t {
  kInsideRenderPass = 1,
  kOutsideRenderPass = 2,
  kInsideVideoCoding = 4,
  kOutsideVideoCoding = 8,
};

// A queue family ownership transfer: a barrier that releases a resource from the command buffer's queue family, or
// acquires it for that family.
struct OwnershipTransfer {
  messages::ObjectRef resource;
  bool is_release = false;
  uint32_t src_family = 0;
  uint32_t dst_family = 0;
  // Of buffers.
  VkDeviceSize offset = 0;
  VkDeviceSize size = 0;
  // Of images.
  VkImageLayout old_layout = VK_IMAGE_LAYOUT_UNDEFINED;
  VkImageLayout new_layout = VK_IMAGE_LAYOUT_UNDEFINED;
  VkImageSubresourceRange range = {};
};

// A query that was begun in a command buffer and not ended yet.
struct ActiveQuery {
  VkQueryPool pool = VK_NULL_HANDLE;
  uint32_t query = 0;
  // Of vkCmdBeginQueryIndexedEXT; 0 for vkCmdBeginQuery.
  uint32_t index = 0;
  // Where it was begun: RecordingScope::instance(), and the subpass of that.
  uint32_t instance = 0;
  uint32_t subpass = 0;
};

// What a secondary command buffer was begun with, besides its render pass instance (VkCommandBufferInheritanceInfo).
struct Inheritance {
  bool has_occlusion_queries = false;
  VkQueryControlFlags query_flags = 0;
  VkQueryPipelineStatisticFlags statistics = 0;
  // VkAttachmentSampleCountInfoAMD.
  std::optional<AttachmentSamples> samples;
};

// The push constants that were set with a pipeline layout: a bit for each of the first 64 words.
struct PushedConstants {
  VkPipelineLayout layout = VK_NULL_HANDLE;
  uint64_t words = 0;
};

// The shaders and descriptor sets of an action command: equal where nothing else was bound.
struct UsedDescriptors {
  uint64_t shaders = 0;
  uint64_t sets_key = 0;
  uint64_t layouts_key = 0;
  // Of draws: the version of the render pass instance, and what vkCmdSetAttachmentFeedbackLoopEnableEXT has set.
  uint32_t rendering = 0;
  VkImageAspectFlags feedback_loops = 0;
  friend bool operator==(const UsedDescriptors&, const UsedDescriptors&) = default;
};

// Core's part of a command buffer: what its recording has done so far, as far as core's rules need it. CommandRules
// attaches it; the validators of the other rooms write their members.
class RecordingScope : public state::CommandBufferSubState {
 public:
  static constexpr state::SubStateSlot kSlot = state::SubStateSlot::kCore;

  // Bits of RecordingScopeBit: one for each scope.
  uint8_t bits() const { return bits_; }
  void SetInRenderPass(bool inside) {
    events.NoteDependency();
    if (inside) ++instances_;
    bits_ = static_cast<uint8_t>((bits_ & ~(kInsideRenderPass | kOutsideRenderPass)) |
                                 (inside ? kInsideRenderPass : kOutsideRenderPass));
  }
  // The number of the current render pass instance in the recording, from 1 on; 0 outside.
  uint32_t instance() const { return (bits_ & kInsideRenderPass) != 0 ? instances_ : 0; }
  // Whether vkCmdBeginRendering began the current render pass instance. True, too, in a secondary command buffer that
  // continues such an instance.
  bool in_rendering() const { return in_rendering_ && (bits_ & kInsideRenderPass) != 0; }
  void SetInRendering(bool inside) {
    SetInRenderPass(inside);
    in_rendering_ = inside;
  }
  void SetInVideoCoding(bool inside) {
    bits_ = static_cast<uint8_t>((bits_ & ~(kInsideVideoCoding | kOutsideVideoCoding)) |
                                 (inside ? kInsideVideoCoding : kOutsideVideoCoding));
  }

  // In the order of recording.
  std::vector<OwnershipTransfer> transfers;
  // The layouts that the recording expects and leaves.
  LayoutRecording layouts;
  // The sets, resets and waits of events.
  EventRecording events;
  // The suspended and resumed render pass instances.
  RenderingChain rendering_chain;
  // What draws, dispatches and traces need bound and set.
  DrawRecording draw;
  // What the recorded commands need objects to contain, where that was not certain when they were recorded.
  std::vector<ContentNeed> needs;
  // The last action command whose descriptors were found right, and the last whose needs were added.
  std::array<UsedDescriptors, DrawRecording::kBindPoints> checked_descriptors;
  std::array<UsedDescriptors, DrawRecording::kBindPoints> noted_descriptors;
  // The last one whose layouts were recorded, with LayoutRecording::command().
  struct RecordedLayouts {
    UsedDescriptors used;
    uint64_t command = 0;
    friend bool operator==(const RecordedLayouts&, const RecordedLayouts&) = default;
  };
  std::array<RecordedLayouts, DrawRecording::kBindPoints> recorded_layouts;
  // The aspects of the depth/stencil attachment that draws have accessed as another image, in the render pass instance
  // with that version.
  struct AccessedAspects {
    uint32_t rendering = 0;
    VkImageAspectFlags aspects = 0;
  };
  AccessedAspects accessed_aspects;
  // By layout. Of more than kMostPushed layouts, none is known.
  static constexpr size_t kMostPushed = 16;
  std::vector<PushedConstants> pushed;
  bool has_unknown_pushes = false;
  // In the order in which they were begun.
  std::vector<ActiveQuery> active_queries;
  // Where conditional rendering was begun last: instance(), and the subpass of that.
  struct Place {
    uint32_t instance = 0;
    uint32_t subpass = 0;
  };
  Place conditional;
  // Null outside of video coding scopes, and where the session is not known (core/video).
  std::shared_ptr<CodingScope> coding;
  // Of a secondary command buffer.
  Inheritance inheritance;
  // The last batch that executes the command buffer; its queue is null for none. Guarded like the progress of queues
  // (state::DeviceState::InspectQueues).
  state::QueuePoint submitted;
  // The same before the submission of that batch, which may fail or be skipped.
  state::QueuePoint submitted_before;

  void OnReset() override {
    bits_ = kOutside;
    in_rendering_ = false;
    instances_ = 0;
    transfers.clear();
    layouts.Clear();
    events.Clear();
    rendering_chain = {};
    needs.clear();
    checked_descriptors = {};
    pushed.clear();
    has_unknown_pushes = false;
    noted_descriptors = {};
    recorded_layouts = {};
    accessed_aspects = {};
    active_queries.clear();
    conditional = {};
    coding = nullptr;
    inheritance = {};
    draw.Begin(false);
  }
  // A secondary command buffer may continue a render pass instance of the primary.
  void OnBegin(const VkCommandBufferBeginInfo& info) override {
    OnReset();
    SetInRenderPass((info.flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT) != 0 && is_secondary_);
    if (!is_secondary_ || info.pInheritanceInfo == nullptr) return;
    in_rendering_ = info.pInheritanceInfo->renderPass == VK_NULL_HANDLE;
    inheritance = {.has_occlusion_queries = info.pInheritanceInfo->occlusionQueryEnable != VK_FALSE,
                   .query_flags = info.pInheritanceInfo->queryFlags,
                   .statistics = info.pInheritanceInfo->pipelineStatistics};
    const auto* const samples = vk::FindInChain<VkAttachmentSampleCountInfoAMD>(info.pInheritanceInfo->pNext);
    if (samples != nullptr) {
      inheritance.samples =
          AttachmentSamples{state::ItemList(samples->pColorAttachmentSamples, samples->colorAttachmentCount),
                            samples->depthStencilAttachmentSamples};
    }
    const auto* const inherited =
        vk::FindInChain<VkCommandBufferInheritanceViewportScissorInfoNV>(info.pInheritanceInfo->pNext);
    draw.Begin(inherited != nullptr && inherited->viewportScissor2D != VK_FALSE);
  }
  void OnExecute(absl::Span<const state::ExecutedSecondary>) override { draw.Forget(); }

  // keeps_layout_changes is for LayoutRecording.
  explicit RecordingScope(bool is_secondary, bool keeps_layout_changes = false)
      : layouts(keeps_layout_changes), is_secondary_(is_secondary) {}

 private:
  static constexpr uint8_t kOutside = kOutsideRenderPass | kOutsideVideoCoding;

  const bool is_secondary_;
  uint8_t bits_ = kOutside;
  bool in_rendering_ = false;
  uint32_t instances_ = 0;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_RECORDING_SCOPE_H_
