// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_FEATURES_EXTENSION_FEATURES_H_
#define ASSAY_TESTING_FEATURES_EXTENSION_FEATURES_H_

// The features that extensions add, for tests that enable an extension and want all that it can do.
//
//   ExtensionFeatures features;
//   options.device_extensions = {"VK_EXT_mesh_shader"};
//   options.features = features.Enable(options.device_extensions, {"multiviewMeshShader"});
//
// The structures are those of vk::Features(), chained for VkDeviceCreateInfo.

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "testing/test_device.h"

namespace assay::test {

// The chain, and its memory.
class ExtensionFeatures {
 public:
  // All features of the extensions' own structures, but for those that `without` names. Structures that became core are
  // not among them. The chain lives until the next call, or as long as this object.
  void* Enable(const std::vector<const char*>& extensions, const std::set<std::string>& without);
  // Options of a device with all extensions that do not exclude others and with `more`, and their features, but for
  // those of `without`.
  DeviceOptions EnableAll(const std::set<std::string>& without = {}, const std::vector<const char*>& more = {});
  // The same of a device with these extensions alone.
  DeviceOptions EnableOnly(std::vector<const char*> extensions, const std::set<std::string>& without = {});

 private:
  std::vector<std::vector<std::byte>> structs_;
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_FEATURES_EXTENSION_FEATURES_H_
