// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queues/suspension_rules.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/recording/submitted_commands.h"
#include "state/state.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;

struct SuspensionIds {
  vk::VuidIndex not_suspended, not_resumed, interrupted;
};
template <class C>
constexpr SuspensionIds kIds{};
template <>
constexpr SuspensionIds kIds<vk::QueueSubmit> = {vk::Vuid("VUID-VkSubmitInfo-pCommandBuffers-06193"),
                                                 vk::Vuid("VUID-VkSubmitInfo-pCommandBuffers-06014"),
                                                 vk::Vuid("VUID-VkSubmitInfo-pCommandBuffers-06016")};
template <>
constexpr SuspensionIds kIds<vk::QueueSubmit2> = {vk::Vuid("VUID-VkSubmitInfo2-commandBuffer-06192"),
                                                  vk::Vuid("VUID-VkSubmitInfo2-commandBuffer-06010"),
                                                  vk::Vuid("VUID-VkSubmitInfo2-commandBuffer-06012")};

RecordingScope* ScopeOf(VkCommandBuffer handle) {
  const state::CommandBuffer* buffer = DeviceState::Get(handle);
  return buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
}

void Append(VkCommandBuffer handle, const RenderingChain& next) {
  if (RecordingScope* scope = ScopeOf(handle)) scope->rendering_chain.Append(next);
}

// The batches of a call.
template <class C>
class BatchWalk {
 public:
  explicit BatchWalk(Report& report) : report_(report) {}

  void Add(VkCommandBuffer handle, uint32_t batch, uint32_t index) {
    if (last_.has_value() && last_->batch != batch) EndBatch();
    const RecordingScope* scope = ScopeOf(handle);
    if (scope == nullptr || !scope->rendering_chain.has_instances) return;
    last_ = {handle, batch, index};
    const RenderingChain before = chain_;
    chain_.Append(scope->rendering_chain);
    if (chain_.lacks_suspension && !before.lacks_suspension) {
      Error(kIds<C>.not_suspended,
            "has a render pass instance with VK_RENDERING_RESUMING_BIT, and the render pass instance before it in the "
            "batch, if there is one, is not suspended.",
            "Submit it in one batch with the render pass instance that it resumes, and after that.");
    }
    if (chain_.is_interrupted && !before.is_interrupted) {
      Error(kIds<C>.interrupted,
            "has a render pass instance without VK_RENDERING_RESUMING_BIT right after one in the batch that is "
            "suspended.",
            "Resume what is suspended first.");
    }
  }
  void EndBatch() {
    if (chain_.ends_suspended) {
      Error(kIds<C>.not_resumed,
            "has the last render pass instance of the batch, which is suspended (VK_RENDERING_SUSPENDING_BIT).",
            "Submit it in one batch with a render pass instance that resumes it.");
    }
    chain_ = kStart;
    last_.reset();
  }

 private:
  struct Place {
    VkCommandBuffer handle;
    uint32_t batch, index;
  };
  // The state after an instance that is not suspended.
  static constexpr RenderingChain kStart = {.has_instances = true};

  void Error(vk::VuidIndex vuid, std::string_view text, std::string_view fix) {
    const messages::ObjectRef commands = messages::Object(last_->handle);
    WithCommandBufferLocation<C>(report_.location(), last_->batch, last_->index, [&](const Location& where) {
      report_.Error(vuid, {commands}, where, absl::StrCat("(", report_.reporter().Describe(commands), ") ", text),
                    std::string(fix));
    });
  }

  Report& report_;
  RenderingChain chain_ = kStart;
  // The command buffers with instances in the batch.
  std::optional<Place> last_;
};

template <class C>
void Check(const C& call, Report& report) {
  BatchWalk<C> walk(report);
  ForEachCommandBuffer(call,
                       [&](VkCommandBuffer handle, uint32_t batch, uint32_t index) { walk.Add(handle, batch, index); });
  walk.EndBatch();
}

}  // namespace

void SuspensionRules::PreCallRecord(const vk::CmdBeginRendering& call) {
  if (call.pRenderingInfo == nullptr) return;
  const VkRenderingFlags flags = call.pRenderingInfo->flags;
  Append(call.commandBuffer, {.has_instances = true,
                              .begins_resuming = (flags & VK_RENDERING_RESUMING_BIT) != 0,
                              .ends_suspended = (flags & VK_RENDERING_SUSPENDING_BIT) != 0});
}
void SuspensionRules::PreCallRecord(const vk::CmdBeginRenderPass& call) {
  Append(call.commandBuffer, {.has_instances = true});
}
void SuspensionRules::PreCallRecord(const vk::CmdBeginRenderPass2& call) {
  Append(call.commandBuffer, {.has_instances = true});
}
void SuspensionRules::PreCallRecord(const vk::CmdExecuteCommands& call) {
  for (VkCommandBuffer handle : state::Items(call.pCommandBuffers, call.commandBufferCount)) {
    const RecordingScope* executed = ScopeOf(handle);
    if (executed != nullptr) Append(call.commandBuffer, executed->rendering_chain);
  }
}

void SuspensionRules::PreCallValidate(const vk::QueueSubmit& call, Report& report) const { Check(call, report); }
void SuspensionRules::PreCallValidate(const vk::QueueSubmit2& call, Report& report) const { Check(call, report); }

}  // namespace assay::core
