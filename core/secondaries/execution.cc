// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Secondary command buffers where they are executed.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/render_passes/render_pass_compatibility.h"
#include "core/secondaries/secondary_rules.h"
#include "state/state.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using state::CommandBuffer;
using state::RenderPassInstance;
using vk::FeatureId;
using vk::Vuid;

constexpr VkRenderingFlags kSecondaries = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;

// How deep the command buffers are that it executes.
uint32_t NestingLevel(const CommandBuffer& buffer) {
  uint32_t level = 0;
  for (const state::ExecutedSecondary& executed : buffer.executed) {
    const CommandBuffer* const secondary = state::DeviceState::Get(executed.handle);
    if (secondary == nullptr || secondary == &buffer || secondary->recording != executed.recording) continue;
    level = std::max(level, NestingLevel(*secondary) + 1);
  }
  return level;
}

// By element; empty if none is.
std::vector<bool> ArePending(const state::DeviceState& state, absl::Span<const VkCommandBuffer> handles) {
  if (!state.HasPendingBatches()) return {};
  std::vector<bool> pending(handles.size());
  state.InspectQueues([&] {
    for (size_t i = 0; i < handles.size(); ++i) {
      const CommandBuffer* const secondary = state::DeviceState::Get(handles[i]);
      const auto* const scope = secondary != nullptr ? secondary->Sub<RecordingScope>() : nullptr;
      pending[i] = scope != nullptr && state::IsPending(scope->submitted);
    }
  });
  return pending;
}

bool AllowsSecondaries(VkSubpassContents contents) {
  return contents == VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS ||
         contents == VK_SUBPASS_CONTENTS_INLINE_AND_SECONDARY_COMMAND_BUFFERS_KHR;
}

// An element of pCommandBuffers, or the command itself.
class ExecutionCheck {
 public:
  ExecutionCheck(const CommandBuffer& buffer, const CommandBuffer& secondary, uint32_t index, messages::Report& report)
      : buffer_(buffer), secondary_(secondary), index_(index), report_(report) {}

  void CheckRendering() const {
    const RenderPassInstance& current = buffer_.rendering;
    const RenderPassInstance& inherited = secondary_.rendering;
    if (!continues()) {
      return Say(Vuid("VUID-vkCmdExecuteCommands-pCommandBuffers-00096"),
                 "was not recorded with VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, but is executed in a render "
                 "pass instance.");
    }
    if (!inherited.is_inherited()) return;
    if (current.kind() == RenderPassInstance::Kind::kRenderPass) return CheckRenderPass(current, inherited);
    if (inherited.kind() == RenderPassInstance::Kind::kRenderPass) {
      return Say(Vuid("VUID-vkCmdExecuteCommands-pBeginInfo-06025"),
                 "inherits a VkRenderPass, but is executed in a render pass instance of dynamic rendering.");
    }
    CheckDynamicRendering(current, inherited);
    CheckSamples(current.dynamic(), inherited.dynamic());
  }
  void CheckNoRendering() const {
    if (!continues()) return;
    Say(Vuid("VUID-vkCmdExecuteCommands-pCommandBuffers-00100"),
        "was recorded with VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, but is executed outside of render pass "
        "instances.");
  }

  void CheckQueries(const RecordingScope& scope, const Inheritance& inherited) const {
    for (const ActiveQuery& query : scope.active_queries) {
      const auto* const pool = state::DeviceState::Get<state::QueryPool>(query.pool);
      if (pool == nullptr) continue;
      if (pool->query_type == VK_QUERY_TYPE_OCCLUSION && !inherited.has_occlusion_queries) {
        Say(Vuid("VUID-vkCmdExecuteCommands-commandBuffer-00102"),
            "was recorded without occlusionQueryEnable, but an occlusion query is active.");
      }
      const auto missing = pool->statistics & ~inherited.statistics;
      if (missing == 0) continue;
      Say(Vuid("VUID-vkCmdExecuteCommands-commandBuffer-00104"),
          absl::StrCat("was recorded with pipelineStatistics that lack ",
                       vk::FlagsToString(vk::EnumId::kQueryPipelineStatisticFlagBits, missing),
                       ", which an active query counts."));
    }
  }

  void Say(vk::VuidIndex rule, std::string_view text) const {
    const messages::ObjectRef object = {VK_OBJECT_TYPE_COMMAND_BUFFER, secondary_.handle()};
    const Location command = report_.location();
    report_.Error(rule, {{VK_OBJECT_TYPE_COMMAND_BUFFER, buffer_.handle()}, object},
                  command.Dot("pCommandBuffers", index_),
                  absl::StrCat("(", report_.reporter().Describe(object), ") ", text));
  }

