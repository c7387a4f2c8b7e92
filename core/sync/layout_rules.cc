// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/sync/layout_rules.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/sync/barriers.h"
#include "core/sync/image_commands.h"
#include "vk/chain.h"
#include "vk/command_info.h"
#include "vk/names.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using state::Items;

constexpr VkImageAspectFlags kDepthStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;

// The image if all that happens to its layouts is seen here, else null.
const state::Image* Follow(const state::Image* image) {
  constexpr VkImageCreateFlags kApart = VK_IMAGE_CREATE_DISJOINT_BIT | VK_IMAGE_CREATE_ALIAS_BIT;
  if (image == nullptr || image->is_sparse() || (image->create_info.flags & kApart) != 0) return nullptr;
  if (image->aliases.load(std::memory_order_relaxed)) return nullptr;
  if (image->memory && (image->memory->is_imported || image->memory->is_exportable)) return nullptr;
  return image;
}
const state::Image* Follow(VkImage image) { return Follow(DeviceState::Get<state::Image>(image)); }

uint32_t End(uint32_t begin, uint32_t count, uint32_t size) {
  return begin >= size ? begin : begin + std::min(count, size - begin);
}

// Levels and layers of an image; the slices of a 3D one are of one layer, whatever views make of them.
LayoutBox BoxOf(const state::Image& image, LayoutAspect aspect, const VkImageSubresourceRange& range) {
  const VkImageCreateInfo& info = image.create_info;
  const bool is_3d = info.imageType == VK_IMAGE_TYPE_3D;
  return {aspect, static_cast<uint16_t>(range.baseMipLevel),
          static_cast<uint16_t>(End(range.baseMipLevel, range.levelCount, info.mipLevels)),
          is_3d ? 0 : range.baseArrayLayer, is_3d ? 1 : End(range.baseArrayLayer, range.layerCount, info.arrayLayers)};
}

// Calls use(box, is_color) for each aspect.
template <class F>
void ForEachBox(const state::Image& image, const VkImageSubresourceRange& range, F&& use) {
  const bool is_color = (range.aspectMask & kDepthStencil) == 0;
  if ((range.aspectMask & ~VkImageAspectFlags{VK_IMAGE_ASPECT_STENCIL_BIT}) != 0) {
    use(BoxOf(image, LayoutAspect::kFirst, range), is_color);
  }
  if ((range.aspectMask & VK_IMAGE_ASPECT_STENCIL_BIT) != 0) {
    use(BoxOf(image, LayoutAspect::kStencil, range), false);
  }
}

std::string LayoutText(VkImageLayout layout) { return std::string(vk::EnumName(vk::EnumId::kImageLayout, layout)); }
std::string CommandText(vk::CommandId command) { return absl::StrCat(vk::GetCommandInfo(command).name, "()"); }

// "mip level 2, array layer 0 of VkImage 0x…".
std::string SubresourceText(const LayoutBox& box, messages::ObjectRef image, const messages::Reporter& reporter) {
  return absl::StrCat(box.aspect == LayoutAspect::kStencil ? "the stencil aspect of " : "", "mip level ",
                      box.level_begin, ", array layer ", box.layer_begin, " of ", reporter.Describe(image));
}
std::string FixText(const LayoutMismatch& mismatch) {
  return absl::StrCat("Record an image memory barrier from ", LayoutText(mismatch.actual), " to ",
                      LayoutText(mismatch.use.expected), " in between, or name the layout that the image is in.");
}

// The recording of a command.
class Recorder {
 public:
  Recorder(VkCommandBuffer handle, Report& report) : report_(report), object_(messages::Object(handle)) {
    buffer_ = DeviceState::Get(handle);
    if (buffer_ != nullptr && !report.skip()) scope_ = buffer_->Sub<RecordingScope>();
  }

  bool is_recording() const { return scope_ != nullptr; }
  uint32_t family() const { return buffer_->pool.queue_family; }

