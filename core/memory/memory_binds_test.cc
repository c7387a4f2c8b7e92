// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <functional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/memory/memory_test.h"

namespace assay::core {
namespace {

constexpr VkExternalMemoryHandleTypeFlagBits kDmaBuf = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;

// What the memory is dedicated to.
enum class To { kNothing, kThis, kOther };

// A buffer or an image, its memory, and where this is bound to it. Correct as it stands.
struct Bind {
  // Of the resource.
  bool is_protected = false, is_replayed = false, is_dedicated_nv = false, is_of_collection = false;
  VkBufferCreateFlags buffer_flags = 0;
  VkBufferUsageFlags usage = 0;
  VkExternalMemoryHandleTypeFlags external = 0;
  bool requires_dedicated = false;
  // Of the memory.
  uint32_t type = kAnyUse;
  To dedicated = To::kNothing, dedicated_nv = To::kNothing;
  VkMemoryAllocateFlags flags = 0;
  VkExternalMemoryHandleTypeFlagBits exported = {}, imported = {};
  bool imports_hardware_buffer = false, imports_collection = false;

  VkDeviceSize offset = 0;
};

// The rules of buffers and of images, without their owners; empty where there is none.
struct Case {
  std::string_view buffer, image;
  std::function<void(Bind&)> set;
  // Of VkBindImageMemoryInfo, if it has another number, or "none".
  std::string_view image2 = {};
};

class MemoryBinds : public MemoryTest {
 protected:
  template <class H>
  H MakeResource(const Bind& b) {
    constexpr bool kIsBuffer = std::is_same_v<H, VkBuffer>;
    using External = std::conditional_t<kIsBuffer, VkExternalMemoryBufferCreateInfo, VkExternalMemoryImageCreateInfo>;
    using Dedicated =
        std::conditional_t<kIsBuffer, VkDedicatedAllocationBufferCreateInfoNV, VkDedicatedAllocationImageCreateInfoNV>;
    using Collection = std::conditional_t<kIsBuffer, VkBufferCollectionBufferCreateInfoFUCHSIA,
                                          VkBufferCollectionImageCreateInfoFUCHSIA>;
    chain_.pNext = nullptr;
    Link(Of<External>(b.external), b.external != 0);
    Link(Of<Dedicated>(VK_TRUE), b.is_dedicated_nv);
    Link(Of<Collection>(collection_), b.is_of_collection);
    if constexpr (kIsBuffer) {
      return UnboundBuffer(chain_.pNext,
                           b.buffer_flags | (b.is_protected ? VK_BUFFER_CREATE_PROTECTED_BIT : 0) |
                               (b.is_replayed ? VK_BUFFER_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT : 0),
                           b.usage);
    } else {
      return MakeUnboundImage(
          ImageInfo(chain_.pNext, (b.is_protected ? VK_IMAGE_CREATE_PROTECTED_BIT : 0) |
                                      (b.is_replayed ? VK_IMAGE_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT : 0)));
    }
  }
  template <class H>
  VkDeviceMemory MakeMemoryFor(const Bind& b, H resource) {
    const auto target = [&](To to, bool is_nv) {
      return to == To::kOther ? MakeResource<H>({.is_dedicated_nv = is_nv}) : to == To::kThis ? resource : H{};
    };
    const H dedicated = target(b.dedicated, false), dedicated_nv = target(b.dedicated_nv, true);
    const auto dedicate = [&](auto info, H to) {
      if constexpr (std::is_same_v<H, VkBuffer>) info.buffer = to;
      if constexpr (std::is_same_v<H, VkImage>) info.image = to;
      Link(info, to != VK_NULL_HANDLE);
    };
    const auto hardware = Of<VkImportAndroidHardwareBufferInfoANDROID>(reinterpret_cast<AHardwareBuffer*>(this));
    chain_.pNext = nullptr;
    Link(Of<VkMemoryAllocateFlagsInfo>(b.flags), b.flags != 0);
    Link(Of<VkExportMemoryAllocateInfo>(b.exported), b.exported != 0);
    Link(Of<VkImportMemoryFdInfoKHR>(b.imported, 3), b.imported != 0);
    Link(hardware, b.imports_hardware_buffer);
    Link(Of<VkImportMemoryBufferCollectionFUCHSIA>(collection_), b.imports_collection);
    dedicate(Of<VkMemoryDedicatedAllocateInfo>(), dedicated);
    dedicate(Of<VkDedicatedAllocationMemoryAllocateInfoNV>(), dedicated_nv);
    const bool is_dedicated = dedicated != VK_NULL_HANDLE || dedicated_nv != VK_NULL_HANDLE;
    return MakeMemory(is_dedicated ? kSize : 2 * kSize, b.type, chain_.pNext);
  }

