// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string_view>

#include "core/memory/memory_test.h"

namespace assay::core {
namespace {

constexpr VkFormat kPlanar = VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM;
constexpr VkImageTiling kModified = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
constexpr VkImageCreateFlags kDisjoint = VK_IMAGE_CREATE_DISJOINT_BIT;
constexpr VkImageAspectFlagBits kNone = VK_IMAGE_ASPECT_NONE;

class MemoryQueries : public MemoryTest {
 protected:
  VkImage Image(VkImageCreateFlags flags, VkFormat format = kPlanar, VkImageTiling tiling = VK_IMAGE_TILING_OPTIMAL) {
    return MakeUnboundImage(ImageInfo(tiling == kModified ? &modifiers_ : nullptr, flags, format, tiling));
  }

  void GetRequirements2(VkImage image, const void* next = nullptr) {
    const VkImageMemoryRequirementsInfo2 info = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2, next, image};
    auto requirements = Of<VkMemoryRequirements2>();
    vk.GetImageMemoryRequirements2(device, &info, &requirements);
  }
  // The memory is exported as `exported`, if that is not 0.
  VkDeviceMemory MemoryOf(VkExternalMemoryHandleTypeFlags exported) {
    const auto info = Of<VkExportMemoryAllocateInfo>(exported);
    return MakeMemory(kSize, kAnyUse, exported != 0 ? &info : nullptr);
  }
  // Asks for what the memory is exported as, and for a handle of other memory.
  template <class Info, class Handle>
  void ExpectExport(VkResult(VKAPI_PTR* get)(VkDevice, const Info*, Handle*), VkExternalMemoryHandleTypeFlagBits type,
                    std::string_view rule) {
    Handle handle = {};
    auto info = Of<Info>(MemoryOf(type), type);
    Call("", get, device, &info, &handle);
    info.memory = MemoryOf(0);
    Call(rule, get, device, &info, &handle);
  }

  const uint64_t modifier_ = 0;
  const VkImageDrmFormatModifierListCreateInfoEXT modifiers_ =
      Of<VkImageDrmFormatModifierListCreateInfoEXT>(1u, &modifier_);
};

TEST_F(MemoryQueries, Images) {
  // VK_IMAGE_ASPECT_NONE: of the whole image.
  const auto expect = [&](std::string_view rule, VkImage image, VkImageAspectFlagBits aspect) {
    const auto plane = Of<VkImagePlaneMemoryRequirementsInfo>(aspect);
    GetRequirements2(image, aspect != kNone ? &plane : nullptr);
    Expect(rule);
  };
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
    const auto info = Of<VkDeviceImageMemoryRequirements>(&created, aspect);
    auto requirements = Of<VkMemoryRequirements2>();
    uint32_t count = 0;
    vk.GetDeviceImageMemoryRequirements(device, &info, &requirements);
    Expect("VkDeviceImageMemoryRequirements", rule);
    vk.GetDeviceImageSparseMemoryRequirements(device, &info, &count, nullptr);
    Expect("VkDeviceImageMemoryRequirements", rule);
  };
  expect("", ImageInfo(nullptr, kDisjoint, kPlanar), VK_IMAGE_ASPECT_PLANE_1_BIT);
  expect("pCreateInfo-06417", ImageInfo(nullptr, kDisjoint, kPlanar), kNone);
  expect("pCreateInfo-06419", ImageInfo(nullptr, kDisjoint, kPlanar), VK_IMAGE_ASPECT_COLOR_BIT);
  expect("", ImageInfo(&modifiers_, 0, kPlanar, kModified), VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT);
  expect("pCreateInfo-06420", ImageInfo(&modifiers_, 0, kPlanar, kModified), VK_IMAGE_ASPECT_PLANE_1_BIT);
  const VkSubresourceLayout layout = {};
  const auto modifier = Of<VkImageDrmFormatModifierExplicitCreateInfoEXT>(0u, 1u, &layout);
  expect("pCreateInfo-06776", ImageInfo(&modifier, 0, VK_FORMAT_R8G8B8A8_UNORM, kModified), kNone);
  const auto swapchain = Of<VkImageSwapchainCreateInfoKHR>();
  expect("pCreateInfo-06416", ImageInfo(&swapchain), kNone);
  auto android = Of<VkExternalFormatANDROID>(1u);
  expect("pNext-06996", ImageInfo(&android, 0, VK_FORMAT_UNDEFINED), kNone);
  android.externalFormat = 0;
  expect("", ImageInfo(&android), kNone);
  const auto qnx = Of<VkExternalFormatQNX>(1u);
  expect("pNext-08962", ImageInfo(&qnx, 0, VK_FORMAT_UNDEFINED), kNone);
}

