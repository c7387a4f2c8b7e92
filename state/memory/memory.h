// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_MEMORY_MEMORY_H_
#define ASSAY_STATE_MEMORY_MEMORY_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/inlined_vector.h"
#include "absl/synchronization/mutex.h"
#include "state/image/subresource_encoder.h"
#include "state/memory/sparse_memory.h"
#include "state/objects/object.h"
#include "state/objects/overlap_map.h"
#include "state/objects/queue.h"
#include "vk/chain.h"
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
class Image;

// What is bound to memory, without a hold on it.
struct BoundResource {
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  uint64_t handle = 0;
  // All that it is bound to at that place, in the AddressSpace.
  ByteRange bytes;
};

class DeviceMemory : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DEVICE_MEMORY;
  DeviceMemory(uint64_t handle, const VkMemoryAllocateInfo& info, VkMemoryPropertyFlags properties_of_type,
               AddressSpace& space);

  // Takes note of what is bound here, and of what it shares bytes with. It takes itself out when it ends. Ranges are of
  // the AddressSpace.
  void Add(Buffer& buffer, const ByteRange& range);
  void Remove(const Buffer& buffer, uint64_t begin);
  // The image has other addresses too; see Image.
  void Add(Image& image, uint64_t begin, VkDeviceSize bytes);
  void Remove(const Image& image, uint64_t begin);
  // What has some of these bytes of the AddressSpace; in no order, and perhaps twice.
  std::vector<BoundResource> FindBound(const ByteRange& bytes) const;

  // The bytes that a mapping or a VkMappedMemoryRange comes to, with VK_WHOLE_SIZE and what lies outside cut off;
  // relative to the memory.
  ByteRange Clamp(VkDeviceSize offset, VkDeviceSize bytes) const {
    offset = std::min(offset, size);
    return {offset, offset + std::min(bytes, size - offset)};
  }
  bool is_host_coherent() const { return (properties & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0; }

  // Bytes.
  const VkDeviceSize size;
  const uint32_t memory_type;
  // Of the memory type.
  const VkMemoryPropertyFlags properties;
  const uint64_t address;
  // Whether others than the device may access it, in ways that the layer does not see.
  const bool is_imported;
  const bool is_exportable;
  // What the host has mapped, relative to the memory; empty for nothing. Guarded by the memory's external
  // synchronization.
  ByteRange mapped{};

 private:
  mutable absl::Mutex mutex_;
  OverlapMap<Buffer> buffers_ ABSL_GUARDED_BY(mutex_);
  OverlapMap<Image> images_ ABSL_GUARDED_BY(mutex_);
};

class Buffer : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_BUFFER;
  Buffer(uint64_t handle, const VkBufferCreateInfo& info)
      : Object(kType, handle),
        size(std::min(info.size, AddressSpace::kMaxRegion)),
        usage(info.usage),
        flags(info.flags),
        sharing_mode(info.sharingMode),
        sparse(!is_sparse()          ? nullptr
               : is_sparse_aliased() ? std::make_unique<SparseMemory>(*this)
                                     : std::make_unique<SparseMemory>()) {}

  ~Buffer() override {
    if (memory) memory->Remove(*this, address);
  }

  // begin is in the AddressSpace.
  void BindTo(DeviceMemory& target, uint64_t begin);

  bool is_sparse() const { return (flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT) != 0; }
  // Whether it is sparse and need not have memory everywhere.
  bool is_partially_resident() const { return (flags & VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT) != 0; }
  // Whether it is sparse and its memory may be that of others too.
  bool is_sparse_aliased() const { return (flags & VK_BUFFER_CREATE_SPARSE_ALIASED_BIT) != 0; }
  // The bytes from offset on that a VK_WHOLE_SIZE or too large range comes to.
  VkDeviceSize Clamp(VkDeviceSize offset, VkDeviceSize range) const {
    if (offset >= size) return 0;
    return range > size - offset ? size - offset : range;
  }

  // Bytes.
  const VkDeviceSize size;
  // Where the buffer begins in the AddressSpace; 0 until memory is bound. A sparse buffer has a region of its own.
  uint64_t address = 0;
  const VkBufferUsageFlags usage;
  const VkBufferCreateFlags flags;
  const VkSharingMode sharing_mode;

 private:
  // Beside the others that every access asks for.
  std::atomic<uint8_t> sharing_ = is_sparse_aliased() ? kSparseAliased : 0;

 public:
  // What a sparse buffer has instead of memory; null for others.
  const std::unique_ptr<SparseMemory> sparse;
  Ref<DeviceMemory> memory;
  // 0 until the application asks for it; guarded by DeviceAddresses.
  VkDeviceAddress device_address = 0;
  // The address when no other resource has the same bytes, else 0. Sparse memory is not in the buffer's own region.
  uint64_t region() const { return (sharing() & (kWithBuffers | kWithImages)) != 0 ? 0 : address; }

  // With whom the buffer shares bytes: others that are or were bound to some of the same. One test tells of most that
  // it is nobody.
  enum Sharing : uint8_t {
    kWithBuffers = 1,
    // What those do is here only as Image::SharedBytes says.
    kWithImages = 2,
    // By its sparse memory, see is_sparse_aliased().
    kSparseAliased = 4,
  };
  uint8_t sharing() const { return sharing_.load(std::memory_order_relaxed); }
  bool shares_memory() const { return (sharing() & kWithBuffers) != 0; }
  bool aliases_image() const { return (sharing() & kWithImages) != 0; }
  void AddSharing(Sharing with) { sharing_.fetch_or(with, std::memory_order_relaxed); }
};