  // where is the layout that is expected.
  void Use(const state::Image& image, const VkImageSubresourceRange& range, VkImageLayout expected, VkImageLayout left,
           vk::VuidIndex rule, const Location& where) {
    const messages::ObjectRef object = {VK_OBJECT_TYPE_IMAGE, image.handle()};
    LayoutEntries& entries = scope_->layouts.At(image.handle(), image.address);
    ForEachBox(image, range, [&](const LayoutBox& box, bool is_color) {
      const LayoutUse use = {LayoutOf(box.aspect, is_color, expected), LayoutOf(box.aspect, is_color, left), rule,
                             report_.command(), report_.command()};
      entries.Use(box, use, [&](const LayoutMismatch& mismatch) { Say(mismatch, object, where); });
    });
  }
  // As another recording used it; where is that one's handle.
  void Use(const LayoutRecording::ImageEntries& executed, const Location& where) {
    LayoutEntries& entries = scope_->layouts.At(executed.image, executed.address);
    if (executed.layouts.is_lost()) return entries.Lose();
    const messages::ObjectRef object = {VK_OBJECT_TYPE_IMAGE, executed.image};
    for (const LayoutEntry& entry : executed.layouts.entries()) {
      LayoutUse use = entry.first;
      use.left = entry.last;
      use.left_by = entry.last_command;
      entries.Use(entry.box, use, [&](const LayoutMismatch& mismatch) {
        report_.Error(mismatch.use.rule, {object_, object}, where,
                      absl::StrCat("executes ", CommandText(mismatch.use.command), ", which expects ",
                                   SubresourceText(mismatch.box, object, report_.reporter()), " in ",
                                   LayoutText(mismatch.use.expected), ", but ", CommandText(mismatch.command),
                                   " left it in ", LayoutText(mismatch.actual), "."),
                      FixText(mismatch));
      });
    }
  }

 private:
  void Say(const LayoutMismatch& mismatch, messages::ObjectRef image, const Location& where) {
    report_.Error(mismatch.use.rule, {object_, image}, where,
                  absl::StrCat("(", LayoutText(mismatch.use.expected), ") is not the layout of ",
                               SubresourceText(mismatch.box, image, report_.reporter()), ", which ",
                               CommandText(mismatch.command), " left in ", LayoutText(mismatch.actual), "."),
                  FixText(mismatch));
  }

  Report& report_;
  const messages::ObjectRef object_;
  const state::CommandBuffer* buffer_ = nullptr;
  RecordingScope* scope_ = nullptr;
};

// ---- Barriers.

template <class Barrier>
void RecordBarrier(Recorder& recorder, const Barrier& barrier, vk::VuidIndex rule, const Location& where) {
  const ImagePart part = ImagePartOf(barrier);
  if (!part.changes_image()) return;
  const state::Image* image = Follow(part.image);
  if (image == nullptr) return;
  VkImageLayout expected = part.old_layout == VK_IMAGE_LAYOUT_UNDEFINED ? kAnyLayout : part.old_layout;
  VkImageLayout left = part.new_layout;
  if (part.families.differ()) {
    // The transition happens between release and acquire.
    const bool releases = part.families.ReleaseFrom(recorder.family());
    (releases ? left : expected) = kAnyLayout;
  }
  recorder.Use(*image, part.range, expected, left, rule, where.Dot("oldLayout"));
}

// A command, or a structure, with image barriers; where leads to it.
template <class Dependency>
void RecordBarriers(Recorder& recorder, const Dependency& d, vk::VuidIndex rule, const Location& where) {
  for (uint32_t i = 0; const auto& barrier : Items(d.pImageMemoryBarriers, d.imageMemoryBarrierCount)) {
    RecordBarrier(recorder, barrier, rule, where.Dot("pImageMemoryBarriers", i++));
  }
}

