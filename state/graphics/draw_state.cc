// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/graphics/draw_state.h"

#include <algorithm>
#include <bit>

#include "absl/types/span.h"
#include "state/memory/buffer.h"
#include "state/objects/items.h"
#include "state/objects/key.h"
#include "state/objects/lookup.h"

namespace assay::state {
namespace {

// Salts distinguish the parts of DrawState::key(). Each has room for an index.
enum Salt : uint64_t {
  kVertexBufferSalt = 1 << 8,
  kIndexBufferSalt = 2 << 8,
  kTransformFeedbackBufferSalt = 3 << 8,
  kTransformFeedbackSalt = 4 << 8,
  kCounterBufferSalt = 5 << 8,
  kPredicateSalt = 6 << 8,
  kFunctionSalt = 7 << 8,
  kVertexInputSalt = 8 << 8,
  kShaderSalt = 9 << 8,
};

// Bytes.
constexpr VkDeviceSize kCounterSize = 4;
constexpr VkDeviceSize kPredicateSize = 4;

// An element of an array that may be a null pointer.
template <class T>
T ValueAt(const T* values, size_t i, T otherwise) {
  return values != nullptr ? values[i] : otherwise;
}

// The part of [first, first + count) that is below the limit.
uint32_t EndOf(uint32_t first, uint32_t count, size_t limit) {
  return static_cast<uint32_t>(std::min<uint64_t>(uint64_t{first} + count, limit));
}

// Sets the value of the stencil faces in a mask.
template <class A, class F>
void SetFaces(A& faces, VkStencilFaceFlags mask, F&& set) {
  if ((mask & VK_STENCIL_FACE_FRONT_BIT) != 0) set(faces[0]);
  if ((mask & VK_STENCIL_FACE_BACK_BIT) != 0) set(faces[1]);
}

// Sets the bits from `first` on, one for each of `values`.
uint32_t WithBits(uint32_t bits, uint32_t first, absl::Span<const VkBool32> values) {
  for (size_t i = 0; i < values.size() && first + i < 32; ++i) {
    const uint32_t bit = 1u << (first + i);
    bits = values[i] != VK_FALSE ? bits | bit : bits & ~bit;
  }
  return bits;
}

}  // namespace

VkShaderEXT DrawState::shader(VkShaderStageFlagBits stage) const {
  const auto index = static_cast<size_t>(std::countr_zero(static_cast<uint32_t>(stage)));
  return index < kShaderStages ? shaders_[index] : VK_NULL_HANDLE;
}

template <FixedFunction F, class T>
void DrawState::Change(const T& value) {
  ForEachFixedFunction([&](FixedFunction function, auto member) {
    if constexpr (std::is_same_v<decltype(member), T FixedFunctions::*>) {
      if (function != F) return;
      set_functions_ |= BitOf(F);
      T& target = dynamic_.*member;
      if (target == value) return;
      constexpr uint64_t kSalt = kFunctionSalt + static_cast<uint64_t>(F);
      key_ += MixValue(kSalt, value) - MixValue(kSalt, target);
      target = value;
    }
  });
}

void DrawState::Bind(uint64_t& sum, BoundBuffer& target, uint64_t salt, VkBuffer buffer, VkDeviceSize offset,
                     VkDeviceSize size, VkDeviceSize stride) {
  const uint64_t handle = reinterpret_cast<uint64_t>(buffer);
  const uint64_t key = Mix(Mix(Mix(salt, handle), offset + 1), size ^ (stride << 32));
  if (target.key == key) return;
  sum += key - target.key;
  target.key = key;
  const auto* state = FindState<Buffer>(buffer);
  target.buffer = buffer;
  target.offset = offset;
  target.size = state != nullptr ? state->Clamp(offset, size) : 0;
  target.address = state != nullptr && state->address != 0 ? state->address + offset : 0;
  target.stride = stride;
}

void DrawState::Unbind(BoundBuffer& target) {
  key_ -= target.key;
  target = {};
}

void DrawState::BindVertexBuffer(uint32_t binding, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
                                 VkDeviceSize stride) {
  vertex_bindings_ |= 1u << binding;
  Bind(input_key_, vertex_buffers_[binding], kVertexBufferSalt + binding, buffer, offset, size, stride);
}

void DrawState::Set(const vk::CmdBindVertexBuffers& call) {
  const uint32_t end = EndOf(call.firstBinding, call.bindingCount, kMaxVertexBindings);
  if (call.pBuffers == nullptr) return;
  for (uint32_t binding = call.firstBinding; binding < end; ++binding) {
    const uint32_t i = binding - call.firstBinding;
    BindVertexBuffer(binding, call.pBuffers[i], ValueAt<VkDeviceSize>(call.pOffsets, i, 0), VK_WHOLE_SIZE,
                     vertex_buffers_[binding].stride);
  }
}

void DrawState::Set(const vk::CmdBindVertexBuffers2& call) {
  const uint32_t end = EndOf(call.firstBinding, call.bindingCount, kMaxVertexBindings);
  if (call.pBuffers == nullptr) return;
  for (uint32_t binding = call.firstBinding; binding < end; ++binding) {
    const uint32_t i = binding - call.firstBinding;
    BindVertexBuffer(binding, call.pBuffers[i], ValueAt<VkDeviceSize>(call.pOffsets, i, 0),
                     ValueAt<VkDeviceSize>(call.pSizes, i, VK_WHOLE_SIZE),
                     ValueAt<VkDeviceSize>(call.pStrides, i, vertex_buffers_[binding].stride));
  }
}

void DrawState::Set(const vk::CmdBindIndexBuffer& call) {
  index_type_ = call.indexType;
  Bind(input_key_, index_buffer_, Mix(kIndexBufferSalt, call.indexType), call.buffer, call.offset, VK_WHOLE_SIZE, 0);
}
void DrawState::Set(const vk::CmdBindIndexBuffer2& call) {
  index_type_ = call.indexType;
  Bind(input_key_, index_buffer_, Mix(kIndexBufferSalt, call.indexType), call.buffer, call.offset, call.size, 0);
}

void DrawState::Set(const vk::CmdBindTransformFeedbackBuffersEXT& call) {
  const uint32_t end = EndOf(call.firstBinding, call.bindingCount, kMaxTransformFeedbackBuffers);
  if (call.pBuffers == nullptr) return;
  for (uint32_t binding = call.firstBinding; binding < end; ++binding) {
    const uint32_t i = binding - call.firstBinding;
    Bind(key_, transform_feedback_buffers_[binding], kTransformFeedbackBufferSalt + binding, call.pBuffers[i],
         ValueAt<VkDeviceSize>(call.pOffsets, i, 0), ValueAt<VkDeviceSize>(call.pSizes, i, VK_WHOLE_SIZE), 0);
  }
}

void DrawState::Set(const vk::CmdBeginTransformFeedbackEXT& call) {
  transform_feedback_is_active_ = true;
  ChangeKey(transform_feedback_key_, kTransformFeedbackSalt);
  const uint32_t end = EndOf(call.firstCounterBuffer, call.counterBufferCount, kMaxTransformFeedbackBuffers);
  if (call.pCounterBuffers == nullptr) return;
  for (uint32_t binding = call.firstCounterBuffer; binding < end; ++binding) {
    const uint32_t i = binding - call.firstCounterBuffer;
    if (call.pCounterBuffers[i] == VK_NULL_HANDLE) continue;
    Bind(key_, counter_buffers_[binding], kCounterBufferSalt + binding, call.pCounterBuffers[i],
         ValueAt<VkDeviceSize>(call.pCounterBufferOffsets, i, 0), kCounterSize, 0);
  }
}
void DrawState::Set(const vk::CmdEndTransformFeedbackEXT&) {
  transform_feedback_is_active_ = false;
  ChangeKey(transform_feedback_key_, 0);
  for (BoundBuffer& counter : counter_buffers_) Unbind(counter);
}

void DrawState::Set(const vk::CmdBeginConditionalRenderingEXT& call) {
  if (call.pConditionalRenderingBegin == nullptr) return;
  const VkConditionalRenderingBeginInfoEXT& info = *call.pConditionalRenderingBegin;
  Bind(key_, predicate_, kPredicateSalt, info.buffer, info.offset, kPredicateSize, 0);
}
void DrawState::Set(const vk::CmdEndConditionalRenderingEXT&) { Unbind(predicate_); }

void DrawState::Set(const vk::CmdSetViewport& call) {
  raster_area_.SetViewports(call.firstViewport, Items(call.pViewports, call.viewportCount));
}
void DrawState::Set(const vk::CmdSetViewportWithCount& call) {
  raster_area_.SetViewports(0, Items(call.pViewports, call.viewportCount));
  raster_area_.SetViewportCount(call.viewportCount);
}
void DrawState::Set(const vk::CmdSetScissor& call) {
  raster_area_.SetScissors(call.firstScissor, Items(call.pScissors, call.scissorCount));
}
void DrawState::Set(const vk::CmdSetScissorWithCount& call) {
  raster_area_.SetScissors(0, Items(call.pScissors, call.scissorCount));
  raster_area_.SetScissorCount(call.scissorCount);
}

void DrawState::Set(const vk::CmdSetVertexInputEXT& call) {
  vertex_input_ = {};
  uint64_t key = kVertexInputSalt;
  for (const auto& info : Items(call.pVertexBindingDescriptions, call.vertexBindingDescriptionCount)) {
    vertex_input_.AddBinding(info.binding, {info.stride, info.inputRate, info.divisor});
    key = Mix(Mix(key, uint64_t{info.binding} << 32 | info.stride), uint64_t{info.divisor} << 1 | info.inputRate);
    // vkCmdSetVertexInputEXT also sets the stride that vkCmdBindVertexBuffers2 sets.
    if (info.binding >= kMaxVertexBindings) continue;
    vertex_buffers_[info.binding].stride = info.stride;
  }
  for (const auto& info : Items(call.pVertexAttributeDescriptions, call.vertexAttributeDescriptionCount)) {
    vertex_input_.AddAttribute({info.location, info.binding, info.format, info.offset});
    key = Mix(Mix(key, uint64_t{info.binding} << 32 | info.location), uint64_t{info.offset} << 32 | info.format);
  }
  ChangeKey(vertex_input_key_, key);
}

void DrawState::Set(const vk::CmdSetPrimitiveTopology& call) {
  Change<FixedFunction::kTopology>(call.primitiveTopology);
}
void DrawState::Set(const vk::CmdSetPrimitiveRestartEnable& call) {
  Change<FixedFunction::kPrimitiveRestart>(call.primitiveRestartEnable != VK_FALSE);
}
void DrawState::Set(const vk::CmdSetRasterizerDiscardEnable& call) {
  Change<FixedFunction::kRasterizerDiscard>(call.rasterizerDiscardEnable != VK_FALSE);
}
void DrawState::Set(const vk::CmdSetCullMode& call) { Change<FixedFunction::kCullMode>(call.cullMode); }
void DrawState::Set(const vk::CmdSetDepthTestEnable& call) {
  Change<FixedFunction::kDepthTest>(call.depthTestEnable != VK_FALSE);
}
void DrawState::Set(const vk::CmdSetDepthWriteEnable& call) {
  Change<FixedFunction::kDepthWrite>(call.depthWriteEnable != VK_FALSE);
}
void DrawState::Set(const vk::CmdSetDepthCompareOp& call) {
  Change<FixedFunction::kDepthCompareOp>(call.depthCompareOp);
}
void DrawState::Set(const vk::CmdSetDepthBoundsTestEnable& call) {
  Change<FixedFunction::kDepthBoundsTest>(call.depthBoundsTestEnable != VK_FALSE);
}
void DrawState::Set(const vk::CmdSetStencilTestEnable& call) {
  Change<FixedFunction::kStencilTest>(call.stencilTestEnable != VK_FALSE);
}
void DrawState::Set(const vk::CmdSetStencilOp& call) {
  StencilFaces faces = dynamic_.stencil_faces;
  SetFaces(faces, call.faceMask,
           [&](StencilFace& face) { face = {call.failOp, call.passOp, call.depthFailOp, call.compareOp}; });
  Change<FixedFunction::kStencilFaces>(faces);
}
void DrawState::Set(const vk::CmdSetStencilCompareMask& call) {
  StencilMasks masks = dynamic_.stencil_compare_masks;
  SetFaces(masks, call.faceMask, [&](uint32_t& mask) { mask = call.compareMask; });
  Change<FixedFunction::kStencilCompareMasks>(masks);
}
void DrawState::Set(const vk::CmdSetStencilWriteMask& call) {
  StencilMasks masks = dynamic_.stencil_write_masks;
  SetFaces(masks, call.faceMask, [&](uint32_t& mask) { mask = call.writeMask; });
  Change<FixedFunction::kStencilWriteMasks>(masks);
}
void DrawState::Set(const vk::CmdSetRasterizationSamplesEXT& call) {
  Change<FixedFunction::kSamples>(call.rasterizationSamples);
}
void DrawState::Set(const vk::CmdSetColorWriteEnableEXT& call) {
  Change<FixedFunction::kColorWriteEnables>(
      WithBits(dynamic_.color_write_enables, 0, Items(call.pColorWriteEnables, call.attachmentCount)));
}
void DrawState::Set(const vk::CmdSetColorWriteMaskEXT& call) {
  ColorWriteMasks masks = dynamic_.color_write_masks;
  const auto given = Items(call.pColorWriteMasks, call.attachmentCount);
  for (size_t i = 0; i < given.size() && call.firstAttachment + i < masks.size(); ++i)
    masks[call.firstAttachment + i] = static_cast<uint8_t>(given[i]);
  Change<FixedFunction::kColorWriteMasks>(masks);
}
void DrawState::Set(const vk::CmdSetColorBlendEnableEXT& call) {
  Change<FixedFunction::kBlendEnables>(
      WithBits(dynamic_.blend_enables, call.firstAttachment, Items(call.pColorBlendEnables, call.attachmentCount)));
}
void DrawState::Set(const vk::CmdSetLogicOpEnableEXT& call) {
  Change<FixedFunction::kLogicOpEnable>(call.logicOpEnable != VK_FALSE);
}
void DrawState::Set(const vk::CmdSetLogicOpEXT& call) { Change<FixedFunction::kLogicOp>(call.logicOp); }
void DrawState::Set(const vk::CmdSetAttachmentFeedbackLoopEnableEXT& call) {
  Change<FixedFunction::kFeedbackLoopAspects>(call.aspectMask);
}
void DrawState::Set(const vk::CmdSetFragmentShadingRateKHR& call) {
  Change<FixedFunction::kAttachmentRateOp>(call.combinerOps[1]);
}
void DrawState::Set(const vk::CmdSetFragmentShadingRateEnumNV& call) {
  Change<FixedFunction::kAttachmentRateOp>(call.combinerOps[1]);
}

void DrawState::BindShader(VkShaderStageFlagBits stage, VkShaderEXT shader) {
  const auto index = static_cast<size_t>(std::countr_zero(static_cast<uint32_t>(stage)));
  if (index >= kShaderStages) return;
  shaders_[index] = shader;
  ChangeKey(shader_keys_[index],
            shader != VK_NULL_HANDLE ? Mix(kShaderSalt + index, reinterpret_cast<uint64_t>(shader)) : 0);
  if (stage == VK_SHADER_STAGE_COMPUTE_BIT) return;
  const uint32_t bit = 1u << index;
  graphics_shaders_ = shader != VK_NULL_HANDLE ? graphics_shaders_ | bit : graphics_shaders_ & ~bit;
}

void DrawState::UnbindGraphicsShaders() {
  while (graphics_shaders_ != 0) {
    BindShader(static_cast<VkShaderStageFlagBits>(graphics_shaders_ & (~graphics_shaders_ + 1)), VK_NULL_HANDLE);
  }
}

}  // namespace assay::state