  // Binds new resources with both commands, of which each has a rule.
  template <class H, class Info>
  void BindNew(const Bind& b, std::string_view type, std::string_view rule, std::string_view rule2,
               VkResult(VKAPI_PTR* bind)(VkDevice, H, VkDeviceMemory, VkDeviceSize),
               VkResult(VKAPI_PTR* bind2)(VkDevice, uint32_t, const Info*)) {
    for (const bool is_second : {false, true}) {
      const H resource = MakeResource<H>(b);
      const auto info = Of<Info>(resource, MakeMemoryFor(b, resource), b.offset);
      ExpectNothing();
      is_second ? bind2(device, 1, &info) : bind(device, resource, info.memory, b.offset);
      is_second ? Expect(absl::StrCat("VkBind", type, "MemoryInfo"), rule2)
                : Expect(absl::StrCat("vkBind", type, "Memory"), rule);
    }
  }
  // Each case with both commands, of buffers and of images.
  void Run(const std::vector<Case>& cases) {
    for (const Case& row : cases) {
      Bind b;
      row.set(b);
      driver().config().adjust_requirements = [&](VkMemoryRequirements2& found) {
        auto* const dedicated = static_cast<VkMemoryDedicatedRequirements*>(found.pNext);
        if (dedicated != nullptr) dedicated->requiresDedicatedAllocation = b.requires_dedicated ? VK_TRUE : VK_FALSE;
      };
      BindNew(b, "Buffer", row.buffer, row.buffer, vk.BindBufferMemory, vk.BindBufferMemory2);
      const std::string_view image2 = row.image2 == "none" ? "" : row.image2.empty() ? row.image : row.image2;
      BindNew(b, "Image", row.image, image2, vk.BindImageMemory, vk.BindImageMemory2);
    }
    driver().config().adjust_requirements = {};
  }

  VkBufferCollectionFUCHSIA collection_ = VK_NULL_HANDLE;

