// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/command_matrix/command_matrix.h"

#include <utility>

namespace assay::syncval::command_matrix {

void Append(Commands& commands, Commands more) {
  for (Command& command : more) commands.push_back(std::move(command));
}

VkImageSubresourceRange Target::Level(uint32_t level) const { return {image.Range().aspectMask, level, 1, 0, 1}; }
VkImageSubresourceLayers Target::Layers() const { return {image.Range().aspectMask, 0, 0, 1}; }

test::DeviceOptions CommandMatrix::Options() {
  test::DeviceOptions options = SyncTest::Options();
  options.device_extensions = {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                               VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
                               VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
                               VK_KHR_RAY_TRACING_MAINTENANCE_1_EXTENSION_NAME,
                               VK_KHR_RAY_QUERY_EXTENSION_NAME,
                               VK_KHR_VIDEO_QUEUE_EXTENSION_NAME,
                               VK_KHR_VIDEO_DECODE_QUEUE_EXTENSION_NAME,
                               VK_KHR_VIDEO_ENCODE_QUEUE_EXTENSION_NAME,
                               VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME,
                               VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
                               VK_EXT_MESH_SHADER_EXTENSION_NAME,
                               VK_EXT_MULTI_DRAW_EXTENSION_NAME};
  return options;
}

const matrix::RegistrySync& CommandMatrix::Registry() {
  static const auto* const registry = new matrix::RegistrySync(matrix::ReadRegistrySync());
  return *registry;
}

const matrix::Expectation& CommandMatrix::Specification() {
  static const auto* const expectation = new matrix::Expectation(Registry());
  return *expectation;
}

const matrix::Kind* CommandMatrix::KindOf(VkPipelineStageFlags2 stage, VkAccessFlags2 access) {
  for (const matrix::Kind& kind : Specification().kinds()) {
    if (kind.stage == stage && kind.access == access && (stage != 0 || kind.is_transition)) return &kind;
  }
  ADD_FAILURE() << "no kind of stage " << std::hex << stage << " and access " << access;
  return &Specification().kinds().front();
}

HazardKind CommandMatrix::TakeHazard() {
  const std::vector<test::Message> found = messages.Take();
  if (found.empty()) return HazardKind::kNone;
  EXPECT_EQ(found.size(), 1u) << found.back().text;
  constexpr std::pair<std::string_view, HazardKind> kIds[] = {
      {kReadAfterWrite, HazardKind::kReadAfterWrite},
      {kWriteAfterRead, HazardKind::kWriteAfterRead},
      {kWriteAfterWrite, HazardKind::kWriteAfterWrite},
      {"SYNC-HAZARD-READ-RACING-WRITE", HazardKind::kReadRacingWrite},
      {"SYNC-HAZARD-WRITE-RACING-READ", HazardKind::kWriteRacingRead},
      {"SYNC-HAZARD-WRITE-RACING-WRITE", HazardKind::kWriteRacingWrite}};
  for (const auto& [id, kind] : kIds) {
    if (found.front().id == id) return kind;
  }
  ADD_FAILURE() << found.front().id << ": " << found.front().text;
  return HazardKind::kNone;
}

void CommandMatrix::RecordDependencies(VkCommandBuffer c, absl::Span<const matrix::Dependency> dependencies,
                                       bool is_transition, BarrierCommand command) {
  std::vector<VkMemoryBarrier2> globals;
  std::vector<VkBufferMemoryBarrier2> buffers;
  std::vector<VkImageMemoryBarrier2> images;
  for (const matrix::Dependency& dependency : dependencies) {
    const Masks masks = {dependency.flags.src_stages, dependency.flags.src_access, dependency.flags.dst_stages,
                         dependency.flags.dst_access};
    if (!is_transition && !dependency.is_of_range) {
      globals.push_back(MemoryBarrier(masks));
    } else if (target.image != VK_NULL_HANDLE) {
      images.push_back(ImageBarrier(masks, target.image, target.Level(dependency.covers ? 0 : 1),
                                    VK_IMAGE_LAYOUT_GENERAL,
                                    is_transition ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL : VK_IMAGE_LAYOUT_GENERAL));
    } else {
      buffers.push_back({.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                         .srcStageMask = masks.src_stages,
                         .srcAccessMask = masks.src_access,
                         .dstStageMask = masks.dst_stages,
                         .dstAccessMask = masks.dst_access,
                         .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                         .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                         .buffer = target.buffer,
                         .offset = dependency.covers ? kOffset : 0,
                         .size = dependency.covers ? kSize : kOffset});
    }
  }
  if (command == BarrierCommand::kPipelineBarrier2) return Barriers(c, globals, buffers, images);
  if (command == BarrierCommand::kEvent2) {
    return RecordEventDependency(c, {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                     .memoryBarrierCount = static_cast<uint32_t>(globals.size()),
                                     .pMemoryBarriers = globals.data(),
                                     .bufferMemoryBarrierCount = static_cast<uint32_t>(buffers.size()),
                                     .pBufferMemoryBarriers = buffers.data(),
                                     .imageMemoryBarrierCount = static_cast<uint32_t>(images.size()),
                                     .pImageMemoryBarriers = images.data()});
  }

  // One at a time, since the barriers of a command share its stages.
  const auto narrow = [](VkFlags64 flags) { return static_cast<VkFlags>(flags); };
  for (const VkMemoryBarrier2& global : globals)
    Barrier1(c, narrow(global.srcStageMask), narrow(global.srcAccessMask), narrow(global.dstStageMask),
             narrow(global.dstAccessMask));
  for (const VkBufferMemoryBarrier2& buffer : buffers) {
    const VkBufferMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                           .srcAccessMask = narrow(buffer.srcAccessMask),
                                           .dstAccessMask = narrow(buffer.dstAccessMask),
                                           .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .buffer = buffer.buffer,
                                           .offset = buffer.offset,
                                           .size = buffer.size};
    vk.CmdPipelineBarrier(c, narrow(buffer.srcStageMask), narrow(buffer.dstStageMask), 0, 0, nullptr, 1, &barrier, 0,
                          nullptr);
  }
  for (const VkImageMemoryBarrier2& image : images) {
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .srcAccessMask = narrow(image.srcAccessMask),
                                          .dstAccessMask = narrow(image.dstAccessMask),
                                          .oldLayout = image.oldLayout,
                                          .newLayout = image.newLayout,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = image.image,
                                          .subresourceRange = image.subresourceRange};
    vk.CmdPipelineBarrier(c, narrow(image.srcStageMask), narrow(image.dstStageMask), 0, 0, nullptr, 0, nullptr, 1,
                          &barrier);
  }
}

void CommandMatrix::RecordEventDependency(VkCommandBuffer c, const VkDependencyInfo& info) {
  while (events_.size() < 8) events_.push_back(MakeEvent());
  const VkEvent event = events_[next_event_++ % events_.size()];
  vk.CmdSetEvent2(c, event, &info);
  vk.CmdWaitEvents2(c, 1, &event, &info);
}

VkImageView CommandMatrix::MakeLevelView(const test::Image& image) {
  return MakeView(VkImageViewCreateInfo{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = image.info.format,
                                        .subresourceRange = {image.Range().aspectMask, 0, 1, 0, 1}});
}

VkDeviceAddress CommandMatrix::AddressOf(VkBuffer buffer) {
  const VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
  return vk.GetBufferDeviceAddress(device, &info);
}

}  // namespace assay::syncval::command_matrix