 private:
  bool continues() const { return (secondary_.usage & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT) != 0; }
  // "inherits what (a), but the render pass instance has b."
  template <class A, class B>
  void SayDifferent(vk::VuidIndex rule, std::string_view what, const A& inherited, const B& current) const {
    Say(rule, absl::StrCat("inherits ", what, " (", inherited, "), but the render pass instance has ", current, "."));
  }

  void CheckRenderPass(const RenderPassInstance& current, const RenderPassInstance& inherited) const {
    if (current.render_pass() == nullptr || inherited.render_pass() == nullptr) return;
    if (const auto difference = DifferenceOf(*current.render_pass(), *inherited.render_pass())) {
      return Say(Vuid("VUID-vkCmdExecuteCommands-pBeginInfo-06020"),
                 absl::StrCat("inherits a VkRenderPass that is not compatible with the current one: they differ in ",
                              difference->Text(), "."));
    }
    if (current.subpass_index() != inherited.subpass_index()) {
      SayDifferent(Vuid("VUID-vkCmdExecuteCommands-pCommandBuffers-06019"), "the subpass", inherited.subpass_index(),
                   current.subpass_index());
    }
    const bool knows_both = current.framebuffer() != nullptr && inherited.framebuffer() != nullptr;
    if (knows_both && current.framebuffer() != inherited.framebuffer()) {
      Say(Vuid("VUID-vkCmdExecuteCommands-pCommandBuffers-00099"),
          absl::StrCat("inherits another framebuffer than the current render pass instance has, ",
                       report_.reporter().Describe({VK_OBJECT_TYPE_FRAMEBUFFER, current.framebuffer()->handle()}),
                       "."));
    }
  }

  void CheckDynamicRendering(const RenderPassInstance& current, const RenderPassInstance& inherited) const {
    const state::DynamicRendering& now = current.dynamic();
    const state::DynamicRendering& from = inherited.dynamic();
    if (((now.flags ^ from.flags) & ~kSecondaries) != 0) {
      SayDifferent(Vuid("VUID-vkCmdExecuteCommands-flags-06026"), "the flags",
                   vk::FlagsToString(vk::EnumId::kRenderingFlagBits, from.flags),
                   vk::FlagsToString(vk::EnumId::kRenderingFlagBits, now.flags));
    }
    if (current.view_mask() != inherited.view_mask()) {
      SayDifferent(Vuid("VUID-vkCmdExecuteCommands-viewMask-06031"), "the view mask", inherited.view_mask(),
                   current.view_mask());
    }
    if (now.colors.size() != from.colors.size()) {
      SayDifferent(Vuid("VUID-vkCmdExecuteCommands-colorAttachmentCount-06027"), "the number of color attachments",
                   from.colors.size(), now.colors.size());
    }
    for (size_t i = 0; i < std::min(now.colors.size(), from.colors.size()); ++i) {
      CheckFormat(now.colors[i], from.colors[i], Vuid("VUID-vkCmdExecuteCommands-imageView-06028"),
                  Vuid("VUID-vkCmdExecuteCommands-imageView-07606"), absl::StrCat("color attachment ", i));
    }
    const size_t count = std::min({now.colors.size(), from.colors.size(), now.color_locations.size()});
    const auto match = [&](const state::ColorAttachmentMap& a, const state::ColorAttachmentMap& b) {
      return std::equal(a.begin(), a.begin() + static_cast<ptrdiff_t>(count), b.begin());
    };
    if (!match(now.color_locations, from.color_locations)) {
      Say(Vuid("VUID-vkCmdExecuteCommands-pCommandBuffers-09504"),
          "inherits other locations of color attachments (VkRenderingAttachmentLocationInfo) than commandBuffer has.");
    }
    if (!match(now.color_input_indices, from.color_input_indices)) {
      Say(Vuid("VUID-vkCmdExecuteCommands-pCommandBuffers-09505"),
          "inherits other indices of input attachments (VkRenderingInputAttachmentIndexInfo) than commandBuffer has.");
    }
    CheckFormat(now.depth, from.depth, Vuid("VUID-vkCmdExecuteCommands-pDepthAttachment-06029"),
                Vuid("VUID-vkCmdExecuteCommands-pDepthAttachment-06774"), "the depth attachment");
    CheckFormat(now.stencil, from.stencil, Vuid("VUID-vkCmdExecuteCommands-pStencilAttachment-06030"),
                Vuid("VUID-vkCmdExecuteCommands-pStencilAttachment-06775"), "the stencil attachment");
  }
  void CheckFormat(const state::RenderingAttachment& now, const state::RenderingAttachment& from, vk::VuidIndex same,
                   vk::VuidIndex none, std::string_view what) const {
    // An external format is none.
    const bool is_external = now.view && now.format == VK_FORMAT_UNDEFINED;
    if (now.format == from.format || is_external) return;
    SayDifferent(now.format == VK_FORMAT_UNDEFINED ? none : same, absl::StrCat("the format of ", what),
                 vk::ToString(from.format), vk::ToString(now.format));
  }

