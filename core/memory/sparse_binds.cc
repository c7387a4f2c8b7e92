// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Memory that is bound to sparse resources.

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/memory/bind_place.h"
#include "core/memory/memory_requirements.h"
#include "core/memory/memory_rules.h"
#include "state/state.h"
#include "vk/format_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using vk::Vuid;

struct MemoryIds {
  RequirementIds required;
  vk::VuidIndex exported;
  vk::VuidIndex imported;
};
// Of VkSparseMemoryBind, offsets have rules of their own.
constexpr MemoryIds kOpaqueIds = {{Vuid("VUID-VkSparseMemoryBind-memory-01096"), vk::kNoVuid},
                                  Vuid("VUID-VkSparseMemoryBind-memory-02730"),
                                  Vuid("VUID-VkSparseMemoryBind-memory-02731")};
constexpr MemoryIds kImageIds = {
    {Vuid("VUID-VkSparseImageMemoryBind-memory-01105"), Vuid("VUID-VkSparseImageMemoryBind-memory-01105")},
    Vuid("VUID-VkSparseImageMemoryBind-memory-02732"),
    Vuid("VUID-VkSparseImageMemoryBind-memory-02733")};

// A buffer or an image, and what its binds are compared with.
struct Resource {
  const NotedMemory& noted;
  messages::ObjectRef object;
  ResourceFacts created;
  VkMemoryRequirements required;
  Report& report;

  void Require(bool holds, vk::VuidIndex id, const Location& where, std::string_view member, uint64_t value,
               const auto&... text) const {
    if (!holds) report.Error(id, {object}, where.Dot(member), absl::StrCat("(", value, ") ", text...));
  }
  void CheckMemory(VkDeviceMemory handle, VkDeviceSize offset, const MemoryIds& ids, const Location& where) const {
    const auto* const memory = DeviceState::Get<state::DeviceMemory>(handle);
    if (memory == nullptr) return;
    const Place at = {object, handle, *memory, offset, where, report};
    // How much is bound, the bind says.
    CheckRequirements(at, ids.required, {0, required.alignment, required.memoryTypeBits});
    const MemoryFacts facts = noted.Of(handle);
    const auto wrong = [&] {
      return absl::StrCat("is of a handle type that ", at.resource(), " was not created for.");
    };
    at.Require(facts.exported == 0 || facts.has_exported(created.external), ids.exported, "memory", wrong);
    at.Require((facts.imported & ~created.external) == 0, ids.imported, "memory", wrong);
  }
};

// `size`: of the resource; 0 if it is not known.
void CheckOpaque(const Resource& of, const VkSparseMemoryBind& bind, VkDeviceSize size, const Location& where) {
  of.CheckMemory(bind.memory, bind.memoryOffset, kOpaqueIds, where);
  const bool is_buffer = of.object.type == VK_OBJECT_TYPE_BUFFER;
  const auto aligned = [&](std::string_view member, VkDeviceSize value) {
    of.Require(of.required.alignment == 0 || value % of.required.alignment == 0,
               is_buffer ? Vuid("VUID-VkSparseMemoryBind-resourceOffset-09491")
                         : Vuid("VUID-VkSparseMemoryBind-resourceOffset-09492"),
               where, member, value, "is not a multiple of the alignment (", of.required.alignment, ").");
  };
  aligned("resourceOffset", bind.resourceOffset);
  if (bind.memory != VK_NULL_HANDLE) aligned("memoryOffset", bind.memoryOffset);
  if (is_buffer) aligned("size", bind.size);
  if (size == 0) return;
  of.Require(bind.resourceOffset < size, Vuid("VUID-VkSparseMemoryBind-resourceOffset-01099"), where, "resourceOffset",
             bind.resourceOffset, "is not less than the size of the resource (", size, ").");
  of.Require(bind.resourceOffset >= size || bind.size <= size - bind.resourceOffset,
             Vuid("VUID-VkSparseMemoryBind-size-01100"), where, "size", bind.size,
             "is more than the resource has from resourceOffset (", bind.resourceOffset, ") on.");
}

std::vector<VkSparseImageMemoryRequirements> SparseRequirementsOf(const dispatch::Device& device, VkImage image) {
  uint32_t count = 0;
  vk::GetImageSparseMemoryRequirements get = {device.handle, dispatch::DriverHandle(image), &count, nullptr};
  dispatch::CallNext(device, get);
  std::vector<VkSparseImageMemoryRequirements> found(count);
  get.pSparseMemoryRequirements = found.data();
  if (count != 0) dispatch::CallNext(device, get);
  return found;
}

