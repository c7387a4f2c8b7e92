// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RESOURCES_OBJECT_TOTALS_H_
#define ASSAY_CORE_RESOURCES_OBJECT_TOTALS_H_

// How many samplers, and how many bytes of descriptor buffers, a device has at a time.

#include <array>
#include <atomic>
#include <cstdint>

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"

namespace assay::core {

// The validator.
class ObjectTotals {
 public:
  // `device` must outlive this.
  explicit ObjectTotals(const dispatch::Device& device);

  void PreCallValidate(const vk::CreateSampler& call, messages::Report& report) const;
  void PostCallRecord(const vk::CreateSampler& call, VkResult result);
  void PreCallRecord(const vk::DestroySampler& call);
  void PreCallValidate(const vk::CreateBuffer& call, messages::Report& report) const;
  void PostCallRecord(const vk::CreateBuffer& call, VkResult result);
  void PreCallRecord(const vk::DestroyBuffer& call);

 private:
  // Samplers, those with custom border colors, bytes of buffers for descriptors of samplers and of resources.
  using Amounts = std::array<uint64_t, 4>;
  static Amounts OfSampler(VkBorderColor color);
  static Amounts OfBuffer(VkDeviceSize size, VkBufferUsageFlags usage);

  void Check(const Amounts& added, messages::Report& report) const;
  void Add(const Amounts& amounts);
  void Remove(const Amounts& amounts);

  // 0 is unknown.
  Amounts limits_;
  std::array<std::atomic<uint64_t>, 4> totals_ = {};
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RESOURCES_OBJECT_TOTALS_H_
