// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/accesses/attachments.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace assay::syncval {
namespace {

using state::DeviceState;
using state::FixedFunctions;
using state::PipelineStage;

constexpr VkShaderStageFlags kPrimitiveShaders = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                                                 VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT |
                                                 VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_MESH_BIT_EXT;
constexpr VkShaderStageFlagBits kGraphicsStages[] = {VK_SHADER_STAGE_VERTEX_BIT,
                                                     VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                                     VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                                     VK_SHADER_STAGE_GEOMETRY_BIT,
                                                     VK_SHADER_STAGE_FRAGMENT_BIT,
                                                     VK_SHADER_STAGE_TASK_BIT_EXT,
                                                     VK_SHADER_STAGE_MESH_BIT_EXT};

constexpr AttachmentAccess DepthStencil(AttachmentSlot slot, vk::SyncAccessIndex access) {
  return {slot, access, OrderingRule::kDepthStencilAttachment,
          slot == kDepthSlot ? Role::kDepthAttachment : Role::kStencilAttachment};
}

constexpr AttachmentAccess kOtherAccesses[] = {
    DepthStencil(kDepthSlot, vk::kSyncEarlyFragmentTestsDepthStencilAttachmentWrite),
    DepthStencil(kDepthSlot, vk::kSyncEarlyFragmentTestsDepthStencilAttachmentRead),
    DepthStencil(kDepthSlot, vk::kSyncLateFragmentTestsDepthStencilAttachmentWrite),
    DepthStencil(kDepthSlot, vk::kSyncLateFragmentTestsDepthStencilAttachmentRead),
    DepthStencil(kStencilSlot, vk::kSyncEarlyFragmentTestsDepthStencilAttachmentWrite),
    DepthStencil(kStencilSlot, vk::kSyncEarlyFragmentTestsDepthStencilAttachmentRead),
    DepthStencil(kStencilSlot, vk::kSyncLateFragmentTestsDepthStencilAttachmentWrite),
    DepthStencil(kStencilSlot, vk::kSyncLateFragmentTestsDepthStencilAttachmentRead),
    {kShadingRateSlot, vk::kSyncFragmentShadingRateAttachmentFragmentShadingRateAttachmentRead, OrderingRule::kNone,
     Role::kShadingRateAttachment},
    {kDensityMapSlot, vk::kSyncFragmentDensityProcessFragmentDensityMapRead, OrderingRule::kNone,
     Role::kDensityMapAttachment},
};

// All accesses to the depth or stencil aspect, whose first bit is given.
constexpr AttachmentAccesses kOneAspect = 0xf;

// The texels of a fragment shading rate attachment or a fragment density map that cover the render area.
VkRect2D AreaInTexels(const VkRect2D& area, VkExtent2D texel) {
  if (texel.width == 0 || texel.height == 0) return {};
  const uint64_t left = static_cast<uint32_t>(std::max(area.offset.x, 0));
  const uint64_t top = static_cast<uint32_t>(std::max(area.offset.y, 0));
  const uint64_t right = (left + area.extent.width + texel.width - 1) / texel.width;
  const uint64_t bottom = (top + area.extent.height + texel.height - 1) / texel.height;
  return {{static_cast<int32_t>(left / texel.width), static_cast<int32_t>(top / texel.height)},
          {static_cast<uint32_t>(right - left / texel.width), static_cast<uint32_t>(bottom - top / texel.height)}};
}

// The attachments that the fragment shader's outputs write. Blending does not read an attachment that is not written.
AttachmentAccesses ColorAccesses(const PipelineStage& fragment, const FixedFunctions& functions,
                                 const state::RenderPassInstance& rendering) {
  AttachmentAccesses accesses = 0;
  for (uint32_t rest = fragment.interface->output_locations; rest != 0; rest &= rest - 1) {
    const uint32_t attachment = rendering.ColorAtLocation(static_cast<uint32_t>(std::countr_zero(rest)));
    if (attachment >= state::kMaxColorAttachments || !functions.WritesColor(attachment)) continue;
    accesses |= AccessBit(kFirstColorWrite + attachment);
    if (functions.ReadsColor(attachment)) accesses |= AccessBit(kFirstColorRead + attachment);
  }
  return accesses;
}

// Whether the result of the comparison depends on the stored value.
bool Compares(VkCompareOp op) { return op != VK_COMPARE_OP_ALWAYS && op != VK_COMPARE_OP_NEVER; }

AttachmentAccesses DepthStencilAccesses(const PipelineStage* fragment, const FixedFunctions& functions) {
  // Without the execution mode the tests count as late, whenever an implementation does them.
  const bool is_early = fragment != nullptr && fragment->interface->early_fragment_tests;
  AttachmentAccesses accesses = 0;
  if (functions.depth_bounds_test || (functions.depth_test && Compares(functions.depth_compare_op)))
    accesses |= AccessBit(is_early ? kEarlyDepthRead : kLateDepthRead);
  if (functions.depth_test && functions.depth_write && functions.depth_compare_op != VK_COMPARE_OP_NEVER)
    accesses |= AccessBit(is_early ? kEarlyDepthWrite : kLateDepthWrite);
  if (functions.stencil_test &&
      (Compares(functions.stencil_faces[0].compare_op) || Compares(functions.stencil_faces[1].compare_op)))
    accesses |= AccessBit(is_early ? kEarlyStencilRead : kLateStencilRead);
  if (functions.WritesStencil()) accesses |= AccessBit(is_early ? kEarlyStencilWrite : kLateStencilWrite);
  return accesses;
}

// The minimum extent of a framebuffer with that area.
VkExtent2D EndOf(const VkRect2D& area) {
  return {static_cast<uint32_t>(area.offset.x) + area.extent.width,
          static_cast<uint32_t>(area.offset.y) + area.extent.height};
}

// The extent of the framebuffer that one texel of its density map covers ("Fragment Density Map Operations").
uint32_t DensityTexel(uint32_t framebuffer, uint32_t map) {
  return map != 0 ? std::bit_ceil((framebuffer + map - 1) / map) : 0;
}

}  // namespace

