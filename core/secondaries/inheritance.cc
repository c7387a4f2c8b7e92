// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Where command buffers begin and end, and what secondary ones inherit.

#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/render_passes/render_pass_compatibility.h"
#include "core/secondaries/secondary_rules.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"
#include "vk/format_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using state::DeviceState;
using vk::FeatureId;
using vk::Vuid;

constexpr VkCommandBufferUsageFlags kContinues = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;

class InheritanceCheck {
 public:
  InheritanceCheck(const state::CommandBuffer& buffer, const dispatch::Device& device, const FormatFeatures& features,
                   messages::Report& report)
      : buffer_(buffer), device_(device), features_(features), report_(report) {}

  void Say(vk::VuidIndex rule, const Location& where, std::string text) const {
    report_.Error(rule, {{VK_OBJECT_TYPE_COMMAND_BUFFER, buffer_.handle()}}, where, std::move(text));
  }

  void CheckQueries(const VkCommandBufferInheritanceInfo& info, const Location& where) const {
    const auto check_bits = [&](FeatureId feature, vk::EnumId of, VkFlags bits, vk::VuidIndex rule,
                                std::string_view member) {
      uint64_t known = 0;
      for (const vk::EnumValue& value : vk::GetEnumInfo(of).values) known |= static_cast<uint64_t>(value.value);
      if (!device_.HasFeature(feature) || (bits & ~known) == 0) return;
      Say(rule, where.Dot(member), absl::StrCat("(0x", absl::Hex(bits), ") has unknown bits."));
    };
    check_bits(FeatureId::kInheritedQueries, vk::EnumId::kQueryControlFlagBits, info.queryFlags,
               Vuid("VUID-VkCommandBufferInheritanceInfo-queryFlags-00057"), "queryFlags");
    check_bits(FeatureId::kPipelineStatisticsQuery, vk::EnumId::kQueryPipelineStatisticFlagBits,
               info.pipelineStatistics, Vuid("VUID-VkCommandBufferInheritanceInfo-pipelineStatistics-02789"),
               "pipelineStatistics");
    if ((info.queryFlags & VK_QUERY_CONTROL_PRECISE_BIT) == 0) return;
    const bool can_be_precise = device_.HasFeature(FeatureId::kOcclusionQueryPrecise);
    if (info.occlusionQueryEnable != VK_FALSE && can_be_precise) return;
    Say(Vuid("VUID-vkBeginCommandBuffer-commandBuffer-00052"), where.Dot("queryFlags"),
        absl::StrCat("has VK_QUERY_CONTROL_PRECISE_BIT, but ",
                     can_be_precise ? "occlusionQueryEnable is VK_FALSE."
                                    : "the feature occlusionQueryPrecise is not enabled."));
  }

  // Of a command buffer that continues a render pass instance.
  void CheckRendering(const VkCommandBufferInheritanceInfo& info, const Location& where) const {
    if ((buffer_.pool.queue_flags & VK_QUEUE_GRAPHICS_BIT) == 0) {
      Say(Vuid("VUID-VkCommandBufferBeginInfo-flags-09123"), where,
          absl::StrCat("is of a command buffer of queue family ", buffer_.pool.queue_family,
                       ", which does not support graphics."));
    }
    if (info.renderPass != VK_NULL_HANDLE) return CheckRenderPass(info, where);
    const auto* const rendering = vk::FindInChain<VkCommandBufferInheritanceRenderingInfo>(info.pNext);
    if (!device_.HasFeature(FeatureId::kDynamicRendering)) {
      return Say(Vuid("VUID-VkCommandBufferBeginInfo-flags-09240"), where.Dot("renderPass"),
                 "is VK_NULL_HANDLE, but the feature dynamicRendering is not enabled.");
    }
    if (rendering == nullptr) {
      return Say(Vuid("VUID-VkCommandBufferBeginInfo-flags-06002"), where.Dot("renderPass"),
                 "is VK_NULL_HANDLE, but there is no VkCommandBufferInheritanceRenderingInfo.");
    }
    const auto* const samples = vk::FindInChain<VkAttachmentSampleCountInfoAMD>(info.pNext);
    if (samples != nullptr && samples->colorAttachmentCount != rendering->colorAttachmentCount) {
      Say(Vuid("VUID-VkCommandBufferBeginInfo-flags-06003"),
          where.Next("VkAttachmentSampleCountInfoAMD", "colorAttachmentCount"),
          absl::StrCat("(", samples->colorAttachmentCount, ") is not that of VkCommandBufferInheritanceRenderingInfo (",
                       rendering->colorAttachmentCount, ")."));
    }
    CheckDynamic(*rendering, where.Next("VkCommandBufferInheritanceRenderingInfo"));
  }

