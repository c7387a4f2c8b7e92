// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

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
  void Import(VkFence fence, VkExternalFenceHandleTypeFlagBits type, VkFenceImportFlags flags = 0) {
    const VkImportFenceFdInfoKHR info = {VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR, nullptr, fence, flags, type, -1};
    vk.ImportFenceFdKHR(device, &info);
  }
  void Import(VkSemaphore semaphore, VkExternalSemaphoreHandleTypeFlagBits type, VkSemaphoreImportFlags flags = 0) {
    const VkImportSemaphoreFdInfoKHR info = {
        VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR, nullptr, semaphore, flags, type, -1};
    vk.ImportSemaphoreFdKHR(device, &info);
  }
  void Export(VkFence fence, VkExternalFenceHandleTypeFlagBits type) {
    const VkFenceGetFdInfoKHR info = {VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR, nullptr, fence, type};
    int fd = -1;
    vk.GetFenceFdKHR(device, &info, &fd);
  }
  void Export(VkSemaphore semaphore, VkExternalSemaphoreHandleTypeFlagBits type) {
    const VkSemaphoreGetFdInfoKHR info = {VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, nullptr, semaphore, type};
    int fd = -1;
    vk.GetSemaphoreFdKHR(device, &info, &fd);
  }
  static VkSemaphoreSubmitInfo Of(VkSemaphore semaphore, uint64_t value = 0) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value,
            VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
  }
};

TEST_F(ExternalPayloads, HandleTypes) {
  Import(MakeFence(), kOpaqueFence);
  Import(MakeSemaphore(), kOpaqueSemaphore);
  Export(MakeFence(), kOpaqueFence);
  Export(MakeSemaphore(), kOpaqueSemaphore);
  ExpectNothing();
  Import(MakeFence(), kWindowsFence);
  ExpectMessage("VUID-VkImportFenceFdInfoKHR-handleType-01464");
  Import(MakeSemaphore(), kWindowsSemaphore);
  ExpectMessage("VUID-VkImportSemaphoreFdInfoKHR-handleType-01143");
  Export(MakeFence(), kWindowsFence);
  ExpectMessage("VUID-VkFenceGetFdInfoKHR-handleType-01456");
  Export(MakeSemaphore(), kWindowsSemaphore);
  ExpectMessage("VUID-VkSemaphoreGetFdInfoKHR-handleType-01136");
}
TEST_F(ExternalPayloads, CopiesAreTemporary) {
  Import(MakeFence(), kSyncFence, VK_FENCE_IMPORT_TEMPORARY_BIT);
  Import(MakeSemaphore(), kSyncSemaphore, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT);
  ExpectNothing();
  Import(MakeFence(), kSyncFence);
  ExpectMessage("VUID-VkImportFenceFdInfoKHR-handleType-07306");
  Import(MakeSemaphore(), kSyncSemaphore);
  ExpectMessage("VUID-VkImportSemaphoreFdInfoKHR-handleType-07307");
}
TEST_F(ExternalPayloads, ImportIntoObjectInUse) {
  VkFence fence = MakeFence();
  VkSemaphore semaphore = MakeSemaphore();
  Submit(Queue(), {}, {.signals = {Of(semaphore)}, .fence = fence});
  Import(fence, kOpaqueFence);
  ExpectMessage("VUID-vkImportFenceFdKHR-fence-01463");
  Import(semaphore, kOpaqueSemaphore);
  ExpectMessage("VUID-vkImportSemaphoreFdKHR-semaphore-01142");
}
TEST_F(ExternalPayloads, ImportAfterUse) {
  VkFence fence = MakeFence();
  VkSemaphore semaphore = MakeSemaphore();
  Submit(Queue(), {}, {.signals = {Of(semaphore)}});
  Submit(Queue(), {}, {.waits = {Of(semaphore)}, .fence = fence});
  vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
  Import(fence, kOpaqueFence);
  Import(semaphore, kOpaqueSemaphore);
}
TEST_F(ExternalPayloads, CopyOfNothing) {
  Export(MakeFence(), kSyncFence);
  ExpectMessage("VUID-VkFenceGetFdInfoKHR-handleType-01454");
  Export(MakeSemaphore(), kSyncSemaphore);
  ExpectMessage("VUID-VkSemaphoreGetFdInfoKHR-handleType-01135");
  Export(MakeTimeline(), kSyncSemaphore);
  ExpectMessage("VUID-VkSemaphoreGetFdInfoKHR-handleType-03253");
}
TEST_F(ExternalPayloads, CopyOfHeldSignal) {
  VkSemaphore semaphore = MakeSemaphore(), timeline = MakeTimeline();
  Submit(Queue(), {}, {.waits = {Of(timeline, 1)}, .signals = {Of(semaphore)}});
  Export(semaphore, kSyncSemaphore);
  ExpectMessage("VUID-VkSemaphoreGetFdInfoKHR-handleType-03254");
  const VkSemaphoreSignalInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, timeline, 1};
  vk.SignalSemaphore(device, &info);
}
TEST_F(ExternalPayloads, CopyOfSubmittedSignal) {
  VkFence fence = MakeFence();
  VkSemaphore semaphore = MakeSemaphore();
  Submit(Queue(), {}, {.signals = {Of(semaphore)}, .fence = fence});
  Export(fence, kSyncFence);
  Export(semaphore, kSyncSemaphore);
}

}  // namespace
}  // namespace assay::core
