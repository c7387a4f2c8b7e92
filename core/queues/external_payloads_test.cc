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
  template <class Info>
  void Import(const std::string& rule, VkResult(VKAPI_PTR* import)(VkDevice, const Info*), auto object, auto type,
              VkFlags flags = 0) {
    const auto info = test::Of<Info>(object, flags, type, -1);
    import(device, &info);
    Expect(rule);
  }
  template <class Info>
  void Export(const std::string& rule, VkResult(VKAPI_PTR* get)(VkDevice, const Info*, int*), auto object, auto type) {
    const auto info = test::Of<Info>(object, type);
    int fd = -1;
    get(device, &info, &fd);
    Expect(rule);
  }
};

TEST_F(ExternalPayloads, HandleTypes) {
  Import("", vk.ImportFenceFdKHR, MakeFence(), kOpaqueFence);
  Import("", vk.ImportSemaphoreFdKHR, MakeSemaphore(), kOpaqueSemaphore);
  Export("", vk.GetFenceFdKHR, MakeFence(), kOpaqueFence);
  Export("", vk.GetSemaphoreFdKHR, MakeSemaphore(), kOpaqueSemaphore);
  Import("VkImportFenceFdInfoKHR-handleType-01464", vk.ImportFenceFdKHR, MakeFence(), kWindowsFence);
  Import("VkImportSemaphoreFdInfoKHR-handleType-01143", vk.ImportSemaphoreFdKHR, MakeSemaphore(), kWindowsSemaphore);
  Export("VkFenceGetFdInfoKHR-handleType-01456", vk.GetFenceFdKHR, MakeFence(), kWindowsFence);
  Export("VkSemaphoreGetFdInfoKHR-handleType-01136", vk.GetSemaphoreFdKHR, MakeSemaphore(), kWindowsSemaphore);
}
TEST_F(ExternalPayloads, CopiesAreTemporary) {
  Import("", vk.ImportFenceFdKHR, MakeFence(), kSyncFence, VK_FENCE_IMPORT_TEMPORARY_BIT);
  Import("", vk.ImportSemaphoreFdKHR, MakeSemaphore(), kSyncSemaphore, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT);
  Import("VkImportFenceFdInfoKHR-handleType-07306", vk.ImportFenceFdKHR, MakeFence(), kSyncFence);
  Import("VkImportSemaphoreFdInfoKHR-handleType-07307", vk.ImportSemaphoreFdKHR, MakeSemaphore(), kSyncSemaphore);
}
TEST_F(ExternalPayloads, ImportIntoObjectInUse) {
  VkFence fence = MakeFence();
  VkSemaphore semaphore = MakeSemaphore();
  Submit(Queue(), {}, {.signals = {At(semaphore)}, .fence = fence});
  Import("vkImportFenceFdKHR-fence-01463", vk.ImportFenceFdKHR, fence, kOpaqueFence);
  Import("vkImportSemaphoreFdKHR-semaphore-01142", vk.ImportSemaphoreFdKHR, semaphore, kOpaqueSemaphore);
}
TEST_F(ExternalPayloads, ImportAfterUse) {
  VkFence fence = MakeFence();
  VkSemaphore semaphore = MakeSemaphore();
  Submit(Queue(), {}, {.signals = {At(semaphore)}});
  Submit(Queue(), {}, {.waits = {At(semaphore)}, .fence = fence});
  vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
  Import("", vk.ImportFenceFdKHR, fence, kOpaqueFence);
  Import("", vk.ImportSemaphoreFdKHR, semaphore, kOpaqueSemaphore);
}
TEST_F(ExternalPayloads, CopyOfNothing) {
  Export("VkFenceGetFdInfoKHR-handleType-01454", vk.GetFenceFdKHR, MakeFence(), kSyncFence);
  Export("VkSemaphoreGetFdInfoKHR-handleType-01135", vk.GetSemaphoreFdKHR, MakeSemaphore(), kSyncSemaphore);
  Export("VkSemaphoreGetFdInfoKHR-handleType-03253", vk.GetSemaphoreFdKHR, MakeTimeline(), kSyncSemaphore);
}
TEST_F(ExternalPayloads, CopyOfHeldSignal) {
  VkSemaphore semaphore = MakeSemaphore(), timeline = MakeTimeline();
  Submit(Queue(), {}, {.waits = {At(timeline, 1)}, .signals = {At(semaphore)}});
  Export("VkSemaphoreGetFdInfoKHR-handleType-03254", vk.GetSemaphoreFdKHR, semaphore, kSyncSemaphore);
  HostSignal(timeline, 1);
}
TEST_F(ExternalPayloads, CopyOfSubmittedSignal) {
  VkFence fence = MakeFence();
  VkSemaphore semaphore = MakeSemaphore();
  Submit(Queue(), {}, {.signals = {At(semaphore)}, .fence = fence});
  Export("", vk.GetFenceFdKHR, fence, kSyncFence);
  Export("", vk.GetSemaphoreFdKHR, semaphore, kSyncSemaphore);
}

}  // namespace
}  // namespace assay::core