 private:
  void CheckRenderPass(const VkCommandBufferInheritanceInfo& info, const Location& where) const {
    const auto* const pass = DeviceState::Get<state::RenderPass>(info.renderPass);
    if (pass == nullptr) return;
    if (pass->At(info.subpass) == nullptr) {
      Say(Vuid("VUID-VkCommandBufferBeginInfo-flags-06001"), where.Dot("subpass"),
          absl::StrCat("(", info.subpass, ") is no subpass of ",
                       report_.reporter().Describe(messages::Object(info.renderPass)), "."));
    }
    const auto* const framebuffer = DeviceState::Get<state::Framebuffer>(info.framebuffer);
    if (framebuffer == nullptr || !framebuffer->render_pass) return;
    if (const auto difference = DifferenceOf(*framebuffer->render_pass, *pass)) {
      Say(Vuid("VUID-VkCommandBufferBeginInfo-flags-00055"), where.Dot("framebuffer"),
          absl::StrCat("(", report_.reporter().Describe(messages::Object(info.framebuffer)),
                       ") is not compatible with renderPass: they differ in ", difference->Text(), "."));
    }
  }

  void CheckDynamic(const VkCommandBufferInheritanceRenderingInfo& info, const Location& where) const {
    const VkFormat depth = info.depthAttachmentFormat;
    const VkFormat stencil = info.stencilAttachmentFormat;
    const bool has_one_bit = std::has_single_bit(static_cast<uint32_t>(info.rasterizationSamples)) &&
                             info.rasterizationSamples <= VK_SAMPLE_COUNT_64_BIT;
    const bool may_vary = device_.HasFeature(FeatureId::kVariableMultisampleRate);
    if (!has_one_bit && (!may_vary || info.colorAttachmentCount != 0)) {
      Say(may_vary ? Vuid("VUID-VkCommandBufferInheritanceRenderingInfo-colorAttachmentCount-06004")
                   : Vuid("VUID-VkCommandBufferInheritanceRenderingInfo-variableMultisampleRate-06005"),
          where.Dot("rasterizationSamples"),
          absl::StrCat("(", static_cast<uint32_t>(info.rasterizationSamples), ") is not one sample count."));
    }
    for (uint32_t i = 0; info.pColorAttachmentFormats != nullptr && i < info.colorAttachmentCount; ++i) {
      CheckFormat(info.pColorAttachmentFormats[i], 0, vk::kNoVuid,
                  Vuid("VUID-VkCommandBufferInheritanceRenderingInfo-pColorAttachmentFormats-06492"),
                  where.Dot("pColorAttachmentFormats", i));
    }
    CheckFormat(depth, VK_IMAGE_ASPECT_DEPTH_BIT,
                Vuid("VUID-VkCommandBufferInheritanceRenderingInfo-depthAttachmentFormat-06540"),
                Vuid("VUID-VkCommandBufferInheritanceRenderingInfo-depthAttachmentFormat-06007"),
                where.Dot("depthAttachmentFormat"));
    CheckFormat(stencil, VK_IMAGE_ASPECT_STENCIL_BIT,
                Vuid("VUID-VkCommandBufferInheritanceRenderingInfo-stencilAttachmentFormat-06541"),
                Vuid("VUID-VkCommandBufferInheritanceRenderingInfo-stencilAttachmentFormat-06199"),
                where.Dot("stencilAttachmentFormat"));
    if (depth != VK_FORMAT_UNDEFINED && stencil != VK_FORMAT_UNDEFINED && depth != stencil) {
      Say(Vuid("VUID-VkCommandBufferInheritanceRenderingInfo-depthAttachmentFormat-06200"),
          where.Dot("depthAttachmentFormat"),
          absl::StrCat("is ", vk::ToString(depth), ", but stencilAttachmentFormat is ", vk::ToString(stencil), "."));
    }
    const auto* const limits = device_.physical_device->Find<VkPhysicalDeviceMultiviewProperties>();
    if (limits != nullptr && static_cast<uint32_t>(std::bit_width(info.viewMask)) > limits->maxMultiviewViewCount) {
      Say(Vuid("VUID-VkCommandBufferInheritanceRenderingInfo-viewMask-06009"), where.Dot("viewMask"),
          absl::StrCat("(0x", absl::Hex(info.viewMask), ") has more views than maxMultiviewViewCount (",
                       limits->maxMultiviewViewCount, ")."));
    }
  }

  // A format of an attachment: it has the aspect, and may be one of the device's.
  void CheckFormat(VkFormat format, VkImageAspectFlags aspect, vk::VuidIndex aspect_rule, vk::VuidIndex feature_rule,
                   const Location& where) const {
    const vk::FormatInfo* const info = vk::GetFormatInfo(format);
    if (info == nullptr) return;
    if (aspect != 0 && (info->aspects & aspect) == 0) {
      return Say(aspect_rule, where,
                 absl::StrCat("is ", info->name, ", which does not have ",
                              vk::FlagsToString(vk::EnumId::kImageAspectFlagBits, aspect), "."));
    }
    const VkFormatFeatureFlags2 needed =
        aspect != 0 ? VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT
                    : VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_LINEAR_COLOR_ATTACHMENT_BIT_NV;
    const auto features = features_.Potential(format);
    if (!features || (*features & needed) != 0) return;
    Say(feature_rule, where,
        absl::StrCat("is ", info->name, ", which the device does not support for ",
                     aspect != 0 ? "depth/stencil" : "color", " attachments."));
  }

