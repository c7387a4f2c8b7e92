// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "layer/minimal_choices.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "vk/commands.h"
#include "vk/vulkan.h"
#include "vk/walk/load_store.h"

namespace assay::layer {
namespace {

using vk::MemberInfo;
using vk::MemberKind;
using vk::Store;

// Numbers that must not be zero, by the member's name. They are multiples of what alignment asks for. A size is no
// larger than the memory behind a pointer of a minimal call.
struct Number {
  std::string_view member;
  uint64_t value;
};
constexpr Number kNumbers[] = {
    {"arrayLayers", 1},
    {"dataSize", 4},
    {"depth", 1},
    {"deviceMask", 1},
    {"dstAccelerationStructureData", 0x10000},
    {"height", 1},
    {"indirectAddress", 0x10000},
    {"indirectAddressSize", 64},
    {"layerCount", 1},
    {"layers", 1},
    {"levelCount", 1},
    {"lineStippleFactor", 1},
    {"maxSequenceCount", 1},
    {"mipLevels", 1},
    {"patchControlPoints", 1},
    {"queryCount", 1},
    {"range", 4},
    {"remoteDeviceIndex", 1},
    {"scratchData", 0x10000},
    {"size", 4},
    {"stride", 64},
    {"vertexStride", 4},
    {"width", 1},
};

// Image layouts of copies and clears.
constexpr std::string_view kLayouts[] = {"srcImageLayout", "dstImageLayout", "imageLayout"};

// Sets members of one structure, or of one command's parameters.
struct Choice {
  std::string_view structure;
  void (*choose)(void* base);
};

template <class S, auto choose>
constexpr Choice Choose(std::string_view name) {
  return {name, [](void* base) { choose(*static_cast<S*>(base)); }};
}

constexpr char kNoDescriptors[1024] = {};
constexpr uint32_t kEmptyModule[] = {0x07230203, 0x00010000, 0, 1, 0};

// Video profiles of H.264, and what must be chained to what is asked about them.
constexpr VkVideoDecodeH264ProfileInfoKHR kDecodeH264 = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR};
constexpr VkVideoEncodeH264ProfileInfoKHR kEncodeH264 = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR};
constexpr VkVideoProfileInfoKHR ProfileOf(VkVideoCodecOperationFlagBitsKHR operation, const void* codec) {
  return {VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR, codec, operation, VK_VIDEO_CHROMA_SUBSAMPLING_MONOCHROME_BIT_KHR,
          VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR};
}
constexpr VkVideoProfileInfoKHR kEncoder = ProfileOf(VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR, &kEncodeH264);
constexpr VkVideoProfileListInfoKHR kEncoders = {VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR, nullptr, 1, &kEncoder};
VkVideoDecodeH264CapabilitiesKHR h264_capabilities = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_CAPABILITIES_KHR};
VkVideoDecodeCapabilitiesKHR decode_capabilities = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_CAPABILITIES_KHR,
                                                    .pNext = &h264_capabilities};
VkVideoEncodeH264QualityLevelPropertiesKHR h264_quality = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_QUALITY_LEVEL_PROPERTIES_KHR};

// A route may have chained something.
template <class S, class T>
void ChainAlone(S& structure, T& link) {
  if (structure.pNext == nullptr) structure.pNext = &link;
}

