// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PIPELINES_PIPELINE_LAYOUTS_H_
#define ASSAY_GPUAV_PIPELINES_PIPELINE_LAYOUTS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "gpuav/device/context.h"
#include "gpuav/device/reserved_set.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// Pipeline layouts, and the set layouts of shader objects. The driver gets each with more sets than the application
// gave: empty ones up to the reserved set, and that set. Layouts that were compatible stay so, since all get the same.
// The driver's layout lives as long as a pipeline has it: our set is bound with it.
namespace assay::gpuav {

// What a pipeline layout has for us; its state owns it.
class LayoutData : public state::ObjectSubState {
 public:
  static constexpr state::SubStateSlot kSlot = state::SubStateSlot::kGpuav;
  LayoutData(Context& context, VkPipelineLayout layout, bool has_set)
      : context_(context), layout_(layout), has_reserved_set_(has_set) {}
  ~LayoutData() override;
  LayoutData(const LayoutData&) = delete;
  LayoutData& operator=(const LayoutData&) = delete;

  // The driver's.
  VkPipelineLayout layout() const { return layout_; }
  // False if the application uses all sets, or descriptor buffers.
  bool has_reserved_set() const { return has_reserved_set_; }

 private:
  Context& context_;
  const VkPipelineLayout layout_;
  const bool has_reserved_set_;
};

class PipelineLayouts {
 public:
  PipelineLayouts(Context& context, const ReservedSet& reserved) : context_(context), reserved_(reserved) {}

  void Rewrite(const vk::CreatePipelineLayout& call, vk::CreatePipelineLayout& down, dispatch::Rewriter& rewriter);
  void PostCallRecord(const vk::CreatePipelineLayout& call, VkResult result);
  void Rewrite(const vk::DestroyPipelineLayout& call, vk::DestroyPipelineLayout& down, dispatch::Rewriter& rewriter);

  // Whether there is room for the reserved set behind these sets of the application's, and they are none of descriptor
  // buffers.
  bool HasRoom(absl::Span<const VkDescriptorSetLayout> sets) const;
  // Adds the reserved set to what goes down; there is room for it.
  void AddReservedSet(const VkDescriptorSetLayout*& sets, uint32_t& count, dispatch::Rewriter& rewriter) const;

 private:
  Context& context_;
  const ReservedSet& reserved_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PIPELINES_PIPELINE_LAYOUTS_H_
