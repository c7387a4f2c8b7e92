// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Addresses, handles and captured data of objects. Each call breaks one rule, or none.

#include "core/memory/memory_test.h"

namespace assay::core {
namespace {

class ObjectQueries : public MemoryTest {
 protected:
  VkAccelerationStructureKHR Structure(VkBuffer buffer, VkAccelerationStructureCreateFlagsKHR flags = 0) {
    const VkAccelerationStructureCreateInfoKHR info = {
        .createFlags = flags, .buffer = buffer, .size = 256, .type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR};
    return MakeFrom(info, vk.CreateAccelerationStructureKHR, vk.DestroyAccelerationStructureKHR);
  }
  static constexpr VkBufferUsageFlags kStructures = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR;
  static constexpr VkBufferUsageFlags kAddressed = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
};

TEST_F(ObjectQueries, Addresses) {
  const auto of_buffer = [&](std::string_view rule, VkBuffer buffer) {
    const auto info = Of<VkBufferDeviceAddressInfo>(buffer);
    Call(rule, vk.GetBufferDeviceAddress, device, &info);
  };
  of_buffer("", MakeBuffer(64, kAddressed));
  const VkBuffer unbound = UnboundBuffer(nullptr, 0, kAddressed | kStructures);
  of_buffer("VkBufferDeviceAddressInfo-buffer-02600", unbound);
  const auto of_structure = [&](std::string_view rule, VkBuffer buffer) {
    const VkAccelerationStructureKHR structure = Structure(buffer);
    messages.Take();
    const auto info = Of<VkAccelerationStructureDeviceAddressInfoKHR>(structure);
    Call(rule, vk.GetAccelerationStructureDeviceAddressKHR, device, &info);
  };
  of_structure("", MakeBuffer(4096, kStructures | kAddressed));
  of_structure("vkGetAccelerationStructureDeviceAddressKHR-pInfo-09541", unbound);
  of_structure("vkGetAccelerationStructureDeviceAddressKHR-pInfo-09542", MakeBuffer(4096, kStructures));
}

TEST_F(ObjectQueries, Handles) {
  const VkAccelerationStructureNV structure = MakeStructureNV();
  uint64_t handle = 0;
  vk.GetAccelerationStructureHandleNV(device, structure, sizeof(handle), &handle);
  Expect("vkGetAccelerationStructureHandleNV-accelerationStructure-02787");
  const auto bind = Of<VkBindAccelerationStructureMemoryInfoNV>(structure, MakeMemory(kSize, kAnyUse));
  vk.BindAccelerationStructureMemoryNV(device, 1, &bind);
  Call("", vk.GetAccelerationStructureHandleNV, device, structure, sizeof(handle), &handle);
  vk.GetAccelerationStructureHandleNV(device, structure, 4, &handle);
  Expect("vkGetAccelerationStructureHandleNV-dataSize-02240");

  const VkImageView sampled = MakeView(MakeImage(VK_FORMAT_R8_UNORM, 4, 4, VK_IMAGE_USAGE_SAMPLED_BIT));
  const VkImageView storage = MakeView(MakeImage(VK_FORMAT_R8_UNORM, 4, 4, VK_IMAGE_USAGE_STORAGE_BIT));
  const auto of_view = [&](std::string_view rule, VkImageView view, VkDescriptorType type) {
    const auto of = Of<VkImageViewHandleInfoNVX>(view, type);
    Call(rule, vk.GetImageViewHandleNVX, device, &of);
    Call(rule, vk.GetImageViewHandle64NVX, device, &of);
  };
  of_view("", sampled, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
  of_view("VkImageViewHandleInfoNVX-imageView-02656", storage, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
  of_view("VkImageViewHandleInfoNVX-imageView-02657", sampled, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
}

TEST_F(ObjectQueries, CapturedData) {
  char data[256];
  const auto view = Of<VkImageViewCaptureDescriptorDataInfoEXT>(MakeView(MakeImage(VK_FORMAT_R8_UNORM, 4, 4)));
  vk.GetImageViewOpaqueCaptureDescriptorDataEXT(device, &view, data);
  Expect("VkImageViewCaptureDescriptorDataInfoEXT-imageView-08083");
  auto structure = Of<VkAccelerationStructureCaptureDescriptorDataInfoEXT>(Structure(MakeBuffer(4096, kStructures)));
  vk.GetAccelerationStructureOpaqueCaptureDescriptorDataEXT(device, &structure, data);
  Expect("VkAccelerationStructureCaptureDescriptorDataInfoEXT-accelerationStructure-08091");
  structure.accelerationStructure = Structure(
      MakeBuffer(4096, kStructures), VK_ACCELERATION_STRUCTURE_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT);
  Call("", vk.GetAccelerationStructureOpaqueCaptureDescriptorDataEXT, device, &structure, data);
}

// The driver says which types of memory a host pointer has.
TEST_F(ObjectQueries, HostPointers) {
  driver().Observe<vk::GetMemoryHostPointerPropertiesEXT>(
      [](const auto& call) { call.pMemoryHostPointerProperties->memoryTypeBits = 1u << kAnyUse; });
  for (const uint32_t type : {kAnyUse, kHostVisible}) {
    const auto host = Of<VkImportMemoryHostPointerInfoEXT>(VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
                                                           reinterpret_cast<void*>(kHostAlignment));
    driver().FailNext<vk::GetMemoryHostPointerPropertiesEXT>(VK_SUCCESS);
    MakeMemory(kHostAlignment, type, &host);
    Expect(type == kAnyUse ? "" : "VkMemoryAllocateInfo-memoryTypeIndex-01744");
  }
}

}  // namespace
}  // namespace assay::core