AttachmentAccesses AccessesOfSlots(uint32_t slots) {
  const AttachmentAccesses colors = slots & ((1u << state::kMaxColorAttachments) - 1);
  AttachmentAccesses accesses = colors << kFirstColorWrite | colors << kFirstColorRead | colors << kFirstColorInputRead;
  if ((slots >> kDepthSlot & 1) != 0) accesses |= kOneAspect << kEarlyDepthWrite | AccessBit(kDepthInputRead);
  if ((slots >> kStencilSlot & 1) != 0) accesses |= kOneAspect << kEarlyStencilWrite | AccessBit(kStencilInputRead);
  if ((slots >> kShadingRateSlot & 1) != 0) accesses |= AccessBit(kShadingRateRead);
  if ((slots >> kDensityMapSlot & 1) != 0) accesses |= AccessBit(kDensityMapRead);
  return accesses;
}

AttachmentAccess AccessOfBit(uint32_t bit) {
  if (bit < kFirstColorRead) {
    return {bit - kFirstColorWrite, vk::kSyncColorAttachmentOutputColorAttachmentWrite, OrderingRule::kColorAttachment,
            Role::kColorAttachment};
  }
  if (bit < kEarlyDepthWrite) {
    return {bit - kFirstColorRead, vk::kSyncColorAttachmentOutputColorAttachmentRead, OrderingRule::kColorAttachment,
            Role::kColorAttachment};
  }
  if (bit >= kFirstColorInputRead) {
    const AttachmentSlot slot = bit < kDepthInputRead ? bit - kFirstColorInputRead : bit - kDepthInputRead + kDepthSlot;
    const Role role = slot < kDepthSlot    ? Role::kColorAttachment
                      : slot == kDepthSlot ? Role::kDepthAttachment
                                           : Role::kStencilAttachment;
    return {slot, vk::kSyncFragmentShaderInputAttachmentRead, OrderingRule::kRaster, role};
  }
  return kOtherAccesses[bit - kEarlyDepthWrite];
}

