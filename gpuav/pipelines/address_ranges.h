// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PIPELINES_ADDRESS_RANGES_H_
#define ASSAY_GPUAV_PIPELINES_ADDRESS_RANGES_H_

#include <cstdint>

#include "absl/types/span.h"
#include "gpuav/device/context.h"
#include "vk/vulkan.h"

// Push constant ranges in which the address of the action block has room (Context::push_constant_offset()). What is
// added depends on nothing but the application's ranges: layouts with identical ranges are compatible, in their sets,
// too, and stay so.
//
// A stage may be in one range only (VUID-VkPipelineLayoutCreateInfo-pPushConstantRanges-00292). So a range of the
// application's grows up to the address, and a new one is for the stages that no range has. A range that ends before
// another does not grow: it would get the other's bytes, and who pushes these would have to name its stages
// (VUID-vkCmdPushConstants-offset-01796). Its stages do not have the address.
namespace assay::gpuav {

class AddressRanges {
 public:
  explicit AddressRanges(const Context& context);

  // The stages that have the address; 0 if the application's constants are where it would be, or nothing is added.
  VkShaderStageFlags StagesOf(absl::Span<const VkPushConstantRange> ranges) const;
  // Adds it to what goes down.
  void AddTo(const VkPushConstantRange*& ranges, uint32_t& count, dispatch::Rewriter& rewriter) const;

 private:
  // How far the application's ranges reach, in bytes; nothing if that is too far.
  bool HasRoom(absl::Span<const VkPushConstantRange> ranges, uint32_t& end) const;
  // Those that the device has and no range names.
  VkShaderStageFlags OtherStages(absl::Span<const VkPushConstantRange> ranges) const;

  const bool is_used_;
  const uint32_t offset_;
  const VkShaderStageFlags stages_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PIPELINES_ADDRESS_RANGES_H_
