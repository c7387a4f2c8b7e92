// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies whose regions the device reads from memory, through the whole layer.

#include <string>

#include "core/copies/cases/image_copy_test.h"

namespace assay::core {
namespace {

class IndirectCopiesTest : public ImageCopiesTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = ImageCopiesTest::Options();
    options.device_extensions.push_back(VK_NV_COPY_MEMORY_INDIRECT_EXTENSION_NAME);
    options.features = &features_;
    return options;
  }
  // The address of no memory that the test has to have.
  static constexpr VkDeviceAddress kAddress = 0x10000;

  void CopyToImage(const ImageCopy& copy, VkDeviceAddress address = kAddress,
                   uint32_t stride = sizeof(VkCopyMemoryToImageIndirectCommandNV)) {
    const VkImage target = Make(copy.target);
    const VkCommandBuffer commands = MakeCommands(copy);
    Begin(commands);
    vk.CmdCopyMemoryToImageIndirectNV(commands, address, 1, stride, target, VK_IMAGE_LAYOUT_GENERAL,
                                      &copy.target.layers);
    End(commands);
  }
  void CopyMemory(VkDeviceAddress address, uint32_t stride, uint32_t family = 0) {
    Record([&](VkCommandBuffer commands) { vk.CmdCopyMemoryIndirectNV(commands, address, 1, stride); }, family);
  }

 private:
  VkPhysicalDeviceCopyMemoryIndirectFeaturesNV features_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_FEATURES_NV, .indirectCopy = VK_TRUE};
};

TEST_F(IndirectCopiesTest, EachCase) {
  CopyToImage({});
  ExpectNothing();
  for (const FamilyCase<ImageCopy>& row : IndirectCopyCases()) {
    ImageCopy copy;
    row.change(copy);
    SCOPED_TRACE(std::string(row.rule));
    CopyToImage(copy);
    ExpectMessage("VUID-vkCmdCopyMemoryToImageIndirectNV-" + std::string(row.rule));
    ExpectNothing();
  }
}

TEST_F(IndirectCopiesTest, Commands) {
  CopyMemory(kAddress, sizeof(VkCopyMemoryIndirectCommandNV));
  ExpectNothing();
  CopyMemory(kAddress + 2, sizeof(VkCopyMemoryIndirectCommandNV));
  ExpectMessage("VUID-vkCmdCopyMemoryIndirectNV-copyBufferAddress-07654");
  CopyMemory(kAddress, sizeof(VkCopyMemoryIndirectCommandNV) + 2);
  ExpectMessage("VUID-vkCmdCopyMemoryIndirectNV-stride-07655");
  CopyMemory(kAddress, sizeof(VkCopyMemoryIndirectCommandNV) - 4);
  ExpectMessage("VUID-vkCmdCopyMemoryIndirectNV-stride-07655");
  // The test's driver supports other queues.
  CopyMemory(kAddress, sizeof(VkCopyMemoryIndirectCommandNV), kTransferFamily);
  ExpectMessage("VUID-vkCmdCopyMemoryIndirectNV-commandBuffer-07656");
  CopyToImage({}, kAddress + 1);
  ExpectMessage("VUID-vkCmdCopyMemoryToImageIndirectNV-offset-07676");
  CopyToImage({}, kAddress, 4);
  ExpectMessage("VUID-vkCmdCopyMemoryToImageIndirectNV-stride-07677");
}

class StructureCopiesTest : public ImageCopiesTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = ImageCopiesTest::Options();
    for (const char* extension : {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, VK_EXT_OPACITY_MICROMAP_EXTENSION_NAME,
                                  VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME}) {
      options.device_extensions.push_back(extension);
    }
    options.features = &features_;
    return options;
  }
  VkBuffer MakeStorage(bool is_bound) {
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = 4096,
                                     .usage = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                                              VK_BUFFER_USAGE_MICROMAP_STORAGE_BIT_EXT |
                                              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    return is_bound ? MakeBuffer(info).handle : MakeUnboundBuffer(info);
  }
  void CopyToStructure(VkDeviceAddress source, bool is_bound) {
    const VkAccelerationStructureCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = MakeStorage(is_bound),
        .size = 256,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR};
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateAccelerationStructureKHR(device, &info, nullptr, &structure), VK_SUCCESS);
    VkCopyMemoryToAccelerationStructureInfoKHR copy = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR,
        .dst = structure,
        .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR};
    copy.src.deviceAddress = source;
    Record([&](VkCommandBuffer commands) { vk.CmdCopyMemoryToAccelerationStructureKHR(commands, &copy); });
    Defer(structure, [=, this] { vk.DestroyAccelerationStructureKHR(device, structure, nullptr); });
  }
  void CopyToMicromap(VkDeviceAddress source, bool is_bound) {
    const VkMicromapCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_MICROMAP_CREATE_INFO_EXT,
                                          .buffer = MakeStorage(is_bound),
                                          .size = 256,
                                          .type = VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT};
    VkMicromapEXT micromap = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateMicromapEXT(device, &info, nullptr, &micromap), VK_SUCCESS);
    VkCopyMemoryToMicromapInfoEXT copy = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_MICROMAP_INFO_EXT,
                                          .dst = micromap,
                                          .mode = VK_COPY_MICROMAP_MODE_DESERIALIZE_EXT};
    copy.src.deviceAddress = source;
    Record([&](VkCommandBuffer commands) { vk.CmdCopyMemoryToMicromapEXT(commands, &copy); });
    Defer(micromap, [=, this] { vk.DestroyMicromapEXT(device, micromap, nullptr); });
  }

 private:
  VkPhysicalDeviceOpacityMicromapFeaturesEXT micromaps_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_FEATURES_EXT, .micromap = VK_TRUE};
  VkPhysicalDeviceAccelerationStructureFeaturesKHR features_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
      .pNext = &micromaps_,
      .accelerationStructure = VK_TRUE};
};

TEST_F(StructureCopiesTest, FromMemory) {
  CopyToStructure(0x10000, true);
  CopyToMicromap(0x10000, true);
  ExpectNothing();
  CopyToStructure(0x10080, true);
  ExpectMessage("VUID-vkCmdCopyMemoryToAccelerationStructureKHR-pInfo-03743");
  CopyToMicromap(0x10080, true);
  ExpectMessage("VUID-vkCmdCopyMemoryToMicromapEXT-pInfo-07544");
  CopyToStructure(0x10000, false);
  ExpectMessage("VUID-vkCmdCopyMemoryToAccelerationStructureKHR-buffer-03745");
  CopyToMicromap(0x10000, false);
  ExpectMessage("VUID-vkCmdCopyMemoryToMicromapEXT-buffer-07546");
}

}  // namespace
}  // namespace assay::core
