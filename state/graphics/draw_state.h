// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_GRAPHICS_DRAW_STATE_H_
#define ASSAY_STATE_GRAPHICS_DRAW_STATE_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "state/graphics/fixed_functions.h"
#include "state/graphics/raster_area.h"
#include "state/graphics/vertex_input.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// The bindings and dynamic state of draws while a command buffer is recorded, besides pipeline and descriptor sets. It
// holds no pointers to other objects: binding a buffer stores everything that a draw needs to know of the buffer.
namespace assay::state {

// Bindings with this index or a larger one are not tracked; no device has as many.
inline constexpr size_t kMaxTransformFeedbackBuffers = 4;

struct BoundBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  // Bytes, in the buffer.
  VkDeviceSize offset = 0;
  // Bytes from `offset` on, clamped to the buffer; 0 if no buffer is bound.
  VkDeviceSize size = 0;
  // Address of `offset` in the AddressSpace; 0 for a buffer without memory.
  uint64_t address = 0;
  // Bytes, for vertex buffers.
  VkDeviceSize stride = 0;
  // This buffer's part of DrawState::key(); 0 while nothing is bound.
  uint64_t key = 0;
};

class DrawState {
 public:
  // Equal for equal state, in whatever order it was set, and practically never otherwise. The pipeline, descriptor sets
  // (BindPointState) and the render pass instance (RenderPassInstance) are not part of it.
  uint64_t key() const { return key_ + input_key_; }
  // The key without vertex and index buffers.
  uint64_t key_without_input() const { return key_; }

  // By binding.
  const BoundBuffer& vertex_buffer(uint32_t binding) const { return vertex_buffers_[binding]; }
  // A bit for each binding with a buffer.
  uint32_t vertex_bindings() const { return vertex_bindings_; }
  const BoundBuffer& index_buffer() const { return index_buffer_; }
  VkIndexType index_type() const { return index_type_; }
  const BoundBuffer& transform_feedback_buffer(uint32_t binding) const { return transform_feedback_buffers_[binding]; }
  bool transform_feedback_is_active() const { return transform_feedback_is_active_; }
  // The counter buffers with which transform feedback began; valid while it is active.
  const BoundBuffer& counter_buffer(uint32_t binding) const { return counter_buffers_[binding]; }
  // The predicate of conditional rendering, of 4 bytes; it has no buffer outside of conditional rendering.
  const BoundBuffer& predicate() const { return predicate_; }
  // VK_NULL_HANDLE if the stage has no shader object, or a pipeline is bound.
  VkShaderEXT shader(VkShaderStageFlagBits stage) const;
  bool has_graphics_shaders() const { return graphics_shaders_ != 0; }

  // The state that vkCmdSet* has set. The pipeline decides which of it counts: see ResolvedDrawState.
  const FixedFunctions& dynamic() const { return dynamic_; }
  // The functions that have been set, as bits of FixedFunction.
  uint32_t set_functions() const { return set_functions_; }
  const VertexInput& dynamic_vertex_input() const { return vertex_input_; }
  // Viewports and scissors. They are not part of the key: which ranges a draw accesses does not depend on them.
  const RasterArea& dynamic_raster_area() const { return raster_area_; }

  void Set(const vk::CmdBindVertexBuffers& call);
  void Set(const vk::CmdBindVertexBuffers2& call);
  void Set(const vk::CmdBindIndexBuffer& call);
  void Set(const vk::CmdBindIndexBuffer2& call);
  void Set(const vk::CmdBindTransformFeedbackBuffersEXT& call);
  void Set(const vk::CmdBeginTransformFeedbackEXT& call);
  void Set(const vk::CmdEndTransformFeedbackEXT& call);
  void Set(const vk::CmdBeginConditionalRenderingEXT& call);
  void Set(const vk::CmdEndConditionalRenderingEXT& call);

