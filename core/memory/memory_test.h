// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_MEMORY_MEMORY_TEST_H_
#define ASSAY_CORE_MEMORY_MEMORY_TEST_H_

#include <set>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"

// Test-only: a device with all extensions, for calls that break one rule or none.
namespace assay::core {

// Of an image and a buffer.
inline constexpr VkDeviceSize kSize = 16384;
// Types of memory of the mock driver.
inline constexpr uint32_t kHostVisible = 1, kAnyUse = 3, kLazy = 4, kProtected = 5;
// Of host pointers, and of places where memory is mapped.
inline constexpr VkDeviceSize kHostAlignment = 4096;
inline constexpr VkExternalMemoryHandleTypeFlagBits kFd = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

using test::Of, test::Typed;

class MemoryTest : public test::ValidationTest {
 protected:
  void SetUp() override {
    ChangeProperties<VkPhysicalDeviceExternalMemoryHostPropertiesEXT>(
        [](auto& p) { p.minImportedHostPointerAlignment = kHostAlignment; });
    ChangeProperties<VkPhysicalDeviceMapMemoryPlacedPropertiesEXT>(
        [](auto& p) { p.minPlacedMemoryMapAlignment = kHostAlignment; });
    Start();
  }
  // Anew, as the driver's configuration says, and without these features.
  void Start(const std::set<std::string>& without = {}) {
    Destroy();
    driver().config().disabled_features = without;
    Create(features_.EnableAll(without));
    memory_ = MakeMemory(2 * kSize, kAnyUse);
  }

  // Of what was done since the last time. `rule` follows "VUID-", and is empty for none.
  void Expect(std::string_view rule) {
    SCOPED_TRACE(rule);
    ExpectAlone(rule.empty() ? "" : absl::StrCat("VUID-", rule));
  }
  // The same for a rule of a structure or command.
  void Expect(std::string_view owner, std::string_view rule) {
    Expect(rule.empty() ? "" : absl::StrCat(owner, "-", rule));
  }
  // Calls a command that breaks a rule, which is empty for none.
  void Call(std::string_view rule, const auto& command, auto&&... arguments) {
    command(arguments...);
    Expect(rule);
  }

  VkBuffer UnboundBuffer(const void* next = nullptr, VkBufferCreateFlags flags = 0, VkBufferUsageFlags usage = 0) {
    return MakeUnboundBuffer(
        {.pNext = next, .flags = flags, .size = kSize, .usage = usage | VK_BUFFER_USAGE_TRANSFER_DST_BIT});
  }
  static VkImageCreateInfo ImageInfo(const void* next = nullptr, VkImageCreateFlags flags = 0,
                                     VkFormat format = VK_FORMAT_R8G8B8A8_UNORM,
                                     VkImageTiling tiling = VK_IMAGE_TILING_OPTIMAL) {
    VkImageCreateInfo info = test::ImageInfo(format, 64, VK_IMAGE_USAGE_SAMPLED_BIT);
    info.pNext = next, info.flags = flags, info.tiling = tiling;
    return info;
  }
  VkBufferCollectionFUCHSIA MakeCollection() {
    return MakeFrom(VkBufferCollectionCreateInfoFUCHSIA{}, vk.CreateBufferCollectionFUCHSIA,
                    vk.DestroyBufferCollectionFUCHSIA);
  }
  VkAccelerationStructureNV MakeStructureNV() {
    const auto info = Of<VkAccelerationStructureInfoNV>(VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_NV);
    return MakeFrom(VkAccelerationStructureCreateInfoNV{.info = info}, vk.CreateAccelerationStructureNV,
                    vk.DestroyAccelerationStructureNV);
  }

  // Twice as large as an image and a buffer.
  VkDeviceMemory memory_ = VK_NULL_HANDLE;

 private:
  test::ExtensionFeatures features_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_MEMORY_MEMORY_TEST_H_
