// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_MEMORY_H_
#define ASSAY_STATE_MEMORY_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>

#include "absl/base/thread_annotations.h"
#include "absl/container/inlined_vector.h"
#include "absl/synchronization/mutex.h"
#include "state/image/image_layout.h"
#include "state/object.h"
#include "vk/vulkan.h"

// Memory, and what is bound to it.
namespace assay::state {

// Gives out regions of one flat 64-bit address space, in which every byte that Vulkan commands can touch has an address
// of its own. Regions are never given out twice: at a terabyte a second the space lasts for half a year.
class AddressSpace {
 public:
  // Bytes. No memory is that large; what is said to be larger nevertheless is cut, so that no address wraps around.
  static constexpr uint64_t kMaxRegion = uint64_t{1} << 50;

  // A region of that many bytes, aligned to 256 and with a gap before the next; never 0.
  uint64_t Allocate(uint64_t size) {
    size = std::min(size, kMaxRegion);
    return next_.fetch_add(((size + 255) & ~uint64_t{255}) + 256, std::memory_order_relaxed);
  }

 private:
  std::atomic<uint64_t> next_{256};
};

class Buffer;

class DeviceMemory : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DEVICE_MEMORY;
  DeviceMemory(uint64_t handle, const VkMemoryAllocateInfo& info, AddressSpace& space)
      : Object(kType, handle),
        size(std::min(info.allocationSize, AddressSpace::kMaxRegion)),
        memory_type(info.memoryTypeIndex),
        address(space.Allocate(size)) {}

  // Takes note of a buffer that is bound here, and of those that it shares bytes with. The buffer takes itself out when
  // it ends.
  void Add(Buffer& buffer);
  void Remove(const Buffer& buffer);

  // Bytes.
  const VkDeviceSize size;
  const uint32_t memory_type;
  const uint64_t address;

 private:
  absl::Mutex mutex_;
  // By where they begin.
  std::multimap<uint64_t, Buffer*> buffers_ ABSL_GUARDED_BY(mutex_);
  VkDeviceSize largest_ ABSL_GUARDED_BY(mutex_) = 0;
};

class Buffer : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_BUFFER;
  Buffer(uint64_t handle, const VkBufferCreateInfo& info)
      : Object(kType, handle),
        size(std::min(info.size, AddressSpace::kMaxRegion)),
        usage(info.usage),
        flags(info.flags) {}

  ~Buffer() override {
    if (memory) memory->Remove(*this);
  }

  // begin is in the AddressSpace.
  void BindTo(DeviceMemory& target, uint64_t begin);

  bool is_sparse() const { return (flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT) != 0; }
  // The bytes from offset on that a VK_WHOLE_SIZE or too large range comes to.
  VkDeviceSize Clamp(VkDeviceSize offset, VkDeviceSize range) const {
    if (offset >= size) return 0;
    return range > size - offset ? size - offset : range;
  }

  // Bytes.
  const VkDeviceSize size;
  const VkBufferUsageFlags usage;
  const VkBufferCreateFlags flags;
  Ref<DeviceMemory> memory;
  // Where the buffer begins in the AddressSpace; 0 until memory is bound. A sparse buffer has a region of its own.
  uint64_t address = 0;
  // Whether another buffer is or was bound to some of the same bytes.
  std::atomic<bool> shares_memory = false;
  // The address when no other resource has the same bytes, else 0.
  uint64_t region() const { return shares_memory.load(std::memory_order_relaxed) ? 0 : address; }
};

class Image : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_IMAGE;
  Image(uint64_t handle, const VkImageCreateInfo& info, AddressSpace& space)
      : Object(kType, handle), create_info(info), layout(info), address(space.Allocate(layout.size())) {
    // What these point to belongs to the application.
    create_info.pNext = nullptr;
    create_info.pQueueFamilyIndices = nullptr;
  }

  // With pNext and pQueueFamilyIndices taken out.
  VkImageCreateInfo create_info;
  Ref<DeviceMemory> memory;
  // Bytes of the idealized layout; relative to address.
  const ImageLayoutMap layout;
  // The image's own region of the AddressSpace.
  const uint64_t address;
};

class Swapchain : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SWAPCHAIN_KHR;
  Swapchain(uint64_t handle, const VkSwapchainCreateInfoKHR& info);

  // What its images are as if vkCreateImage had made them ("VkSwapchainKHR", table of implied image parameters).
  const VkImageCreateInfo image_create_info;
};

// Ranges of the AddressSpace.
using AddressRanges = absl::InlinedVector<ByteRange, 4>;

class ImageView : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_IMAGE_VIEW;
  ImageView(uint64_t handle, const VkImageViewCreateInfo& info, Ref<Image> of);

  const Ref<Image> image;
  const VkImageViewType view_type;
  const VkFormat format;
  // As the application gave it: with slices of a 3D image as layers where view_type says so.
  const VkImageSubresourceRange subresource_range;
  // Of the view itself (VkImageViewUsageCreateInfo), or else of the image.
  const VkImageUsageFlags usage;
  // What the view covers.
  AddressRanges ranges;

  // Adds what an attachment covers: `area`, in texels, of the view's first level. Without multiview that is in the
  // first layer_count layers of the view; with it, in the layers of view_mask. Of a depth/stencil image these are the
  // `aspects`, whichever the view has (VkFramebufferCreateInfo: "both depth and stencil image subresources are used");
  // of others those of the view.
  void AppendAttachment(VkImageAspectFlags aspects, const VkRect2D& area, uint32_t layer_count, uint32_t view_mask,
                        AddressRanges& out) const;

 private:
  // Its layers count what layer_meaning_ says; of a sliced view, the slices.
  const VkImageSubresourceRange layers_;
  const LayerMeaning layer_meaning_;
};

class BufferView : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_BUFFER_VIEW;
  BufferView(uint64_t handle, const VkBufferViewCreateInfo& info, Ref<Buffer> of)
      : Object(kType, handle),
        buffer(std::move(of)),
        format(info.format),
        offset(info.offset),
        range(buffer->Clamp(info.offset, info.range)) {}

  const Ref<Buffer> buffer;
  const VkFormat format;
  // Bytes.
  const VkDeviceSize offset;
  const VkDeviceSize range;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_MEMORY_H_