  void Set(const vk::CmdSetViewport& call);
  void Set(const vk::CmdSetViewportWithCount& call);
  void Set(const vk::CmdSetScissor& call);
  void Set(const vk::CmdSetScissorWithCount& call);
  void Set(const vk::CmdSetVertexInputEXT& call);
  void Set(const vk::CmdSetPrimitiveTopology& call);
  void Set(const vk::CmdSetPrimitiveRestartEnable& call);
  void Set(const vk::CmdSetRasterizerDiscardEnable& call);
  void Set(const vk::CmdSetCullMode& call);
  void Set(const vk::CmdSetDepthTestEnable& call);
  void Set(const vk::CmdSetDepthWriteEnable& call);
  void Set(const vk::CmdSetDepthCompareOp& call);
  void Set(const vk::CmdSetDepthBoundsTestEnable& call);
  void Set(const vk::CmdSetStencilTestEnable& call);
  void Set(const vk::CmdSetStencilOp& call);
  void Set(const vk::CmdSetStencilCompareMask& call);
  void Set(const vk::CmdSetStencilWriteMask& call);
  void Set(const vk::CmdSetRasterizationSamplesEXT& call);
  void Set(const vk::CmdSetColorWriteEnableEXT& call);
  void Set(const vk::CmdSetColorWriteMaskEXT& call);
  void Set(const vk::CmdSetColorBlendEnableEXT& call);
  void Set(const vk::CmdSetLogicOpEnableEXT& call);
  void Set(const vk::CmdSetLogicOpEXT& call);
  void Set(const vk::CmdSetAttachmentFeedbackLoopEnableEXT& call);
  void Set(const vk::CmdSetFragmentShadingRateKHR& call);
  void Set(const vk::CmdSetFragmentShadingRateEnumNV& call);

  void BindShader(VkShaderStageFlagBits stage, VkShaderEXT shader);
  // Binding a pipeline unbinds the shader objects.
  void UnbindGraphicsShaders();

  void Reset() { *this = DrawState(); }

 private:
  static constexpr size_t kShaderStages = 8;

  template <FixedFunction F, class T>
  void Change(const T& value);
  // Binds a buffer. `salt` distinguishes bindings of the same kind in the key. `sum` is key_ or input_key_.
  void Bind(uint64_t& sum, BoundBuffer& target, uint64_t salt, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
            VkDeviceSize stride);
  void BindVertexBuffer(uint32_t binding, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size, VkDeviceSize stride);
  void Unbind(BoundBuffer& target);
  // Changes a part of the state whose key is a number.
  void ChangeKey(uint64_t& part, uint64_t value) {
    key_ += value - part;
    part = value;
  }

  uint64_t key_ = 0;
  // Of vertex and index buffers.
  uint64_t input_key_ = 0;
  uint32_t vertex_bindings_ = 0;
  uint32_t set_functions_ = 0;
  VkIndexType index_type_ = VK_INDEX_TYPE_UINT16;
  bool transform_feedback_is_active_ = false;
  // A bit for each stage with a shader object.
  uint32_t graphics_shaders_ = 0;
  FixedFunctions dynamic_;
  BoundBuffer index_buffer_;
  BoundBuffer predicate_;
  std::array<BoundBuffer, kMaxVertexBindings> vertex_buffers_;
  std::array<BoundBuffer, kMaxTransformFeedbackBuffers> transform_feedback_buffers_;
  std::array<BoundBuffer, kMaxTransformFeedbackBuffers> counter_buffers_;
  std::array<VkShaderEXT, kShaderStages> shaders_ = {};
  std::array<uint64_t, kShaderStages> shader_keys_ = {};
  VertexInput vertex_input_;
  RasterArea raster_area_;
  uint64_t vertex_input_key_ = 0;
  uint64_t transform_feedback_key_ = 0;
};

// Commands that change a DrawState.
template <class C>
concept DrawStateCommand = requires(DrawState& state, const C& call) { state.Set(call); };

}  // namespace assay::state

#endif  // ASSAY_STATE_GRAPHICS_DRAW_STATE_H_
