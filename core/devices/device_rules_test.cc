// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What a device is asked for.

#include <algorithm>

#include "core/resources/resource_test.h"
#include "vk/commands.h"
#include "vk/struct_traits.h"

namespace assay::core {
namespace {

using test::Of, test::Typed;

class DeviceTest : public ResourceTest {
 protected:
  // The messages since the last time; `rule` follows "VUID-", and is empty for none.
  void Expect(std::string_view rule) {
    SCOPED_TRACE(rule);
    ExpectAlone(rule.empty() ? "" : absl::StrCat("VUID-", rule));
  }
  // The same, after a call of a command.
  template <class Result, class... Parameters, class... Arguments>
  void Expect(std::string_view rule, Result (*command)(Parameters...), Arguments... arguments) {
    command(arguments...);
    Expect(rule);
  }
  // The driver's next answers to a command.
  template <class C>
  void Answer(std::function<void(const C&)> write) {
    driver().Observe<C>(std::move(write));
    driver().FailNext<C>(VK_SUCCESS, 100);
  }
};

TEST_F(DeviceTest, Queues) {
  driver().config().queue_families.push_back({VK_QUEUE_TRANSFER_BIT, 1, 0, {1, 1, 1}});
  Start();
  VkQueue queue = VK_NULL_HANDLE;
  const SkipCalls skip(*this);
  const auto ask = [&](uint32_t family, uint32_t index, const char* rule) {
    Expect(rule, vk.GetDeviceQueue, device, family, index, &queue);
  };
  ask(0, 1, "");
  ask(0, 2, "vkGetDeviceQueue-queueIndex-00385");
  ask(3, 0, "vkGetDeviceQueue-queueFamilyIndex-00384");
  const auto ask2 = [&](VkDeviceQueueCreateFlags flags, uint32_t family, uint32_t index, const char* rule) {
    const auto info = Of<VkDeviceQueueInfo2>(flags, family, index);
    Expect(rule, vk.GetDeviceQueue2, device, &info, &queue);
  };
  ask2(0, 0, 1, "");
  ask2(VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT, 0, 1, "VkDeviceQueueInfo2-flags-06225");
  ask2(0, 0, 2, "VkDeviceQueueInfo2-queueIndex-01843");
  ask2(0, 3, 2, "VkDeviceQueueInfo2-queueFamilyIndex-01842");
}

TEST_F(DeviceTest, ProtectedQueues) {
  CreateInstance();
  const float priority = 1;
  const auto features = Of<VkPhysicalDeviceProtectedMemoryFeatures>(VK_TRUE);
  const auto queues = Of<VkDeviceQueueCreateInfo>(VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT, 0, 1, &priority);
  const VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features, 0, 1, &queues};
  ASSERT_EQ(test::LoaderUnderTest().CreateDevice(vk, physical_device, info, &device), VK_SUCCESS);
  VkQueue queue = VK_NULL_HANDLE;
  const SkipCalls skip(*this);
  Expect("vkGetDeviceQueue-flags-01841", vk.GetDeviceQueue, device, 0, 0, &queue);
}

TEST_F(DeviceTest, Timestamps) {
  Start();
  using Domains = vk::GetPhysicalDeviceCalibrateableTimeDomainsKHR;
  Answer<Domains>([](const Domains& call) {
    const VkTimeDomainKHR known[] = {VK_TIME_DOMAIN_DEVICE_KHR, VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR};
    *call.pTimeDomainCount = 2;
    if (call.pTimeDomains != nullptr) std::ranges::copy(known, call.pTimeDomains);
  });
  const auto ask = [&](VkTimeDomainKHR domain, const char* rule) {
    const VkCalibratedTimestampInfoKHR infos[] = {Typed(VkCalibratedTimestampInfoKHR()),
                                                  Of<VkCalibratedTimestampInfoKHR>(domain)};
    uint64_t timestamps[2] = {}, deviation = 0;
    Expect(rule, vk.GetCalibratedTimestampsKHR, device, 2, infos, timestamps, &deviation);
  };
  ask(VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR, "");
  ask(VK_TIME_DOMAIN_DEVICE_KHR, "vkGetCalibratedTimestampsKHR-timeDomain-09246");
  ask(VK_TIME_DOMAIN_QUERY_PERFORMANCE_COUNTER_KHR, "VkCalibratedTimestampInfoKHR-timeDomain-02354");
}

TEST_F(DeviceTest, StreamMarkers) {
  Start();
  const SkipCalls skip(*this);
  using Parameter = vk::GetPerformanceParameterINTEL;
  Answer<Parameter>([](const Parameter& call) {
    call.pValue->type = VK_PERFORMANCE_VALUE_TYPE_UINT32_INTEL;
    call.pValue->data.value32 = 4;
  });
  const auto right = Of<VkPerformanceStreamMarkerInfoINTEL>(15), wrong = Of<VkPerformanceStreamMarkerInfoINTEL>(16);
  Record([&](VkCommandBuffer commands) {
    Expect("", vk.CmdSetPerformanceStreamMarkerINTEL, commands, &right);
    Expect("VkPerformanceStreamMarkerInfoINTEL-marker-02735", vk.CmdSetPerformanceStreamMarkerINTEL, commands, &wrong);
  });
}

TEST_F(DeviceTest, Labels) {
  Start();
  const auto label = Of<VkDebugUtilsLabelEXT>("label");
  vk.QueueBeginDebugUtilsLabelEXT(Queue(), &label);
  Expect("", vk.QueueEndDebugUtilsLabelEXT, Queue());
  Expect("vkQueueEndDebugUtilsLabelEXT-None-01911", vk.QueueEndDebugUtilsLabelEXT, Queue());
  const VkCommandBuffer commands = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  Begin(commands);
  vk.CmdBeginDebugUtilsLabelEXT(commands, &label);
  Expect("", vk.CmdEndDebugUtilsLabelEXT, commands);
  Expect("vkCmdEndDebugUtilsLabelEXT-commandBuffer-01913", vk.CmdEndDebugUtilsLabelEXT, commands);
  Expect("vkCmdDebugMarkerEndEXT-commandBuffer-01240", vk.CmdDebugMarkerEndEXT, commands);
  End(commands);
}

// Names and tags for what another device, another instance or another physical device has.
TEST_F(DeviceTest, NamesOfOthers) {
  driver().config().physical_device_count = 2;
  CreateInstance({.instance_extensions = {VK_KHR_DISPLAY_EXTENSION_NAME}});
  uint32_t count = 2;
  VkPhysicalDevice devices[2] = {};
  vk.EnumeratePhysicalDevices(instance, &count, devices);
  CreateDevice();
  test::MessageLog log;
  test::TestDevice other(test::LoaderUnderTest(), log);
  other.Create();
  using Displays = vk::GetPhysicalDeviceDisplayPropertiesKHR;
  Answer<Displays>([](const Displays& call) { call.pProperties->display = reinterpret_cast<VkDisplayKHR>(0x5000); });
  VkDisplayPropertiesKHR display = {};
  count = 1;
  vk.GetPhysicalDeviceDisplayPropertiesKHR(devices[1], &count, &display);
  const SkipCalls skip(*this);
  const auto name = [&](auto object, std::string_view of_name, std::string_view of_tag) {
    const auto handle = reinterpret_cast<uint64_t>(object);
    constexpr VkObjectType kType = vk::kObjectTypeOf<decltype(object)>;
    const auto info = Of<VkDebugUtilsObjectNameInfoEXT>(kType, handle, "name");
    vk.SetDebugUtilsObjectNameEXT(device, &info);
    Expect(of_name.empty() ? "" : absl::StrCat("vkSetDebugUtilsObjectNameEXT-pNameInfo-", of_name));
    const auto tag = Of<VkDebugUtilsObjectTagInfoEXT>(kType, handle, 1, 4, "tag");
    vk.SetDebugUtilsObjectTagEXT(device, &tag);
    Expect(of_tag.empty() ? "" : absl::StrCat("vkSetDebugUtilsObjectTagEXT-pNameInfo-", of_tag));
  };
  name(MakeBuffer(64).handle, "", "");
  name(MakeSurface(), "", "");
  name(other.MakeSurface(), "07872", "07875");
  name(display.display, "07873", "07876");
  name(other.MakeBuffer(64).handle, "07874", "07877");
}

TEST_F(DeviceTest, OpticalFlow) {
  using Formats = vk::GetPhysicalDeviceOpticalFlowImageFormatsNV;
  driver().config().queue_families[0].queueFlags |= VK_QUEUE_OPTICAL_FLOW_BIT_NV;
  ChangeProperties<VkPhysicalDeviceOpticalFlowPropertiesNV>([](auto& properties) {
    properties.supportedOutputGridSizes = properties.supportedHintGridSizes = VK_OPTICAL_FLOW_GRID_SIZE_4X4_BIT_NV;
    properties.maxNumRegionsOfInterest = 0;
  });
  Start();
  Answer<Formats>([](const Formats& call) {
    *call.pFormatCount = 1;
    const VkOpticalFlowUsageFlagsNV usage = call.pOpticalFlowImageFormatInfo->usage;
    if (call.pImageFormatProperties == nullptr) return;
    call.pImageFormatProperties->format = usage == VK_OPTICAL_FLOW_USAGE_INPUT_BIT_NV    ? VK_FORMAT_R8_UNORM
                                          : usage == VK_OPTICAL_FLOW_USAGE_OUTPUT_BIT_NV ? VK_FORMAT_R16G16_SFLOAT
                                                                                         : VK_FORMAT_R8_UINT;
  });
  using Info = VkOpticalFlowSessionCreateInfoNV;
  const Info correct = {
      .sType = VK_STRUCTURE_TYPE_OPTICAL_FLOW_SESSION_CREATE_INFO_NV,
      .width = 64,
      .height = 64,
      .imageFormat = VK_FORMAT_R8_UNORM,
      .flowVectorFormat = VK_FORMAT_R16G16_SFLOAT,
      .costFormat = VK_FORMAT_R8_UINT,
      .outputGridSize = VK_OPTICAL_FLOW_GRID_SIZE_4X4_BIT_NV,
      .hintGridSize = VK_OPTICAL_FLOW_GRID_SIZE_4X4_BIT_NV,
      .flags = VK_OPTICAL_FLOW_SESSION_CREATE_ENABLE_COST_BIT_NV | VK_OPTICAL_FLOW_SESSION_CREATE_ENABLE_HINT_BIT_NV};
  Run<Info>("VkOpticalFlowSessionCreateInfoNV", correct,
            {{"imageFormat-07583", [](Info& i) { i.imageFormat = VK_FORMAT_R8_UINT; }},
             {"flowVectorFormat-07584", [](Info& i) { i.flowVectorFormat = VK_FORMAT_R8_UINT; }},
             {"costFormat-07585", [](Info& i) { i.costFormat = VK_FORMAT_R8_UNORM; }},
             {"outputGridSize-07586", [](Info& i) { i.outputGridSize = VK_OPTICAL_FLOW_GRID_SIZE_1X1_BIT_NV; }},
             {"hintGridSize-07587", [](Info& i) { i.hintGridSize = VK_OPTICAL_FLOW_GRID_SIZE_1X1_BIT_NV; }},
             {"flags-07591", [](Info& i) { i.flags |= VK_OPTICAL_FLOW_SESSION_CREATE_ALLOW_REGIONS_BIT_NV; }}},
            [this](const Info& info) {
              // A session that is destroyed must not be VK_NULL_HANDLE.
              VkOpticalFlowSessionNV session = VK_NULL_HANDLE;
              if (vk.CreateOpticalFlowSessionNV(device, &info, nullptr, &session) == VK_SUCCESS)
                vk.DestroyOpticalFlowSessionNV(device, session, nullptr);
            });
  const auto session = MakeFrom(correct, vk.CreateOpticalFlowSessionNV, vk.DestroyOpticalFlowSessionNV);
  Record([&](VkCommandBuffer commands) {
    const VkRect2D region = {{0, 0}, {16, 16}};
    auto info = Typed(VkOpticalFlowExecuteInfoNV{.pRegions = &region});
    Expect("", vk.CmdOpticalFlowExecuteNV, commands, session, &info);
    info.regionCount = 1;
    Expect("VkOpticalFlowExecuteInfoNV-regionCount-07593", vk.CmdOpticalFlowExecuteNV, commands, session, &info);
  });
}

TEST_F(DeviceTest, Decompression) {
  Start();
  const VkDeviceAddress address =
      AddressOf(MakeBuffer(256, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT));
  Record([&](VkCommandBuffer commands) {
    const auto decompress = [&](VkDeviceAddress from, VkDeviceAddress to, const char* rule) {
      const VkDecompressMemoryRegionNV region = {from, to, 64, 64, VK_MEMORY_DECOMPRESSION_METHOD_GDEFLATE_1_0_BIT_NV};
      Expect(rule, vk.CmdDecompressMemoryNV, commands, 1, &region);
    };
    decompress(address, address + 64, "");
    decompress(address, address + 60, "VkDecompressMemoryRegionNV-srcAddress-07691");
    decompress(address + 224, address, "VkDecompressMemoryRegionNV-srcAddress-07686");
    decompress(address, address + 224, "VkDecompressMemoryRegionNV-dstAddress-07688");
    const uint32_t stride = sizeof(VkDecompressMemoryRegionNV);
    const auto indirect = [&](VkDeviceAddress from, uint32_t of_stride, const char* rule) {
      Expect(rule, vk.CmdDecompressMemoryIndirectCountNV, commands, from, address + 128, of_stride);
    };
    indirect(address, stride, "");
    indirect(address + 2, stride, "vkCmdDecompressMemoryIndirectCountNV-offset-07695");
    indirect(address, stride - 4, "vkCmdDecompressMemoryIndirectCountNV-stride-07700");
  });
}

}  // namespace
}  // namespace assay::core
