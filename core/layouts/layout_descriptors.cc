// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts of images that shaders access through descriptors.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/interfaces/variable_text.h"
#include "core/layouts/layout_recorder.h"
#include "core/layouts/layout_rules.h"
#include "core/layouts/tracked_images.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

using state::RenderPassInstance;

// Whether the image is an attachment of the instance, in any subpass.
bool IsAttachment(const state::Image& image, const RenderPassInstance& rendering) {
  const auto is_of = [&](const state::ImageView* view) { return view != nullptr && view->image.get() == &image; };
  if (rendering.kind() == RenderPassInstance::Kind::kRenderPass) {
    const size_t count = rendering.render_pass() != nullptr ? rendering.render_pass()->attachments.size() : 0;
    for (uint32_t i = 0; i < count; ++i) {
      if (is_of(rendering.ViewOf(i))) return true;
    }
    return false;
  }
  const state::DynamicRendering& dynamic = rendering.dynamic();
  const auto is_of_attachment = [&](const state::RenderingAttachment& attachment) {
    return is_of(attachment.view.get()) || is_of(attachment.resolve_view.get());
  };
  return std::ranges::any_of(dynamic.colors, is_of_attachment) || is_of_attachment(dynamic.depth) ||
         is_of_attachment(dynamic.stencil) || is_of(dynamic.fragment_shading_rate.get()) ||
         is_of(dynamic.fragment_density_map.get());
}

}  // namespace

std::vector<vk::VuidIndex> DescriptorLayoutIds() {
  std::vector<vk::VuidIndex> all;
  vk::ForEachCommand([&](auto tag) {
    using C = typename decltype(tag)::Command;
    if constexpr (ActionCommand<C>) all.push_back(vk::FindVuidOf(C::kName, kDescriptorLayoutRule));
  });
  std::erase(all, vk::kNoVuid);
  return all;
}

RecordingScope* LayoutRules::DrawingScopeIn(const dispatch::Slot& slot) const {
  const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || inherits_ || buffer->recording_state != state::RecordingState::kRecording) return nullptr;
  RecordingScope* const scope = buffer->Sub<RecordingScope>();
  const bool is_known = scope != nullptr && !scope->draw.has_executed() && !buffer->rendering.is_inherited() &&
                        buffer->draw.predicate().buffer == VK_NULL_HANDLE;
  return is_known ? scope : nullptr;
}

void LayoutRules::RecordDescriptors(DrawRecording::BindPoint point, vk::VuidIndex rule, const dispatch::Slot& slot,
                                    const RecordingScope& scope, messages::Report& report) const {
  const state::CommandBuffer& buffer = *state::DeviceState::CommandBufferIn(slot);
  const state::BindPointState& bound = buffer.At(PointOf(point));
  const BoundShaders shaders{point, buffer, scope.draw, bound};
  // Most shaders access no image for certain.
  std::optional<LayoutRecorder> recorder;
  shaders.ForEach([&](const ResourceAccesses& resources, const state::Pipeline*, const state::Shader*) {
    for (const ResourceAccesses::Stage& stage : resources.stages) {
      if (!stage.accesses_images || (stage.shader->stage == VK_SHADER_STAGE_FRAGMENT_BIT && shaders.MayDiscard()))
        continue;
      for (const ResourceVariable& resource : stage.shader->resources) {
        if (resource.accesses == 0 || resource.dim == spv::Dim::Max || resource.dim == spv::Dim::Buffer) continue;
        const state::Descriptor* const descriptor = FixedDescriptor(bound, resource);
        if (descriptor == nullptr || descriptor->kind != state::Descriptor::Kind::kImage) continue;
        const auto* const view = state::DeviceState::Get<state::ImageView>(descriptor->resource);
        const state::Image* const image = view != nullptr ? TrackedImage(view->image.get()) : nullptr;
        if (image == nullptr || (buffer.rendering.is_active() && IsAttachment(*image, buffer.rendering))) continue;
        const bool is_combined = descriptor->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
        const LayoutAccess access = {descriptor->layout,
                                     descriptor->layout,
                                     is_combined ? vk::Vuid("VUID-VkDescriptorImageInfo-imageLayout-00344") : rule,
                                     {},
                                     {}};
        if (!recorder) recorder.emplace(slot, report);
        if (!recorder->is_recording()) return;
        recorder->Access(
            *image, view->subresource_range, access, LayoutRecorder::Left::kByCommand,
            [&](const LayoutMismatch& mismatch) {
              const messages::ObjectRef object = {VK_OBJECT_TYPE_IMAGE, image->handle()};
              const messages::ObjectRef commands = {VK_OBJECT_TYPE_COMMAND_BUFFER, buffer.handle()};
              report.Error(mismatch.access.rule, {commands, object}, report.location(),
                           absl::StrCat("The ", StageText(stage.shader->stage), " shader accesses binding ",
                                        resource.binding, " of set ", resource.set, ", whose imageLayout ",
                                        LayoutText(mismatch.access.expected), " is not the layout of ",
                                        SubresourceText(mismatch.box, object, report.reporter()), ", which ",
                                        CommandText(mismatch.command), " left in ", LayoutText(mismatch.actual), "."),
                           FixText(mismatch));
            });
      }
    }
  });
}

}  // namespace assay::core
