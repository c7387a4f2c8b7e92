// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/in_process_loader.h"

#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "testing/mock_driver/mock_driver.h"
#include "vk/chain.h"

namespace assay::test {
namespace {

// The smallest layer. It passes everything on and counts the commands that it sees.
struct CountingLayer {
  PFN_vkGetInstanceProcAddr next_instance = nullptr;
  PFN_vkGetDeviceProcAddr next_device = nullptr;
  PFN_vkCmdDispatch next_dispatch = nullptr;
  PFN_vkSetInstanceLoaderData set_instance_data = nullptr;
  PFN_vkSetDeviceLoaderData set_device_data = nullptr;
  int dispatches = 0;
};
CountingLayer layer;

// The loader's structure for that function. The layer may write to it.
template <class T>
T* FindLink(const void* chain, VkStructureType type, VkLayerFunction function) {
  for (auto* next = static_cast<const VkBaseInStructure*>(chain); next != nullptr; next = next->pNext) {
    auto* link = reinterpret_cast<T*>(const_cast<VkBaseInStructure*>(next));
    if (next->sType == type && link->function == function) return link;
  }
  return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator,
                                              VkInstance* instance) {
  constexpr VkStructureType kType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO;
  auto* link = FindLink<VkLayerInstanceCreateInfo>(info->pNext, kType, VK_LAYER_LINK_INFO);
  auto* data = FindLink<VkLayerInstanceCreateInfo>(info->pNext, kType, VK_LOADER_DATA_CALLBACK);
  layer.next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  layer.set_instance_data = data->u.pfnSetInstanceLoaderData;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  auto next = reinterpret_cast<PFN_vkCreateInstance>(layer.next_instance(VK_NULL_HANDLE, "vkCreateInstance"));
  return next(info, allocator, instance);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physical_device, const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* allocator, VkDevice* device) {
  constexpr VkStructureType kType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO;
  auto* link = FindLink<VkLayerDeviceCreateInfo>(info->pNext, kType, VK_LAYER_LINK_INFO);
  auto* data = FindLink<VkLayerDeviceCreateInfo>(info->pNext, kType, VK_LOADER_DATA_CALLBACK);
  layer.next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  layer.set_device_data = data->u.pfnSetDeviceLoaderData;
  auto get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  auto next = reinterpret_cast<PFN_vkCreateDevice>(get(VK_NULL_HANDLE, "vkCreateDevice"));
  VkResult result = next(physical_device, info, allocator, device);
  layer.next_dispatch = reinterpret_cast<PFN_vkCmdDispatch>(layer.next_device(*device, "vkCmdDispatch"));
  return result;
}

VKAPI_ATTR void VKAPI_CALL CmdDispatch(VkCommandBuffer command_buffer, uint32_t x, uint32_t y, uint32_t z) {
  ++layer.dispatches;
  layer.next_dispatch(command_buffer, x, y, z);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice device, const char* name) {
  if (std::string_view(name) == "vkCmdDispatch") return reinterpret_cast<PFN_vkVoidFunction>(&CmdDispatch);
  return layer.next_device(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceProcAddr(VkInstance instance, const char* name) {
  if (std::string_view(name) == "vkCreateInstance") return reinterpret_cast<PFN_vkVoidFunction>(&CreateInstance);
  if (std::string_view(name) == "vkCreateDevice") return reinterpret_cast<PFN_vkVoidFunction>(&CreateDevice);
  return layer.next_instance != nullptr ? layer.next_instance(instance, name) : nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL Negotiate(VkNegotiateLayerInterface* negotiation) {
  EXPECT_EQ(negotiation->sType, LAYER_NEGOTIATE_INTERFACE_STRUCT);
  EXPECT_EQ(negotiation->loaderLayerInterfaceVersion, 2u);
  negotiation->pfnGetInstanceProcAddr = &GetInstanceProcAddr;
  negotiation->pfnGetDeviceProcAddr = &GetDeviceProcAddr;
  return VK_SUCCESS;
}

// Creates everything, records a dispatch and destroys everything again.
void CallCommands(const InProcessLoader& loader) {
  VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  VkInstance instance = VK_NULL_HANDLE;
  ASSERT_EQ(loader.CreateInstance(instance_info, &instance), VK_SUCCESS);
  Functions functions = loader.InstanceFunctions(instance);
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  uint32_t count = 1;
  functions.EnumeratePhysicalDevices(instance, &count, &physical_device);
  VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  VkDevice device = VK_NULL_HANDLE;
  ASSERT_EQ(loader.CreateDevice(functions, physical_device, device_info, &device), VK_SUCCESS);
  loader.DeviceFunctions(device).CmdDispatch(VK_NULL_HANDLE, 1, 2, 3);
  if (layer.set_device_data != nullptr) {
    uintptr_t object = 0;
    EXPECT_EQ(layer.set_device_data(device, &object), VK_SUCCESS);
    EXPECT_EQ(object, *reinterpret_cast<uintptr_t*>(device));
  }
  functions.DestroyDevice(device, nullptr);
  functions.DestroyInstance(instance, nullptr);
}

class InProcessLoaderTest : public ::testing::Test {
 protected:
  InProcessLoaderTest() {
    layer = {};
    MockDriver::Get().Reset();
    MockDriver::Get().Observe<vk::CmdDispatch>([this](const vk::CmdDispatch& call) { reached_ += call.groupCountZ; });
  }
  ~InProcessLoaderTest() override { MockDriver::Get().Reset(); }

  uint32_t reached_ = 0;
};

TEST_F(InProcessLoaderTest, WithoutLayerLeadsToTheDriver) {
  CallCommands(InProcessLoader(nullptr));
  EXPECT_EQ(reached_, 3u);
}

TEST_F(InProcessLoaderTest, LeadsThroughTheLayer) {
  CallCommands(InProcessLoader(&Negotiate));
  EXPECT_EQ(layer.dispatches, 1);
  EXPECT_EQ(reached_, 3u);
}

TEST_F(InProcessLoaderTest, FindsAliases) {
  InProcessLoader loader(nullptr);
  EXPECT_EQ(loader.InstanceFunction(VK_NULL_HANDLE, "vkCmdPipelineBarrier2KHR"),
            loader.InstanceFunction(VK_NULL_HANDLE, "vkCmdPipelineBarrier2"));
}

}  // namespace
}  // namespace assay::test
