// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ACCESSES_ATTACHMENTS_H_
#define ASSAY_SYNCVAL_ACCESSES_ATTACHMENTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "state/state.h"
#include "syncval/accesses/recorded_access.h"
#include "syncval/engine/engine.h"

// The attachments of a render pass instance, and the accesses of draws to them.
namespace assay::syncval {

// A set of accesses to attachments, as bits: see AttachmentAccessBit.
using AttachmentAccesses = uint64_t;

// Writes come before the reads of the same attachment.
enum AttachmentAccessBit : uint32_t {
  kFirstColorWrite = 0,
  kFirstColorRead = kFirstColorWrite + state::kMaxColorAttachments,
  kEarlyDepthWrite = kFirstColorRead + state::kMaxColorAttachments,
  kEarlyDepthRead,
  kLateDepthWrite,
  kLateDepthRead,
  kEarlyStencilWrite,
  kEarlyStencilRead,
  kLateStencilWrite,
  kLateStencilRead,
  kShadingRateRead,
  kDensityMapRead,
  // Reads as input attachments by draws of a secondary command buffer, which does not know the attachments.
  kFirstColorInputRead,
  kDepthInputRead = kFirstColorInputRead + state::kMaxColorAttachments,
  kStencilInputRead,
};
static_assert(kStencilInputRead < 64);
constexpr AttachmentAccesses AccessBit(uint32_t bit) { return AttachmentAccesses{1} << bit; }
// The writes among them.
inline constexpr AttachmentAccesses kDrawWrites = (AccessBit(kFirstColorRead) - AccessBit(kFirstColorWrite)) |
                                                  AccessBit(kEarlyDepthWrite) | AccessBit(kLateDepthWrite) |
                                                  AccessBit(kEarlyStencilWrite) | AccessBit(kLateStencilWrite);

// Color attachments by number, then the others.
using AttachmentSlot = uint32_t;
inline constexpr AttachmentSlot kDepthSlot = state::kMaxColorAttachments;
inline constexpr AttachmentSlot kStencilSlot = kDepthSlot + 1;
inline constexpr AttachmentSlot kShadingRateSlot = kStencilSlot + 1;
inline constexpr AttachmentSlot kDensityMapSlot = kShadingRateSlot + 1;
inline constexpr size_t kAttachmentSlots = kDensityMapSlot + 1;

// An access to an attachment, without its ranges.
struct AttachmentAccess {
  AttachmentSlot slot;
  vk::SyncAccessIndex access;
  OrderingRule ordering;
  Role role;
};
AttachmentAccess AccessOfBit(uint32_t bit);
// The slots of the accesses, as bits.
uint32_t SlotsOf(AttachmentAccesses accesses);
// All accesses to those slots.
AttachmentAccesses AccessesOfSlots(uint32_t slots);

// The ranges of the attachments of the current render pass instance. They are computed when it begins, not for each
// draw.
class Attachments {
 public:
  struct Part {
    // Null where there is no such attachment. Lives as long as its RenderPassInstance.
    const state::Image* image = nullptr;
    uint16_t first = 0;
    uint16_t count = 0;
  };

  // A render pass instance begins. If its attachments are unknown, it has none here.
  void Begin(const state::RenderPassInstance& scope);
  // A subpass of the instance begins. Ordering rules apply to all of its accesses.
  void Begin(const state::RenderPassInstance& scope, const state::Subpass& subpass);
  // A secondary command buffer continues an instance. Any attachment may exist; their ranges are unknown.
  void BeginInherited();
  void End();

  const state::Image* ImageOf(AttachmentSlot slot) const { return parts_[slot].image; }
  absl::Span<const state::ByteRange> RangesOf(AttachmentSlot slot) const {
    return absl::MakeConstSpan(ranges_).subspan(parts_[slot].first, parts_[slot].count);
  }
  // A bit for each slot that has an attachment.
  uint32_t slots() const { return slots_; }

