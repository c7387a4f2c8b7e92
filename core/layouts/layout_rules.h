// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LAYOUTS_LAYOUT_RULES_H_
#define ASSAY_CORE_LAYOUTS_LAYOUT_RULES_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/recording/layout_map.h"
#include "core/recording/recording_scope.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

// The layouts of images: what barriers say they were, and what commands say they are, must be so.
//
// Within a recording that is decided at once. What a recording expects of an image that it has not used before is kept
// with the command buffer (LayoutRecording), together with the layout that it leaves; a secondary command buffer's goes
// over to the primary that executes it. At submission both meet the layouts that the device has by then, in the order
// in which the state tracker makes batches ready.
//
// Nothing is said where a layout may be other than what is seen here: of images that share memory with others, or with
// other devices or processes, whose planes are bound apart, or that go to and fro between queue families (a release
// leaves nothing known, an acquire what it says); nor after a submission that failed.
namespace assay::core {

// The validator; checks and records recorded commands in one step. Needs the sub-states that CommandRules attaches.
class LayoutRules : public state::QueueObserver {
 public:
  // state must outlive it.
  explicit LayoutRules(state::DeviceState& state);

  void PreCallValidate(const vk::CmdPipelineBarrier& call, messages::Report& report);
  void PreCallValidate(const vk::CmdPipelineBarrier2& call, messages::Report& report);
  void PreCallValidate(const vk::CmdWaitEvents& call, messages::Report& report);
  void PreCallValidate(const vk::CmdWaitEvents2& call, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyImage& call, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyImage2& call, messages::Report& report);
  void PreCallValidate(const vk::CmdBlitImage& call, messages::Report& report);
  void PreCallValidate(const vk::CmdBlitImage2& call, messages::Report& report);
  void PreCallValidate(const vk::CmdResolveImage& call, messages::Report& report);
  void PreCallValidate(const vk::CmdResolveImage2& call, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyBufferToImage& call, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyBufferToImage2& call, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyImageToBuffer& call, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyImageToBuffer2& call, messages::Report& report);
  void PreCallValidate(const vk::CmdClearColorImage& call, messages::Report& report);
  void PreCallValidate(const vk::CmdClearDepthStencilImage& call, messages::Report& report);
  void PreCallValidate(const vk::CmdBeginRenderPass& call, messages::Report& report);
  void PreCallValidate(const vk::CmdBeginRenderPass2& call, messages::Report& report);
  void PreCallValidate(const vk::CmdBeginRendering& call, messages::Report& report);
  void PreCallValidate(const vk::CmdExecuteCommands& call, messages::Report& report);

  void PreCallValidate(const vk::QueueSubmit& call, messages::Report& report);
  void PreCallValidate(const vk::QueueSubmit2& call, messages::Report& report);
  void PreCallValidate(const vk::QueuePresentKHR& call, messages::Report& report);

  // What changes layouts beside the queues.
  void PostCallRecord(const vk::TransitionImageLayout& call, VkResult result);
  void PostCallRecord(const vk::ReleaseSwapchainImagesEXT& call, VkResult result);
  void PreCallRecord(const vk::DestroyImage& call);

  void OnBatch(state::SubmittedBatch& batch, uint64_t version) override;
  void OnUnknownOrder() override;

 private:
  // By state::Image::address.
  using Layouts = absl::flat_hash_map<uint64_t, LayoutEntries>;

  LayoutEntries& DeviceLayoutsOf(const state::Image& image) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  template <class C>
  void CheckSubmission(const C& call, messages::Report& report);

  state::DeviceState& state_;
  absl::Mutex mutex_;
  Layouts layouts_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_LAYOUTS_LAYOUT_RULES_H_