// Whether the bind of metadata is in its mip tail. Layers that have tails of their own are one region here.
bool IsInTail(const VkSparseMemoryBind& bind, const VkSparseImageMemoryRequirements& tail, uint32_t layers) {
  const VkDeviceSize begin = tail.imageMipTailOffset;
  // One tail for all layers has no stride.
  const bool is_single = (tail.formatProperties.flags & VK_SPARSE_IMAGE_FORMAT_SINGLE_MIPTAIL_BIT) != 0;
  const VkDeviceSize end = begin + tail.imageMipTailSize + (is_single ? 0 : tail.imageMipTailStride * (layers - 1));
  return tail.imageMipTailSize == 0 ||
         (bind.resourceOffset >= begin && bind.resourceOffset <= end && bind.size <= end - bind.resourceOffset);
}

struct AxisIds {
  vk::VuidIndex offset;
  vk::VuidIndex extent;
};
constexpr AxisIds kAxes[] = {
    {Vuid("VUID-VkSparseImageMemoryBind-offset-01107"), Vuid("VUID-VkSparseImageMemoryBind-extent-01108")},
    {Vuid("VUID-VkSparseImageMemoryBind-offset-01109"), Vuid("VUID-VkSparseImageMemoryBind-extent-01110")},
    {Vuid("VUID-VkSparseImageMemoryBind-offset-01111"), Vuid("VUID-VkSparseImageMemoryBind-extent-01112")}};

// The box is of whole blocks, or ends with the level.
void CheckBox(const Resource& of, const VkSparseImageMemoryBind& bind, const VkImageCreateInfo& image,
              const VkExtent3D& block, const Location& where) {
  const std::array<uint32_t, 3> blocks = {block.width, block.height, block.depth};
  const std::array<int32_t, 3> offsets = {bind.offset.x, bind.offset.y, bind.offset.z};
  const std::array<uint32_t, 3> extents = {bind.extent.width, bind.extent.height, bind.extent.depth};
  const std::array<uint32_t, 3> sizes = {image.extent.width, image.extent.height, image.extent.depth};
  constexpr std::array<std::string_view, 6> kNames = {"offset.x",     "offset.y",      "offset.z",
                                                      "extent.width", "extent.height", "extent.depth"};
  for (size_t axis = 0; axis < 3; ++axis) {
    if (blocks[axis] == 0) continue;
    const uint32_t size = std::max(sizes[axis] >> bind.subresource.mipLevel, 1U);
    const auto offset = static_cast<uint32_t>(offsets[axis]);
    of.Require(offset % blocks[axis] == 0, kAxes[axis].offset, where, kNames[axis], offset,
               "is not a multiple of the sparse image block (", blocks[axis], ").");
    of.Require(extents[axis] % blocks[axis] == 0 || uint64_t{offset} + extents[axis] == size, kAxes[axis].extent, where,
               kNames[axis + 3], extents[axis], "is not a multiple of the sparse image block (", blocks[axis],
               "), and does not end with the level (", size, ").");
  }
}

void CheckImageBind(const Resource& of, const VkSparseImageMemoryBind& bind, const VkImageCreateInfo& image,
                    const std::vector<VkSparseImageMemoryRequirements>& sparse, const Location& where) {
  of.CheckMemory(bind.memory, bind.memoryOffset, kImageIds, where);
  const VkImageSubresource& part = bind.subresource;
  const vk::FormatInfo* const format = vk::GetFormatInfo(image.format);
  const Location subresource = where.Dot("subresource");
  of.Require(part.mipLevel < image.mipLevels, Vuid("VUID-VkSparseImageMemoryBindInfo-subresource-01722"), subresource,
             "mipLevel", part.mipLevel, "is not less than mipLevels (", image.mipLevels, ").");
  of.Require(part.arrayLayer < image.arrayLayers, Vuid("VUID-VkSparseImageMemoryBindInfo-subresource-01723"),
             subresource, "arrayLayer", part.arrayLayer, "is not less than arrayLayers (", image.arrayLayers, ").");
  of.Require(format == nullptr || (part.aspectMask & ~format->aspects) == 0,
             Vuid("VUID-VkSparseImageMemoryBindInfo-subresource-01106"), subresource, "aspectMask", part.aspectMask,
             "has aspects that the format does not have.");
  // Sizes of planes are others.
  if (part.mipLevel >= image.mipLevels || format == nullptr || !format->planes.empty()) return;
  for (const VkSparseImageMemoryRequirements& each : sparse) {
    if ((each.formatProperties.aspectMask & part.aspectMask) != 0)
      return CheckBox(of, bind, image, each.formatProperties.imageGranularity, where);
  }
}

}  // namespace