TEST_F(MemoryQueries, UnboundExternalImages) {
  const auto expect = [&](VkExternalMemoryHandleTypeFlags types, std::string_view rule, std::string_view rule2) {
    const auto external = Of<VkExternalMemoryImageCreateInfo>(types);
    const VkImage image = MakeUnboundImage(ImageInfo(&external));
    VkMemoryRequirements requirements;
    Call(rule, vk.GetImageMemoryRequirements, device, image, &requirements);
    GetRequirements2(image);
    Expect(rule2);
  };
  expect(kFd, "", "");
  expect(VK_EXTERNAL_MEMORY_HANDLE_TYPE_ANDROID_HARDWARE_BUFFER_BIT_ANDROID, "vkGetImageMemoryRequirements-image-04004",
         "VkImageMemoryRequirementsInfo2-image-01897");
  expect(VK_EXTERNAL_MEMORY_HANDLE_TYPE_SCREEN_BUFFER_BIT_QNX, "vkGetImageMemoryRequirements-image-08960",
         "VkImageMemoryRequirementsInfo2-image-08961");
}

TEST_F(MemoryQueries, Exports) {
  ExpectExport(vk.GetMemoryFdKHR, kFd, "VkMemoryGetFdInfoKHR-handleType-00671");
  ExpectExport(vk.GetMemoryWin32HandleKHR, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT,
               "VkMemoryGetWin32HandleInfoKHR-handleType-00662");
  ExpectExport(vk.GetMemoryRemoteAddressNV, VK_EXTERNAL_MEMORY_HANDLE_TYPE_RDMA_ADDRESS_BIT_NV,
               "VkMemoryGetRemoteAddressInfoNV-handleType-04966");
  ExpectExport(vk.GetMemoryMetalHandleEXT, VK_EXTERNAL_MEMORY_HANDLE_TYPE_MTLBUFFER_BIT_EXT,
               "VkMemoryGetMetalHandleInfoEXT-handleType-10414");
  ExpectExport(vk.GetMemoryZirconHandleFUCHSIA, VK_EXTERNAL_MEMORY_HANDLE_TYPE_ZIRCON_VMO_BIT_FUCHSIA,
               "VkMemoryGetZirconHandleInfoFUCHSIA-handleType-04776");
  HANDLE win32 = nullptr;
  const auto wrong = Of<VkMemoryGetWin32HandleInfoKHR>(MemoryOf(kFd), kFd);
  Call("VkMemoryGetWin32HandleInfoKHR-handleType-00664", vk.GetMemoryWin32HandleKHR, device, &wrong, &win32);
  const auto nv = Of<VkExportMemoryAllocateInfoNV>(VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT_NV);
  const VkDeviceMemory memory_nv = MakeMemory(kSize, kAnyUse, &nv);
  Call("", vk.GetMemoryWin32HandleNV, device, memory_nv, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT_NV, &win32);
  vk.GetMemoryWin32HandleNV(device, memory_nv, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT_BIT_NV, &win32);
  Expect("vkGetMemoryWin32HandleNV-handleType-01326");
}

TEST_F(MemoryQueries, HardwareBuffers) {
  const auto exported =
      Of<VkExportMemoryAllocateInfo>(VK_EXTERNAL_MEMORY_HANDLE_TYPE_ANDROID_HARDWARE_BUFFER_BIT_ANDROID);
  const auto external = Of<VkExternalMemoryImageCreateInfo>(exported.handleTypes);
  const VkImage image = MakeUnboundImage(ImageInfo(&external));
  const VkMemoryDedicatedAllocateInfo dedicated = {VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, &exported, image};
  const auto expect = [&](std::string_view rule, VkDeviceMemory memory) {
    const auto info = Of<VkMemoryGetAndroidHardwareBufferInfoANDROID>(memory);
    AHardwareBuffer* buffer = nullptr;
    Call(rule, vk.GetMemoryAndroidHardwareBufferANDROID, device, &info, &buffer);
  };
  const VkDeviceMemory memory = MakeMemory(0, kAnyUse, &dedicated);
  expect("VkMemoryGetAndroidHardwareBufferInfoANDROID-pNext-01883", memory);
  vk.BindImageMemory(device, image, memory, 0);
  expect("", memory);
  expect("VkMemoryGetAndroidHardwareBufferInfoANDROID-handleTypes-01882", MakeMemory(kSize, kAnyUse));
}

TEST_F(MemoryQueries, Addresses) {
  const auto flags = Of<VkMemoryAllocateFlagsInfo>(VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);
  auto info = Of<VkDeviceMemoryOpaqueCaptureAddressInfo>(MakeMemory(kSize, kAnyUse, &flags));
  Call("", vk.GetDeviceMemoryOpaqueCaptureAddress, device, &info);
  info.memory = MakeMemory(kSize, kAnyUse);
  Call("VkDeviceMemoryOpaqueCaptureAddressInfo-memory-03336", vk.GetDeviceMemoryOpaqueCaptureAddress, device, &info);
  auto properties = Of<VkMemoryHostPointerPropertiesEXT>();
  const auto at = [&](std::string_view rule, uintptr_t pointer) {
    Call(rule, vk.GetMemoryHostPointerPropertiesEXT, device, VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
         reinterpret_cast<void*>(pointer), &properties);
  };
  at("", kHostAlignment);
  at("vkGetMemoryHostPointerPropertiesEXT-pHostPointer-01753", kHostAlignment + 16);
}

}  // namespace
}  // namespace assay::core
