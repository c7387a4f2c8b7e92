// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BARRIERS_BARRIER_IDS_H_
#define ASSAY_CORE_BARRIERS_BARRIER_IDS_H_

#include <cstddef>
#include <string_view>

#include "vk/vuid.h"
#include "vk/vulkan.h"

// The ids of the rules of buffer and image memory barriers, by structure.
namespace assay::core {

// The structure's name, for ids.
template <class Structure>
struct NameOf;
template <>
struct NameOf<VkBufferMemoryBarrier> {
  static constexpr std::string_view kName = "VkBufferMemoryBarrier";
};
template <>
struct NameOf<VkBufferMemoryBarrier2> {
  static constexpr std::string_view kName = "VkBufferMemoryBarrier2";
};
template <>
struct NameOf<VkImageMemoryBarrier> {
  static constexpr std::string_view kName = "VkImageMemoryBarrier";
};
template <>
struct NameOf<VkImageMemoryBarrier2> {
  static constexpr std::string_view kName = "VkImageMemoryBarrier2";
};
template <>
struct NameOf<VkMemoryBarrier2> {
  static constexpr std::string_view kName = "VkMemoryBarrier2";
};

// The ids of the rules that buffers and images share.
struct QueueFamilyIds {
  vk::VuidIndex src_foreign, dst_foreign, src_external, dst_external, src_family, dst_family;
  // Of sync1 only.
  vk::VuidIndex none_ignored = vk::kNoVuid, src_concurrent = vk::kNoVuid, dst_concurrent = vk::kNoVuid;
};
struct BufferIds {
  QueueFamilyIds queue_families;
  vk::VuidIndex offset, zero_size, size, memory;
};
struct ImageIds {
  std::string_view structure;
  QueueFamilyIds queue_families;
  vk::VuidIndex first_level, levels, first_layer, layers;
  vk::VuidIndex aspects_of_format, single_plane, not_disjoint, disjoint, either_aspect, both_aspects;
  vk::VuidIndex stencil_layout, depth_layout, new_layout, memory;
};
// Defined for each of the structures.
template <class Structure>
const BufferIds& BufferIdsOf();
template <class Structure>
const ImageIds& ImageIdsOf();

// The id of a structure's form of a rule that several have.
template <class Structure, size_t N>
consteval vk::VuidIndex IdOf(const char (&rule)[N]) {
  return vk::CommandVuid<NameOf<Structure>>(rule);
}

template <class Barrier>
inline constexpr QueueFamilyIds kQueueFamilyIds{};
template <>
inline constexpr QueueFamilyIds kQueueFamilyIds<VkBufferMemoryBarrier2> = {
    IdOf<VkBufferMemoryBarrier2>("srcQueueFamilyIndex-09099"),
    IdOf<VkBufferMemoryBarrier2>("dstQueueFamilyIndex-09100"),
    IdOf<VkBufferMemoryBarrier2>("None-09097"),
    IdOf<VkBufferMemoryBarrier2>("None-09098"),
    IdOf<VkBufferMemoryBarrier2>("buffer-09095"),
    IdOf<VkBufferMemoryBarrier2>("buffer-09096")};
template <>
inline constexpr QueueFamilyIds kQueueFamilyIds<VkBufferMemoryBarrier> = {
    IdOf<VkBufferMemoryBarrier>("srcQueueFamilyIndex-09099"),
    IdOf<VkBufferMemoryBarrier>("dstQueueFamilyIndex-09100"),
    IdOf<VkBufferMemoryBarrier>("None-09097"),
    IdOf<VkBufferMemoryBarrier>("None-09098"),
    IdOf<VkBufferMemoryBarrier>("buffer-09095"),
    IdOf<VkBufferMemoryBarrier>("buffer-09096"),
    IdOf<VkBufferMemoryBarrier>("None-09049"),
    IdOf<VkBufferMemoryBarrier>("None-09050"),
    IdOf<VkBufferMemoryBarrier>("None-09051")};
template <>
inline constexpr QueueFamilyIds kQueueFamilyIds<VkImageMemoryBarrier2> = {
    IdOf<VkImageMemoryBarrier2>("srcQueueFamilyIndex-09121"),
    IdOf<VkImageMemoryBarrier2>("dstQueueFamilyIndex-09122"),
    IdOf<VkImageMemoryBarrier2>("None-09119"),
    IdOf<VkImageMemoryBarrier2>("None-09120"),
    IdOf<VkImageMemoryBarrier2>("image-09117"),
    IdOf<VkImageMemoryBarrier2>("image-09118")};
template <>
inline constexpr QueueFamilyIds kQueueFamilyIds<VkImageMemoryBarrier> = {
    IdOf<VkImageMemoryBarrier>("srcQueueFamilyIndex-09121"),
    IdOf<VkImageMemoryBarrier>("dstQueueFamilyIndex-09122"),
    IdOf<VkImageMemoryBarrier>("None-09119"),
    IdOf<VkImageMemoryBarrier>("None-09120"),
    IdOf<VkImageMemoryBarrier>("image-09117"),
    IdOf<VkImageMemoryBarrier>("image-09118"),
    IdOf<VkImageMemoryBarrier>("None-09052"),
    IdOf<VkImageMemoryBarrier>("None-09053"),
    IdOf<VkImageMemoryBarrier>("None-09054")};

}  // namespace assay::core

#endif  // ASSAY_CORE_BARRIERS_BARRIER_IDS_H_
