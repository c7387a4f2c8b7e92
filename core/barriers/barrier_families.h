// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BARRIERS_BARRIER_FAMILIES_H_
#define ASSAY_CORE_BARRIERS_BARRIER_FAMILIES_H_

#include "core/barriers/barriers.h"
#include "messages/messages.h"
#include "vk/vulkan.h"

// Private to the package: the rules of queue families that buffers and images share.
namespace assay::core {

// A buffer or image, with the queue families that a barrier names for it.
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
  // Nearly all barriers have these.
  if (families.src == VK_QUEUE_FAMILY_IGNORED && families.dst == VK_QUEUE_FAMILY_IGNORED) [[likely]]
    return;
  ReportQueueFamilies(check, ids, resource, where);
}

}  // namespace assay::core

#endif  // ASSAY_CORE_BARRIERS_BARRIER_FAMILIES_H_
