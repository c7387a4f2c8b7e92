// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr auto kOpaqueFence = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr auto kSyncFence = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
constexpr auto kWindowsFence = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_WIN32_BIT;
constexpr auto kOpaqueSemaphore = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr auto kSyncSemaphore = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
constexpr auto kWindowsSemaphore = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_BIT;

class ExternalPayloads : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return {.device_extensions = {VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME, VK_KHR_EXTERNAL_FENCE_FD_EXTENSION_NAME},
            .settings = {{"validate_sync", false}}};
  }
  // What a call breaks, or nothing if `rule` is empty.
  void Expect(const std::string& rule) {
    SCOPED_TRACE(rule);
    ExpectAlone(rule.empty() ? "" : "VUID-" + rule);
  }
  void Import(const std::string& rule, VkFence fence, VkExternalFenceHandleTypeFlagBits type,
              VkFenceImportFlags flags = 0) {
    const VkImportFenceFdInfoKHR info = {VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR, nullptr, fence, flags, type, -1};
    vk.ImportFenceFdKHR(device, &info);
    Expect(rule);
  }
  void Import(const std::string& rule, VkSemaphore semaphore, VkExternalSemaphoreHandleTypeFlagBits type,
              VkSemaphoreImportFlags flags = 0) {
    const VkImportSemaphoreFdInfoKHR info = {
        VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR, nullptr, semaphore, flags, type, -1};
    vk.ImportSemaphoreFdKHR(device, &info);
    Expect(rule);
  }
  void Export(const std::string& rule, VkFence fence, VkExternalFenceHandleTypeFlagBits type) {
    const VkFenceGetFdInfoKHR info = {VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR, nullptr, fence, type};
    int fd = -1;
    vk.GetFenceFdKHR(device, &info, &fd);
    Expect(rule);
  }
  void Export(const std::string& rule, VkSemaphore semaphore, VkExternalSemaphoreHandleTypeFlagBits type) {
    const VkSemaphoreGetFdInfoKHR info = {VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, nullptr, semaphore, type};
    int fd = -1;
    vk.GetSemaphoreFdKHR(device, &info, &fd);
    Expect(rule);
  }
  static VkSemaphoreSubmitInfo Of(VkSemaphore semaphore, uint64_t value = 0) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
  }
};

TEST_F(ExternalPayloads, HandleTypes) {
  Import("", MakeFence(), kOpaqueFence);
  Import("", MakeSemaphore(), kOpaqueSemaphore);
  Export("", MakeFence(), kOpaqueFence);
  Export("", MakeSemaphore(), kOpaqueSemaphore);
  Import("VkImportFenceFdInfoKHR-handleType-01464", MakeFence(), kWindowsFence);
  Import("VkImportSemaphoreFdInfoKHR-handleType-01143", MakeSemaphore(), kWindowsSemaphore);
  Export("VkFenceGetFdInfoKHR-handleType-01456", MakeFence(), kWindowsFence);
  Export("VkSemaphoreGetFdInfoKHR-handleType-01136", MakeSemaphore(), kWindowsSemaphore);
}
TEST_F(ExternalPayloads, CopiesAreTemporary) {
  Import("", MakeFence(), kSyncFence, VK_FENCE_IMPORT_TEMPORARY_BIT);
  Import("", MakeSemaphore(), kSyncSemaphore, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT);
  Import("VkImportFenceFdInfoKHR-handleType-07306", MakeFence(), kSyncFence);
  Import("VkImportSemaphoreFdInfoKHR-handleType-07307", MakeSemaphore(), kSyncSemaphore);
}
TEST_F(ExternalPayloads, ImportIntoObjectInUse) {
  VkFence fence = MakeFence();
  VkSemaphore semaphore = MakeSemaphore();
  Submit(Queue(), {}, {.signals = {Of(semaphore)}, .fence = fence});
  Import("vkImportFenceFdKHR-fence-01463", fence, kOpaqueFence);
  Import("vkImportSemaphoreFdKHR-semaphore-01142", semaphore, kOpaqueSemaphore);
}
TEST_F(ExternalPayloads, ImportAfterUse) {
  VkFence fence = MakeFence();
  VkSemaphore semaphore = MakeSemaphore();
  Submit(Queue(), {}, {.signals = {Of(semaphore)}});
  Submit(Queue(), {}, {.waits = {Of(semaphore)}, .fence = fence});
  vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
  Import("", fence, kOpaqueFence);
  Import("", semaphore, kOpaqueSemaphore);
}
TEST_F(ExternalPayloads, CopyOfNothing) {
  Export("VkFenceGetFdInfoKHR-handleType-01454", MakeFence(), kSyncFence);
  Export("VkSemaphoreGetFdInfoKHR-handleType-01135", MakeSemaphore(), kSyncSemaphore);
  Export("VkSemaphoreGetFdInfoKHR-handleType-03253", MakeTimeline(), kSyncSemaphore);
}
TEST_F(ExternalPayloads, CopyOfHeldSignal) {
  VkSemaphore semaphore = MakeSemaphore(), timeline = MakeTimeline();
  Submit(Queue(), {}, {.waits = {Of(timeline, 1)}, .signals = {Of(semaphore)}});
  Export("VkSemaphoreGetFdInfoKHR-handleType-03254", semaphore, kSyncSemaphore);
  const VkSemaphoreSignalInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, timeline, 1};
  vk.SignalSemaphore(device, &info);
}
TEST_F(ExternalPayloads, CopyOfSubmittedSignal) {
  VkFence fence = MakeFence();
  VkSemaphore semaphore = MakeSemaphore();
  Submit(Queue(), {}, {.signals = {Of(semaphore)}, .fence = fence});
  Export("", fence, kSyncFence);
  Export("", semaphore, kSyncSemaphore);
}

}  // namespace
}  // namespace assay::core
