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

// The facts about a device that explicit rules need besides the call: enabled features, extensions and limits.
class DeviceCapabilities {
 public:
  virtual ~DeviceCapabilities() = default;

  // feature is a name of vk::AbsentFeatures().
  virtual bool HasFeature(std::string_view feature) const = 0;
  // index is an index into vk::Limits(). Nothing if the version or extension that provides the limit is not enabled.
  virtual std::optional<uint64_t> Limit(uint16_t index) const = 0;
  virtual const VkPhysicalDeviceLimits& CoreLimits() const = 0;
  virtual bool HasExtension(std::string_view extension) const = 0;
  // The instance's version.
  virtual uint32_t ApiVersion() const = 0;
};

// Queries the driver for every limit once.
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