void MemoryRules::CheckSparse(const VkBindSparseInfo& info, const Location& where, Report& report) const {
  for (uint32_t i = 0; info.pBufferBinds != nullptr && i < info.bufferBindCount; ++i) {
    const VkSparseBufferMemoryBindInfo& binds = info.pBufferBinds[i];
    const auto* const buffer = DeviceState::Get<state::Buffer>(binds.buffer);
    if (buffer == nullptr) continue;
    const Resource of = {noted_, Object(binds.buffer), noted_.Of(binds.buffer),
                         RequirementsOf(device_, binds.buffer).memory, report};
    const Location at = where.Dot("pBufferBinds", i);
    for (uint32_t j = 0; binds.pBinds != nullptr && j < binds.bindCount; ++j)
      CheckOpaque(of, binds.pBinds[j], std::max(of.required.size, buffer->size), at.Dot("pBinds", j));
  }
  const auto with_image = [&](VkImage handle, const auto& check) {
    const auto* const image = DeviceState::Get<state::Image>(handle);
    if (image == nullptr) return;
    const ResourceFacts created = noted_.Of(handle);
    check(Resource{noted_, Object(handle), created, RequirementsOf(device_, *image, created).memory, report}, *image);
  };
  for (uint32_t i = 0; info.pImageOpaqueBinds != nullptr && i < info.imageOpaqueBindCount; ++i) {
    const VkSparseImageOpaqueMemoryBindInfo& binds = info.pImageOpaqueBinds[i];
    const Location at = where.Dot("pImageOpaqueBinds", i);
    with_image(binds.image, [&](const Resource& of, const state::Image& image) {
      for (uint32_t j = 0; binds.pBinds != nullptr && j < binds.bindCount; ++j) {
        const VkSparseMemoryBind& bind = binds.pBinds[j];
        // Where a mip tail is, the driver decides.
        CheckOpaque(of, bind, image.is_partially_resident() ? 0 : of.required.size, at.Dot("pBinds", j));
        if ((bind.flags & VK_SPARSE_MEMORY_BIND_METADATA_BIT) == 0) continue;
        const auto sparse = SparseRequirementsOf(device_, binds.image);
        const auto is_metadata = [](const VkSparseImageMemoryRequirements& each) {
          return (each.formatProperties.aspectMask & VK_IMAGE_ASPECT_METADATA_BIT) != 0;
        };
        const auto tail = std::ranges::find_if(sparse, is_metadata);
        if (tail == sparse.end()) continue;
        of.Require(IsInTail(bind, *tail, image.create_info.arrayLayers),
                   Vuid("VUID-VkSparseImageOpaqueMemoryBindInfo-pBinds-01103"), at.Dot("pBinds", j), "resourceOffset",
                   bind.resourceOffset, "begins a range that is not in the mip tail region of metadata.");
      }
    });
  }
  for (uint32_t i = 0; info.pImageBinds != nullptr && i < info.imageBindCount; ++i) {
    const VkSparseImageMemoryBindInfo& binds = info.pImageBinds[i];
    const Location at = where.Dot("pImageBinds", i);
    with_image(binds.image, [&](const Resource& of, const state::Image& image) {
      const auto sparse = SparseRequirementsOf(device_, binds.image);
      for (uint32_t j = 0; binds.pBinds != nullptr && j < binds.bindCount; ++j)
        CheckImageBind(of, binds.pBinds[j], image.create_info, sparse, at.Dot("pBinds", j));
    });
  }
}

void MemoryRules::PreCallValidate(const vk::QueueBindSparse& call, Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; call.pBindInfo != nullptr && i < call.bindInfoCount; ++i)
    CheckSparse(call.pBindInfo[i], command.Dot("pBindInfo", i), report);
}

}  // namespace assay::core