 private:
  void Link(const auto& structure, bool is_there) {
    if (is_there) links_.Chain(chain_, structure);
  }
  struct {
    const void* pNext = nullptr;
  } chain_;
  test::Links links_;
};

TEST_F(MemoryBinds, Rules) {
  Start({"dedicatedAllocationImageAliasing"});
  collection_ = MakeCollection();
  constexpr VkMemoryAllocateFlags kAddress = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  constexpr VkMemoryAllocateFlags kReplay = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
  Run({
      {"", "", [](Bind&) {}},
      {"", "", [](Bind& b) { b.offset = kSize; }},
      {"memory-01035", "memory-01047", [](Bind& b) { b.type = kLazy; }, "pNext-01615"},
      {"memoryOffset-01036", "memoryOffset-01048", [](Bind& b) { b.offset = 8; }, "pNext-01616"},
      {"size-01037", "size-01049", [](Bind& b) { b.offset = kSize + 16; }, "pNext-01617"},
      {"", "", [](Bind& b) { b.is_protected = true, b.type = kProtected; }},
      {"None-01898", "None-01901", [](Bind& b) { b.is_protected = true; }},
      {"None-01899", "None-01902", [](Bind& b) { b.type = kProtected; }},
      {"", "", [](Bind& b) { b.requires_dedicated = true, b.dedicated = To::kThis; }},
      {"memory-01508", "memory-02628", [](Bind& b) { b.dedicated = To::kOther; }},
      {"buffer-01444", "image-01445", [](Bind& b) { b.requires_dedicated = true; }},
      {"", "", [](Bind& b) { b.is_dedicated_nv = true, b.dedicated_nv = To::kThis; }},
      {"buffer-01038", "image-01050", [](Bind& b) { b.is_dedicated_nv = true; }},
      {"", "", [](Bind& b) { b.exported = kFd, b.external = kFd | kDmaBuf; }},
      {"memory-02726", "memory-02728", [](Bind& b) { b.exported = kFd, b.external = kDmaBuf; }},
      {"", "", [](Bind& b) { b.imported = kFd, b.external = kFd; }},
      {"memory-02985", "memory-02989", [](Bind& b) { b.imported = kFd, b.external = kDmaBuf; }},
      {"memory-02986", "memory-02990", [](Bind& b) { b.imports_hardware_buffer = true, b.external = kDmaBuf; }},
      {"", "", [](Bind& b) { b.is_of_collection = b.imports_collection = true, b.dedicated = To::kThis; }},
      {"buffer-06408", "image-06392", [](Bind& b) { b.is_of_collection = true; }, "none"},
      {"", "", [](Bind& b) { b.is_replayed = true, b.flags = kAddress | kReplay; }},
      {"descriptorBufferCaptureReplay-08112", "descriptorBufferCaptureReplay-08113",
       [](Bind& b) { b.is_replayed = true, b.flags = kReplay; }},
      {"buffer-09201", "image-09202", [](Bind& b) { b.is_replayed = true, b.flags = kAddress; }},
      {"", "", [](Bind& b) { b.usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, b.flags = kAddress; }},
      {"bufferDeviceAddress-03339", "", [](Bind& b) { b.usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT; }},
      {"bufferDeviceAddressCaptureReplay-09200", "",
       [](Bind& b) { b.buffer_flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT; }},
  });
}

// Before VK_KHR_dedicated_allocation.
TEST_F(MemoryBinds, DedicatedNV) {
  Destroy();
  driver().config().api_version = VK_API_VERSION_1_0;
  Create({.api_version = VK_API_VERSION_1_0,
          .device_extensions = {VK_NV_DEDICATED_ALLOCATION_EXTENSION_NAME, VK_KHR_BIND_MEMORY_2_EXTENSION_NAME},
          .core_features = false});
  Run({
      {"", "", [](Bind& b) { b.is_dedicated_nv = true, b.dedicated_nv = To::kThis; }},
      {"apiVersion-07920", "apiVersion-07921", [](Bind& b) { b.dedicated_nv = To::kOther; }},
  });
}

// Memory that is dedicated to an image may be bound to a smaller one.
TEST_F(MemoryBinds, DedicatedImageAliasing) {
  const VkImage original = MakeUnboundImage(ImageInfo());
  const auto dedicated = Of<VkMemoryDedicatedAllocateInfo>(original);
  const VkDeviceMemory memory = MakeMemory(kSize, kAnyUse, &dedicated);
  for (const auto& [width, rule] : {std::pair(32u, ""), std::pair(65u, "memory-02629")}) {
    VkImageCreateInfo info = ImageInfo();
    info.extent = {width, 32, 1};
    const VkImage images[] = {MakeUnboundImage(info), MakeUnboundImage(info)};
    vk.BindImageMemory(device, images[0], memory, 0);
    Expect("vkBindImageMemory", rule);
    const auto bind = Of<VkBindImageMemoryInfo>(images[1], memory);
    vk.BindImageMemory2(device, 1, &bind);
    Expect("VkBindImageMemoryInfo", rule);
  }
}

class ImageBinds : public MemoryTest {
 protected:
  void Bind(std::string_view rule, VkImage image, const void* next, VkDeviceMemory memory, VkDeviceSize offset = 0) {
    const VkBindImageMemoryInfo bind = {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, next, image, memory, offset};
    Call(rule, vk.BindImageMemory2, device, 1, &bind);
  }
  VkImage Image(VkImageCreateFlags flags = 0) { return MakeUnboundImage(ImageInfo(nullptr, flags)); }
};

TEST_F(ImageBinds, Planes) {
  constexpr VkFormat kFormat = VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM;
  const auto disjoint = [&] { return MakeUnboundImage(ImageInfo(nullptr, VK_IMAGE_CREATE_DISJOINT_BIT, kFormat)); };
  const auto plane = Of<VkBindImagePlaneMemoryInfo>(VK_IMAGE_ASPECT_PLANE_1_BIT);
  Bind("", disjoint(), &plane, memory_);
  Bind("VkBindImageMemoryInfo-image-07736", disjoint(), nullptr, memory_);
  Bind("VkBindImageMemoryInfo-pNext-01618", Image(), &plane, memory_);
  Bind("VkBindImageMemoryInfo-pNext-01619", disjoint(), &plane, MakeMemory(kSize, kLazy));
  Bind("VkBindImageMemoryInfo-pNext-01620", disjoint(), &plane, memory_, 8);
  Bind("VkBindImageMemoryInfo-pNext-01621", disjoint(), &plane, memory_, 2 * kSize - 16);
  const auto color = Of<VkBindImagePlaneMemoryInfo>(VK_IMAGE_ASPECT_COLOR_BIT);
  Bind("VkBindImagePlaneMemoryInfo-planeAspect-02283", disjoint(), &color, memory_);
  constexpr uint64_t kModifier = 0;
  const auto modifiers = Of<VkImageDrmFormatModifierListCreateInfoEXT>(1u, &kModifier);
  const VkImage modified = MakeUnboundImage(
      ImageInfo(&modifiers, VK_IMAGE_CREATE_DISJOINT_BIT, kFormat, VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT));
  Bind("VkBindImagePlaneMemoryInfo-planeAspect-02284", modified, &plane, memory_);
}

TEST_F(ImageBinds, SplitInstances) {
  const uint32_t index = 0;
  const VkRect2D all = {{0, 0}, {64, 64}};
  auto group = Of<VkBindImageMemoryDeviceGroupInfo>(0u, &index, 1u, &all);
  const VkImage split = Image(VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT),
                other = Image(VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT);
  // That the device has one physical device.
  messages.Take();
  Bind("", split, &group, memory_);
  Bind("VkBindImageMemoryInfo-pNext-01627", Image(), &group, memory_);
  group.deviceIndexCount = 1;
  Bind("VkBindImageMemoryDeviceGroupInfo-deviceIndexCount-01633", other, &group, memory_);
}

TEST_F(ImageBinds, Swapchains) {
  const VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
  const auto of = Of<VkImageSwapchainCreateInfoKHR>(swapchain);
  auto place = Of<VkBindImageMemorySwapchainInfoKHR>(swapchain, 2u);
  const auto image = [&] { return MakeUnboundImage(ImageInfo(&of)); };
  Bind("", image(), &place, VK_NULL_HANDLE);
  Bind("VkBindImageMemoryInfo-image-01630", image(), nullptr, memory_);
  place.imageIndex = 3;
  Bind("VkBindImageMemorySwapchainInfoKHR-imageIndex-01644", image(), &place, VK_NULL_HANDLE);
}

TEST_F(ImageBinds, Again) {
  const VkImage image = Image(), other = Image();
  vk.BindImageMemory(device, image, memory_, 0);
  Call("vkBindImageMemory-image-07460", vk.BindImageMemory, device, image, memory_, 0);
  Bind("VkBindImageMemoryInfo-image-07460", image, nullptr, memory_);
  const auto bind = Of<VkBindImageMemoryInfo>(other, memory_);
  const VkBindImageMemoryInfo twice[] = {bind, bind};
  Call("vkBindImageMemory2-pBindInfos-04006", vk.BindImageMemory2, device, 2, twice);
}

// The first is bound. Nobody knows of the other, which may be used, and bound again.
TEST_F(ImageBinds, CommandThatFailed) {
  VkResult result = VK_SUCCESS;
  const auto status = Of<VkBindMemoryStatus>(&result);
  const VkImage images[] = {Image(), Image()};
  const VkBindImageMemoryInfo binds[] = {
      {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, &status, images[0], memory_, 0},
      {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, nullptr, images[1], memory_, kSize}};
  driver().FailNext<vk::BindImageMemory2>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  vk.BindImageMemory2(device, 2, binds);
  for (const VkImage image : images) MakeView({image, memory_, ImageInfo()});
  Bind("", images[1], nullptr, memory_);
  Bind("VkBindImageMemoryInfo-image-07460", images[0], nullptr, memory_);
}

}  // namespace
}  // namespace assay::core