constexpr vk::VuidIndex kFirstRule = vk::Vuid("VUID-VkImageMemoryBarrier-oldLayout-01197");
constexpr vk::VuidIndex kSecondRule = vk::Vuid("VUID-VkImageMemoryBarrier2-oldLayout-01197");

// ---- Commands with layouts of their own.

template <class C>
void RecordOperands(const C& call, Report& report) {
  Recorder recorder(call.commandBuffer, report);
  if (!recorder.is_recording()) return;
  const Location command = report.location();
  for (const ImageOperand& operand : OperandsOf(call)) {
    const state::Image* image = Follow(operand.image);
    if (image == nullptr) continue;
    const Location parameter = operand.parameter.empty() ? command : command.Dot(operand.parameter);
    for (uint32_t i = 0; i < operand.count; ++i) {
      recorder.Use(*image, operand.RangeAt(i), operand.layout, operand.layout, operand.rule,
                   parameter.Dot(operand.member));
    }
  }
}

// ---- Render passes.

struct PassAttachment {
  const state::ImageView* view;
  const state::AttachmentDescription* description;
};

// Those whose views are known.
std::vector<PassAttachment> AttachmentsOf(const VkRenderPassBeginInfo& info) {
  std::vector<PassAttachment> result;
  const auto* pass = DeviceState::Get<state::RenderPass>(info.renderPass);
  const auto* framebuffer = DeviceState::Get<state::Framebuffer>(info.framebuffer);
  if (pass == nullptr || framebuffer == nullptr) return result;
  const auto* given = vk::FindInChain<VkRenderPassAttachmentBeginInfo>(info.pNext);
  for (uint32_t i = 0; i < pass->attachments.size(); ++i) {
    const state::ImageView* view = nullptr;
    if (i < framebuffer->views.size()) {
      view = framebuffer->views[i].get();
    } else if (framebuffer->is_imageless() && given != nullptr && i < given->attachmentCount) {
      view = DeviceState::Get<state::ImageView>(given->pAttachments[i]);
    }
    if (view != nullptr && Follow(view->image.get()) != nullptr) result.push_back({view, &pass->attachments[i]});
  }
  return result;
}

// Calls use(aspects, layout) for those of an attachment whose layouts are given apart.
template <class F>
void ForEachLayout(const state::AttachmentDescription& description, const state::AttachmentLayouts& layouts, F&& use) {
  constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  const VkImageAspectFlags first = description.aspects & ~kStencil;
  if (first != 0) use(first, layouts.layout);
  if ((description.aspects & kStencil) != 0) use(kStencil, layouts.stencil);
}

// All attachments are transitioned when the instance begins, as far as commands outside can tell. Those that may be the
// same image begin together, too.
void RecordRenderPass(VkCommandBuffer handle, const VkRenderPassBeginInfo& info, vk::VuidIndex rule,
                      const Location& where, Report& report) {
  Recorder recorder(handle, report);
  if (!recorder.is_recording()) return;
  const std::vector<PassAttachment> attachments = AttachmentsOf(info);
  for (const auto& [view, description] : attachments) {
    if ((description->flags & VK_ATTACHMENT_DESCRIPTION_MAY_ALIAS_BIT) != 0) continue;
    if (description->first_subpass == VK_SUBPASS_EXTERNAL) continue;
    VkImageSubresourceRange range = view->subresource_range;
    ForEachLayout(*description, description->initial, [&](VkImageAspectFlags aspects, VkImageLayout layout) {
      if (layout == VK_IMAGE_LAYOUT_UNDEFINED) return;
      range.aspectMask = aspects;
      recorder.Use(*view->image, range, layout, layout, rule, where.Dot("renderPass"));
    });
  }
  for (const auto& [view, description] : attachments) {
    if (description->first_subpass == VK_SUBPASS_EXTERNAL) continue;
    VkImageSubresourceRange range = view->subresource_range;
    ForEachLayout(*description, description->final, [&](VkImageAspectFlags aspects, VkImageLayout layout) {
      range.aspectMask = aspects;
      recorder.Use(*view->image, range, kAnyLayout, layout, rule, where);
    });
  }
}