  // Views have as many samples as the secondary was recorded for.
  void CheckSamples(const state::DynamicRendering& now, const state::DynamicRendering& from) const {
    if (now.single_sampled_rasterization_samples != 0) return;
    const auto* const scope = secondary_.Sub<RecordingScope>();
    const auto* const own = scope != nullptr && scope->inheritance.samples ? &*scope->inheritance.samples : nullptr;
    const auto check = [&](const state::ImageView* view, VkSampleCountFlags own_samples, vk::VuidIndex with_own,
                           vk::VuidIndex without, std::string_view what) {
      if (view == nullptr || !view->image) return true;
      const VkSampleCountFlags samples = own != nullptr ? own_samples : from.inherited_samples;
      const VkSampleCountFlags has = view->image->create_info.samples;
      if (samples == has) return true;
      SayDifferent(own != nullptr ? with_own : without, absl::StrCat("the samples of ", what), samples, has);
      return false;
    };
    for (size_t i = 0; i < now.colors.size(); ++i) {
      if (own != nullptr && i >= own->colors.size()) break;
      const bool is_right = check(now.colors[i].view.get(), own != nullptr ? own->colors[i] : 0,
                                  Vuid("VUID-vkCmdExecuteCommands-pNext-06032"),
                                  Vuid("VUID-vkCmdExecuteCommands-pNext-06035"), absl::StrCat("color attachment ", i));
      if (!is_right) return;
    }
    const VkSampleCountFlags depth_stencil = own != nullptr ? own->depth_stencil : 0;
    if (!check(now.depth.view.get(), depth_stencil, Vuid("VUID-vkCmdExecuteCommands-pNext-06033"),
               Vuid("VUID-vkCmdExecuteCommands-pNext-06036"), "the depth attachment")) {
      return;
    }
    check(now.stencil.view.get(), depth_stencil, Vuid("VUID-vkCmdExecuteCommands-pNext-06034"),
          Vuid("VUID-vkCmdExecuteCommands-pNext-06037"), "the stencil attachment");
  }

  const CommandBuffer& buffer_;
  const CommandBuffer& secondary_;
  const uint32_t index_;
  messages::Report& report_;
};

// What the command buffer must be, whatever it executes.
void CheckCommand(const dispatch::Device& device, const CommandBuffer& buffer, messages::Report& report) {
  const auto say = [&](vk::VuidIndex rule, std::string_view text) {
    report.Error(rule, {{VK_OBJECT_TYPE_COMMAND_BUFFER, buffer.handle()}}, report.location(), std::string(text));
  };
  if (buffer.draw.transform_feedback_is_active())
    say(Vuid("VUID-vkCmdExecuteCommands-None-02286"), "Transform feedback is active.");
  const bool is_secondary = buffer.level == VK_COMMAND_BUFFER_LEVEL_SECONDARY;
  const bool continues = (buffer.usage & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT) != 0;
  if (is_secondary && !device.HasFeature(FeatureId::kNestedCommandBuffer)) {
    return say(Vuid("VUID-vkCmdExecuteCommands-commandBuffer-09375"),
               "commandBuffer is secondary, but the feature nestedCommandBuffer is not enabled.");
  }
  if (is_secondary && continues && !device.HasFeature(FeatureId::kNestedCommandBufferRendering)) {
    say(Vuid("VUID-vkCmdExecuteCommands-nestedCommandBufferRendering-09377"),
        "commandBuffer is secondary and continues a render pass instance, but the feature nestedCommandBufferRendering "
        "is not enabled.");
  }
  const RenderPassInstance& rendering = buffer.rendering;
  if (!rendering.is_active() || rendering.is_inherited() || AllowsSecondaries(rendering.contents())) return;
  const bool is_dynamic = rendering.kind() == RenderPassInstance::Kind::kDynamic;
  if (is_dynamic && (rendering.dynamic().flags & kSecondaries) != 0) return;
  say(is_dynamic                       ? Vuid("VUID-vkCmdExecuteCommands-flags-06024")
      : rendering.subpass_index() == 0 ? Vuid("VUID-vkCmdExecuteCommands-contents-09680")
                                       : Vuid("VUID-vkCmdExecuteCommands-None-09681"),
      is_dynamic ? "The render pass instance does not have VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT."
                 : "The contents of the subpass are not secondary command buffers.");
}

}  // namespace

