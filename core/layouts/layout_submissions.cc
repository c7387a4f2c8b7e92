// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts of the device: submissions, presents and commands of the host.

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/layouts/layout_rules.h"
#include "core/layouts/tracked_images.h"
#include "core/recording/presentable_images.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Report;
using state::DeviceState;
using state::Items;

auto InitializeFor(const state::Image& image) {
  return [&image](LayoutEntries& entries) { InitializeLayouts(image, entries); };
}

// Applies what a command buffer executes to the layouts at(image); calls on_mismatch(mismatch, image, command_buffer)
// for each mismatch.
template <class At, class S>
void Execute(const state::SubmittedCommandBuffer& submitted, const At& at, const S& on_mismatch) {
  const auto* scope = submitted.state ? submitted.state->Sub<RecordingScope>() : nullptr;
  if (scope == nullptr) return;
  for (const LayoutRecording::ImageEntries& entries : scope->layouts.images()) {
    const state::Image* image = TrackedImage(reinterpret_cast<VkImage>(entries.image));
    if (image == nullptr || image->address != entries.address) continue;
    LayoutEntries& layouts = at(*image);
    if (entries.layouts.is_unknown()) layouts.SetAllUnknown();
    for (const LayoutEntry& entry : entries.layouts.entries()) {
      LayoutAccess access = entry.first;
      access.left = entry.last;
      access.left_by = entry.last_command;
      layouts.Access(entry.box, access,
                     [&](const LayoutMismatch& mismatch) { on_mismatch(mismatch, *image, submitted.handle); });
    }
  }
}

// Of each queue, the last batch is enough: its serials grow.
void NoteUse(state::QueuePoint batch, state::QueuePoints& uses) {
  for (state::QueuePoint& use : uses) {
    if (use.queue != batch.queue) continue;
    use.serial = batch.serial;
    return;
  }
  uses.push_back(batch);
}

// A present accepts either of two layouts, so it is checked without an access.
bool IsPresentLayout(VkImageLayout layout) {
  return layout == VK_IMAGE_LAYOUT_PRESENT_SRC_KHR || layout == VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR ||
         layout == kAnyLayout;
}

struct FoundMismatch {
  LayoutMismatch mismatch;
  uint64_t image;
  // Null for a present.
  VkCommandBuffer commands;
};

void ReportMismatch(const FoundMismatch& found, Report& report) {
  const messages::ObjectRef image = {VK_OBJECT_TYPE_IMAGE, found.image};
  const LayoutMismatch& mismatch = found.mismatch;
  const std::string subresource = SubresourceText(mismatch.box, image, report.reporter());
  const std::string left_by = CommandText(mismatch.command), actual = LayoutText(mismatch.actual);
  if (found.commands == VK_NULL_HANDLE) {
    return report.Error(mismatch.access.rule, {image}, report.location(),
                        absl::StrCat("presents ", subresource, ", which ", left_by, " left in ", actual, "."),
                        "Transition the image to VK_IMAGE_LAYOUT_PRESENT_SRC_KHR before.");
  }
  const messages::ObjectRef commands = messages::Object(found.commands);
  report.Error(mismatch.access.rule, {commands, image}, report.location(),
               absl::StrCat("executes ", CommandText(mismatch.access.command), " of ",
                            report.reporter().Describe(commands), ", which expects ", subresource, " in ",
                            LayoutText(mismatch.access.expected), ", but ", left_by, " left it in ", actual, "."),
               FixText(mismatch));
}

// Whether the submission has recorded layouts to compare.
template <class C>
bool HasLayouts(const C& call) {
  const auto has = [](VkCommandBuffer handle) {
    const state::CommandBuffer* buffer = DeviceState::Get(handle);
    const auto* scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
    return scope != nullptr && !scope->layouts.is_empty();
  };
  for (const auto& submit : Items(call.pSubmits, call.submitCount)) {
    if constexpr (std::is_same_v<C, vk::QueueSubmit>) {
      if (std::ranges::any_of(Items(submit.pCommandBuffers, submit.commandBufferCount), has)) return true;
    } else {
      for (const auto& info : Items(submit.pCommandBufferInfos, submit.commandBufferInfoCount)) {
        if (has(info.commandBuffer)) return true;
      }
    }
  }
  return false;
}
bool HasLayouts(const vk::QueuePresentKHR& call) { return call.pPresentInfo != nullptr; }
bool HasLayouts(const vk::QueueBindSparse&) { return false; }
bool HasLayouts(const vk::SignalSemaphore&) { return false; }

}  // namespace

