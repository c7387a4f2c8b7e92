// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <functional>
#include <string_view>
#include <vector>

#include "core/memory/memory_test.h"

namespace assay::core {
namespace {

constexpr VkExternalMemoryHandleTypeFlagBits kWin32 = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT;
constexpr VkExternalMemoryHandleTypeFlagBits kTexture = VK_EXTERNAL_MEMORY_HANDLE_TYPE_MTLTEXTURE_BIT_EXT;

// A correct VkMemoryAllocateInfo, and what may stand in its chain.
struct Allocation {
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, kSize, kAnyUse};
  VkMemoryAllocateFlagsInfo flags = Of<VkMemoryAllocateFlagsInfo>(VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT);
  VkMemoryOpaqueCaptureAddressAllocateInfo opaque = Of<VkMemoryOpaqueCaptureAddressAllocateInfo>(1u);
  VkMemoryDedicatedAllocateInfo dedicated = {VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
  VkDedicatedAllocationMemoryAllocateInfoNV dedicated_nv = Of<VkDedicatedAllocationMemoryAllocateInfoNV>();
  VkExportMemoryAllocateInfo exported = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, nullptr, kFd};
  VkExportMemoryAllocateInfoNV exported_nv = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO_NV};
  VkExportMemoryWin32HandleInfoKHR exported_win32 = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_WIN32_HANDLE_INFO_KHR};
  VkExportMetalObjectCreateInfoEXT exported_metal = {VK_STRUCTURE_TYPE_EXPORT_METAL_OBJECT_CREATE_INFO_EXT, nullptr,
                                                     VK_EXPORT_METAL_OBJECT_TYPE_METAL_BUFFER_BIT_EXT};
  VkImportMemoryFdInfoKHR fd = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, nullptr, kFd, 3};
  VkImportMemoryHostPointerInfoEXT host = Of<VkImportMemoryHostPointerInfoEXT>(
      VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT, reinterpret_cast<void*>(kHostAlignment));
  VkImportMemoryWin32HandleInfoKHR win32 = Of<VkImportMemoryWin32HandleInfoKHR>(kWin32, this);
  VkImportMemoryWin32HandleInfoNV win32_nv = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_WIN32_HANDLE_INFO_NV, nullptr, 0, this};
  VkImportMemoryZirconHandleInfoFUCHSIA zircon =
      Of<VkImportMemoryZirconHandleInfoFUCHSIA>(VK_EXTERNAL_MEMORY_HANDLE_TYPE_ZIRCON_VMO_BIT_FUCHSIA, 1);
  VkImportMemoryMetalHandleInfoEXT metal = Of<VkImportMemoryMetalHandleInfoEXT>(kTexture, this);
  VkImportScreenBufferInfoQNX screen = Of<VkImportScreenBufferInfoQNX>(reinterpret_cast<_screen_buffer*>(this));
  VkImportMemoryBufferCollectionFUCHSIA collection = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_BUFFER_COLLECTION_FUCHSIA};

  void Add(auto&... links) { ((links.pNext = info.pNext, info.pNext = &links), ...); }
  // With either structure for it, and `more` bytes.
  void Dedicate(auto& link, VkBuffer buffer, VkImage image, VkDeviceSize more = 0) {
    Add(link);
    link.buffer = buffer, link.image = image;
    info.allocationSize += more;
  }
};

using A = Allocation&;

// `rule` has no owner if that is VkMemoryAllocateInfo.
struct Case {
  std::string_view rule;
  std::function<void(Allocation&)> set;
};

class MemoryAllocations : public MemoryTest {
 protected:
  void Run(const std::vector<Case>& cases) {
    for (const auto& [rule, set] : cases) {
      Allocation a;
      set(a);
      VkDeviceMemory memory = VK_NULL_HANDLE;
      vk.AllocateMemory(device, &a.info, nullptr, &memory);
      const bool has_owner = rule.starts_with("vk") || rule.starts_with("Vk");
      has_owner ? Expect(rule) : Expect("VkMemoryAllocateInfo", rule);
      vk.FreeMemory(device, memory, nullptr);
    }
  }
};