struct RenderingIds {
  vk::VuidIndex view;
  vk::VuidIndex resolve;
};

void RecordAttachment(Recorder& recorder, const VkRenderingAttachmentInfo& info, VkImageAspectFlags aspects,
                      const RenderingIds& ids, const Location& where) {
  const auto use = [&](VkImageView handle, VkImageLayout layout, vk::VuidIndex rule, const Location& member) {
    const auto* view = DeviceState::Get<state::ImageView>(handle);
    if (view == nullptr || Follow(view->image.get()) == nullptr) return;
    VkImageSubresourceRange range = view->subresource_range;
    range.aspectMask = aspects;
    recorder.Use(*view->image, range, layout, layout, rule, member);
  };
  if (info.imageView == VK_NULL_HANDLE) return;
  use(info.imageView, info.imageLayout, ids.view, where.Dot("imageLayout"));
  if (info.resolveMode == VK_RESOLVE_MODE_NONE || info.resolveImageView == VK_NULL_HANDLE) return;
  use(info.resolveImageView, info.resolveImageLayout, ids.resolve, where.Dot("resolveImageLayout"));
}

void RecordRendering(Recorder& recorder, const VkRenderingInfo& info, const Location& where) {
  static constexpr RenderingIds kColor = {vk::Vuid("VUID-vkCmdBeginRendering-pRenderingInfo-09592"),
                                          vk::Vuid("VUID-vkCmdBeginRendering-pRenderingInfo-09593")};
  static constexpr RenderingIds kDepth = {vk::Vuid("VUID-vkCmdBeginRendering-pRenderingInfo-09588"),
                                          vk::Vuid("VUID-vkCmdBeginRendering-pRenderingInfo-09589")};
  static constexpr RenderingIds kStencil = {vk::Vuid("VUID-vkCmdBeginRendering-pRenderingInfo-09590"),
                                            vk::Vuid("VUID-vkCmdBeginRendering-pRenderingInfo-09591")};
  for (uint32_t i = 0; const auto& color : Items(info.pColorAttachments, info.colorAttachmentCount)) {
    RecordAttachment(recorder, color, VK_IMAGE_ASPECT_COLOR_BIT, kColor, where.Dot("pColorAttachments", i++));
  }
  if (info.pDepthAttachment != nullptr) {
    RecordAttachment(recorder, *info.pDepthAttachment, VK_IMAGE_ASPECT_DEPTH_BIT, kDepth,
                     where.Dot("pDepthAttachment"));
  }
  if (info.pStencilAttachment != nullptr) {
    RecordAttachment(recorder, *info.pStencilAttachment, VK_IMAGE_ASPECT_STENCIL_BIT, kStencil,
                     where.Dot("pStencilAttachment"));
  }
}

// ---- Submissions.

// What an image that no batch has used yet is in.
void Initialize(const state::Image& image, LayoutEntries* entries) {
  const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0,
                                       VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
  const vk::CommandId maker = image.is_presentable ? vk::CommandId::kCreateSwapchainKHR : vk::CommandId::kCreateImage;
  ForEachBox(image, all, [&](const LayoutBox& box, bool) {
    entries->Use(box, {.left = image.create_info.initialLayout, .left_by = maker}, [](const LayoutMismatch&) {});
  });
}

