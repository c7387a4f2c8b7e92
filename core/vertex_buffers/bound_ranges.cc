// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The ranges that are bound.

#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/vertex_buffers/vertex_buffer_rules.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Object;
using messages::Report;
using vk::Vuid;

// The rules of an element of pBuffers, pOffsets and pSizes; kNoVuid for a rule that the command does not have.
struct RangeIds {
  // VK_NULL_HANDLE needs a feature, and an offset of 0.
  vk::VuidIndex null = vk::kNoVuid;
  vk::VuidIndex null_offset = vk::kNoVuid;
  // Where the range begins, and which multiple that is.
  vk::VuidIndex offset;
  vk::VuidIndex alignment = vk::kNoVuid;
  // The limit of its size; that it is no larger than the buffer; where it ends.
  vk::VuidIndex max_size = vk::kNoVuid;
  vk::VuidIndex size = vk::kNoVuid;
  vk::VuidIndex end = vk::kNoVuid;
};
constexpr RangeIds kVertexIds = {.null = Vuid("VUID-vkCmdBindVertexBuffers-pBuffers-04001"),
                                 .null_offset = Vuid("VUID-vkCmdBindVertexBuffers-pBuffers-04002"),
                                 .offset = Vuid("VUID-vkCmdBindVertexBuffers-pOffsets-00626")};
// The last two hold where there are sizes.
constexpr RangeIds kVertexIds2 = {.null = Vuid("VUID-vkCmdBindVertexBuffers2-pBuffers-04111"),
                                  .null_offset = Vuid("VUID-vkCmdBindVertexBuffers2-pBuffers-04112"),
                                  .offset = Vuid("VUID-vkCmdBindVertexBuffers2-pOffsets-03357"),
                                  .end = Vuid("VUID-vkCmdBindVertexBuffers2-pSizes-03358")};
constexpr RangeIds kFeedbackIds = {.offset = Vuid("VUID-vkCmdBindTransformFeedbackBuffersEXT-pOffsets-02358"),
                                   .alignment = Vuid("VUID-vkCmdBindTransformFeedbackBuffersEXT-pOffsets-02359"),
                                   .max_size = Vuid("VUID-vkCmdBindTransformFeedbackBuffersEXT-pSize-02361"),
                                   .size = Vuid("VUID-vkCmdBindTransformFeedbackBuffersEXT-pSizes-02362"),
                                   .end = Vuid("VUID-vkCmdBindTransformFeedbackBuffersEXT-pOffsets-02363")};

struct RangeLimits {
  bool may_be_null = true;
  VkDeviceSize max_size = VK_WHOLE_SIZE;
};

// One element.
class RangeCheck {
 public:
  template <class C>
  RangeCheck(const C& call, uint32_t index, const RangeIds& ids, Report& report)
      : ids_(ids),
        index_(index),
        commands_(Object(call.commandBuffer)),
        handle_(call.pBuffers[index]),
        offset_(call.pOffsets[index]),
        report_(report) {}

  // `size`: VK_WHOLE_SIZE reaches to the end of the buffer.
  void Run(const RangeLimits& limits, VkDeviceSize size) const {
    if (handle_ == VK_NULL_HANDLE) return CheckNull(limits.may_be_null);
    const auto* const buffer = state::DeviceState::Get<state::Buffer>(handle_);
    if (buffer == nullptr) return;
    const VkDeviceSize has = buffer->size;
    const auto describe = [&] {
      return absl::StrCat(report_.reporter().Describe(Object(handle_)), " (", has, " bytes).");
    };
    if (ids_.alignment != vk::kNoVuid && offset_ % 4 != 0)
      Say(ids_.alignment, "pOffsets", absl::StrCat("(", offset_, ") is not a multiple of 4."));
    if (offset_ >= has)
      return Say(ids_.offset, "pOffsets", absl::StrCat("(", offset_, ") is not less than the size of ", describe()));
    if (size == VK_WHOLE_SIZE) return;
    if (size > limits.max_size) {
      Say(ids_.max_size, "pSizes",
          absl::StrCat("(", size, ") is larger than maxTransformFeedbackBufferSize (", limits.max_size, ")."));
    } else if (size > has && ids_.size != vk::kNoVuid) {
      Say(ids_.size, "pSizes", absl::StrCat("(", size, ") is larger than ", describe()));
    } else if (size > has - offset_) {
      Say(ids_.end, "pSizes",
          absl::StrCat("(", size, ") is larger than the ", has - offset_, " bytes from pOffsets[", index_, "] (",
                       offset_, ") to the end of ", describe()));
    }
  }

 private:
  void CheckNull(bool may_be_null) const {
    if (!may_be_null) {
      Say(ids_.null, "pBuffers", "is VK_NULL_HANDLE, but the feature nullDescriptor is not enabled.");
    } else if (offset_ != 0) {
      Say(ids_.null_offset, "pOffsets",
          absl::StrCat("(", offset_, ") is not 0, but pBuffers[", index_, "] is VK_NULL_HANDLE."));
    }
  }
  void Say(vk::VuidIndex id, std::string_view parameter, std::string text) const {
    if (id == vk::kNoVuid) return;
    const messages::Location command = report_.location();
    report_.Error(id, {commands_, Object(handle_)}, command.Dot(parameter, index_), std::move(text));
  }