TEST_F(MemoryAllocations, TypesAndSizes) {
  const VkImage image = MakeUnboundImage(ImageInfo());
  const VkBuffer buffer = UnboundBuffer();
  const auto hardware = [=](A a) {
    a.exported.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_ANDROID_HARDWARE_BUFFER_BIT_ANDROID;
    a.Add(a.exported), a.info.allocationSize = 0;
  };
  Run({
      {"", [](A) {}},
      {"", [&](A a) { hardware(a), a.Dedicate(a.dedicated, VK_NULL_HANDLE, image); }},
      {"", [](A a) { a.Add(a.fd), a.info.allocationSize = 0; }},
      {"vkAllocateMemory-pAllocateInfo-01713", [](A a) { a.info.allocationSize = (16ull << 30) + 1; }},
      {"vkAllocateMemory-pAllocateInfo-01714", [](A a) { a.info.memoryTypeIndex = kProtected + 1; }},
      {"allocationSize-07897", [](A a) { a.info.allocationSize = 0; }},
      {"allocationSize-07899", [](A a) { a.Add(a.exported), a.info.allocationSize = 0; }},
      {"allocationSize-07902", [](A a) { a.Add(a.zircon), a.info.allocationSize = 0; }},
      {"pNext-07900", [&](A a) { hardware(a); }},
      {"pNext-07901", [&](A a) { hardware(a), a.Dedicate(a.dedicated, buffer, VK_NULL_HANDLE); }},
      {"pNext-01874", [&](A a) { hardware(a), a.Dedicate(a.dedicated, VK_NULL_HANDLE, image, kSize); }},
      {"pNext-10397", [&](A a) { a.Add(a.metal, a.dedicated), a.dedicated.image = image; }},
      {"pNext-10395", [](A a) { a.Add(a.metal); }},
  });
}

TEST_F(MemoryAllocations, ImportsAndExports) {
  const VkBuffer buffer = UnboundBuffer();
  const auto nv = Of<VkDedicatedAllocationBufferCreateInfoNV>(VK_TRUE);
  const VkBuffer buffer_nv = UnboundBuffer(&nv);
  const uint16_t name[] = {'a', 0};
  const auto named = [&](A a) { a.Add(a.win32), a.win32.handle = nullptr, a.win32.name = name; };
  constexpr auto kMetalDevice = VK_EXPORT_METAL_OBJECT_TYPE_METAL_DEVICE_BIT_EXT;
  Run({
      {"", [](A a) { a.Add(a.exported, a.fd, a.exported_metal, a.flags); }},
      {"", [](A a) { a.Add(a.host); }},
      {"", named},
      {"", [&](A a) { a.Add(a.flags, a.opaque); }},
      {"", [&](A a) { a.Add(a.screen); }},
      {"None-06657", [](A a) { a.Add(a.fd, a.host); }},
      {"pNext-00640", [](A a) { a.Add(a.exported, a.exported_nv); }},
      {"pNext-00641", [](A a) { a.Add(a.win32, a.win32_nv); }},
      {"pNext-06780", [](A a) { a.Add(a.exported_metal), a.exported_metal.exportObjectType = kMetalDevice; }},
      {"pNext-02806", [&](A a) { a.Add(a.host, a.dedicated), a.dedicated.buffer = buffer; }},
      {"pNext-02805", [&](A a) { a.Add(a.host, a.dedicated_nv), a.dedicated_nv.buffer = buffer_nv; }},
      {"allocationSize-01745", [](A a) { a.Add(a.host), a.info.allocationSize = kHostAlignment / 2; }},
      {"VkImportMemoryHostPointerInfoEXT-pHostPointer-01749",
       [&](A a) { a.Add(a.host), a.host.pHostPointer = reinterpret_cast<void*>(kHostAlignment + 16); }},
      {"opaqueCaptureAddress-03329", [](A a) { a.Add(a.opaque); }},
      {"opaqueCaptureAddress-03333", [](A a) { a.Add(a.opaque, a.flags, a.fd); }},
      {"pNext-03332", [](A a) { a.Add(a.opaque, a.flags, a.host); }},
      {"VkMemoryAllocateFlagsInfo-deviceMask-00676",
       [](A a) { a.Add(a.flags), a.flags.flags = VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT; }},
      {"VkExportMemoryWin32HandleInfoKHR-handleTypes-00657", [](A a) { a.Add(a.exported, a.exported_win32); }},
      {"VkImportMemoryWin32HandleInfoKHR-handleType-00660", [](A a) { a.Add(a.win32), a.win32.handleType = kFd; }},
      {"VkImportMemoryWin32HandleInfoKHR-handle-01441", [&](A a) { a.Add(a.win32), a.win32.name = name; }},
      {"VkImportMemoryWin32HandleInfoKHR-handleType-01439",
       [&](A a) { named(a), a.win32.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT_BIT; }},
      {"VkImportMemoryWin32HandleInfoNV-handleType-01327", [](A a) { a.Add(a.win32_nv), a.win32_nv.handleType = 3; }},
  });
}

