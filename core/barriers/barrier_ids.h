// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BARRIERS_BARRIER_IDS_H_
#define ASSAY_CORE_BARRIERS_BARRIER_IDS_H_

#include "core/barriers/barriers.h"

// Private to the package: what the rules of buffers and of images share.
namespace assay::core {

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

// A buffer or image and the families that a barrier names for it.
struct ResourceFamilies {
  messages::ObjectRef object;
  VkSharingMode sharing_mode;
  QueueFamilies families;
};
void ReportQueueFamilies(const Check& check, const QueueFamilyIds& ids, const ResourceFamilies& resource,
                         const messages::Location& where);
inline void CheckQueueFamilies(const Check& check, const QueueFamilyIds& ids, const ResourceFamilies& resource,
                               const messages::Location& where) {
  const QueueFamilies& families = resource.families;
  // What nearly all barriers have.
  if (families.src == VK_QUEUE_FAMILY_IGNORED && families.dst == VK_QUEUE_FAMILY_IGNORED) [[likely]]
    return;
  ReportQueueFamilies(check, ids, resource, where);
}

}  // namespace assay::core

#endif  // ASSAY_CORE_BARRIERS_BARRIER_IDS_H_
