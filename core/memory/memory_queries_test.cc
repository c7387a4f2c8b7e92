// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string_view>

#include "core/memory/memory_test.h"

namespace assay::core {
namespace {

constexpr VkFormat kPlanar = VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM;
constexpr VkImageTiling kModified = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;

class MemoryQueries : public MemoryTest {
 protected:
  void SetUp() override {
    MemoryTest::SetUp();
    Start();
  }
  VkImage Image(VkImageCreateFlags flags, VkFormat format = kPlanar, VkImageTiling tiling = VK_IMAGE_TILING_OPTIMAL) {
    return MakeUnboundImage(ImageInfo(tiling == kModified ? &modifiers_ : nullptr, flags, format, tiling));
  }

  const uint64_t modifier_ = 0;
  const VkImageDrmFormatModifierListCreateInfoEXT modifiers_ = {
      VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT, nullptr, 1, &modifier_};
};

TEST_F(MemoryQueries, Images) {
  // VK_IMAGE_ASPECT_NONE: of the whole image.
  const auto expect = [&](std::string_view rule, VkImage image, VkImageAspectFlagBits aspect) {
    const VkImagePlaneMemoryRequirementsInfo plane = {VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO, nullptr,
                                                      aspect};
    const VkImageMemoryRequirementsInfo2 info = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
                                                 aspect != VK_IMAGE_ASPECT_NONE ? &plane : nullptr, image};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vk.GetImageMemoryRequirements2(device, &info, &requirements);
    Expect(rule);
  };
  constexpr VkImageCreateFlags kDisjoint = VK_IMAGE_CREATE_DISJOINT_BIT;
  constexpr VkFormat kSingle = VK_FORMAT_R8G8B8A8_UNORM;
  expect("", Image(kDisjoint), VK_IMAGE_ASPECT_PLANE_2_BIT);
  expect("", Image(kDisjoint, kPlanar, kModified), VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT);
  expect("", Image(0), VK_IMAGE_ASPECT_NONE);
  expect("VkImageMemoryRequirementsInfo2-image-01589", Image(kDisjoint), VK_IMAGE_ASPECT_NONE);
  expect("VkImageMemoryRequirementsInfo2-image-01590", Image(0), VK_IMAGE_ASPECT_PLANE_0_BIT);
  expect("VkImageMemoryRequirementsInfo2-image-02279", Image(kDisjoint, kPlanar, kModified), VK_IMAGE_ASPECT_NONE);
  expect("VkImageMemoryRequirementsInfo2-image-02280", Image(kDisjoint | VK_IMAGE_CREATE_ALIAS_BIT, kSingle),
         VK_IMAGE_ASPECT_PLANE_0_BIT);
  expect("VkImagePlaneMemoryRequirementsInfo-planeAspect-02281", Image(kDisjoint), VK_IMAGE_ASPECT_COLOR_BIT);
  expect("VkImagePlaneMemoryRequirementsInfo-planeAspect-02282", Image(kDisjoint, kPlanar, kModified),
         VK_IMAGE_ASPECT_PLANE_0_BIT);
}

TEST_F(MemoryQueries, CreateInfos) {
  const auto expect = [&](std::string_view rule, const VkImageCreateInfo& created, VkImageAspectFlagBits aspect) {
    const VkDeviceImageMemoryRequirements info = {VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS, nullptr, &created,
                                                  aspect};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    uint32_t count = 0;
    vk.GetDeviceImageMemoryRequirements(device, &info, &requirements);
    Expect(rule.empty() ? "" : absl::StrCat("VkDeviceImageMemoryRequirements-", rule));
    vk.GetDeviceImageSparseMemoryRequirements(device, &info, &count, nullptr);
    Expect(rule.empty() ? "" : absl::StrCat("VkDeviceImageMemoryRequirements-", rule));
  };
  constexpr VkImageCreateFlags kDisjoint = VK_IMAGE_CREATE_DISJOINT_BIT;
  constexpr VkImageAspectFlagBits kNone = VK_IMAGE_ASPECT_NONE;
  expect("", ImageInfo(nullptr, kDisjoint, kPlanar), VK_IMAGE_ASPECT_PLANE_1_BIT);
  expect("pCreateInfo-06417", ImageInfo(nullptr, kDisjoint, kPlanar), kNone);
  expect("pCreateInfo-06419", ImageInfo(nullptr, kDisjoint, kPlanar), VK_IMAGE_ASPECT_COLOR_BIT);
  expect("", ImageInfo(&modifiers_, 0, kPlanar, kModified), VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT);
  expect("pCreateInfo-06420", ImageInfo(&modifiers_, 0, kPlanar, kModified), VK_IMAGE_ASPECT_PLANE_1_BIT);
  const VkSubresourceLayout layout = {};
  const VkImageDrmFormatModifierExplicitCreateInfoEXT modifier = {
      VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT, nullptr, 0, 1, &layout};
  expect("pCreateInfo-06776", ImageInfo(&modifier, 0, VK_FORMAT_R8G8B8A8_UNORM, kModified), kNone);
  const VkImageSwapchainCreateInfoKHR swapchain = {VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR};
  expect("pCreateInfo-06416", ImageInfo(&swapchain), kNone);
  VkExternalFormatANDROID android = {VK_STRUCTURE_TYPE_EXTERNAL_FORMAT_ANDROID, nullptr, 1};
  expect("pNext-06996", ImageInfo(&android, 0, VK_FORMAT_UNDEFINED), kNone);
  android.externalFormat = 0;
  expect("", ImageInfo(&android), kNone);
  const VkExternalFormatQNX qnx = {VK_STRUCTURE_TYPE_EXTERNAL_FORMAT_QNX, nullptr, 1};
  expect("pNext-08962", ImageInfo(&qnx, 0, VK_FORMAT_UNDEFINED), kNone);
}

TEST_F(MemoryQueries, UnboundExternalImages) {
  const auto expect = [&](VkExternalMemoryHandleTypeFlags types, std::string_view rule, std::string_view rule2) {
    const VkExternalMemoryImageCreateInfo external = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO, nullptr,
                                                      types};
    const VkImage image = MakeUnboundImage(ImageInfo(&external));
    VkMemoryRequirements requirements;
    vk.GetImageMemoryRequirements(device, image, &requirements);
    Expect(rule);
    const VkImageMemoryRequirementsInfo2 info = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2, nullptr, image};
    VkMemoryRequirements2 requirements2 = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vk.GetImageMemoryRequirements2(device, &info, &requirements2);
    Expect(rule2);
  };
  expect(VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, "", "");
  expect(VK_EXTERNAL_MEMORY_HANDLE_TYPE_ANDROID_HARDWARE_BUFFER_BIT_ANDROID, "vkGetImageMemoryRequirements-image-04004",
         "VkImageMemoryRequirementsInfo2-image-01897");
  expect(VK_EXTERNAL_MEMORY_HANDLE_TYPE_SCREEN_BUFFER_BIT_QNX, "vkGetImageMemoryRequirements-image-08960",
         "VkImageMemoryRequirementsInfo2-image-08961");
}