  const RangeIds& ids_;
  const uint32_t index_;
  const messages::ObjectRef commands_;
  const VkBuffer handle_;
  const VkDeviceSize offset_;
  Report& report_;
};

template <class C>
void CheckRanges(const C& call, const RangeIds& ids, const RangeLimits& limits, Report& report) {
  if (call.pBuffers == nullptr || call.pOffsets == nullptr) return;
  for (uint32_t i = 0; i < call.bindingCount; ++i) {
    VkDeviceSize size = VK_WHOLE_SIZE;
    if constexpr (requires { call.pSizes; }) size = call.pSizes != nullptr ? call.pSizes[i] : VK_WHOLE_SIZE;
    RangeCheck(call, i, ids, report).Run(limits, size);
  }
}

// Bytes; 0 for what has no indices.
VkDeviceSize SizeOf(VkIndexType type) {
  if (type == VK_INDEX_TYPE_UINT32) return 4;
  return type == VK_INDEX_TYPE_UINT16 ? 2 : type == VK_INDEX_TYPE_UINT8 ? 1 : 0;
}

// Memory is aligned to more than an index, so that the offset decides.
template <class C>
void CheckIndices(const C& call, vk::VuidIndex offset_rule, Report& report) {
  const auto* const buffer = state::DeviceState::Get<state::Buffer>(call.buffer);
  const VkDeviceSize index_size = SizeOf(call.indexType);
  if (buffer == nullptr || index_size == 0) return;
  const auto say = [&](vk::VuidIndex id, std::string_view parameter, std::string text) {
    report.Error(id, {Object(call.commandBuffer), Object(call.buffer)}, report.location().Dot(parameter),
                 std::move(text));
  };
  const auto check_multiple = [&](vk::VuidIndex id, std::string_view parameter, VkDeviceSize value) {
    if (value % index_size == 0) return;
    say(id, parameter,
        absl::StrCat("(", value, ") is not a multiple of the size of ", vk::ToString(call.indexType), " (", index_size,
                     " bytes)."));
  };
  check_multiple(offset_rule, "offset", call.offset);
  if constexpr (requires { call.size; }) {
    if (call.size == VK_WHOLE_SIZE) return;
    check_multiple(Vuid("VUID-vkCmdBindIndexBuffer2-size-08767"), "size", call.size);
  }
}

}  // namespace

VertexBufferRules::VertexBufferRules(const dispatch::Device& device)
    : may_be_null_(device.HasFeature(vk::FeatureId::kNullDescriptor)),
      max_stride_(device.physical_device->limits.maxVertexInputBindingStride),
      needs_pipeline_(!device.HasFeature(vk::FeatureId::kShaderObject) &&
                      !device.HasFeature(vk::FeatureId::kCommandBufferInheritance)) {
  const auto* const limits = device.physical_device->Find<VkPhysicalDeviceTransformFeedbackPropertiesEXT>();
  if (limits != nullptr) max_feedback_size_ = limits->maxTransformFeedbackBufferSize;
}

void VertexBufferRules::PreCallValidate(const vk::CmdBindVertexBuffers& call, Report& report) const {
  CheckRanges(call, kVertexIds, {.may_be_null = may_be_null_}, report);
}
void VertexBufferRules::PreCallValidate(const vk::CmdBindVertexBuffers2& call, Report& report) const {
  RangeIds ids = kVertexIds2;
  if (call.pSizes == nullptr) ids.offset = vk::kNoVuid;
  CheckRanges(call, ids, {.may_be_null = may_be_null_}, report);
  for (uint32_t i = 0; call.pStrides != nullptr && i < call.bindingCount; ++i) {
    if (call.pStrides[i] <= max_stride_) continue;
    const messages::Location command = report.location();
    report.Error(
        Vuid("VUID-vkCmdBindVertexBuffers2-pStrides-03362"), {Object(call.commandBuffer)}, command.Dot("pStrides", i),
        absl::StrCat("(", call.pStrides[i], ") is larger than maxVertexInputBindingStride (", max_stride_, ")."));
  }
}

void VertexBufferRules::PreCallValidate(const vk::CmdBindIndexBuffer& call, Report& report) const {
  CheckIndices(call, Vuid("VUID-vkCmdBindIndexBuffer-offset-08783"), report);
}
void VertexBufferRules::PreCallValidate(const vk::CmdBindIndexBuffer2& call, Report& report) const {
  CheckIndices(call, Vuid("VUID-vkCmdBindIndexBuffer2-offset-08783"), report);
}

void VertexBufferRules::PreCallValidate(const vk::CmdBindTransformFeedbackBuffersEXT& call, dispatch::Slot& slot,
                                        Report& report) const {
  const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
  if (buffer != nullptr && buffer->draw.transform_feedback_is_active()) {
    report.Error(Vuid("VUID-vkCmdBindTransformFeedbackBuffersEXT-None-02365"), {Object(call.commandBuffer)},
                 report.location(), "Transform feedback is active.");
  }
  CheckRanges(call, kFeedbackIds, {.max_size = max_feedback_size_}, report);
}

}  // namespace assay::core
