// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Addresses, handles and captured data of objects. Each call breaks one rule, or none.

#include "core/memory/memory_test.h"

namespace assay::core {
namespace {

class ObjectQueries : public MemoryTest {
 protected:
  void SetUp() override {
    MemoryTest::SetUp();
    Start();
  }
  VkAccelerationStructureKHR Structure(VkBuffer buffer, VkAccelerationStructureCreateFlagsKHR flags = 0) {
    const VkAccelerationStructureCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .createFlags = flags,
        .buffer = buffer,
        .size = 256,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR};
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    vk.CreateAccelerationStructureKHR(device, &info, nullptr, &structure);
    Defer(structure, [=, this] { vk.DestroyAccelerationStructureKHR(device, structure, nullptr); });
    return structure;
  }
  static constexpr VkBufferUsageFlags kStructures = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR;
  static constexpr VkBufferUsageFlags kAddressed = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
};

TEST_F(ObjectQueries, Addresses) {
  const auto address_of = [&](VkBuffer buffer) {
    const VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
    vk.GetBufferDeviceAddress(device, &info);
  };
  address_of(MakeBuffer(64, kAddressed));
  Expect("");
  const VkBuffer unbound = UnboundBuffer(nullptr, 0, kAddressed | kStructures);
  address_of(unbound);
  Expect("VkBufferDeviceAddressInfo-buffer-02600");
  const auto of_structure = [&](std::string_view rule, VkBuffer buffer) {
    const VkAccelerationStructureKHR structure = Structure(buffer);
    messages.Take();
    const VkAccelerationStructureDeviceAddressInfoKHR info = {
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR, nullptr, structure};
    vk.GetAccelerationStructureDeviceAddressKHR(device, &info);
    Expect(rule.empty() ? "" : absl::StrCat("vkGetAccelerationStructureDeviceAddressKHR-pInfo-", rule));
  };
  of_structure("", MakeBuffer(4096, kStructures | kAddressed));
  of_structure("09541", unbound);
  of_structure("09542", MakeBuffer(4096, kStructures));
}

TEST_F(ObjectQueries, Handles) {
  const VkAccelerationStructureCreateInfoNV info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_NV,
                                                    .info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_INFO_NV,
                                                             .type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_NV}};
  VkAccelerationStructureNV structure = VK_NULL_HANDLE;
  vk.CreateAccelerationStructureNV(device, &info, nullptr, &structure);
  Defer(structure, [=, this] { vk.DestroyAccelerationStructureNV(device, structure, nullptr); });
  uint64_t handle = 0;
  vk.GetAccelerationStructureHandleNV(device, structure, sizeof(handle), &handle);
  Expect("vkGetAccelerationStructureHandleNV-accelerationStructure-02787");
  const VkBindAccelerationStructureMemoryInfoNV bind = {
      .sType = VK_STRUCTURE_TYPE_BIND_ACCELERATION_STRUCTURE_MEMORY_INFO_NV,
      .accelerationStructure = structure,
      .memory = MakeMemory(kSize, kAnyUse)};
  vk.BindAccelerationStructureMemoryNV(device, 1, &bind);
  vk.GetAccelerationStructureHandleNV(device, structure, sizeof(handle), &handle);
  Expect("");
  vk.GetAccelerationStructureHandleNV(device, structure, 4, &handle);
  Expect("vkGetAccelerationStructureHandleNV-dataSize-02240");

  const VkImageView sampled = MakeView(MakeImage(VK_FORMAT_R8_UNORM, 4, 4, VK_IMAGE_USAGE_SAMPLED_BIT));
  const VkImageView storage = MakeView(MakeImage(VK_FORMAT_R8_UNORM, 4, 4, VK_IMAGE_USAGE_STORAGE_BIT));
  const auto of_view = [&](std::string_view rule, VkImageView view, VkDescriptorType type) {
    const VkImageViewHandleInfoNVX of = {VK_STRUCTURE_TYPE_IMAGE_VIEW_HANDLE_INFO_NVX, nullptr, view, type, {}};
    vk.GetImageViewHandleNVX(device, &of);
    Expect(rule);
    vk.GetImageViewHandle64NVX(device, &of);
    Expect(rule);
  };
  of_view("", sampled, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
  of_view("VkImageViewHandleInfoNVX-imageView-02656", storage, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
  of_view("VkImageViewHandleInfoNVX-imageView-02657", sampled, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
}

TEST_F(ObjectQueries, CapturedData) {
  char data[256];
  const VkImageViewCaptureDescriptorDataInfoEXT view = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CAPTURE_DESCRIPTOR_DATA_INFO_EXT,
                                                        nullptr, MakeView(MakeImage(VK_FORMAT_R8_UNORM, 4, 4))};
  vk.GetImageViewOpaqueCaptureDescriptorDataEXT(device, &view, data);
  Expect("VkImageViewCaptureDescriptorDataInfoEXT-imageView-08083");
  VkAccelerationStructureCaptureDescriptorDataInfoEXT structure = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CAPTURE_DESCRIPTOR_DATA_INFO_EXT,
      .accelerationStructure = Structure(MakeBuffer(4096, kStructures))};
  vk.GetAccelerationStructureOpaqueCaptureDescriptorDataEXT(device, &structure, data);
  Expect("VkAccelerationStructureCaptureDescriptorDataInfoEXT-accelerationStructure-08091");
  structure.accelerationStructure = Structure(
      MakeBuffer(4096, kStructures), VK_ACCELERATION_STRUCTURE_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT);
  vk.GetAccelerationStructureOpaqueCaptureDescriptorDataEXT(device, &structure, data);
  Expect("");
}

// The driver says which types of memory a host pointer has.
TEST_F(ObjectQueries, HostPointers) {
  driver().Observe<vk::GetMemoryHostPointerPropertiesEXT>(
      [](const auto& call) { call.pMemoryHostPointerProperties->memoryTypeBits = 1u << kAnyUse; });
  for (const uint32_t type : {kAnyUse, kHostVisible}) {
    const VkImportMemoryHostPointerInfoEXT host = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT, nullptr,
                                                   VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
                                                   reinterpret_cast<void*>(kHostAlignment)};
    driver().FailNext<vk::GetMemoryHostPointerPropertiesEXT>(VK_SUCCESS);
    MakeMemory(kHostAlignment, type, &host);
    Expect(type == kAnyUse ? "" : "VkMemoryAllocateInfo-memoryTypeIndex-01744");
  }
}

}  // namespace
}  // namespace assay::core