uint32_t SlotsOf(AttachmentAccesses accesses) {
  constexpr uint32_t kColors = (1u << state::kMaxColorAttachments) - 1;
  const AttachmentAccesses colors =
      accesses >> kFirstColorWrite | accesses >> kFirstColorRead | accesses >> kFirstColorInputRead;
  auto slots = static_cast<uint32_t>(colors) & kColors;
  if ((accesses & (kOneAspect << kEarlyDepthWrite | AccessBit(kDepthInputRead))) != 0) slots |= 1u << kDepthSlot;
  if ((accesses & (kOneAspect << kEarlyStencilWrite | AccessBit(kStencilInputRead))) != 0) slots |= 1u << kStencilSlot;
  if ((accesses & AccessBit(kShadingRateRead)) != 0) slots |= 1u << kShadingRateSlot;
  if ((accesses & AccessBit(kDensityMapRead)) != 0) slots |= 1u << kDensityMapSlot;
  return slots;
}

void Attachments::Begin(const state::RenderPassInstance& scope) {
  End();
  if (scope.kind() != state::RenderPassInstance::Kind::kDynamic) return;
  const state::DynamicRendering& rendering = scope.dynamic();
  Covered covered{scope.render_area(), scope.layer_count(), scope.view_mask()};
  const size_t colors = std::min(rendering.colors.size(), state::kMaxColorAttachments);
  const auto add = [&](AttachmentSlot slot, const state::RenderingAttachment& attachment, VkImageAspectFlags aspect) {
    AddRendered(slot, attachment.view.get(), aspect, attachment.layout, covered);
  };
  for (uint32_t i = 0; i < colors; ++i) add(i, rendering.colors[i], VK_IMAGE_ASPECT_COLOR_BIT);
  add(kDepthSlot, rendering.depth, VK_IMAGE_ASPECT_DEPTH_BIT);
  add(kStencilSlot, rendering.stencil, VK_IMAGE_ASPECT_STENCIL_BIT);
  AddDensityMap(rendering.fragment_density_map.get(), EndOf(covered.area), covered);
  covered.area = AreaInTexels(covered.area, rendering.shading_rate_texel_size);
  Add(kShadingRateSlot, rendering.fragment_shading_rate.get(), VK_IMAGE_ASPECT_COLOR_BIT, covered);
}

void Attachments::Begin(const state::RenderPassInstance& scope, const state::Subpass& subpass) {
  End();
  Covered covered{scope.render_area(), scope.layer_count(), subpass.view_mask};
  const size_t colors = std::min(subpass.colors.size(), state::kMaxColorAttachments);
  for (uint32_t i = 0; i < colors; ++i) {
    AddRendered(i, scope.ViewOf(subpass.colors[i].attachment), VK_IMAGE_ASPECT_COLOR_BIT,
                subpass.colors[i].layouts.layout, covered);
  }
  const state::AttachmentLayouts& layouts = subpass.depth_stencil.layouts;
  const state::ImageView* const depth_stencil = scope.ViewOf(subpass.depth_stencil.attachment);
  for (const auto& [slot, aspect] :
       {std::pair(kDepthSlot, VK_IMAGE_ASPECT_DEPTH_BIT), std::pair(kStencilSlot, VK_IMAGE_ASPECT_STENCIL_BIT)}) {
    const VkImageLayout layout = slot == kDepthSlot ? layouts.layout : layouts.stencil;
    if ((subpass.depth_stencil.aspects & aspect) != 0) AddRendered(slot, depth_stencil, aspect, layout, covered);
  }
  if (const state::Framebuffer* framebuffer = scope.framebuffer()) {
    AddDensityMap(scope.ViewOf(scope.render_pass()->fragment_density_map.attachment),
                  {framebuffer->width, framebuffer->height}, covered);
  }
  covered.area = AreaInTexels(covered.area, subpass.shading_rate_texel_size);
  Add(kShadingRateSlot, scope.ViewOf(subpass.fragment_shading_rate.attachment), VK_IMAGE_ASPECT_COLOR_BIT, covered);
  NoteAccessed(~0u);
}

