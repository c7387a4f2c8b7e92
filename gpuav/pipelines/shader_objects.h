// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PIPELINES_SHADER_OBJECTS_H_
#define ASSAY_GPUAV_PIPELINES_SHADER_OBJECTS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gpuav/device/context.h"
#include "gpuav/device/instance_rewrites.h"
#include "gpuav/pipelines/original_shaders.h"
#include "gpuav/pipelines/owned_shaders.h"
#include "gpuav/pipelines/pipeline_layouts.h"
#include "gpuav/shaders/instrumenter.h"
#include "gpuav/shaders/shader_choice.h"
#include "gpuav/shaders/shader_registry.h"
#include "gpuav/shaders/shader_way.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// Shader objects. Those of SPIR-V get instrumented words, and our set behind their set layouts, or push constants for
// an address: shaders that have nothing to check, too, since those that are bound together have the same set layouts
// and push constant ranges. Those of binaries stay as they are, and vkGetShaderBinaryDataEXT gives what the application
// would get without us (original_shaders.h).
namespace assay::gpuav {

// The pipeline layout that our set is bound with for an instrumented shader.
class ShaderObjectLayout {
 public:
  ShaderObjectLayout(Context& context, VkPipelineLayout layout) : context_(context), layout_(layout) {}
  ~ShaderObjectLayout();
  ShaderObjectLayout(const ShaderObjectLayout&) = delete;
  ShaderObjectLayout& operator=(const ShaderObjectLayout&) = delete;

  // The driver's.
  VkPipelineLayout handle() const { return layout_; }

 private:
  Context& context_;
  const VkPipelineLayout layout_;
};

// What a shader object has for us; its state owns it. Shaders of binaries have none, and those that are not changed.
class ShaderObjectData : public state::ObjectSubState {
 public:
  static constexpr state::SubStateSlot kSlot = state::SubStateSlot::kGpuav;
  using SetLayouts = std::vector<state::Ref<state::DescriptorSetLayout>>;
  struct Original {
    std::shared_ptr<OriginalShaders> shaders;
    size_t index;
  };
  ShaderObjectData(Original original, SetLayouts set_layouts)
      : original_(std::move(original)), set_layouts_(std::move(set_layouts)) {}

  // The shader is instrumented.
  void SetInstrumented(std::unique_ptr<const OwnedShaders> shader, std::unique_ptr<const ShaderObjectLayout> layout,
                       PushedAddress address, ShaderWay way) {
    shader_ = std::move(shader);
    layout_ = std::move(layout);
    address_ = address;
    way_ = way;
  }

  // The driver's; null if the shader is not instrumented.
  VkPipelineLayout layout() const { return layout_ != nullptr ? layout_->handle() : VK_NULL_HANDLE; }
  // Without stages if the shader has our set.
  const PushedAddress& address() const { return address_; }
  ShaderWay way() const { return way_; }
  // Those that the application gave, by set number.
  const SetLayouts& set_layouts() const { return set_layouts_; }
  // The driver's shader object of the application's words; null if it cannot be made.
  VkShaderEXT GetOriginal() const { return original_.shaders->Get(original_.index); }

 private:
  const Original original_;
  const SetLayouts set_layouts_;
  std::unique_ptr<const OwnedShaders> shader_;
  std::unique_ptr<const ShaderObjectLayout> layout_;
  PushedAddress address_;
  ShaderWay way_ = ShaderWay::kReservedSet;
};

class ShaderObjects {
 public:
  // `submissions` counts submissions with shaders that are instrumented.
  ShaderObjects(Context& context, Instrumenter& instrumenter, ShaderRegistry& registry, PipelineLayouts& layouts,
                const std::atomic<uint64_t>& submissions)
      : context_(context),
        instrumenter_(instrumenter),
        registry_(registry),
        layouts_(layouts),
        submissions_(submissions),
        stages_(StagesToInstrument(context.device())),
        choice_(context.settings().gpuav_only_shaders),
        set_layouts_(context) {}

  void Rewrite(const vk::CreateShadersEXT& call, vk::CreateShadersEXT& down, dispatch::Rewriter& rewriter);
  void Rewrite(const vk::GetShaderBinaryDataEXT& call, vk::GetShaderBinaryDataEXT& down, dispatch::Rewriter& rewriter);
  void PostCallRecord(const vk::CreateShadersEXT& call, VkResult result);

  void Rewrite(const vk::CreateDescriptorSetLayout& call, vk::CreateDescriptorSetLayout& down,
               dispatch::Rewriter& rewriter) {
    set_layouts_.Rewrite(call, down, rewriter);
  }
  void Rewrite(const vk::DestroyDescriptorSetLayout& call, vk::DestroyDescriptorSetLayout& down,
               dispatch::Rewriter& rewriter) {
    set_layouts_.Rewrite(call, down, rewriter);
  }
  void PostCallRecord(const vk::CreateDescriptorSetLayout& call, VkResult result) {
    set_layouts_.PostCallRecord(call, result);
  }

  const DriverSetLayouts& set_layouts() const { return set_layouts_; }

  // What a call makes of one of its create infos.
  struct Made {
    // Null if the shader is not changed.
    std::shared_ptr<state::ShaderCode> code;
    // 0 if the shader is not instrumented.
    uint32_t id = 0;
    std::vector<uint32_t> words;
    std::unique_ptr<const ShaderObjectLayout> layout;
    PushedAddress address;
    ShaderWay way = ShaderWay::kReservedSet;
  };

 private:
  // Whether all is known that the shader is made of, so that it can be made as the application asked for it.
  bool IsKnown(const VkShaderCreateInfoEXT& info) const;
  ShaderWay WayOf(const VkShaderCreateInfoEXT& info) const;
  // Whether the shader gets our set, or push constants for an address.
  bool IsChanged(const VkShaderCreateInfoEXT& info) const {
    return IsKnown(info) && (context_.pushes_addresses() || WayOf(info) == ShaderWay::kReservedSet);
  }
  // Gives `down` instrumented words, if there are any.
  void Instrument(const VkShaderCreateInfoEXT& info, VkShaderCreateInfoEXT& down, Made& made);
  // Null if that fails: Context::Fail is called.
  std::unique_ptr<const ShaderObjectLayout> MakeLayout(const VkShaderCreateInfoEXT& down);
  // By create info; those that are linked share one.
  std::vector<ShaderObjectData::Original> MakeOriginals(const vk::CreateShadersEXT& call,
                                                        const std::vector<Made>& made);

  Context& context_;
  Instrumenter& instrumenter_;
  ShaderRegistry& registry_;
  PipelineLayouts& layouts_;
  const std::atomic<uint64_t>& submissions_;
  const InstrumentedStages stages_;
  const ShaderChoice choice_;
  DriverSetLayouts set_layouts_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PIPELINES_SHADER_OBJECTS_H_