class Image : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_IMAGE;
  Image(uint64_t handle, const VkImageCreateInfo& info, AddressSpace& space)
      : Object(kType, handle),
        create_info(info),
        usage(info.usage),
        sparse(is_sparse() ? std::make_unique<SparseMemory>() : nullptr),
        encoder(info),
        address(space.Allocate(encoder.size())) {
    if (const auto* stencil = vk::FindInChain<VkImageStencilUsageCreateInfo>(info.pNext))
      usage |= stencil->stencilUsage;
    // What these point to belongs to the application.
    create_info.pNext = nullptr;
    create_info.pQueueFamilyIndices = nullptr;
  }
  ~Image() override;

  // Takes note of the bytes that the image, or one of its planes, is bound to; begin is in the AddressSpace.
  // `texel_bytes` are those that the image's texels are known to fill, as far as accesses have to regard them; empty
  // for none.
  void BindTo(DeviceMemory& target, uint64_t begin, VkDeviceSize bytes, const ByteRange& texel_bytes);

  // Whether a resource with other contents is or was bound to some of the same bytes.
  bool shares_memory() const { return shares_memory_.load(std::memory_order_relaxed); }
  // What an access that covers so much of the region comes to for other resources in the same memory: bytes of that, by
  // which all of its buffers and images can be compared. Empty for an image that shares none, and where it is not
  // known.
  //
  // Which of an image's subresources lie where is known of linear images alone. Of others an access to any byte is one
  // to all: their users cannot know better either ("Memory Aliasing").
  ByteRange SharedBytes(uint64_t accessed_bytes) const {
    if (!shares_memory()) return {};
    return is_linear() && accessed_bytes != encoder.size() ? ByteRange{} : texel_bytes_;
  }
  // The bytes that barriers of any part of the image take with them.
  ByteRange SharedBytes() const { return SharedBytes(encoder.size()); }
  bool is_linear() const { return create_info.tiling == VK_IMAGE_TILING_LINEAR; }
  bool is_sparse() const { return (create_info.flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT) != 0; }
  // Whether it is sparse and need not have memory everywhere.
  bool is_partially_resident() const { return (create_info.flags & VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT) != 0; }

  // With pNext and pQueueFamilyIndices taken out.
  VkImageCreateInfo create_info;
  // What any of its aspects may be used for (VkImageStencilUsageCreateInfo).
  VkImageUsageFlags usage;
  // What VkSparseImageOpaqueMemoryBindInfo bound to a sparse image; null for others.
  const std::unique_ptr<SparseMemory> sparse;
  Ref<DeviceMemory> memory;
  // Whether it is a swapchain's, or bound to one's memory.
  bool is_presentable = false;
  // Bytes of the idealized layout; relative to address.
  const ImageSubresourceEncoder encoder;
  // The image's own region of the AddressSpace, or that of one with the same contents: see HasContentsOf. It stays from
  // when memory is bound.
  uint64_t address;
  // Whether another image or a buffer is or was bound to some of the same bytes, or the image is another handle of a
  // swapchain's. Their addresses do not tell.
  std::atomic<bool> aliases = false;

 private:
  friend class DeviceMemory;

  // Whether both were created alike to be bound to the same bytes, so that what is written to one is read from the
  // other ("Memory Aliasing"). Structures that extended VkImageCreateInfo are not compared.
  bool HasContentsOf(const Image& other) const;

  struct Binding {
    Ref<DeviceMemory> memory;
    // In the AddressSpace.
    ByteRange bytes;
  };
  absl::InlinedVector<Binding, 1> bindings_;
  // See BindTo.
  ByteRange texel_bytes_{};
  std::atomic<bool> shares_memory_ = false;
};

// What QueueTracker keeps of a swapchain, guarded by its mutex.
struct SwapchainProgress {
  struct Image {
    VkImage image = VK_NULL_HANDLE;
    // The batch that presented it last, and what that waited for.
    QueuePoint presented;
    QueuePoints after;
    // Acquired by the application, which has not given it back.
    bool is_acquired = false;
  };
  struct Present {
    uint64_t id;
    QueuePoints after;
  };
  std::vector<Image> images;
  // Whether `images` are all that there are.
  bool is_complete = false;
  // Those with an id that the host does not know to be shown.
  std::deque<Present> presents;
};

class Swapchain : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SWAPCHAIN_KHR;
  Swapchain(uint64_t handle, const VkSwapchainCreateInfoKHR& info);

  // What its images are as if vkCreateImage had made them ("VkSwapchainKHR", table of implied image parameters).
  const VkImageCreateInfo image_create_info;
  const VkPresentModeKHR present_mode;
  // Those that presents may choose among (VkSwapchainPresentModesCreateInfoEXT); empty without.
  const std::vector<VkPresentModeKHR> present_modes;
  // Whether application and presentation engine use the one image at the same time (VK_KHR_shared_presentable_image).
  bool is_shared() const {
    return present_mode == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR ||
           present_mode == VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR;
  }
  SwapchainProgress progress;
  // Was VkSwapchainCreateInfoKHR::oldSwapchain.
  bool is_retired = false;
};

// Ranges of the AddressSpace.
using AddressRanges = absl::InlinedVector<ByteRange, 4>;

class ImageView : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_IMAGE_VIEW;
  ImageView(uint64_t handle, const VkImageViewCreateInfo& info, Ref<Image> of);

  const Ref<Image> image;
  const VkImageViewCreateFlags flags;
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
  // Its layers count what layer_unit_ says; of a sliced view, the slices.
  const VkImageSubresourceRange layers_;
  const LayerUnit layer_unit_;
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

#endif  // ASSAY_STATE_MEMORY_MEMORY_H_