OrderingRule Attachments::RuleForInput(const state::Image* image) const {
  for (uint32_t rest = accessed_slots_ & slots_; rest != 0; rest &= rest - 1) {
    if (parts_[static_cast<size_t>(std::countr_zero(rest))].image == image) return OrderingRule::kRaster;
  }
  return OrderingRule::kNone;
}

bool Attachments::IsDrawn(const state::Image& image, absl::Span<const state::ByteRange> ranges, bool reader_covers,
                          uint64_t version) const {
  uint32_t slots = 0;
  if (reader_covers) {
    slots = drawn_slots_ & slots_;
  } else if (version == covered_at_) {
    slots = covered_slots_ & slots_;
  }
  const auto is_drawn = [&](const state::ByteRange& range) {
    for (uint32_t rest = slots; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<AttachmentSlot>(std::countr_zero(rest));
      if (ImageOf(slot) != &image) continue;
      for (const state::ByteRange& drawn : RangesOf(slot)) {
        if (drawn.begin <= range.begin && range.end <= drawn.end) return true;
      }
    }
    return false;
  };
  return slots != 0 && std::ranges::all_of(ranges, is_drawn);
}

void Attachments::AddRendered(AttachmentSlot slot, const state::ImageView* view, VkImageAspectFlags aspects,
                              VkImageLayout layout, const Covered& covered) {
  if (view == nullptr) return;
  Add(slot, view, aspects, covered);
  const VkExtent3D& extent = view->image->create_info.extent;
  const uint32_t level = view->subresource_range.baseMipLevel;
  const VkRect2D& area = covered.area;
  const bool covers_all = area.offset.x <= 0 && area.offset.y <= 0 &&
                          EndOf(area).width >= std::max(extent.width >> level, 1u) &&
                          EndOf(area).height >= std::max(extent.height >> level, 1u);
  allows_feedback_loops_ |= !covers_all || layout == VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT;
}

void Attachments::Add(AttachmentSlot slot, const state::ImageView* view, VkImageAspectFlags aspects,
                      const Covered& covered) {
  if (view == nullptr) return;
  const size_t first = ranges_.size();
  view->AppendAttachment(aspects, covered.area, covered.layer_count, covered.view_mask, ranges_);
  parts_[slot] = {view->image.get(), static_cast<uint16_t>(first), static_cast<uint16_t>(ranges_.size() - first)};
  slots_ |= 1u << slot;
}

// The host may read any other map.
void Attachments::AddDensityMap(const state::ImageView* view, VkExtent2D framebuffer, Covered covered) {
  if (view == nullptr || (view->flags & VK_IMAGE_VIEW_CREATE_FRAGMENT_DENSITY_MAP_DYNAMIC_BIT_EXT) == 0) return;
  const VkExtent3D& extent = view->image->create_info.extent;
  const uint32_t level = view->subresource_range.baseMipLevel;
  covered.area = AreaInTexels(covered.area, {DensityTexel(framebuffer.width, std::max(extent.width >> level, 1u)),
                                             DensityTexel(framebuffer.height, std::max(extent.height >> level, 1u))});
  Add(kDensityMapSlot, view, VK_IMAGE_ASPECT_COLOR_BIT, covered);
}

void Attachments::BeginInherited() {
  End();
  slots_ = (1u << kAttachmentSlots) - 1;
}