LayoutRules::LayoutRules(state::DeviceState& state)
    : state_(state),
      has_host_copies_(state.device().HasFeature(vk::FeatureId::kHostImageCopy)),
      inherits_(state.device().HasFeature(vk::FeatureId::kCommandBufferInheritance)) {
  state.AttachToQueues(*this);
}

void LayoutRules::OnSubmit() {
  absl::MutexLock lock(&mutex_);
  layouts_.Begin();
  uses_.Begin();
}

void LayoutRules::OnUndo() {
  absl::MutexLock lock(&mutex_);
  copy_.reset();
  layouts_.Undo();
  uses_.Undo();
}

void LayoutRules::OnBatch(state::SubmittedBatch& batch, uint64_t) {
  absl::MutexLock lock(&mutex_);
  const auto at = [&](const state::Image& image) -> LayoutEntries& {
    mutex_.AssertHeld();
    copy_.reset();
    if (has_host_copies_) NoteUse(batch.point(), uses_.Change(image.address, [](state::QueuePoints&) {}));
    return layouts_.Change(image.address, InitializeFor(image));
  };
  for (state::SubmittedCommandBuffer& submitted : batch.command_buffers) {
    AddLayouts(submitted);
    Execute(submitted, at, [](const LayoutMismatch&, const state::Image&, VkCommandBuffer) {});
  }
}

void LayoutRules::AddLayouts(state::SubmittedCommandBuffer& submitted) {
  const auto* scope = submitted.state ? submitted.state->Sub<RecordingScope>() : nullptr;
  if (scope == nullptr || !scope->layouts.keeps_changes()) return;
  std::shared_ptr<const KnownLayouts> known;
  const auto know = [&] {
    mutex_.AssertHeld();
    if (known == nullptr) known = std::make_shared<KnownLayouts>(CopyLayouts(), scope->layouts.changes());
  };
  if (submitted.state->wants_layouts) {
    know();
    submitted.layouts = known;
  }
  for (uint32_t i = 0; const state::ExecutedSecondary& executed : submitted.state->executed) {
    const uint32_t index = i++;
    const state::Ref<state::CommandBuffer> secondary(DeviceState::Get(executed.handle));
    const auto* of_secondary = secondary ? secondary->Sub<RecordingScope>() : nullptr;
    if (of_secondary == nullptr || !secondary->wants_layouts || secondary->recording != executed.recording) continue;
    know();
    // Positions of changes are counted from 1.
    submitted.secondaries.push_back(
        {secondary, known->OfSecondary(index, executed.position + 1, of_secondary->layouts.changes())});
  }
}

std::shared_ptr<const ImageLayouts> LayoutRules::CopyLayouts() {
  if (copy_ != nullptr) return copy_;
  auto copy = std::make_shared<ImageLayouts>();
  layouts_.ForEach([&](uint64_t address, const LayoutEntries& layouts) { copy->emplace(address, layouts); });
  return copy_ = std::move(copy);
}

void LayoutRules::OnUnknownOrder() {
  absl::MutexLock lock(&mutex_);
  copy_.reset();
  layouts_.ChangeAllForGood([](LayoutEntries& entries) { entries.Clear(); });
}

