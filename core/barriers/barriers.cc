// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Queue families of barriers, and buffer memory barriers. Image memory barriers are in image_barriers.cc.

#include "core/barriers/barriers.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "core/barriers/barrier_families.h"
#include "core/barriers/barrier_ids.h"
#include "state/state.h"

namespace assay::core {
namespace {

bool IsRealFamily(const SyncLimits& limits, uint32_t family) {
  return family == VK_QUEUE_FAMILY_EXTERNAL || family == VK_QUEUE_FAMILY_FOREIGN_EXT ||
         family < limits.device.physical_device->queue_families.size();
}

// One of the two families.
struct Side {
  std::string_view member;
  uint32_t family;
  vk::VuidIndex foreign, external, real, concurrent;
};

void CheckSide(const Check& check, const Side& side, const ResourceFamilies& resource,
               const messages::Location& where) {
  const messages::Location member = where.Dot(side.member);
  const auto error = [&](vk::VuidIndex vuid, std::string text, std::string fix) {
    check.Error(vuid, member, std::move(text), std::move(fix), resource.object);
  };
  if (side.family == VK_QUEUE_FAMILY_FOREIGN_EXT && !check.limits.foreign_families) {
    error(side.foreign, "is VK_QUEUE_FAMILY_FOREIGN_EXT, and the VK_EXT_queue_family_foreign extension is not enabled.",
          "Enable the extension, or use VK_QUEUE_FAMILY_EXTERNAL.");
  }
  if (side.family == VK_QUEUE_FAMILY_EXTERNAL && !check.limits.external_families) {
    error(side.external,
          "is VK_QUEUE_FAMILY_EXTERNAL, which needs VkApplicationInfo::apiVersion 1.1 or the VK_KHR_external_memory "
          "extension.",
          "Enable one of the two.");
  }
  if (resource.sharing_mode == VK_SHARING_MODE_EXCLUSIVE && resource.families.differ() &&
      !IsRealFamily(check.limits, side.family)) {
    error(side.real,
          absl::StrCat("is ", FamilyText(side.family), ", but the other side is another (",
                       FamilyText(side.family == resource.families.src ? resource.families.dst : resource.families.src),
                       ") and ", check.Describe(resource.object), " is owned by one family at a time."),
          "Name both families of the transfer, or VK_QUEUE_FAMILY_IGNORED twice for none.");
  }
  const bool may_be_concurrent = side.family == VK_QUEUE_FAMILY_IGNORED || side.family == VK_QUEUE_FAMILY_EXTERNAL;
  if (side.concurrent != vk::kNoVuid && !check.limits.synchronization2 &&
      resource.sharing_mode == VK_SHARING_MODE_CONCURRENT && !may_be_concurrent) {
    error(side.concurrent,
          absl::StrCat("is ", FamilyText(side.family), ", but ", check.Describe(resource.object),
                       " was created with VK_SHARING_MODE_CONCURRENT, so that no family owns it."),
          "Use VK_QUEUE_FAMILY_IGNORED.");
  }
}

template <class Resource, class Handle>
VkSharingMode SharingOf(Handle handle, VkSharingMode (*mode)(const Resource&)) {
  const Resource* resource = state::DeviceState::Get<Resource>(handle);
  return resource != nullptr ? mode(*resource) : VK_SHARING_MODE_CONCURRENT;
}

void ReportBuffer(const Check& check, const BufferIds& ids, const BufferPart& part, const state::Buffer& buffer,
                  const messages::Location& where) {
  const messages::ObjectRef object = messages::Object(part.buffer);
  if (part.offset >= buffer.size) {
    return check.Error(ids.offset, where.Dot("offset"),
                       absl::StrCat("(", part.offset, ") is not less than the size of ", check.Describe(object), " (",
                                    buffer.size, " bytes)."),
                       {}, object);
  }
  if (part.size == 0) {
    return check.Error(ids.zero_size, where.Dot("size"), "is 0.",
                       "Use VK_WHOLE_SIZE for all that follows the offset, or leave the barrier out.", object);
  }
  check.Error(ids.size, where.Dot("size"),
              absl::StrCat("(", part.size, ") is larger than what is left of ", check.Describe(object), " (",
                           buffer.size - part.offset, " bytes from offset ", part.offset, ")."),
              "Use VK_WHOLE_SIZE for all that follows the offset.", object);
}

}  // namespace

std::string FamilyText(uint32_t family) {
  if (family == VK_QUEUE_FAMILY_IGNORED) return "VK_QUEUE_FAMILY_IGNORED";
  if (family == VK_QUEUE_FAMILY_EXTERNAL) return "VK_QUEUE_FAMILY_EXTERNAL";
  if (family == VK_QUEUE_FAMILY_FOREIGN_EXT) return "VK_QUEUE_FAMILY_FOREIGN_EXT";
  return absl::StrCat("queue family ", family);
}

void ReportQueueFamilies(const Check& check, const QueueFamilyIds& ids, const ResourceFamilies& resource,
                         const messages::Location& where) {
  const QueueFamilies& families = resource.families;
  CheckSide(
      check,
      {"srcQueueFamilyIndex", families.src, ids.src_foreign, ids.src_external, ids.src_family, ids.src_concurrent},
      resource, where);
  CheckSide(
      check,
      {"dstQueueFamilyIndex", families.dst, ids.dst_foreign, ids.dst_external, ids.dst_family, ids.dst_concurrent},
      resource, where);
  if (ids.none_ignored != vk::kNoVuid && !check.limits.synchronization2 &&
      resource.sharing_mode == VK_SHARING_MODE_CONCURRENT && families.src == VK_QUEUE_FAMILY_EXTERNAL &&
      families.dst == VK_QUEUE_FAMILY_EXTERNAL) {
    check.Error(ids.none_ignored, where.Dot("srcQueueFamilyIndex"),
                absl::StrCat("and dstQueueFamilyIndex are both VK_QUEUE_FAMILY_EXTERNAL, but ",
                             check.Describe(resource.object), " was created with VK_SHARING_MODE_CONCURRENT."),
                "Let the side of this device be VK_QUEUE_FAMILY_IGNORED.", resource.object);
  }
}

void CheckTransfer(const Check& check, vk::VuidIndex vuid, QueueFamilies families, VkSharingMode sharing_mode,
                   uint32_t family, const messages::Location& where) {
  if (!families.differ()) [[likely]]
    return;
  const bool is_named = families.src != VK_QUEUE_FAMILY_IGNORED && families.dst != VK_QUEUE_FAMILY_IGNORED;
  if (!is_named || sharing_mode != VK_SHARING_MODE_EXCLUSIVE) return;
  if (families.src == family || families.dst == family) return;
  check.Error(
      vuid, where.Dot("srcQueueFamilyIndex"),
      absl::StrCat("(", FamilyText(families.src), ") and dstQueueFamilyIndex (", FamilyText(families.dst),
                   ") are both not the family of ", check.Describe(check.object), " (", FamilyText(family), ")."),
      "Record the release for a queue of the one family, and the acquire for a queue of the other.");
}

void CheckHostTransfer(const Check& check, vk::VuidIndex vuid, QueueFamilies families,
                       VkPipelineStageFlags2 src_and_dst, const messages::Location& where) {
  if (!families.differ() || (src_and_dst & VK_PIPELINE_STAGE_2_HOST_BIT) == 0) [[likely]]
    return;
  check.Error(vuid, where.Dot("srcQueueFamilyIndex"),
              absl::StrCat("(", FamilyText(families.src), ") is not dstQueueFamilyIndex (", FamilyText(families.dst),
                           "), but the stage masks have ", check.Stages(VK_PIPELINE_STAGE_2_HOST_BIT), "."),
              "Use one barrier for the host and another for the transfer.");
}

VkSharingMode SharingModeOf(VkBuffer buffer) {
  return SharingOf<state::Buffer>(buffer, [](const state::Buffer& b) { return b.sharing_mode; });
}
VkSharingMode SharingModeOf(VkImage image) {
  return SharingOf<state::Image>(image, [](const state::Image& i) { return i.create_info.sharingMode; });
}

void CheckBuffer(const Check& check, const BufferIds& ids, const BufferPart& part, const messages::Location& where) {
  const auto* buffer = state::DeviceState::Get<state::Buffer>(part.buffer);
  if (buffer == nullptr) return;
  if (!IsInBuffer(part, *buffer)) [[unlikely]]
    ReportBuffer(check, ids, part, *buffer, where);
  if (!buffer->memory && !buffer->is_sparse()) [[unlikely]] {
    check.Error(ids.memory, where.Dot("buffer"),
                absl::StrCat(check.Describe(messages::Object(part.buffer)), " has no memory."),
                "Call vkBindBufferMemory() before.", messages::Object(part.buffer));
  }
  CheckQueueFamilies(check, ids.queue_families, {messages::Object(part.buffer), buffer->sharing_mode, part.families},
                     where);
}

template <class B>
const BufferIds& BufferIdsOf() {
  static constexpr BufferIds kIds = {.queue_families = kQueueFamilyIds<B>,
                                     .offset = IdOf<B>("offset-01187"),
                                     .zero_size = IdOf<B>("size-01188"),
                                     .size = IdOf<B>("size-01189"),
                                     .memory = IdOf<B>("buffer-01931")};
  return kIds;
}
template const BufferIds& BufferIdsOf<VkBufferMemoryBarrier>();
template const BufferIds& BufferIdsOf<VkBufferMemoryBarrier2>();

}  // namespace assay::core