void Attachments::End() {
  if (slots_ != 0) parts_.fill({});
  // Unlike clear(), it keeps the memory.
  ranges_.erase(ranges_.begin(), ranges_.end());
  slots_ = 0;
  accessed_slots_ = 0;
  drawn_slots_ = 0;
  covered_slots_ = 0;
  covered_at_ = 0;
  allows_feedback_loops_ = false;
  has_other_draws_ = false;
  recorded_ = 0;
  recorded_at_ = 0;
}

DrawStages::DrawStages(const state::CommandBuffer& buffer) {
  const VkPipeline handle = buffer.At(VK_PIPELINE_BIND_POINT_GRAPHICS).pipeline;
  if (const auto* pipeline = DeviceState::Get<state::Pipeline>(handle)) {
    graphics = pipeline->graphics.get();
    is_known = graphics != nullptr;
    for (const PipelineStage& stage : pipeline->stages) {
      if (count < stages.size()) stages[count++] = &stage;
    }
    return;
  }
  if (handle != VK_NULL_HANDLE || !buffer.draw.has_graphics_shaders()) return;
  is_known = true;
  for (VkShaderStageFlagBits stage : kGraphicsStages) {
    if (const auto* shader = DeviceState::Get<state::Shader>(buffer.draw.shader(stage)))
      stages[count++] = &shader->stage;
  }
}

const PipelineStage* DrawStages::Find(VkShaderStageFlagBits stage) const {
  for (size_t i = 0; i < count; ++i) {
    if (stages[i]->stage == stage) return stages[i];
  }
  return nullptr;
}

AttachmentAccesses InputReadsOf(const state::DynamicRendering& rendering, std::optional<uint32_t> index,
                                VkImageAspectFlags aspects) {
  AttachmentAccesses accesses = 0;
  const size_t colors = std::min(rendering.colors.size(), rendering.color_input_indices.size());
  for (uint32_t i = 0; i < colors && index.has_value(); ++i) {
    if (rendering.color_input_indices[i] == *index && (aspects & VK_IMAGE_ASPECT_COLOR_BIT) != 0)
      accesses |= AccessBit(kFirstColorInputRead + i);
  }
  const auto is_read = [&](VkImageAspectFlagBits aspect, bool has_no_index, uint32_t own_index) {
    return (aspects & aspect) != 0 && (index.has_value() ? own_index == *index : has_no_index);
  };
  if (is_read(VK_IMAGE_ASPECT_DEPTH_BIT, rendering.depth_input_has_no_index, rendering.depth_input_index))
    accesses |= AccessBit(kDepthInputRead);
  if (is_read(VK_IMAGE_ASPECT_STENCIL_BIT, rendering.stencil_input_has_no_index, rendering.stencil_input_index))
    accesses |= AccessBit(kStencilInputRead);
  return accesses;
}

AttachmentAccesses AttachmentAccessesOfDraw(const DrawStages& stages, const FixedFunctions& functions,
                                            const state::RenderPassInstance& rendering, uint32_t slots) {
  if (slots == 0 || functions.rasterizer_discard) return 0;
  VkShaderStageFlags present = 0;
  for (size_t i = 0; i < stages.count; ++i) present |= stages.stages[i]->stage;
  if ((present & kPrimitiveShaders) == 0 && state::IsPolygon(functions.topology) && functions.CullsPolygons()) return 0;
  const PipelineStage* fragment = stages.Find(VK_SHADER_STAGE_FRAGMENT_BIT);
  AttachmentAccesses accesses = DepthStencilAccesses(fragment, functions);
  if (fragment != nullptr) accesses |= ColorAccesses(*fragment, functions, rendering);
  if (functions.attachment_rate_op != VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR)
    accesses |= AccessBit(kShadingRateRead);
  if (present != 0) accesses |= AccessBit(kDensityMapRead);
  return accesses & AccessesOfSlots(slots);
}

}  // namespace assay::syncval