// Applies what a batch executes to the layouts at(image); say(mismatch, image, command_buffer) is told what is wrong.
template <class At, class S>
void Execute(const state::SubmittedBatch& batch, const At& at, const S& say) {
  for (const state::SubmittedCommandBuffer& submitted : batch.command_buffers) {
    const auto* scope = submitted.state ? submitted.state->Sub<RecordingScope>() : nullptr;
    if (scope == nullptr) continue;
    for (const LayoutRecording::ImageEntries& used : scope->layouts.images()) {
      const state::Image* image = Follow(reinterpret_cast<VkImage>(used.image));
      if (image == nullptr || image->address != used.address) continue;
      LayoutEntries& layouts = at(*image);
      if (used.layouts.is_lost()) layouts.Lose();
      for (const LayoutEntry& entry : used.layouts.entries()) {
        LayoutUse use = entry.first;
        use.left = entry.last;
        use.left_by = entry.last_command;
        layouts.Use(entry.box, use, [&](const LayoutMismatch& mismatch) { say(mismatch, *image, submitted.handle); });
      }
    }
  }
}

// Presents expect one of two layouts, and so ask before they use.
bool IsPresentLayout(VkImageLayout layout) {
  return layout == VK_IMAGE_LAYOUT_PRESENT_SRC_KHR || layout == VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR ||
         layout == kAnyLayout;
}

struct Found {
  LayoutMismatch mismatch;
  uint64_t image;
  // Null for a present.
  VkCommandBuffer commands;
};

void Say(const Found& found, Report& report) {
  const messages::ObjectRef image = {VK_OBJECT_TYPE_IMAGE, found.image};
  const LayoutMismatch& mismatch = found.mismatch;
  const std::string subresource = SubresourceText(mismatch.box, image, report.reporter());
  const std::string left_by = CommandText(mismatch.command), actual = LayoutText(mismatch.actual);
  if (found.commands == VK_NULL_HANDLE) {
    return report.Error(mismatch.use.rule, {image}, report.location(),
                        absl::StrCat("presents ", subresource, ", which ", left_by, " left in ", actual, "."),
                        "Transition the image to VK_IMAGE_LAYOUT_PRESENT_SRC_KHR before.");
  }
  const messages::ObjectRef commands = messages::Object(found.commands);
  report.Error(mismatch.use.rule, {commands, image}, report.location(),
               absl::StrCat("executes ", CommandText(mismatch.use.command), " of ",
                            report.reporter().Describe(commands), ", which expects ", subresource, " in ",
                            LayoutText(mismatch.use.expected), ", but ", left_by, " left it in ", actual, "."),
               FixText(mismatch));
}

// Whether something is recorded that a submission would have to be compared with.
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

}  // namespace

LayoutRules::LayoutRules(state::DeviceState& state) : state_(state) { state.AttachToQueues(*this); }

LayoutEntries& LayoutRules::DeviceLayoutsOf(const state::Image& image) {
  const auto [found, is_new] = layouts_.try_emplace(image.address);
  if (is_new) Initialize(image, &found->second);
  return found->second;
}

void LayoutRules::OnBatch(state::SubmittedBatch& batch, uint64_t) {
  absl::MutexLock lock(&mutex_);
  const auto at = [&](const state::Image& image) -> LayoutEntries& {
    mutex_.AssertHeld();
    return DeviceLayoutsOf(image);
  };
  Execute(batch, at, [](const LayoutMismatch&, const state::Image&, VkCommandBuffer) {});
}

void LayoutRules::OnUnknownOrder() {
  absl::MutexLock lock(&mutex_);
  for (auto& [address, entries] : layouts_) entries.Clear();
}