TEST_F(MemoryAllocations, Dedicated) {
  const auto of_buffer = Of<VkDedicatedAllocationBufferCreateInfoNV>(VK_TRUE);
  const auto of_image = Of<VkDedicatedAllocationImageCreateInfoNV>(VK_TRUE);
  const VkBuffer buffer = UnboundBuffer(), buffer_nv = UnboundBuffer(&of_buffer);
  const VkImage image = MakeUnboundImage(ImageInfo()), image_nv = MakeUnboundImage(ImageInfo(&of_image));
  // Memory that is dedicated with either structure, and has `more` bytes than needed.
  const auto to = [](VkBuffer to_buffer, VkImage to_image, VkDeviceSize more = 0) {
    return [=](A a) { a.Dedicate(a.dedicated, to_buffer, to_image, more); };
  };
  const auto to_nv = [](VkBuffer to_buffer, VkImage to_image, VkDeviceSize more = 0) {
    return [=](A a) { a.Dedicate(a.dedicated_nv, to_buffer, to_image, more); };
  };
  Run({
      {"", to(buffer, VK_NULL_HANDLE)},
      {"", to(VK_NULL_HANDLE, image)},
      {"", to_nv(buffer_nv, VK_NULL_HANDLE)},
      {"", to_nv(VK_NULL_HANDLE, image_nv)},
      {"VkMemoryDedicatedAllocateInfo-buffer-02965", to(buffer, VK_NULL_HANDLE, 16)},
      {"VkMemoryDedicatedAllocateInfo-image-02964", to(VK_NULL_HANDLE, image, 16)},
      {"VkDedicatedAllocationMemoryAllocateInfoNV-image-00649", to_nv(buffer_nv, image_nv)},
      {"VkDedicatedAllocationMemoryAllocateInfoNV-image-00650", to_nv(VK_NULL_HANDLE, image)},
      {"VkDedicatedAllocationMemoryAllocateInfoNV-buffer-00651", to_nv(buffer, VK_NULL_HANDLE)},
      {"VkDedicatedAllocationMemoryAllocateInfoNV-image-00652", to_nv(VK_NULL_HANDLE, image_nv, 16)},
      {"VkDedicatedAllocationMemoryAllocateInfoNV-buffer-00653", to_nv(buffer_nv, VK_NULL_HANDLE, 16)},
  });
}

TEST_F(MemoryAllocations, BufferCollections) {
  const auto collection = MakeCollection();
  const auto of_buffer = Of<VkBufferCollectionBufferCreateInfoFUCHSIA>(collection, 1u);
  const auto of_image = Of<VkBufferCollectionImageCreateInfoFUCHSIA>(collection, 1u);
  const VkBuffer buffers[] = {UnboundBuffer(), UnboundBuffer(&of_buffer)};
  const VkImage images[] = {MakeUnboundImage(ImageInfo()), MakeUnboundImage(ImageInfo(&of_image))};
  const auto import = [&](VkBuffer buffer, VkImage image, uint32_t index = 1) {
    return [=](A a) {
      a.Add(a.collection), a.collection.collection = collection, a.collection.index = index;
      a.Dedicate(a.dedicated, buffer, image);
    };
  };
  Run({
      {"", import(buffers[1], VK_NULL_HANDLE)},
      {"", import(VK_NULL_HANDLE, images[1])},
      {"pNext-06383", import(VK_NULL_HANDLE, VK_NULL_HANDLE)},
      {"buffer-06385", import(buffers[0], VK_NULL_HANDLE)},
      {"image-06384", import(VK_NULL_HANDLE, images[0])},
      {"buffer-06380", import(buffers[1], VK_NULL_HANDLE, 0)},
      {"image-06381", import(VK_NULL_HANDLE, images[1], 0)},
  });
}

TEST_F(MemoryAllocations, Features) {
  driver().config().memory.memoryTypes[kHostVisible].propertyFlags |= VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD;
  const auto expect = [&](bool are_disabled) {
    const auto rule = [=](std::string_view id) { return are_disabled ? id : ""; };
    Run({
        {rule("vkAllocateMemory-deviceCoherentMemory-02790"), [](A a) { a.info.memoryTypeIndex = kHostVisible; }},
        {rule("memoryTypeIndex-01872"), [](A a) { a.info.memoryTypeIndex = kProtected; }},
        {rule("flags-03330"), [](A a) { a.Add(a.flags); }},
        {rule("flags-03331"), [](A a) { a.Add(a.flags), a.flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT; }},
        {rule("screenBufferImport-08941"), [](A a) { a.Add(a.screen); }},
    });
  };
  Start();
  expect(false);
  Start({"deviceCoherentMemory", "protectedMemory", "bufferDeviceAddress", "bufferDeviceAddressCaptureReplay",
         "screenBufferImport"});
  expect(true);
}

TEST_F(MemoryAllocations, Count) {
  // One is the fixture's.
  driver().config().limits.maxMemoryAllocationCount = 3;
  Start();
  DestroyNow(MakeMemory(kSize, kAnyUse));
  MakeMemory(kSize, kAnyUse), MakeMemory(kSize, kAnyUse);
  Expect("");
  MakeMemory(kSize, kAnyUse);
  Expect("vkAllocateMemory-maxMemoryAllocationCount-04101");
}

}  // namespace
}  // namespace assay::core
