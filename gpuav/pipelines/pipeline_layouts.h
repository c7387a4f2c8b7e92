// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PIPELINES_PIPELINE_LAYOUTS_H_
#define ASSAY_GPUAV_PIPELINES_PIPELINE_LAYOUTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "gpuav/descriptors/buffer_layouts.h"
#include "gpuav/descriptors/table_memory.h"
#include "gpuav/device/context.h"
#include "gpuav/device/reserved_set.h"
#include "gpuav/pipelines/address_ranges.h"
#include "gpuav/shaders/shader_way.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// Pipeline layouts, and the set layouts of shader objects. The driver gets each with more sets than the application
// gave: empty ones up to the reserved set, and that set. Layouts that were compatible stay so, since all get the same.
// The driver's layout lives as long as a pipeline has it: our set is bound with it. Where some layouts may have no room
// for the set, all get push constants for an address, too (address_ranges.h).
//
// Binaries of pipelines are for layouts as they were given, and an application keeps them for runs without us. So where
// there may be binaries, each layout is also made as it was given, for the pipelines that are as the application made
// them (pipeline_binaries.h). There are no pushed addresses then: those layouts would not be compatible.
//
// Pipelines of execution sets may not use dynamic buffers. Where there may be such, each layout is also made with the
// set that has none (ReservedSet::Kind::kFixed), for all pipelines with VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT,
// instrumented or not: those of an execution set are compatible. What the application binds with its layout stays
// bound, since our set is the last.
namespace assay::gpuav {

// How a pipeline layout, or a shader object, gives addresses to shaders.
struct PushedAddress {
  // The stages that have the address; 0 if none has.
  VkShaderStageFlags stages = 0;
  // The same for all whose push constant ranges are identical, and for no other. Not 0.
  uint32_t ranges_id = 0;
};

// What a pipeline layout has for us; its state owns it.
class LayoutData : public state::ObjectSubState {
 public:
  static constexpr state::SubStateSlot kSlot = state::SubStateSlot::kGpuav;
  // `ranges` are those of the application.
  struct Facts {
    VkPipelineLayout original = VK_NULL_HANDLE;
    VkPipelineLayout fixed = VK_NULL_HANDLE;
    bool has_reserved_set = false;
    bool has_independent_sets = false;
    PushedAddress address;
    std::vector<VkPushConstantRange> ranges;
    // By set number; empty without descriptor buffers.
    std::vector<std::shared_ptr<const BufferLayout>> buffer_layouts;
  };
  LayoutData(Context& context, VkPipelineLayout layout, Facts facts)
      : context_(context), layout_(layout), facts_(std::move(facts)) {}
  ~LayoutData() override;
  LayoutData(const LayoutData&) = delete;
  LayoutData& operator=(const LayoutData&) = delete;

  // The driver's.
  VkPipelineLayout layout() const { return layout_; }
  // The driver's, of the sets that the application gave alone. Null unless there may be binaries of pipelines.
  VkPipelineLayout original() const { return facts_.original; }
  // The driver's, with our set that has no dynamic offset. Null unless there may be execution sets, and
  // has_reserved_set().
  VkPipelineLayout fixed() const { return facts_.fixed; }
  // False if the application uses all sets, or descriptor buffers.
  bool has_reserved_set() const { return facts_.has_reserved_set; }
  bool has_independent_sets() const { return facts_.has_independent_sets; }
  const PushedAddress& address() const { return facts_.address; }
  absl::Span<const VkPushConstantRange> ranges() const { return facts_.ranges; }
  // Null if the set is not in a descriptor buffer.
  std::shared_ptr<const BufferLayout> buffer_layout(uint32_t set) const {
    return set < facts_.buffer_layouts.size() ? facts_.buffer_layouts[set] : nullptr;
  }

 private:
  Context& context_;
  const VkPipelineLayout layout_;
  const Facts facts_;
};

// LayoutData::original() of the application's layout; null if it has none.
VkPipelineLayout OriginalLayout(VkPipelineLayout layout);

// Whether pipelines of a bind point that execution sets may have are ours to instrument: with LayoutData::fixed(), or
// with a pushed address. Those that are linked have the layouts of their libraries, which may be there for others, too.
bool MayBeInExecutionSets(const Context& context, VkPipelineBindPoint point);

// The driver's layout of such pipelines in place of the application's; null if that is as good.
VkPipelineLayout ExecutionSetLayout(const Context& context, VkPipelineLayout layout, VkPipelineBindPoint point);

class PipelineLayouts {
 public:
  PipelineLayouts(Context& context, const ReservedSet& reserved, const ReservedSet& fixed, TableMemory& tables)
      : context_(context), reserved_(reserved), fixed_(fixed), tables_(tables), addresses_(context) {}

  void Rewrite(const vk::CreatePipelineLayout& call, vk::CreatePipelineLayout& down, dispatch::Rewriter& rewriter);
  void PostCallRecord(const vk::CreatePipelineLayout& call, VkResult result);
  void Rewrite(const vk::DestroyPipelineLayout& call, vk::DestroyPipelineLayout& down, dispatch::Rewriter& rewriter);
  // The layout that it names, or has in its chain, becomes that of the pipelines.
  void Rewrite(const vk::CreateIndirectCommandsLayoutEXT& call, vk::CreateIndirectCommandsLayoutEXT& down,
               dispatch::Rewriter& rewriter);

  // False if what pipelines need could not be made, so that all stays as it is.
  bool is_active() const { return reserved_.layout() != VK_NULL_HANDLE; }
  // Whether there is room for the reserved set behind these sets of the application's, and they are none of descriptor
  // buffers.
  bool HasRoom(absl::Span<const VkDescriptorSetLayout> sets) const;
  // The way for shaders with these sets, if they have one.
  ShaderWay WayOf(absl::Span<const VkDescriptorSetLayout> sets) const;
  // Adds the reserved set to what goes down; there is room for it.
  void AddReservedSet(const VkDescriptorSetLayout*& sets, uint32_t& count, dispatch::Rewriter& rewriter) const;
  // How shaders get the address with these ranges, once AddTo has added it to them.
  PushedAddress AddressWith(absl::Span<const VkPushConstantRange> ranges);
  const AddressRanges& addresses() const { return addresses_; }

 private:
  using RangesKey = std::vector<std::tuple<VkShaderStageFlags, uint32_t, uint32_t>>;
  std::vector<std::shared_ptr<const BufferLayout>> MakeBufferLayouts(absl::Span<const VkDescriptorSetLayout> sets);
  // Null if that fails: Context::Fail is called.
  VkPipelineLayout MakeOriginal(const VkPipelineLayoutCreateInfo& info);
  VkPipelineLayout Make(const VkPipelineLayoutCreateInfo& down);
  void AddSet(VkDescriptorSetLayout ours, const VkDescriptorSetLayout*& sets, uint32_t& count,
              dispatch::Rewriter& rewriter) const;

  Context& context_;
  const ReservedSet& reserved_;
  // Without a layout unless there may be execution sets.
  const ReservedSet& fixed_;
  TableMemory& tables_;
  const AddressRanges addresses_;
  absl::Mutex mutex_;
  // Grows with what an application has of different ranges, which are few.
  std::map<RangesKey, uint32_t> ids_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PIPELINES_PIPELINE_LAYOUTS_H_
