// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/timeline/barrier_text.h"

#include "absl/strings/str_cat.h"
#include "vk/enum_info.h"

namespace assay::syncval::trace {
namespace {

std::string SubpassText(uint32_t subpass) {
  return subpass == VK_SUBPASS_EXTERNAL ? "VK_SUBPASS_EXTERNAL" : absl::StrCat(subpass);
}

std::string Stages(VkPipelineStageFlags2 stages) {
  return vk::FlagsToString(vk::EnumId::kPipelineStageFlagBits2, stages);
}
std::string Accesses(VkAccessFlags2 accesses) { return vk::FlagsToString(vk::EnumId::kAccessFlagBits2, accesses); }

std::string ResourceName(const RecordedTrace& trace, const TracedBarrier& barrier) {
  return barrier.resource == kNone ? "VK_NULL_HANDLE" : trace.resources[barrier.resource].name;
}

}  // namespace

std::string BarrierText(const RecordedTrace& trace, const TracedBarrier& barrier, const BarrierFlags& flags) {
  const std::string masks =
      absl::StrCat(".srcStageMask = ", Stages(flags.src_stages), ", .srcAccessMask = ", Accesses(flags.src_access),
                   ", .dstStageMask = ", Stages(flags.dst_stages), ", .dstAccessMask = ", Accesses(flags.dst_access));
  switch (barrier.kind) {
    case TracedBarrier::Kind::kMemory:
      return absl::StrCat("VkMemoryBarrier2{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, ", masks, "}");
    case TracedBarrier::Kind::kBuffer:
      return absl::StrCat("VkBufferMemoryBarrier2{.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2, ", masks,
                          ", .buffer = /* ", ResourceName(trace, barrier), " */, …}");
    case TracedBarrier::Kind::kSubpass:
      return absl::StrCat("VkSubpassDependency2{.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, .srcSubpass = ",
                          SubpassText(barrier.src_subpass), ", .dstSubpass = ", SubpassText(barrier.dst_subpass), ", ",
                          masks, barrier.is_implicit ? "} /* implicit */" : ", …}");
    case TracedBarrier::Kind::kImage:
      break;
  }
  return absl::StrCat("VkImageMemoryBarrier2{.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2, ", masks,
                      ", .oldLayout = ", vk::ToString(barrier.old_layout),
                      ", .newLayout = ", vk::ToString(barrier.new_layout), ", .image = /* ",
                      ResourceName(trace, barrier), " */, …}");
}

}  // namespace assay::syncval::trace
