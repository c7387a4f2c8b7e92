// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_WALK_VIDEO_STRUCTS_H_
#define ASSAY_VK_WALK_VIDEO_STRUCTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "vk/struct_info.h"
#include "vk/struct_traits.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// What the structures of the video codecs have in common. Codec operations that the registry does not have may be any.
namespace assay::vk {

inline constexpr VkVideoCodecOperationFlagsKHR kDecodes = VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR |
                                                          VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR |
                                                          VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR;
inline constexpr VkVideoCodecOperationFlagsKHR kEncodes = VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR |
                                                          VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR |
                                                          VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR;

// A structure that a chain must have beside one of the codec operations.
struct CodecLink {
  VkVideoCodecOperationFlagsKHR operations;
  VkStructureType type;
  VuidIndex rule;
};
template <class T>
consteval CodecLink Link(VkVideoCodecOperationFlagsKHR operations, VuidIndex rule) {
  return {operations, kStructureTypeOf<T>, rule};
}

// Calls report(rule, name of the structure) for each that the chain does not have.
template <class F>
void ForEachMissing(std::span<const CodecLink> links, VkVideoCodecOperationFlagsKHR operation, const void* chain,
                    const F& report) {
  for (const CodecLink& link : links) {
    if ((link.operations & operation) == 0) continue;
    const auto* next = static_cast<const VkBaseInStructure*>(chain);
    while (next != nullptr && next->sType != link.type) next = next->pNext;
    if (next == nullptr) report(link.rule, FindStruct(link.type)->name);
  }
}

// What identifies a parameter set among those of its kind.
constexpr uint32_t ParameterSetKey(uint8_t first, uint8_t second = 0, uint8_t third = 0) {
  return uint32_t{first} << 16 | uint32_t{second} << 8 | third;
}
constexpr uint32_t KeyOf(const StdVideoH264SequenceParameterSet& s) { return ParameterSetKey(s.seq_parameter_set_id); }
constexpr uint32_t KeyOf(const StdVideoH264PictureParameterSet& s) {
  return ParameterSetKey(s.seq_parameter_set_id, s.pic_parameter_set_id);
}
constexpr uint32_t KeyOf(const StdVideoH265VideoParameterSet& s) {
  return ParameterSetKey(s.vps_video_parameter_set_id);
}
constexpr uint32_t KeyOf(const StdVideoH265SequenceParameterSet& s) {
  return ParameterSetKey(s.sps_video_parameter_set_id, s.sps_seq_parameter_set_id);
}
constexpr uint32_t KeyOf(const StdVideoH265PictureParameterSet& s) {
  return ParameterSetKey(s.sps_video_parameter_set_id, s.pps_seq_parameter_set_id, s.pps_pic_parameter_set_id);
}

// The quantization parameters of a rate control layer, for each type of picture.
struct LayerQps {
  using Qps = std::array<int64_t, 3>;
  bool has_least;
  bool has_most;
  Qps least;
  Qps most;

  static constexpr Qps Of(const VkVideoEncodeAV1QIndexKHR& q) {
    return {q.intraQIndex, q.predictiveQIndex, q.bipredictiveQIndex};
  }
  static constexpr Qps Of(const auto& q) { return {q.qpI, q.qpP, q.qpB}; }
};
constexpr LayerQps QpsOf(const VkVideoEncodeAV1RateControlLayerInfoKHR& layer) {
  return {layer.useMinQIndex != VK_FALSE, layer.useMaxQIndex != VK_FALSE, LayerQps::Of(layer.minQIndex),
          LayerQps::Of(layer.maxQIndex)};
}
constexpr LayerQps QpsOf(const auto& layer) {
  return {layer.useMinQp != VK_FALSE, layer.useMaxQp != VK_FALSE, LayerQps::Of(layer.minQp), LayerQps::Of(layer.maxQp)};
}

}  // namespace assay::vk

#endif  // ASSAY_VK_WALK_VIDEO_STRUCTS_H_
