// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_EXPLICIT_DEVICE_CAPABILITIES_H_
#define ASSAY_STATELESS_EXPLICIT_DEVICE_CAPABILITIES_H_

#include <cstdint>
#include <optional>

#include "dispatch/dispatch.h"
#include "vk/extension_id.h"
#include "vk/feature_id.h"
#include "vk/rules/explicit_rule_info.h"

namespace assay::stateless {

// The facts about a device that explicit rules need besides the call: enabled features, extensions and limits.
class DeviceCapabilities {
 public:
  virtual ~DeviceCapabilities() = default;

  virtual bool HasFeature(vk::FeatureId feature) const = 0;
  // index is an index into vk::Limits(). Nothing if the version or extension that provides the limit is not enabled, or
  // if the driver reports what the specification does not allow.
  virtual std::optional<uint64_t> Limit(uint16_t index) const = 0;
  virtual const VkPhysicalDeviceLimits& CoreLimits() const = 0;
  virtual bool HasExtension(vk::ExtensionId extension) const = 0;
  // The instance's version.
  virtual uint32_t ApiVersion() const = 0;
};

// Those of a VkDevice.
class DispatchedDeviceCapabilities : public DeviceCapabilities {
 public:
  explicit DispatchedDeviceCapabilities(const dispatch::Device& device) : device_(device) {}

  bool HasFeature(vk::FeatureId feature) const override { return device_.HasFeature(feature); }
  std::optional<uint64_t> Limit(uint16_t index) const override { return device_.Limit(vk::Limits()[index]); }
  const VkPhysicalDeviceLimits& CoreLimits() const override { return device_.physical_device->limits; }
  bool HasExtension(vk::ExtensionId extension) const override { return device_.IsEnabled(extension); }
  uint32_t ApiVersion() const override { return device_.instance.api_version; }

 private:
  const dispatch::Device& device_;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_EXPLICIT_DEVICE_CAPABILITIES_H_
