// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LAYOUTS_LAYOUT_RECORDER_H_
#define ASSAY_CORE_LAYOUTS_LAYOUT_RECORDER_H_

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "core/layouts/tracked_images.h"
#include "core/recording/layout_box.h"
#include "core/recording/layout_entries.h"
#include "core/recording/layout_recording.h"
#include "core/recording/recording_scope.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Private to the package: records the layouts of commands.
namespace assay::core {

// Records the layouts that one command expects and leaves, and reports mismatches. Records nothing for a call that is
// to be skipped, and undoes what it recorded when another validator makes the call be skipped.
class LayoutRecorder {
 public:
  // slot is that of the command buffer.
  LayoutRecorder(const dispatch::Slot& slot, messages::Report& report)
      : report_(report), object_{slot.type, slot.application_handle} {
    buffer_ = state::DeviceState::CommandBufferIn(slot);
    if (buffer_ != nullptr && !report.skip()) scope_ = buffer_->Sub<RecordingScope>();
    if (scope_ == nullptr) return;
    scope_->layouts.BeginCommand();
    report.OnSkip([](void* scope) { static_cast<RecordingScope*>(scope)->layouts.UndoCommand(); }, scope_);
  }

  bool is_recording() const { return scope_ != nullptr; }
  uint32_t family() const { return buffer_->pool.queue_family; }

  // When an access has changed a layout: with its command; or when the render pass instance ends that the command
  // begins, and until then in ways that its subpasses say.
  enum class Left : uint8_t { kByCommand, kByEndOfInstance };

  // Accesses a range of an image. where leads to the expected layout.
  void Access(const state::Image& image, const VkImageSubresourceRange& range, VkImageLayout expected,
              VkImageLayout left, vk::VuidIndex rule, const messages::Location& where, Left when = Left::kByCommand) {
    Access(image, range, {expected, left, rule}, when,
           [&](const LayoutMismatch& mismatch) { ReportMismatch(mismatch, image, where); });
  }
  // The same with report(mismatch), which calls ReportMismatch(), where making a location for each access costs too
  // much.
  template <class F>
  void Access(const state::Image& image, const VkImageSubresourceRange& range, const LayoutAccess& access, Left when,
              F&& report) {
    LayoutEntries& entries = scope_->layouts.Change(image.handle(), image.address);
    ForEachBox(image, range, [&](const LayoutBox& box, bool is_color) {
      const LayoutAccess of_box = {LayoutOf(box.aspect, is_color, access.expected),
                                   LayoutOf(box.aspect, is_color, access.left), access.rule, report_.command(),
                                   report_.command()};
      entries.Access(box, of_box, report);
      NoteChange(image.address, box, of_box, when);
    });
  }
  [[gnu::noinline, gnu::cold]] void ReportMismatch(const LayoutMismatch& mismatch, const state::Image& image,
                                                   const messages::Location& where) {
    const messages::ObjectRef object = {VK_OBJECT_TYPE_IMAGE, image.handle()};
    report_.Error(mismatch.access.rule, {object_, object}, where,
                  absl::StrCat("(", LayoutText(mismatch.access.expected), ") is not the layout of ",
                               SubresourceText(mismatch.box, object, report_.reporter()), ", which ",
                               CommandText(mismatch.command), " left in ", LayoutText(mismatch.actual), "."),
                  FixText(mismatch));
  }
  // Accesses an image as the i-th recording does that the command executes. where leads to the handle of that command
  // buffer.
  void Access(const LayoutRecording::ImageEntries& executed, uint32_t i, const messages::Location& where) {
    // The state tracker adds those of the command later.
    executed_ = static_cast<uint32_t>(buffer_->executed.size()) + i;
    LayoutEntries& entries = scope_->layouts.Change(executed.image, executed.address);
    if (executed.layouts.is_unknown()) {
      NoteChange(executed.address, {}, {.left_by = report_.command()}, Left::kByCommand);
      return entries.SetAllUnknown();
    }
    const messages::ObjectRef object = {VK_OBJECT_TYPE_IMAGE, executed.image};
    for (const LayoutEntry& entry : executed.layouts.entries()) {
      LayoutAccess access = entry.first;
      access.left = entry.last;
      access.left_by = entry.last_command;
      NoteChange(executed.address, entry.box, access, Left::kByCommand);
      entries.Access(entry.box, access, [&](const LayoutMismatch& mismatch) {
        report_.Error(mismatch.access.rule, {object_, object}, where,
                      absl::StrCat("executes ", CommandText(mismatch.access.command), ", which expects ",
                                   SubresourceText(mismatch.box, object, report_.reporter()), " in ",
                                   LayoutText(mismatch.access.expected), ", but ", CommandText(mismatch.command),
                                   " left it in ", LayoutText(mismatch.actual), "."),
                      FixText(mismatch));
      });
    }
  }

 private:
  void NoteChange(uint64_t address, const LayoutBox& box, const LayoutAccess& access, Left when) {
    LayoutRecording& layouts = scope_->layouts;
    if (!layouts.keeps_changes() || (access.left == access.expected && access.left != kAnyLayout)) return;
    // The command is counted when all validators have seen it.
    LayoutChange change = {address, box, access.left, access.left_by, buffer_->command_count + 1, executed_};
    if (when == Left::kByEndOfInstance) {
      change.left = kAnyLayout;
      layouts.NoteChange(change);
      change.left = access.left;
      change.position = LayoutChange::kAtEnd;
    }
    layouts.NoteChange(change);
  }
  messages::Report& report_;
  const messages::ObjectRef object_;
  const state::CommandBuffer* buffer_ = nullptr;
  RecordingScope* scope_ = nullptr;
  // LayoutChange::executed.
  uint32_t executed_ = 0;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_LAYOUTS_LAYOUT_RECORDER_H_
