// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/checked_states/checked_states.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "absl/types/span.h"
#include "core/pipelines/graphics_view.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

class Writer {
 public:
  explicit Writer(StatesKey& key) : at_(key.room().data()), end_(at_ + key.room().size()) {}

  bool is_whole() const { return is_whole_; }
  const char* at() const { return at_; }

  template <class T>
  void Add(const T& value) {
    static_assert(std::is_scalar_v<std::remove_extent_t<T>>);
    Append(&value, sizeof(value));
  }
  // The members of a structure from one to another, with no padding between them.
  template <class First, class Last>
  void AddFromTo(const First& first, const Last& last) {
    const auto* const begin = reinterpret_cast<const char*>(&first);
    Append(begin, static_cast<size_t>(reinterpret_cast<const char*>(&last) - begin) + sizeof(last));
  }
  // Elements without padding.
  template <class T>
  void AddAll(absl::Span<const T> values) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_same_v<T, VkViewport>);
    Add(values.size());
    if (!values.empty()) Append(values.data(), values.size() * sizeof(T));
  }
  // An array that is read, by its address and its content.
  template <class T>
  void AddArray(const T* values, size_t count) {
    AddPointer(values);
    if (vk::IsAddress(values)) AddAll(absl::MakeConstSpan(values, count));
  }
  // Whether a pointer is null, and whether it is an address.
  void AddPointer(const void* pointer) {
    Add(static_cast<char>(pointer == nullptr ? 0 : vk::IsAddress(pointer) ? 1 : 2));
  }
  // What a create info points to; `state` is null if it is ignored. False then.
  template <class T>
  bool Begin(const T* pointer, const T* state) {
    AddPointer(pointer);
    AddPointer(state);
    if (state == nullptr) return false;
    is_whole_ &= state->pNext == nullptr;
    return true;
  }
  void GiveUp() { is_whole_ = false; }

 private:
  void Append(const void* bytes, size_t size) {
    if (size > static_cast<size_t>(end_ - at_)) {
      is_whole_ = false;
      return;
    }
    std::memcpy(at_, bytes, size);
    at_ += size;
  }

  // What is not written yet.
  char* at_;
  char* const end_;
  // Whether the key has all that it has to have.
  bool is_whole_ = true;
};

void AddVertexInput(const GraphicsView& view, Writer& key) {
  if (!key.Begin(view.info.pVertexInputState, view.vertex_input)) return;
  const VkPipelineVertexInputStateCreateInfo& state = *view.vertex_input;
  key.AddFromTo(state.flags, state.vertexBindingDescriptionCount);
  key.Add(state.vertexAttributeDescriptionCount);
  key.AddArray(state.pVertexBindingDescriptions, state.vertexBindingDescriptionCount);
  key.AddArray(state.pVertexAttributeDescriptions, state.vertexAttributeDescriptionCount);
}

void AddAssembly(const GraphicsView& view, Writer& key) {
  if (!key.Begin(view.info.pInputAssemblyState, view.assembly)) return;
  key.AddFromTo(view.assembly->flags, view.assembly->primitiveRestartEnable);
}

void AddTessellation(const GraphicsView& view, Writer& key) {
  if (!key.Begin(view.info.pTessellationState, view.tessellation)) return;
  key.AddFromTo(view.tessellation->flags, view.tessellation->patchControlPoints);
}

void AddViewport(const GraphicsView& view, Writer& key) {
  if (!key.Begin(view.info.pViewportState, view.viewport)) return;
  const VkPipelineViewportStateCreateInfo& state = *view.viewport;
  key.Add(state.flags);
  key.Add(state.viewportCount);
  key.Add(state.scissorCount);
  key.AddPointer(state.pViewports);
  key.AddPointer(state.pScissors);
  // Those that are dynamic are ignored.
  const bool has_viewports =
      !view.IsDynamic(VK_DYNAMIC_STATE_VIEWPORT) && !view.IsDynamic(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT);
  const bool has_scissors =
      !view.IsDynamic(VK_DYNAMIC_STATE_SCISSOR) && !view.IsDynamic(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
  if (has_viewports) key.AddArray(state.pViewports, state.viewportCount);
  if (has_scissors) key.AddArray(state.pScissors, state.scissorCount);
}

void AddRasterization(const GraphicsView& view, Writer& key) {
  if (!key.Begin(view.info.pRasterizationState, view.rasterization)) return;
  key.AddFromTo(view.rasterization->flags, view.rasterization->lineWidth);
}

void AddMultisample(const GraphicsView& view, Writer& key) {
  if (!key.Begin(view.info.pMultisampleState, view.multisample)) return;
  const VkPipelineMultisampleStateCreateInfo& state = *view.multisample;
  key.AddFromTo(state.flags, state.minSampleShading);
  // No rule reads the mask.
  key.AddPointer(state.pSampleMask);
  key.AddFromTo(state.alphaToCoverageEnable, state.alphaToOneEnable);
}

void AddDepthStencil(const GraphicsView& view, Writer& key) {
  if (!key.Begin(view.info.pDepthStencilState, view.depth_stencil)) return;
  key.AddFromTo(view.depth_stencil->flags, view.depth_stencil->maxDepthBounds);
}

void AddBlend(const GraphicsView& view, Writer& key) {
  if (!key.Begin(view.info.pColorBlendState, view.blend)) return;
  const VkPipelineColorBlendStateCreateInfo& state = *view.blend;
  key.AddFromTo(state.flags, state.attachmentCount);
  key.AddPointer(state.pAttachments);
  key.AddAll(view.blends);
  key.Add(state.blendConstants);
}

void AddRendering(const GraphicsView& view, Writer& key) {
  key.AddPointer(view.rendering);
  if (view.rendering == nullptr) return;
  key.Add(view.rendering->viewMask);
  key.Add(view.rendering->colorAttachmentCount);
  key.AddFromTo(view.rendering->depthAttachmentFormat, view.rendering->stencilAttachmentFormat);
  key.AddPointer(view.rendering->pColorAttachmentFormats);
  for (const ColorTarget& color : view.colors) key.Add(color.format);
}

void AddCreateInfo(const GraphicsView& view, Writer& key) {
  const VkGraphicsPipelineCreateInfo& info = view.info;
  const auto* link = static_cast<const VkBaseInStructure*>(info.pNext);
  for (; link != nullptr; link = link->pNext) {
    if (link->sType != VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO) return key.GiveUp();
  }
  if (!view.libraries.empty()) return key.GiveUp();
  key.AddPointer(info.pNext);
  key.Add(info.flags);
  key.Add(info.stageCount);
  key.AddPointer(info.pStages);
  for (const VkPipelineShaderStageCreateInfo& shader : view.shaders) key.Add(shader.stage);
  key.Add(info.layout);
  key.Add(info.renderPass);
  key.Add(info.subpass);
  key.AddPointer(info.pDynamicState);
  key.AddAll(view.dynamic_states);
  if (vk::IsAddress(info.pDynamicState) && info.pDynamicState->pNext != nullptr) key.GiveUp();
}

}  // namespace

bool WriteStatesKey(const GraphicsView& view, StatesKey& key) {
  Writer writer(key);
  AddCreateInfo(view, writer);
  if (!writer.is_whole()) return false;
  AddVertexInput(view, writer);
  AddAssembly(view, writer);
  AddTessellation(view, writer);
  AddViewport(view, writer);
  AddRasterization(view, writer);
  AddMultisample(view, writer);
  AddDepthStencil(view, writer);
  AddBlend(view, writer);
  AddRendering(view, writer);
  key.EndAt(writer.at());
  return writer.is_whole();
}

}  // namespace assay::core