TEST_F(MemoryQueries, Exports) {
  // The memory is exported as `exported`, if that is not 0.
  const auto memory_of = [&](VkExternalMemoryHandleTypeFlags exported) {
    const VkExportMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, nullptr, exported};
    return MakeMemory(kSize, kAnyUse, exported != 0 ? &info : nullptr);
  };
  // Asks for what the memory is exported as, and for a handle of other memory.
  const auto expect = [&](std::string_view rule, auto info, const auto& get) {
    info.memory = memory_of(info.handleType);
    get(info), Expect("");
    info.memory = memory_of(0);
    get(info), Expect(rule);
  };
  int fd = 0;
  expect("VkMemoryGetFdInfoKHR-handleType-00671",
         VkMemoryGetFdInfoKHR{VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, nullptr, VK_NULL_HANDLE,
                              VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT},
         [&](const auto& info) { vk.GetMemoryFdKHR(device, &info, &fd); });
  HANDLE win32 = nullptr;
  expect("VkMemoryGetWin32HandleInfoKHR-handleType-00662",
         VkMemoryGetWin32HandleInfoKHR{VK_STRUCTURE_TYPE_MEMORY_GET_WIN32_HANDLE_INFO_KHR, nullptr, VK_NULL_HANDLE,
                                       VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT},
         [&](const auto& info) { vk.GetMemoryWin32HandleKHR(device, &info, &win32); });
  const VkMemoryGetWin32HandleInfoKHR wrong = {VK_STRUCTURE_TYPE_MEMORY_GET_WIN32_HANDLE_INFO_KHR, nullptr,
                                               memory_of(VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT),
                                               VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
  vk.GetMemoryWin32HandleKHR(device, &wrong, &win32);
  Expect("VkMemoryGetWin32HandleInfoKHR-handleType-00664");
  VkRemoteAddressNV remote = nullptr;
  expect("VkMemoryGetRemoteAddressInfoNV-handleType-04966",
         VkMemoryGetRemoteAddressInfoNV{VK_STRUCTURE_TYPE_MEMORY_GET_REMOTE_ADDRESS_INFO_NV, nullptr, VK_NULL_HANDLE,
                                        VK_EXTERNAL_MEMORY_HANDLE_TYPE_RDMA_ADDRESS_BIT_NV},
         [&](const auto& info) { vk.GetMemoryRemoteAddressNV(device, &info, &remote); });
  void* metal = nullptr;
  expect("VkMemoryGetMetalHandleInfoEXT-handleType-10414",
         VkMemoryGetMetalHandleInfoEXT{VK_STRUCTURE_TYPE_MEMORY_GET_METAL_HANDLE_INFO_EXT, nullptr, VK_NULL_HANDLE,
                                       VK_EXTERNAL_MEMORY_HANDLE_TYPE_MTLBUFFER_BIT_EXT},
         [&](const auto& info) { vk.GetMemoryMetalHandleEXT(device, &info, &metal); });
  zx_handle_t zircon = 0;
  expect("VkMemoryGetZirconHandleInfoFUCHSIA-handleType-04776",
         VkMemoryGetZirconHandleInfoFUCHSIA{VK_STRUCTURE_TYPE_MEMORY_GET_ZIRCON_HANDLE_INFO_FUCHSIA, nullptr,
                                            VK_NULL_HANDLE, VK_EXTERNAL_MEMORY_HANDLE_TYPE_ZIRCON_VMO_BIT_FUCHSIA},
         [&](const auto& info) { vk.GetMemoryZirconHandleFUCHSIA(device, &info, &zircon); });
  VkExportMemoryAllocateInfoNV nv = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO_NV, nullptr,
                                     VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT_NV};
  const VkDeviceMemory memory_nv = MakeMemory(kSize, kAnyUse, &nv);
  vk.GetMemoryWin32HandleNV(device, memory_nv, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT_NV, &win32);
  Expect("");
  vk.GetMemoryWin32HandleNV(device, memory_nv, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT_BIT_NV, &win32);
  Expect("vkGetMemoryWin32HandleNV-handleType-01326");
}