#define ASSAY_CHOOSE(Structure, ...) Choose<::Structure, [](::Structure& it) { __VA_ARGS__; }>(#Structure)
#define ASSAY_CHOOSE_CALL(Command, ...) Choose<vk::Command, [](vk::Command& it) { __VA_ARGS__; }>("vk" #Command)
constexpr Choice kChoices[] = {
    ASSAY_CHOOSE(VkAccelerationStructureBuildGeometryInfoKHR,
                 it.type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR),
    ASSAY_CHOOSE(VkBufferCreateInfo, it.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT),
    ASSAY_CHOOSE(VkComputePipelineCreateInfo, it.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT),
    ASSAY_CHOOSE(VkCopyAccelerationStructureToMemoryInfoKHR,
                 it.mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR),
    ASSAY_CHOOSE(VkCopyMemoryToAccelerationStructureInfoKHR,
                 it.mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR),
    ASSAY_CHOOSE(VkCopyMemoryToMicromapInfoEXT, it.mode = VK_COPY_MICROMAP_MODE_DESERIALIZE_EXT),
    ASSAY_CHOOSE(VkCopyMicromapToMemoryInfoEXT, it.mode = VK_COPY_MICROMAP_MODE_SERIALIZE_EXT),
    ASSAY_CHOOSE(VkCuModuleCreateInfoNVX, it.dataSize = sizeof(kEmptyModule), it.pData = kEmptyModule),
    ASSAY_CHOOSE(VkDescriptorBufferBindingInfoEXT, it.usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT),
    ASSAY_CHOOSE(VkImageViewHandleInfoNVX, it.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE),
    ASSAY_CHOOSE(VkMemoryGetMetalHandleInfoEXT, it.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_MTLBUFFER_BIT_EXT),
    ASSAY_CHOOSE(VkMemoryGetZirconHandleInfoFUCHSIA,
                 it.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_ZIRCON_VMO_BIT_FUCHSIA),
    ASSAY_CHOOSE(VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR, it.pVideoProfile = &kEncoder),
    ASSAY_CHOOSE(VkPhysicalDeviceVideoFormatInfoKHR, ChainAlone(it, kEncoders)),
    ASSAY_CHOOSE(VkPipelineShaderStageNodeCreateInfoAMDX, it.pName = "main"),
    ASSAY_CHOOSE(VkSemaphoreSignalInfo, it.value = 1),
    ASSAY_CHOOSE(VkShaderModuleCreateInfo, it.codeSize = sizeof(kEmptyModule), it.pCode = kEmptyModule),
    ASSAY_CHOOSE(VkVideoProfileInfoKHR, ChainAlone(it, kDecodeH264)),
    ASSAY_CHOOSE_CALL(CmdUpdatePipelineIndirectBufferNV, it.pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE),
    ASSAY_CHOOSE_CALL(CmdWriteAccelerationStructuresPropertiesKHR,
                      it.queryType = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR),
    ASSAY_CHOOSE_CALL(CmdWriteAccelerationStructuresPropertiesNV,
                      it.queryType = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_NV),
    ASSAY_CHOOSE_CALL(CmdWriteMicromapsPropertiesEXT, it.queryType = VK_QUERY_TYPE_MICROMAP_COMPACTED_SIZE_EXT),
    ASSAY_CHOOSE_CALL(GetMemoryFdPropertiesKHR, it.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT),
    ASSAY_CHOOSE_CALL(GetMemoryHostPointerPropertiesEXT,
                      it.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT),
    ASSAY_CHOOSE_CALL(GetMemoryMetalHandlePropertiesEXT,
                      it.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_MTLBUFFER_BIT_EXT),
    ASSAY_CHOOSE_CALL(GetMemoryZirconHandlePropertiesFUCHSIA,
                      it.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_ZIRCON_VMO_BIT_FUCHSIA),
    ASSAY_CHOOSE_CALL(GetPhysicalDeviceVideoCapabilitiesKHR, ChainAlone(*it.pCapabilities, decode_capabilities)),
    ASSAY_CHOOSE_CALL(GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR,
                      ChainAlone(*it.pQualityLevelProperties, h264_quality)),
    ASSAY_CHOOSE_CALL(UpdateDescriptorSetWithTemplate, it.pData = kNoDescriptors),
    ASSAY_CHOOSE_CALL(WriteAccelerationStructuresPropertiesKHR,
                      it.queryType = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR, it.dataSize = 8, it.stride = 8),
    ASSAY_CHOOSE_CALL(WriteMicromapsPropertiesEXT, it.queryType = VK_QUERY_TYPE_MICROMAP_COMPACTED_SIZE_EXT,
                      it.dataSize = 8, it.stride = 8),
};
#undef ASSAY_CHOOSE_CALL
#undef ASSAY_CHOOSE

}  // namespace

void ChooseNumber(const MemberInfo& member, void* base) {
  char* const at = static_cast<char*>(base) + member.offset;
  if (member.kind == MemberKind::kEnum && member.type_name == "VkImageLayout") {
    if (std::ranges::count(kLayouts, member.name) != 0) Store(at, VK_IMAGE_LAYOUT_GENERAL);
    return;
  }
  const auto number = std::ranges::find(kNumbers, member.name, &Number::member);
  const bool is_number = member.kind == MemberKind::kValue || member.kind == MemberKind::kDeviceAddress;
  if (number == std::end(kNumbers) || !is_number) return;
  if (member.type_name == "float") return Store(at, static_cast<float>(number->value));
  if (member.element_size == 4) return Store(at, static_cast<uint32_t>(number->value));
  if (member.element_size == 8) Store(at, number->value);
}

void ChooseMembers(std::string_view name, void* base) {
  const auto choice = std::ranges::find(kChoices, name, &Choice::structure);
  if (choice != std::end(kChoices)) choice->choose(base);
}

}  // namespace assay::layer