template <class C>
void LayoutRules::CheckSubmission(const C& call, Report& report) {
  if (!HasLayouts(call)) return;
  const state::Resolution resolution = state_.ResolveSubmission(call);
  std::vector<Found> found;
  {
    absl::MutexLock lock(&mutex_);
    // Those that the batches change, as they do.
    Layouts changed;
    const auto at = [&](const state::Image& image) -> LayoutEntries& {
      mutex_.AssertHeld();
      const auto [local, is_new] = changed.try_emplace(image.address);
      if (is_new) {
        const auto known = layouts_.find(image.address);
        if (known != layouts_.end()) {
          local->second = known->second;
        } else {
          Initialize(image, &local->second);
        }
      }
      return local->second;
    };
    for (const state::BatchRef& batch : resolution.ready) {
      Execute(*batch, at, [&](const LayoutMismatch& mismatch, const state::Image& image, VkCommandBuffer commands) {
        found.push_back({mismatch, image.handle(), commands});
      });
      for (const state::PresentedImage& present : batch->presents) {
        const state::Image* image = Follow(present.image);
        if (image == nullptr) continue;
        for (const LayoutEntry& entry : at(*image).entries()) {
          if (entry.box.aspect != LayoutAspect::kFirst || IsPresentLayout(entry.last)) continue;
          const LayoutUse use = {.rule = vk::Vuid("VUID-VkPresentInfoKHR-pImageIndices-01430")};
          found.push_back({{entry.box, use, entry.last, entry.last_command}, image->handle(), VK_NULL_HANDLE});
          break;
        }
      }
    }
  }
  for (const Found& one : found) Say(one, report);
}

// ---- Hooks.

void LayoutRules::PreCallValidate(const vk::CmdPipelineBarrier& call, Report& report) {
  if (call.imageMemoryBarrierCount == 0) return;
  Recorder recorder(call.commandBuffer, report);
  if (recorder.is_recording()) RecordBarriers(recorder, call, kFirstRule, report.location());
}
void LayoutRules::PreCallValidate(const vk::CmdPipelineBarrier2& call, Report& report) {
  if (call.pDependencyInfo == nullptr || call.pDependencyInfo->imageMemoryBarrierCount == 0) return;
  Recorder recorder(call.commandBuffer, report);
  const Location command = report.location();
  if (recorder.is_recording()) {
    RecordBarriers(recorder, *call.pDependencyInfo, kSecondRule, command.Dot("pDependencyInfo"));
  }
}
void LayoutRules::PreCallValidate(const vk::CmdWaitEvents& call, Report& report) {
  Recorder recorder(call.commandBuffer, report);
  if (recorder.is_recording()) RecordBarriers(recorder, call, kFirstRule, report.location());
}
void LayoutRules::PreCallValidate(const vk::CmdWaitEvents2& call, Report& report) {
  Recorder recorder(call.commandBuffer, report);
  if (!recorder.is_recording()) return;
  const Location command = report.location();
  for (uint32_t i = 0; const VkDependencyInfo& info : Items(call.pDependencyInfos, call.eventCount)) {
    RecordBarriers(recorder, info, kSecondRule, command.Dot("pDependencyInfos", i++));
  }
}

void LayoutRules::PreCallValidate(const vk::CmdCopyImage& call, Report& report) { RecordOperands(call, report); }
void LayoutRules::PreCallValidate(const vk::CmdCopyImage2& call, Report& report) { RecordOperands(call, report); }
void LayoutRules::PreCallValidate(const vk::CmdBlitImage& call, Report& report) { RecordOperands(call, report); }
void LayoutRules::PreCallValidate(const vk::CmdBlitImage2& call, Report& report) { RecordOperands(call, report); }
void LayoutRules::PreCallValidate(const vk::CmdResolveImage& call, Report& report) { RecordOperands(call, report); }
void LayoutRules::PreCallValidate(const vk::CmdResolveImage2& call, Report& report) { RecordOperands(call, report); }
void LayoutRules::PreCallValidate(const vk::CmdCopyBufferToImage& call, Report& report) {
  RecordOperands(call, report);
}
void LayoutRules::PreCallValidate(const vk::CmdCopyBufferToImage2& call, Report& report) {
  RecordOperands(call, report);
}
void LayoutRules::PreCallValidate(const vk::CmdCopyImageToBuffer& call, Report& report) {
  RecordOperands(call, report);
}
void LayoutRules::PreCallValidate(const vk::CmdCopyImageToBuffer2& call, Report& report) {
  RecordOperands(call, report);
}
void LayoutRules::PreCallValidate(const vk::CmdClearColorImage& call, Report& report) { RecordOperands(call, report); }
void LayoutRules::PreCallValidate(const vk::CmdClearDepthStencilImage& call, Report& report) {
  RecordOperands(call, report);
}

