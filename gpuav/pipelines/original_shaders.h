// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PIPELINES_ORIGINAL_SHADERS_H_
#define ASSAY_GPUAV_PIPELINES_ORIGINAL_SHADERS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "gpuav/device/context.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// Shader objects as the application asked for them. What vkGetShaderBinaryDataEXT gives, an application keeps for runs
// without us, so that it is the binary of the application's words and set layouts. The shader object of that binary is
// made when it is first asked for, which may be when the set layouts are destroyed.
namespace assay::gpuav {

class OriginalShaders;

// The driver's descriptor set layout. Lives as long as the application's, and as long as a shader may be made with it.
class DriverSetLayout {
 public:
  DriverSetLayout(Context& context, VkDescriptorSetLayout layout, bool has_immutable_samplers)
      : context_(context), layout_(layout), has_immutable_samplers_(has_immutable_samplers) {}
  ~DriverSetLayout();
  DriverSetLayout(const DriverSetLayout&) = delete;
  DriverSetLayout& operator=(const DriverSetLayout&) = delete;

  VkDescriptorSetLayout layout() const { return layout_; }
  // Shaders that may be made with the layout.
  void AddUser(const std::shared_ptr<OriginalShaders>& shaders);
  // The application destroys its layout. Samplers may be destroyed next, so that what needs them is made now.
  void OnDestroy();

 private:
  Context& context_;
  const VkDescriptorSetLayout layout_;
  const bool has_immutable_samplers_;
  absl::Mutex mutex_;
  std::vector<std::weak_ptr<OriginalShaders>> users_ ABSL_GUARDED_BY(mutex_);
  // The size of users_ at which those that are gone are taken out.
  size_t sweep_at_ ABSL_GUARDED_BY(mutex_) = 64;
};

// The layouts by the application's handles, for devices with shader objects. Thread-safe.
class DriverSetLayouts {
 public:
  explicit DriverSetLayouts(Context& context) : context_(context) {}

  void Rewrite(const vk::CreateDescriptorSetLayout& call, vk::CreateDescriptorSetLayout& down,
               dispatch::Rewriter& rewriter) const;
  void PostCallRecord(const vk::CreateDescriptorSetLayout& call, VkResult result);
  void Rewrite(const vk::DestroyDescriptorSetLayout& call, vk::DestroyDescriptorSetLayout& down,
               dispatch::Rewriter& rewriter);

  // Null if there is no such layout.
  std::shared_ptr<DriverSetLayout> Find(VkDescriptorSetLayout layout) const;

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  bool is_needed() const;

  Context& context_;
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<VkDescriptorSetLayout, std::shared_ptr<DriverSetLayout>> layouts_ ABSL_GUARDED_BY(mutex_);
};

// What a shader object is made of, with the driver's handles. It is SPIR-V, whose create info has nothing in its chain
// but VkPipelineShaderStageRequiredSubgroupSizeCreateInfo and what is for layers.
class ShaderSource {
 public:
  ShaderSource(const VkShaderCreateInfoEXT& info, std::shared_ptr<state::ShaderCode> code,
               std::vector<std::shared_ptr<DriverSetLayout>> set_layouts);
  ShaderSource(ShaderSource&&) = default;
  ShaderSource& operator=(ShaderSource&&) = default;

  // The create info. It leads to what is in the source, which must stay at its place.
  VkShaderCreateInfoEXT Info();

 private:
  // Without what it leads to.
  VkShaderCreateInfoEXT info_;
  std::shared_ptr<state::ShaderCode> code_;
  std::string entry_point_;
  std::vector<std::shared_ptr<DriverSetLayout>> set_layouts_;
  std::vector<VkDescriptorSetLayout> set_layout_handles_;
  std::vector<VkPushConstantRange> push_constants_;
  std::optional<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo> subgroup_size_;
  std::optional<VkSpecializationInfo> specialization_;
  std::vector<VkSpecializationMapEntry> constants_;
  std::vector<uint8_t> constant_data_;
};

// The originals of a shader, or of shaders that are linked with each other. Thread-safe.
class OriginalShaders {
 public:
  OriginalShaders(Context& context, std::vector<ShaderSource> sources)
      : context_(context), sources_(std::move(sources)) {}
  ~OriginalShaders();
  OriginalShaders(const OriginalShaders&) = delete;
  OriginalShaders& operator=(const OriginalShaders&) = delete;

  // The driver's shader object; null if it cannot be made, which is reported.
  VkShaderEXT Get(size_t index);

 private:
  Context& context_;
  absl::Mutex mutex_;
  // Empty once the shaders were made.
  std::vector<ShaderSource> sources_ ABSL_GUARDED_BY(mutex_);
  std::vector<VkShaderEXT> shaders_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PIPELINES_ORIGINAL_SHADERS_H_