TEST_F(MemoryQueries, HardwareBuffers) {
  const VkExportMemoryAllocateInfo exported = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, nullptr,
                                               VK_EXTERNAL_MEMORY_HANDLE_TYPE_ANDROID_HARDWARE_BUFFER_BIT_ANDROID};
  const VkExternalMemoryImageCreateInfo external = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO, nullptr,
                                                    exported.handleTypes};
  const VkImage image = MakeUnboundImage(ImageInfo(&external));
  const VkMemoryDedicatedAllocateInfo dedicated = {VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, &exported, image};
  const auto expect = [&](std::string_view rule, VkDeviceMemory memory) {
    const VkMemoryGetAndroidHardwareBufferInfoANDROID info = {
        VK_STRUCTURE_TYPE_MEMORY_GET_ANDROID_HARDWARE_BUFFER_INFO_ANDROID, nullptr, memory};
    AHardwareBuffer* buffer = nullptr;
    vk.GetMemoryAndroidHardwareBufferANDROID(device, &info, &buffer);
    Expect(rule);
  };
  const VkDeviceMemory memory = MakeMemory(0, kAnyUse, &dedicated);
  expect("VkMemoryGetAndroidHardwareBufferInfoANDROID-pNext-01883", memory);
  vk.BindImageMemory(device, image, memory, 0);
  expect("", memory);
  expect("VkMemoryGetAndroidHardwareBufferInfoANDROID-handleTypes-01882", MakeMemory(kSize, kAnyUse));
}

TEST_F(MemoryQueries, Addresses) {
  const VkMemoryAllocateFlagsInfo flags = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, nullptr,
                                           VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  VkDeviceMemoryOpaqueCaptureAddressInfo info = {VK_STRUCTURE_TYPE_DEVICE_MEMORY_OPAQUE_CAPTURE_ADDRESS_INFO, nullptr,
                                                 MakeMemory(kSize, kAnyUse, &flags)};
  vk.GetDeviceMemoryOpaqueCaptureAddress(device, &info);
  Expect("");
  info.memory = MakeMemory(kSize, kAnyUse);
  vk.GetDeviceMemoryOpaqueCaptureAddress(device, &info);
  Expect("VkDeviceMemoryOpaqueCaptureAddressInfo-memory-03336");
  VkMemoryHostPointerPropertiesEXT properties = {.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
  const auto get = [&](uintptr_t pointer) {
    vk.GetMemoryHostPointerPropertiesEXT(device, VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
                                         reinterpret_cast<void*>(pointer), &properties);
  };
  get(kHostAlignment);
  Expect("");
  get(kHostAlignment + 16);
  Expect("vkGetMemoryHostPointerPropertiesEXT-pHostPointer-01753");
}

}  // namespace
}  // namespace assay::core