  const state::CommandBuffer& buffer_;
  const dispatch::Device& device_;
  const FormatFeatures& features_;
  messages::Report& report_;
};

}  // namespace

SecondaryRules::SecondaryRules(const DeviceState& state) : state_(state), features_(state.device()) {}

void SecondaryRules::PreCallValidate(const vk::BeginCommandBuffer& call, messages::Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::Get(call.commandBuffer);
  if (buffer == nullptr || call.pBeginInfo == nullptr) return;
  const VkCommandBufferBeginInfo& begin = *call.pBeginInfo;
  const InheritanceCheck check(*buffer, state_.device(), features_, report);
  const Location command = report.location();
  const Location where = command.Dot("pBeginInfo");
  const bool was_recorded = buffer->recording_state == state::RecordingState::kExecutable ||
                            buffer->recording_state == state::RecordingState::kInvalid;
  if (was_recorded && (buffer->pool.flags & VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT) == 0) {
    check.Say(Vuid("VUID-vkBeginCommandBuffer-commandBuffer-00050"), command.Dot("commandBuffer"),
              "was recorded before, and its pool was created without VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT.");
  }
  if (buffer->level == VK_COMMAND_BUFFER_LEVEL_PRIMARY) {
    constexpr VkCommandBufferUsageFlags kBoth =
        VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT | VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    if ((begin.flags & kBoth) == kBoth) {
      check.Say(Vuid("VUID-vkBeginCommandBuffer-commandBuffer-02840"), where.Dot("flags"),
                "has both VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT and "
                "VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT.");
    }
    return;
  }
  const Location inheritance = where.Dot("pInheritanceInfo");
  if (begin.pInheritanceInfo == nullptr) {
    return check.Say(Vuid("VUID-vkBeginCommandBuffer-commandBuffer-00051"), inheritance,
                     "is NULL, but the command buffer is secondary.");
  }
  check.CheckQueries(*begin.pInheritanceInfo, inheritance);
  const auto* const viewports =
      vk::FindInChain<VkCommandBufferInheritanceViewportScissorInfoNV>(begin.pInheritanceInfo->pNext);
  const bool inherits_viewports = viewports != nullptr && viewports->viewportScissor2D != VK_FALSE;
  if ((begin.flags & kContinues) != 0) return check.CheckRendering(*begin.pInheritanceInfo, inheritance);
  if (!inherits_viewports) return;
  check.Say(Vuid("VUID-VkCommandBufferInheritanceViewportScissorInfoNV-viewportScissor2D-04786"), where.Dot("flags"),
            "does not have VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, but viewportScissor2D is VK_TRUE.");
}

void SecondaryRules::PreCallValidate(const vk::EndCommandBuffer& call, messages::Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::Get(call.commandBuffer);
  const auto* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
  if (scope == nullptr || buffer->recording_state != state::RecordingState::kRecording) return;
  const bool is_primary = buffer->level == VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  const auto require = [&](bool holds, vk::VuidIndex rule, std::string_view text) {
    if (!holds) report.Error(rule, {messages::Object(call.commandBuffer)}, report.location(), std::string(text));
  };
  require(!is_primary || scope->instance() == 0, Vuid("VUID-vkEndCommandBuffer-commandBuffer-00060"),
          "A render pass instance is active.");
  require(buffer->draw.predicate().buffer == VK_NULL_HANDLE, Vuid("VUID-vkEndCommandBuffer-None-01978"),
          "Conditional rendering is active.");
  require((scope->bits() & kInsideVideoCoding) == 0, Vuid("VUID-vkEndCommandBuffer-None-06991"),
          "A video session is bound.");
  // With VK_EXT_debug_marker, it is not known which of both extensions a label is of.
  require(is_primary || buffer->label_path() == 0 || state_.device().IsEnabled(vk::ExtensionId::kExtDebugMarker),
          Vuid("VUID-vkEndCommandBuffer-commandBuffer-01815"), "A debug label is open.");
}

void SecondaryRules::PreCallValidate(const vk::ResetCommandBuffer& call, messages::Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::Get(call.commandBuffer);
  if (buffer == nullptr || (buffer->pool.flags & VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT) != 0) return;
  report.Error(Vuid("VUID-vkResetCommandBuffer-commandBuffer-00046"), {messages::Object(call.commandBuffer)},
               report.location().Dot("commandBuffer"),
               "is of a pool that was created without VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT.");
}

void SecondaryRules::PreCallValidate(const vk::CreateCommandPool& call, messages::Report& report) const {
  const size_t count = state_.device().physical_device->queue_families.size();
  if (call.pCreateInfo == nullptr || count == 0 || call.pCreateInfo->queueFamilyIndex < count) return;
  const Location command = report.location();
  const Location where = command.Dot("pCreateInfo");
  report.Error(Vuid("VUID-vkCreateCommandPool-queueFamilyIndex-01937"), {messages::Object(call.device)},
               where.Dot("queueFamilyIndex"),
               absl::StrCat("(", call.pCreateInfo->queueFamilyIndex,
                            ") is not less than the number of queue families (", count, ")."));
}

}  // namespace assay::core
