// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_PLANTED_COMMANDS_H_
#define ASSAY_TESTING_PLANTED_COMMANDS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "testing/planted/access.h"
#include "testing/planted/engine.h"
#include "vk/vulkan.h"

namespace assay::planted {

// A target of a rendering. A texture of a depth format is its depth attachment. Other textures are its color
// attachments.
struct Attachment {
  const Texture& texture;
  VkAttachmentLoadOp load;
  // If undefined, the layout of kColorTarget or kDepthTarget.
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
  const Texture* resolve = nullptr;
};
inline Attachment Cleared(const Texture& texture) { return {texture, VK_ATTACHMENT_LOAD_OP_CLEAR}; }
inline Attachment Loaded(const Texture& texture) { return {texture, VK_ATTACHMENT_LOAD_OP_LOAD}; }

// A command buffer that is being recorded.
class Commands {
 public:
  Commands(Engine& engine, VkCommandBuffer handle) : engine_(engine), handle_(handle) {}
  operator VkCommandBuffer() const { return handle_; }

  // ---- Barriers: on all memory, on a buffer or a part of it, on an image or a part of it, with a change of layout

  void Barrier(const Access& from, const Access& to);
  void Barrier(const Buffer& buffer, const Access& from, const Access& to, VkDeviceSize offset = 0,
               VkDeviceSize size = VK_WHOLE_SIZE);
  void Barrier(const Texture& texture, const Access& from, const Access& to);
  void Barrier(const Texture& texture, const VkImageSubresourceRange& range, const Access& from, const Access& to);
  void TransferQueueFamilyOwnership(const Buffer& buffer, uint32_t from_family, uint32_t to_family, const Access& from,
                                    const Access& to);
  void TransferQueueFamilyOwnership(const Texture& texture, uint32_t from_family, uint32_t to_family,
                                    const Access& from, const Access& to);

  // ---- Transfers

  void Copy(const Buffer& source, const Buffer& target, VkDeviceSize size = kBytes, VkDeviceSize source_offset = 0,
            VkDeviceSize target_offset = 0);
  // Uploads and downloads are for the first level of an image.
  void Upload(const Buffer& source, const Texture& target, VkImageLayout layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  void Download(const Texture& source, const Buffer& target, uint32_t layer = 0,
                VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                VkImageLayout layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  void Blit(const Texture& source, uint32_t source_level, const Texture& target, uint32_t target_level,
            VkImageLayout source_layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
            VkImageLayout target_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  void Resolve(const Texture& source, const Texture& target);
  void Fill(const Buffer& target, VkDeviceSize offset = 0, VkDeviceSize size = VK_WHOLE_SIZE);
  void Update(const Buffer& target, VkDeviceSize size = 256);
  void Clear(const Texture& target, VkImageLayout layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);

  // ---- Shaders

  void Bind(const Pipeline& pipeline, const std::vector<uint32_t>& dynamic_offsets = {});
  void Dispatch(const Pipeline& pipeline, const std::vector<uint32_t>& dynamic_offsets = {});
  void DispatchIndirect(const Pipeline& pipeline, const Buffer& arguments);

  // `draws` records the draws. The targets are cleared or loaded, and stored.
  void Render(const std::vector<Attachment>& attachments, const std::function<void()>& draws, uint32_t side = kSide);
  // In a rendering. Binds the pipeline, and the vertex buffer if there is one.
  void Draw(const Pipeline& pipeline);
  void Draw(const Pipeline& pipeline, const Buffer& vertices);
  void DrawIndexed(const Pipeline& pipeline, const Buffer& indices);
  void DrawIndexed(const Pipeline& pipeline, const Buffer& indices, const Buffer& vertices);
  void DrawIndirect(const Pipeline& pipeline, const Buffer& arguments);
  void DrawIndirectCount(const Pipeline& pipeline, const Buffer& arguments, const Buffer& count);

 private:
  Engine& engine_;
  VkCommandBuffer handle_;
};

}  // namespace assay::planted

#endif  // ASSAY_TESTING_PLANTED_COMMANDS_H_
