// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LAYOUTS_LAYOUT_RULES_H_
#define ASSAY_CORE_LAYOUTS_LAYOUT_RULES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/descriptors/bound_shaders.h"
#include "core/draw/action_rules.h"
#include "core/layouts/known_layouts.h"
#include "core/recording/layout_entries.h"
#include "core/recording/recording_scope.h"
#include "core/recording/undoable_map.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

// Image layouts. The old layout of a barrier, and the layout that a command names for an image, must be the layout that
// the subresources are in.
//
// Within a recording that is decided at once. The layout that a recording expects of an image that it accesses for the
// first time is kept with the command buffer (LayoutRecording), together with the layout that it leaves. Those of a
// secondary command buffer are appended to the primary's. A submission compares them with the layouts of the device, in
// the order in which the state tracker makes batches ready.
//
// Nothing is reported where a layout may have changed unseen: for images that share memory with other images, devices
// or processes, for images whose planes are bound separately, and after the order of submissions became unknown
// (OnUnknownOrder). A submission that failed or was skipped leaves nothing, unless another thread has submitted in
// between. In a queue family ownership transfer, a release leaves the layout unknown and an acquire leaves its new
// layout.
//
// The layouts of images in descriptors are those of the images that every invocation of a shader accesses
// (ResourceAccesses). Nothing is recorded of attachments of the current render pass instance, whose layouts are those
// of its subpasses, of secondary command buffers that continue one, and under conditional rendering.
//
// Of the host's own copies and transitions, the layouts are compared at once, if the host knows that all batches that
// accessed the image are complete: another batch may change a layout before or after the host's access.
//
// Who knows only later which images a command buffer has accessed asks for the layouts of an execution
// (state::ExecutionLayouts): those of the device before it, and all changes of the recording with their positions.
namespace assay::core {

// The rule that each action command has under its own name, about the layouts of images in descriptors.
inline constexpr std::string_view kDescriptorLayoutRule = "None-09600";
// The ids of all commands for it, for //tools/coverage.
std::vector<vk::VuidIndex> DescriptorLayoutIds();

// The validator; checks and records recorded commands in one step. Needs the sub-states that CommandRules attaches.
class LayoutRules final : public state::QueueObserver {
 public:
  // state must outlive it.
  explicit LayoutRules(state::DeviceState& state);

  void PreCallValidate(const vk::CmdPipelineBarrier& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdPipelineBarrier2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdWaitEvents& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdWaitEvents2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyImage& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyImage2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdBlitImage& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdBlitImage2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdResolveImage& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdResolveImage2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyBufferToImage& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyBufferToImage2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyImageToBuffer& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyImageToBuffer2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdClearColorImage& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdClearDepthStencilImage& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyMemoryToImageIndirectNV& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdBeginRenderPass& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdBeginRenderPass2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdBeginRendering& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdExecuteCommands& call, dispatch::Slot& slot, messages::Report& report);
  // The images that shaders access through descriptors.
  template <ActionCommand C>
  void PreCallValidate(const C& call, dispatch::Slot& slot, messages::Report& report) {
    static const vk::VuidIndex rule = vk::FindVuidOf(C::kName, kDescriptorLayoutRule);
    RecordingScope* const scope = DrawingScopeIn(slot);
    const std::optional<ActionForm> form = FormOf(call);
    if (scope == nullptr || !form || RunsNothing(call)) return;
    if (scope->recorded_layouts[form->point] == RecordedAt(form->point, *scope, slot)) return;
    RecordDescriptors(form->point, rule, slot, *scope, report);
  }
  template <ActionCommand C>
  void PostCallRecord(const C& call, dispatch::Slot& slot) {
    RecordingScope* const scope = DrawingScopeIn(slot);
    const std::optional<ActionForm> form = FormOf(call);
    if (scope != nullptr && form && !RunsNothing(call))
      scope->recorded_layouts[form->point] = RecordedAt(form->point, *scope, slot);
  }
  void PostCallRecord(const vk::CmdEndRenderPass& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdEndRenderPass2& call, dispatch::Slot& slot);

  void PreCallValidate(const vk::QueueSubmit& call, messages::Report& report);
  void PreCallValidate(const vk::QueueSubmit2& call, messages::Report& report);
  void PreCallValidate(const vk::QueuePresentKHR& call, messages::Report& report);
  // These may let batches execute that were submitted before.
  void PreCallValidate(const vk::QueueBindSparse& call, messages::Report& report);
  void PreCallValidate(const vk::SignalSemaphore& call, messages::Report& report);

  // Copies and transitions by the host.
  void PreCallValidate(const vk::CopyMemoryToImage& call, messages::Report& report) const;
  void PreCallValidate(const vk::CopyImageToMemory& call, messages::Report& report) const;
  void PreCallValidate(const vk::CopyImageToImage& call, messages::Report& report) const;
  void PreCallValidate(const vk::TransitionImageLayout& call, messages::Report& report) const;

  // Commands that change or end layouts without a queue.
  void PostCallRecord(const vk::TransitionImageLayout& call, VkResult result);
  void PostCallRecord(const vk::ReleaseSwapchainImagesEXT& call, VkResult result);
  void PreCallRecord(const vk::DestroyImage& call);
  void PreCallRecord(const vk::DestroySwapchainKHR& call);

  void OnSubmit() override;
  void OnUndo() override;
  void OnBatch(state::SubmittedBatch& batch, uint64_t version) override;
  void OnUnknownOrder() override;

  // For tests: all that it knows, as text (core_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump);

 private:
  static RecordingScope::RecordedLayouts RecordedAt(DrawRecording::BindPoint point, const RecordingScope& scope,
                                                    const dispatch::Slot& slot) {
    const state::CommandBuffer& buffer = *state::DeviceState::CommandBufferIn(slot);
    return {UsedAt(point, buffer, scope), scope.layouts.command()};
  }
  // Null where it is not known what is bound, or which layouts the attachments have.
  RecordingScope* DrawingScopeIn(const dispatch::Slot& slot) const;
  void RecordDescriptors(DrawRecording::BindPoint point, vk::VuidIndex rule, const dispatch::Slot& slot,
                         const RecordingScope& scope, messages::Report& report) const;
  template <class C>
  void CheckSubmission(const C& call, messages::Report& report);
  template <class C>
  void CheckHostCopy(const C& call, messages::Report& report) const;
  // The layouts of an image that no pending batch has accessed; nothing for other images.
  std::optional<LayoutEntries> SettledLayouts(const state::Image& image) const;
  // Adds the layouts of an execution that is about to change them, for who wants them.
  void AddLayouts(state::SubmittedCommandBuffer& submitted) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // layouts_ as they are now; the last copy, if there was no change since.
  std::shared_ptr<const ImageLayouts> CopyLayouts() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  state::DeviceState& state_;
  // Whether the host may copy and transition images.
  const bool has_host_copies_;
  // Whether command buffers inherit what the queue has bound.
  const bool inherits_;
  mutable absl::Mutex mutex_;
  // By state::Image::address.
  UndoableMap<uint64_t, LayoutEntries> layouts_ ABSL_GUARDED_BY(mutex_);
  // The last batch of each queue that accessed the image, also by state::Image::address. Empty without host copies.
  UndoableMap<uint64_t, state::QueuePoints> uses_ ABSL_GUARDED_BY(mutex_);
  // Null after a change of layouts_.
  std::shared_ptr<const ImageLayouts> copy_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_LAYOUTS_LAYOUT_RULES_H_