void SecondaryRules::PreCallValidate(const vk::CmdExecuteCommands& call, dispatch::Slot& slot,
                                     messages::Report& report) const {
  const CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
  const auto* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
  if (scope == nullptr || buffer->recording_state != state::RecordingState::kRecording) return;
  const dispatch::Device& device = state_.device();
  CheckCommand(device, *buffer, report);
  const bool is_nested = buffer->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY;
  const auto* const protection = device.physical_device->Find<VkPhysicalDeviceProtectedMemoryProperties>();
  const auto* const nesting = device.physical_device->Find<VkPhysicalDeviceNestedCommandBufferPropertiesEXT>();
  const auto handles = state::Items(call.pCommandBuffers, call.commandBufferCount);
  const std::vector<bool> are_pending = ArePending(state_, handles);
  for (uint32_t i = 0; i < handles.size(); ++i) {
    const CommandBuffer* const secondary = state::DeviceState::Get(handles[i]);
    const auto* const secondary_scope = secondary != nullptr ? secondary->Sub<RecordingScope>() : nullptr;
    if (secondary_scope == nullptr) continue;
    const ExecutionCheck check(*buffer, *secondary, i, report);
    if (secondary->level != VK_COMMAND_BUFFER_LEVEL_SECONDARY) {
      check.Say(Vuid("VUID-vkCmdExecuteCommands-pCommandBuffers-00088"), "is not a secondary command buffer.");
      continue;
    }
    if (secondary->pool.queue_family != buffer->pool.queue_family) {
      check.Say(Vuid("VUID-vkCmdExecuteCommands-pCommandBuffers-00094"),
                absl::StrCat("was allocated for queue family ", secondary->pool.queue_family,
                             ", but commandBuffer for queue family ", buffer->pool.queue_family, "."));
    }
    const bool is_protected = (buffer->pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) != 0;
    const bool differs = ((buffer->pool.flags ^ secondary->pool.flags) & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) != 0;
    if (differs && protection != nullptr && protection->protectedNoFault == VK_FALSE) {
      check.Say(is_protected ? Vuid("VUID-vkCmdExecuteCommands-commandBuffer-01820")
                             : Vuid("VUID-vkCmdExecuteCommands-commandBuffer-01821"),
                is_protected ? "is not protected, but commandBuffer is." : "is protected, but commandBuffer is not.");
    }
    // What was not recorded may be anything else, too.
    if (secondary->recording_state != state::RecordingState::kExecutable) continue;
    const bool is_simultaneous = (secondary->usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT) != 0;
    if (is_nested && is_simultaneous && !device.HasFeature(FeatureId::kNestedCommandBufferSimultaneousUse)) {
      check.Say(Vuid("VUID-vkCmdExecuteCommands-nestedCommandBufferSimultaneousUse-09378"),
                "was recorded with VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, but the feature "
                "nestedCommandBufferSimultaneousUse is not enabled.");
    }
    if (is_nested && nesting != nullptr && NestingLevel(*secondary) >= nesting->maxCommandBufferNestingLevel) {
      check.Say(Vuid("VUID-vkCmdExecuteCommands-nestedCommandBuffer-09376"),
                absl::StrCat("has the nesting level ", NestingLevel(*secondary),
                             ", which is not less than maxCommandBufferNestingLevel (",
                             nesting->maxCommandBufferNestingLevel, ")."));
    }
    if (!is_simultaneous) {
      const auto is_it = [&](const state::ExecutedSecondary& executed) {
        return executed.handle == handles[i] && executed.recording == secondary->recording;
      };
      const bool is_pending = !are_pending.empty() && are_pending[i];
      const bool is_here = std::ranges::count(handles.first(i), handles[i]) != 0;
      if (is_here || is_pending || std::ranges::any_of(buffer->executed, is_it)) {
        check.Say(is_here      ? Vuid("VUID-vkCmdExecuteCommands-pCommandBuffers-00093")
                  : is_pending ? Vuid("VUID-vkCmdExecuteCommands-pCommandBuffers-00091")
                               : Vuid("VUID-vkCmdExecuteCommands-pCommandBuffers-00092"),
                  absl::StrCat("was recorded without VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, but is ",
                               is_here      ? "in pCommandBuffers twice."
                               : is_pending ? "pending."
                                            : "executed in commandBuffer already."));
      }
    }
    if (scope->instance() != 0 && buffer->rendering.is_active()) check.CheckRendering();
    if (scope->instance() == 0) check.CheckNoRendering();
    // Without the feature no query may be active (core/queries).
    if (device.HasFeature(FeatureId::kInheritedQueries)) check.CheckQueries(*scope, secondary_scope->inheritance);
  }
}

}  // namespace assay::core
