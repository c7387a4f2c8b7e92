// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_FEATURES_FREE_COMBINATIONS_H_
#define ASSAY_TESTING_FEATURES_FREE_COMBINATIONS_H_

#include <string_view>

// Devices of tests have features and extensions that exclude one another, or lack what these need, so that one device
// serves many tests. Tests of such rules call vkCreateDevice themselves.
namespace assay::test {

// While it lives, message logs drop such messages about calls of this thread.
class FreeCombinations {
 public:
  FreeCombinations() { allowed_ = true; }
  ~FreeCombinations() { allowed_ = false; }
  FreeCombinations(const FreeCombinations&) = delete;
  FreeCombinations& operator=(const FreeCombinations&) = delete;

  static bool Drops(std::string_view id) {
    const bool is_explicit = !id.empty() && id.back() >= '0' && id.back() <= '9';
    return allowed_ && is_explicit &&
           (id.starts_with("VUID-VkDeviceCreateInfo-") || id.starts_with("VUID-vkCreateDevice-") ||
            id.starts_with("VUID-vkCreateInstance-") || id.starts_with("VUID-VkPhysicalDevice"));
  }

 private:
  static inline thread_local bool allowed_ = false;
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_FEATURES_FREE_COMBINATIONS_H_