void LayoutRules::PreCallValidate(const vk::CmdBeginRenderPass& call, Report& report) {
  if (call.pRenderPassBegin == nullptr) return;
  const Location command = report.location();
  RecordRenderPass(call.commandBuffer, *call.pRenderPassBegin,
                   vk::Vuid("VUID-vkCmdBeginRenderPass-initialLayout-00900"), command.Dot("pRenderPassBegin"), report);
}
void LayoutRules::PreCallValidate(const vk::CmdBeginRenderPass2& call, Report& report) {
  if (call.pRenderPassBegin == nullptr) return;
  const Location command = report.location();
  RecordRenderPass(call.commandBuffer, *call.pRenderPassBegin,
                   vk::Vuid("VUID-vkCmdBeginRenderPass2-initialLayout-03100"), command.Dot("pRenderPassBegin"), report);
}
void LayoutRules::PreCallValidate(const vk::CmdBeginRendering& call, Report& report) {
  if (call.pRenderingInfo == nullptr) return;
  Recorder recorder(call.commandBuffer, report);
  const Location command = report.location();
  if (recorder.is_recording()) RecordRendering(recorder, *call.pRenderingInfo, command.Dot("pRenderingInfo"));
}

void LayoutRules::PreCallValidate(const vk::CmdExecuteCommands& call, Report& report) {
  Recorder recorder(call.commandBuffer, report);
  if (!recorder.is_recording()) return;
  const Location command = report.location();
  for (uint32_t i = 0; VkCommandBuffer handle : Items(call.pCommandBuffers, call.commandBufferCount)) {
    const Location where = command.Dot("pCommandBuffers", i++);
    const state::CommandBuffer* secondary = DeviceState::Get(handle);
    const auto* scope = secondary != nullptr ? secondary->Sub<RecordingScope>() : nullptr;
    if (scope == nullptr) continue;
    for (const LayoutRecording::ImageEntries& used : scope->layouts.images()) recorder.Use(used, where);
  }
}

void LayoutRules::PreCallValidate(const vk::QueueSubmit& call, Report& report) { CheckSubmission(call, report); }
void LayoutRules::PreCallValidate(const vk::QueueSubmit2& call, Report& report) { CheckSubmission(call, report); }
void LayoutRules::PreCallValidate(const vk::QueuePresentKHR& call, Report& report) { CheckSubmission(call, report); }

void LayoutRules::PostCallRecord(const vk::TransitionImageLayout& call, VkResult) {
  for (const VkHostImageLayoutTransitionInfo& info : Items(call.pTransitions, call.transitionCount)) {
    const state::Image* image = Follow(info.image);
    if (image == nullptr) continue;
    absl::MutexLock lock(&mutex_);
    LayoutEntries& entries = DeviceLayoutsOf(*image);
    ForEachBox(*image, info.subresourceRange, [&](const LayoutBox& box, bool is_color) {
      const LayoutUse use = {.left = LayoutOf(box.aspect, is_color, info.newLayout), .left_by = call.kId};
      entries.Use(box, use, [](const LayoutMismatch&) {});
    });
  }
}

// What an image is in that was given back unused and is acquired again is not said.
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
  for (const state::Image* image : images) {
    if (image != nullptr) DeviceLayoutsOf(*image).Clear();
  }
}

void LayoutRules::PreCallRecord(const vk::DestroyImage& call) {
  const auto* image = DeviceState::Get<state::Image>(call.image);
  if (image == nullptr) return;
  absl::MutexLock lock(&mutex_);
  layouts_.erase(image->address);
}

}  // namespace assay::core