  // The ordering rule for an access to the attachment. There is none for the first access in the render pass instance,
  // since rules order nothing with accesses before the instance.
  OrderingRule RuleFor(AttachmentSlot slot, OrderingRule rule) const {
    return (accessed_slots_ >> slot & 1) != 0 ? rule : OrderingRule::kNone;
  }
  // The same, in dynamic rendering, for a fragment's read of an attachment at its own location.
  OrderingRule RuleForInput(const state::Image* image) const;
  // To be called after the command, with bits of slots.
  void NoteAccessed(uint32_t slots) { accessed_slots_ |= slots; }
  // The same for a draw, with its accesses and whether it covers the render area (CoversRenderArea). `before` and
  // `after` are versions of the context.
  void NoteDrawn(AttachmentAccesses accesses, bool covers, uint64_t before, uint64_t after) {
    NoteAccessed(SlotsOf(accesses));
    const uint32_t written = SlotsOf(accesses & kDrawWrites);
    drawn_slots_ |= written;
    covered_slots_ = (covers ? written : 0) | (before == covered_at_ ? covered_slots_ : 0);
    covered_at_ = after;
  }
  // Whether a fragment that reads all of these ranges, as an input attachment, reads what a draw of the subpass or of
  // dynamic rendering has written: `reader_covers` tells whether its own draw covers the render area; otherwise the
  // other draw must, with nothing but draws since (`version` is the context's).
  bool IsDrawn(const state::Image& image, absl::Span<const state::ByteRange> ranges, bool reader_covers,
               uint64_t version) const;

  // Feedback loops: see "VK_EXT_attachment_feedback_loop_layout". Whether the instance may have one: by the layout of
  // an attachment, a pipeline's flags or dynamic state, or since the render area is only a part of an attachment.
  bool allows_feedback_loops() const { return allows_feedback_loops_; }
  void AllowFeedbackLoops() { allows_feedback_loops_ = true; }
  // Whether secondary command buffers draw in the instance. Their pipelines are not known here.
  bool has_other_draws() const { return has_other_draws_; }
  void NoteOtherDraws() { has_other_draws_ = true; }

  // Of these accesses, those that no draw has recorded since the context last changed (AccessContext::version).
  // Rasterization order orders the others with the recorded ones.
  AttachmentAccesses New(AttachmentAccesses accesses, uint64_t version) const {
    return version == recorded_at_ ? accesses & ~recorded_ : accesses;
  }
  // `before` and `after` are versions of the context.
  void NoteRecorded(AttachmentAccesses accesses, uint64_t before, uint64_t after) {
    recorded_ = accesses | (before == recorded_at_ ? recorded_ : 0);
    recorded_at_ = after;
  }

 private:
  struct Covered {
    VkRect2D area;
    uint32_t layer_count;
    uint32_t view_mask;
  };
  void Add(AttachmentSlot slot, const state::ImageView* view, VkImageAspectFlags aspects, const Covered& covered);
  void AddRendered(AttachmentSlot slot, const state::ImageView* view, VkImageAspectFlags aspects, VkImageLayout layout,
                   const Covered& covered);
  void AddDensityMap(const state::ImageView* view, VkExtent2D framebuffer, Covered covered);

  std::array<Part, kAttachmentSlots> parts_;
  state::AddressRanges ranges_;
  uint32_t slots_ = 0;
  uint32_t accessed_slots_ = 0;
  uint32_t drawn_slots_ = 0;
  // Those that a draw has written that covers the render area, while the context has the version covered_at_.
  uint32_t covered_slots_ = 0;
  uint64_t covered_at_ = 0;
  bool allows_feedback_loops_ = false;
  bool has_other_draws_ = false;
  AttachmentAccesses recorded_ = 0;
  uint64_t recorded_at_ = 0;
};

// The stages of a draw, from a pipeline or from shader objects.
struct DrawStages {
  explicit DrawStages(const state::CommandBuffer& buffer);

  const state::PipelineStage* Find(VkShaderStageFlagBits stage) const;

  // One for each graphics stage, those of mesh pipelines included.
  std::array<const state::PipelineStage*, 8> stages;
  size_t count = 0;
  // Null with shader objects.
  const state::GraphicsState* graphics = nullptr;
  // Whether a pipeline or shader objects with known stages are bound.
  bool is_known = false;
};

// The reads of a fragment shader's input attachment in dynamic rendering, as the accesses of draws of a secondary
// command buffer: by InputAttachmentIndex, if the variable has one, and by the aspects of the view in the descriptor.
AttachmentAccesses InputReadsOf(const state::DynamicRendering& rendering, std::optional<uint32_t> index,
                                VkImageAspectFlags aspects);

// The accesses of a draw to the attachments in these slots.
AttachmentAccesses AttachmentAccessesOfDraw(const DrawStages& stages, const state::FixedFunctions& functions,
                                            const state::RenderPassInstance& rendering, uint32_t slots);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ACCESSES_ATTACHMENTS_H_