template <class C>
void LayoutRules::CheckSubmission(const C& call, Report& report) {
  if (!HasLayouts(call) && !state_.HasHeldBatches()) return;
  const state::SubmissionPreview preview = state_.PreviewSubmission(call);
  std::vector<FoundMismatch> found;
  {
    absl::MutexLock lock(&mutex_);
    // Copies of the layouts that the batches change.
    absl::flat_hash_map<uint64_t, LayoutEntries> changed;
    const auto at = [&](const state::Image& image) -> LayoutEntries& {
      mutex_.AssertHeld();
      const auto [local, is_new] = changed.try_emplace(image.address);
      if (is_new) {
        if (const LayoutEntries* known = layouts_.Find(image.address)) {
          local->second = *known;
        } else {
          InitializeLayouts(image, local->second);
        }
      }
      return local->second;
    };
    for (const state::BatchRef& batch : preview.ready) {
      for (const state::SubmittedCommandBuffer& submitted : batch->command_buffers) {
        Execute(submitted, at,
                [&](const LayoutMismatch& mismatch, const state::Image& image, VkCommandBuffer commands) {
                  found.push_back({mismatch, image.handle(), commands});
                });
      }
      for (const state::PresentedImage& present : batch->presents) {
        const state::Image* image = TrackedImage(present.image);
        if (image == nullptr) continue;
        for (const LayoutEntry& entry : at(*image).entries()) {
          if (entry.box.aspect != LayoutAspect::kFirst || IsPresentLayout(entry.last)) continue;
          const LayoutAccess access = {.rule = vk::Vuid("VUID-VkPresentInfoKHR-pImageIndices-01430")};
          found.push_back({{entry.box, access, entry.last, entry.last_command}, image->handle(), VK_NULL_HANDLE});
          break;
        }
      }
    }
  }
  for (const FoundMismatch& one : found) ReportMismatch(one, report);
}

void LayoutRules::PreCallValidate(const vk::QueueSubmit& call, Report& report) { CheckSubmission(call, report); }
void LayoutRules::PreCallValidate(const vk::QueueSubmit2& call, Report& report) { CheckSubmission(call, report); }
void LayoutRules::PreCallValidate(const vk::QueuePresentKHR& call, Report& report) { CheckSubmission(call, report); }
void LayoutRules::PreCallValidate(const vk::QueueBindSparse& call, Report& report) { CheckSubmission(call, report); }
void LayoutRules::PreCallValidate(const vk::SignalSemaphore& call, Report& report) { CheckSubmission(call, report); }

void LayoutRules::PostCallRecord(const vk::TransitionImageLayout& call, VkResult result) {
  for (const VkHostImageLayoutTransitionInfo& info : Items(call.pTransitions, call.transitionCount)) {
    const state::Image* image = TrackedImage(info.image);
    if (image == nullptr) continue;
    absl::MutexLock lock(&mutex_);
    copy_.reset();
    layouts_.ChangeForGood(image->address, InitializeFor(*image), [&](LayoutEntries& entries) {
      ForEachBox(*image, info.subresourceRange, [&](const LayoutBox& box, bool is_color) {
        const LayoutAccess access = {
            .left = result == VK_SUCCESS ? LayoutOf(box.aspect, is_color, info.newLayout) : kAnyLayout,
            .left_by = call.kId};
        entries.Access(box, access, [](const LayoutMismatch&) {});
      });
    });
  }
}

// The specification does not say in which layout a released swapchain image is when it is acquired again.
void LayoutRules::PostCallRecord(const vk::ReleaseSwapchainImagesEXT& call, VkResult) {
  if (call.pReleaseInfo == nullptr) return;
  const auto* swapchain = DeviceState::Get<state::Swapchain>(call.pReleaseInfo->swapchain);
  if (swapchain == nullptr) return;
  std::vector<const state::Image*> images;
  state_.InspectQueues([&] {
    for (uint32_t index : Items(call.pReleaseInfo->pImageIndices, call.pReleaseInfo->imageIndexCount)) {
      const auto& all = swapchain->progress.images;
      if (index < all.size()) images.push_back(DeviceState::Get<state::Image>(all[index].image));
    }
  });
  absl::MutexLock lock(&mutex_);
  copy_.reset();
  for (const state::Image* image : images) {
    if (image == nullptr) continue;
    layouts_.ChangeForGood(image->address, InitializeFor(*image), [](LayoutEntries& entries) { entries.Clear(); });
  }
}

void LayoutRules::PreCallRecord(const vk::DestroyImage& call) {
  const auto* image = DeviceState::Get<state::Image>(call.image);
  if (image == nullptr) return;
  absl::MutexLock lock(&mutex_);
  copy_.reset();
  layouts_.Remove(image->address);
  uses_.Remove(image->address);
}
void LayoutRules::PreCallRecord(const vk::DestroySwapchainKHR& call) {
  absl::MutexLock lock(&mutex_);
  copy_.reset();
  ForEachPresentableImage(call.swapchain, [&](const state::Image& image) {
    mutex_.AssertHeld();
    layouts_.Remove(image.address);
    uses_.Remove(image.address);
  });
}

}  // namespace assay::core
