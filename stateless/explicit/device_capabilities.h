// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_EXPLICIT_DEVICE_CAPABILITIES_H_
#define ASSAY_STATELESS_EXPLICIT_DEVICE_CAPABILITIES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "dispatch/dispatch.h"
#include "stateless/implicit/enabled_api.h"
#include "vk/rules/explicit_rule_info.h"

namespace assay::stateless {

// What explicit rules ask of a device besides the call: which features are enabled, and limits.
class DeviceCapabilities {
 public:
  virtual ~DeviceCapabilities() = default;

  // As vk::AbsentFeatures() names it.
  virtual bool HasFeature(std::string_view feature) const = 0;
  // Nothing when the device does not say, since what brings the limit is not enabled. index is of vk::Limits().
  virtual std::optional<uint64_t> Limit(uint16_t index) const = 0;
  virtual const VkPhysicalDeviceLimits& CoreLimits() const = 0;
  virtual bool HasExtension(std::string_view extension) const = 0;
  // Of the instance.
  virtual uint32_t ApiVersion() const = 0;
};

// Asks the driver for every limit once.
class QueriedDeviceCapabilities : public DeviceCapabilities {
 public:
  QueriedDeviceCapabilities(const dispatch::Device& device, const EnabledApi& enabled);

  bool HasFeature(std::string_view feature) const override;
  std::optional<uint64_t> Limit(uint16_t index) const override { return limits_[index]; }
  const VkPhysicalDeviceLimits& CoreLimits() const override { return device_.physical_device->properties.limits; }
  bool HasExtension(std::string_view extension) const override;
  uint32_t ApiVersion() const override { return device_.instance.api_version; }

 private:
  void QueryLimits(const EnabledApi& enabled);

  const dispatch::Device& device_;
  // Sorted.
  std::vector<std::string_view> features_;
  std::vector<std::optional<uint64_t>> limits_;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_EXPLICIT_DEVICE_CAPABILITIES_H_
