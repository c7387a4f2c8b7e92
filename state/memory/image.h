// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_MEMORY_IMAGE_H_
#define ASSAY_STATE_MEMORY_IMAGE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "state/image/subresource_encoder.h"
#include "state/memory/address_space.h"
#include "state/memory/device_memory.h"
#include "state/memory/sparse_memory.h"
#include "state/objects/items.h"
#include "state/objects/object.h"
#include "vk/chain.h"
#include "vk/vulkan.h"

namespace assay::state {

// An image. Its texels have addresses in a region of its own, laid out by ImageSubresourceEncoder. The bytes of memory
// that it is bound to count only for comparison with other resources: see SharedBytes.
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
    if (const auto* stencil = vk::FindInChain<VkImageStencilUsageCreateInfo>(info.pNext)) {
      stencil_usage = stencil->stencilUsage;
      usage |= stencil->stencilUsage;
    }
    if (const auto* formats = vk::FindInChain<VkImageFormatListCreateInfo>(info.pNext)) {
      view_formats = ItemList(formats->pViewFormats, formats->viewFormatCount);
    }
    // The application owns the structures that these point to.
    create_info.pNext = nullptr;
    create_info.pQueueFamilyIndices = nullptr;
  }
  ~Image() override;

  // Records the bytes that the image, or one of its planes, is bound to; `begin` is in the AddressSpace. `texel_bytes`
  // are the bytes that the image's texels are known to fill, as far as accesses have to regard them; empty for none.
  void BindTo(DeviceMemory& target, uint64_t begin, VkDeviceSize bytes, const ByteRange& texel_bytes);

  // Whether a resource with other contents is or was bound to some of the same bytes.
  bool shares_memory() const { return shares_memory_.load(std::memory_order_relaxed); }
  // The bytes of memory by which an access is compared with accesses to other buffers and images in the same memory.
  // `accessed_bytes` is how much of the image's region the access covers. Empty for an image that shares no memory, and
  // where the bytes are not known.
  //
  // Only linear images have subresources at known places. For other images an access to any byte counts as an access to
  // all: the application cannot know better either ("Memory Aliasing").
  ByteRange SharedBytes(uint64_t accessed_bytes) const {
    if (!shares_memory()) return {};
    return is_linear() && accessed_bytes != encoder.size() ? ByteRange{} : texel_bytes_;
  }
  // The bytes of memory that a barrier for any part of the image covers too.
  ByteRange SharedBytes() const { return SharedBytes(encoder.size()); }
  bool is_linear() const { return create_info.tiling == VK_IMAGE_TILING_LINEAR; }
  bool is_sparse() const { return (create_info.flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT) != 0; }
  // Whether the image is sparse and need not have memory everywhere.
  bool is_partially_resident() const { return (create_info.flags & VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT) != 0; }

  // Without pNext and pQueueFamilyIndices.
  VkImageCreateInfo create_info;
  // The usages of all aspects together (VkImageStencilUsageCreateInfo).
  VkImageUsageFlags usage;
  // Of the stencil aspect alone, where it has a usage of its own.
  std::optional<VkImageUsageFlags> stencil_usage;
  // Of VkImageFormatListCreateInfo; empty without that, and for a swapchain's image.
  std::vector<VkFormat> view_formats;
  // The memory that VkSparseImageOpaqueMemoryBindInfo bound to a sparse image; null for other images.
  const std::unique_ptr<SparseMemory> sparse;
  Ref<DeviceMemory> memory;
  // Whether the image is a swapchain's, or bound to the memory of one.
  bool is_presentable = false;
  // Gives bytes relative to `address`.
  const ImageSubresourceEncoder encoder;
  // The image's own region of the AddressSpace, or that of an image with the same contents: see HasContentsOf. Does not
  // change after memory is bound.
  uint64_t address;
  // Whether another image or a buffer is or was bound to some of the same bytes, or the image is another handle of a
  // swapchain's image. Their addresses do not show that.
  std::atomic<bool> aliases = false;

 private:
  friend class DeviceMemory;

  // Whether both images were created alike and are bound to the same bytes, so that a read of one sees writes to the
  // other ("Memory Aliasing"). Structures in the chain of VkImageCreateInfo are not compared.
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

class ImageView : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_IMAGE_VIEW;
  ImageView(uint64_t handle, const VkImageViewCreateInfo& info, Ref<Image> of);

  const Ref<Image> image;
  const VkImageViewCreateFlags flags;
  const VkImageViewType view_type;
  const VkFormat format;
  const VkComponentMapping components;
  // As in VkImageViewCreateInfo: of some view types of a 3D image, layers are slices.
  const VkImageSubresourceRange subresource_range;
  // Of the view itself (VkImageViewUsageCreateInfo), or else of the image.
  const VkImageUsageFlags usage;
  // Whether it has a sampler Y'CBCR conversion.
  const bool is_converting;
  // All texels of the view.
  AddressRanges ranges;

  // Appends the texels of an attachment: `area`, in texels, of the view's first level. Without multiview these are in
  // the first `layer_count` layers of the view; with it, in the layers of `view_mask`. Of a depth/stencil image they
  // have `aspects`, whichever the view has (VkFramebufferCreateInfo: "both depth and stencil image subresources are
  // used"); of other images, the aspects of the view.
  void AppendAttachment(VkImageAspectFlags aspects, const VkRect2D& area, uint32_t layer_count, uint32_t view_mask,
                        AddressRanges& out) const;

 private:
  // Layers are counted in layer_unit_. Of a sliced view, this has the slices.
  const VkImageSubresourceRange layers_;
  const LayerUnit layer_unit_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_MEMORY_IMAGE_H_
