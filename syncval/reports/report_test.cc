// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The text of reports. bazel run //syncval/reports:report_test -- --update_goldens writes the goldens anew.

#include <cctype>

#include "absl/strings/str_cat.h"
#include "syncval/fixture/draw_sync_test.h"
#include "testing/golden_file.h"

namespace assay::syncval {
namespace {

using test::Buffer;
using test::Image;

class SyncReport : public DrawSyncTest {
 protected:
  // The message's text without handles, which differ from run to run.
  static std::string Stable(const std::string& text) {
    std::string stable;
    for (size_t i = 0; i < text.size();) {
      if (text.compare(i, 2, "0x") != 0) {
        stable += text[i++];
        continue;
      }
      i += 2;
      while (i < text.size() && std::isxdigit(static_cast<unsigned char>(text[i])) != 0) ++i;
      stable += "0x*";
    }
    return stable;
  }
  // Expects the golden's message next.
  void ExpectGolden(const std::string& name) {
    const std::vector<test::Message> all = messages.Take();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_TRUE(test::MatchesGolden(absl::StrCat("syncval/reports/goldens/", name, ".txt"),
                                    absl::StrCat(all[0].id, "\n", Stable(all[0].text), "\n")));
  }
  Buffer MakeNamed(VkDeviceSize size, const char* name) {
    Buffer buffer = MakeBuffer(size);
    SetName(VK_OBJECT_TYPE_BUFFER, buffer.handle, name);
    return buffer;
  }
  Image MakeNamedImage(const char* name, VkFormat format = VK_FORMAT_R8G8B8A8_UNORM) {
    Image image = MakeImage(format, 64, 64, 0, 4, 6);
    SetName(VK_OBJECT_TYPE_IMAGE, image.handle, name);
    return image;
  }
  void Label(VkCommandBuffer c, const char* name) {
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = name};
    vk.CmdBeginDebugUtilsLabelEXT(c, &label);
  }
};

TEST_F(SyncReport, DispatchThenCopy) {
  Buffer particles = MakeNamed(1024, "particles"), readback = MakeNamed(1024, "readback");
  const Compute simulate = MakeStorageCompute({}, {0, 1});
  WriteStorage(simulate, 0, MakeBuffer(64));
  WriteStorage(simulate, 1, particles);
  VkCommandBuffer c = Begun();
  Label(c, "frame");
  Label(c, "simulate");
  Dispatch(c, simulate);
  vk.CmdEndDebugUtilsLabelEXT(c);
  Label(c, "read back");
  VkBufferCopy regions[] = {{0, 0, 0}, {512, 0, 256}};
  vk.CmdCopyBuffer(c, particles, readback, 2, regions);
  ExpectGolden("dispatch_then_copy");
}

TEST_F(SyncReport, DescriptorAfterUpdate) {
  Buffer parameters = MakeNamed(256, "parameters");
  const Compute shade = MakeStorageCompute({0}, {});
  WriteStorage(shade, 0, parameters, 0, 64);
  const uint32_t data[4] = {};
  VkCommandBuffer c = Begun();
  vk.CmdUpdateBuffer(c, parameters, 16, 16, data);
  Dispatch(c, shade);
  ExpectGolden("descriptor_after_update");
}

TEST_F(SyncReport, WriteAfterRead) {
  Buffer ring = MakeNamed(4096, "upload ring");
  VkCommandBuffer c = Begun();
  Copy(c, ring, MakeBuffer(1024), {1024, 0, 1024});
  Fill(c, ring);
  ExpectGolden("write_after_read");
}

TEST_F(SyncReport, WriteAfterWrite) {
  Buffer counters = MakeNamed(64, "counters");
  VkCommandBuffer c = Begun();
  Fill(c, counters);
  Copy(c, MakeBuffer(64), counters, {0, 16, 8});
  ExpectGolden("write_after_write");
}

// The fix is in the commands that the device has.
class SyncReportWithoutSynchronization2 : public SyncReport {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncReport::Options();
    options.core_features = false;
    return options;
  }
};
TEST_F(SyncReportWithoutSynchronization2, WriteAfterRead) {
  Buffer ring = MakeNamed(4096, "upload ring");
  VkCommandBuffer c = Begun();
  Copy(c, ring, MakeBuffer(1024), {1024, 0, 1024});
  Fill(c, ring);
  ExpectGolden("write_after_read_sync1");
}
TEST_F(SyncReportWithoutSynchronization2, WriteAfterWrite) {
  Buffer counters = MakeNamed(64, "counters");
  VkCommandBuffer c = Begun();
  Fill(c, counters);
  Copy(c, MakeBuffer(64), counters, {0, 16, 8});
  ExpectGolden("write_after_write_sync1");
}

TEST_F(SyncReport, WaitsButDoesNotSee) {
  Buffer data = MakeNamed(256, "data");
  VkCommandBuffer c = Begun();
  Fill(c, data);
  Barrier(c, {kClear, kWrite, kCopy, kWrite});
  Copy(c, data, MakeBuffer(256));
  ExpectGolden("waits_but_does_not_see");
}

TEST_F(SyncReport, OtherStageWaits) {
  Buffer data = MakeNamed(256, "data");
  VkCommandBuffer c = Begun();
  Fill(c, data);
  Barrier(c, {kClear, kWrite, kCompute, kStorageRead});
  Copy(c, data, MakeBuffer(256));
  ExpectGolden("other_stage_waits");
}

TEST_F(SyncReport, TransitionAfterWrite) {
  Image atlas = MakeNamedImage("atlas");
  VkCommandBuffer c = Begun();
  Clear(c, atlas, {VK_IMAGE_ASPECT_COLOR_BIT, 1, 2, 3, 1});
  Barriers(c, {}, {},
           {ImageBarrier({kCopy, kWrite, kCompute, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT}, atlas, atlas.Range(),
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)});
  ExpectGolden("transition_after_write");
}

TEST_F(SyncReport, ReadAfterTransition) {
  Image atlas = MakeNamedImage("atlas");
  VkCommandBuffer c = Begun();
  Barriers(c, {}, {},
           {ImageBarrier({}, atlas, atlas.Range(), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL)});
  VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 2}, .imageExtent = {64, 64, 1}};
  vk.CmdCopyImageToBuffer(c, atlas, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, MakeBuffer(1 << 16), 1, &region);
  ExpectGolden("read_after_transition");
}

TEST_F(SyncReport, AliasedBuffers) {
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .size = 256,
                             .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  VkBuffer transient_a = MakeUnboundBuffer(info), transient_b = MakeUnboundBuffer(info);
  VkDeviceMemory memory = MakeMemory(4096, 0);
  vk.BindBufferMemory(device, transient_a, memory, 0);
  vk.BindBufferMemory(device, transient_b, memory, 128);
  SetName(VK_OBJECT_TYPE_BUFFER, transient_a, "transient a");
  SetName(VK_OBJECT_TYPE_BUFFER, transient_b, "transient b");
  VkCommandBuffer c = Begun();
  Fill(c, transient_a);
  Copy(c, transient_b, MakeBuffer(256));
  ExpectGolden("aliased_buffers");
}

TEST_F(SyncReport, ImageCopyRegions) {
  Image source = MakeNamedImage("source"), target = MakeNamedImage("target");
  VkCommandBuffer c = Begun();
  const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 2, 1};
  VkImageCopy regions[] = {{layers, {}, layers, {}, {8, 8, 1}}, {layers, {}, layers, {16, 16, 0}, {8, 8, 1}}};
  vk.CmdCopyImage(c, source, VK_IMAGE_LAYOUT_GENERAL, target, VK_IMAGE_LAYOUT_GENERAL, 2, regions);
  VkImageBlit blit = {layers, {{20, 20, 0}, {32, 32, 1}}, layers, {{0, 0, 0}, {4, 4, 1}}};
  vk.CmdBlitImage(c, target, VK_IMAGE_LAYOUT_GENERAL, MakeNamedImage("thumbnail"), VK_IMAGE_LAYOUT_GENERAL, 1, &blit,
                  VK_FILTER_LINEAR);
  ExpectGolden("image_copy_regions");
}

TEST_F(SyncReport, DepthAspect) {
  Image shadows = MakeNamedImage("shadows", VK_FORMAT_D32_SFLOAT_S8_UINT);
  VkCommandBuffer c = Begun();
  VkClearDepthStencilValue value = {};
  VkImageSubresourceRange range = {VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, 4, 0, 6};
  vk.CmdClearDepthStencilImage(c, shadows, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
  VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 6}, .imageExtent = {64, 64, 1}};
  vk.CmdCopyImageToBuffer(c, shadows, VK_IMAGE_LAYOUT_GENERAL, MakeBuffer(1 << 18), 1, &region);
  ExpectGolden("depth_aspect");
}

TEST_F(SyncReport, VertexBuffer) {
  Buffer vertices = MakeNamed(1024, "terrain vertices");
  VkCommandBuffer c = Begun();
  Copy(c, MakeBuffer(1024), vertices, {0, 0, 1024});
  BeginRendering(c, {color_view_, VK_ATTACHMENT_LOAD_OP_CLEAR});
  Label(c, "terrain");
  BindPipeline(c, MakeVertexPipeline());
  BindVertices(c, vertices, 64);
  vk.CmdDraw(c, 36, 1, 4, 0);
  ExpectGolden("vertex_buffer");
}

TEST_F(SyncReport, Attachment) {
  SetName(VK_OBJECT_TYPE_IMAGE, color_.handle, "scene color");
  VkCommandBuffer c = Begun();
  RenderTriangle(c, {color_view_, VK_ATTACHMENT_LOAD_OP_CLEAR});
  BeginRendering(c, {color_view_});
  ExpectGolden("attachment_load");
}

TEST_F(SyncReport, DrawnAttachment) {
  SetName(VK_OBJECT_TYPE_IMAGE, color_.handle, "scene color");
  VkCommandBuffer c = Begun();
  Clear(c, color_, color_.Range());
  RenderTriangle(c, Untouched(color_view_));
  ExpectGolden("attachment_draw");
}

TEST_F(SyncReport, ExecutedSecondary) {
  Buffer particles = MakeNamed(64, "particles"), readback = MakeNamed(64, "readback");
  VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, secondary, "read back");
  VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                    .pInheritanceInfo = &inheritance};
  vk.BeginCommandBuffer(secondary, &begin);
  Copy(secondary, particles, readback);
  End(secondary);
  VkCommandBuffer c = Begun();
  Label(c, "frame");
  Fill(c, particles);
  vk.CmdExecuteCommands(c, 1, &secondary);
  ExpectGolden("executed_secondary");
}

TEST_F(SyncReport, Submissions) {
  Buffer staging = MakeNamed(64, "staging"), vertices = MakeNamed(64, "vertices");
  VkCommandBuffer upload = Record([&](VkCommandBuffer c) {
    Label(c, "upload");
    Copy(c, staging, vertices);
  });
  VkCommandBuffer read_back = Record([&](VkCommandBuffer c) { Copy(c, vertices, MakeBuffer(64)); });
  SetName(VK_OBJECT_TYPE_QUEUE, Queue(), "graphics");
  SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, upload, "uploads");
  SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, read_back, "reader");
  Submit(Queue(), {upload});
  Submit(Queue(), {read_back});
  ExpectGolden("submissions");
}

TEST_F(SyncReport, Queues) {
  Buffer staging = MakeNamed(64, "staging"), vertices = MakeNamed(64, "vertices");
  VkCommandBuffer upload = Record([&](VkCommandBuffer c) { Copy(c, staging, vertices); }, 2);
  VkCommandBuffer read_back = Record([&](VkCommandBuffer c) { Copy(c, vertices, MakeBuffer(64)); });
  SetName(VK_OBJECT_TYPE_QUEUE, Queue(), "graphics");
  SetName(VK_OBJECT_TYPE_QUEUE, Queue(2), "transfer");
  Submit(Queue(2), {upload});
  Submit(Queue(), {read_back});
  ExpectGolden("queues");
}

TEST_F(SyncReport, SparseMemory) {
  constexpr VkDeviceSize kPage = 65536;
  VkBuffer heap = MakeUnboundBuffer({.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT,
                                     .size = 4 * kPage,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT});
  VkSparseMemoryBind page = {kPage, kPage, MakeMemory(kPage, 0), 0, 0};
  VkSparseBufferMemoryBindInfo pages = {heap, 1, &page};
  VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .bufferBindCount = 1, .pBufferBinds = &pages};
  SetName(VK_OBJECT_TYPE_BUFFER, heap, "heap");
  SetName(VK_OBJECT_TYPE_QUEUE, Queue(), "graphics");
  VkCommandBuffer read_back =
      Record([&](VkCommandBuffer c) { Copy(c, heap, MakeBuffer(4 * kPage), {0, 0, 2 * kPage}); });
  SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, read_back, "reader");
  Submit(Queue(), {read_back});
  vk.QueueBindSparse(Queue(), 1, &info, VK_NULL_HANDLE);
  ExpectGolden("bound_while_used");
  vk.QueueWaitIdle(Queue());
  vk.QueueBindSparse(Queue(), 1, &info, VK_NULL_HANDLE);
  Submit(Queue(), {read_back});
  ExpectGolden("used_while_bound");
}

class SyncReportOfMemory : public SyncReport {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncReport::Options();
    options.settings.emplace_back("syncval_mapped_ranges", true);
    return options;
  }
};

TEST_F(SyncReportOfMemory, FlushOfAPendingCopy) {
  Buffer staging = MakeNamed(4096, "staging"), vertices = MakeNamed(4096, "vertices");
  SetName(VK_OBJECT_TYPE_QUEUE, Queue(2), "transfer");
  VkCommandBuffer upload = Record(
      [&](VkCommandBuffer c) {
        Label(c, "upload");
        Copy(c, staging, vertices, {1024, 0, 256});
      },
      2);
  SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, upload, "uploads");
  void* bytes = nullptr;
  vk.MapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &bytes);
  Submit(Queue(2), {upload});
  const VkMappedMemoryRange range = {
      .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, .memory = staging.memory, .offset = 512, .size = 2048};
  vk.FlushMappedMemoryRanges(device, 1, &range);
  ExpectGolden("flush_of_a_pending_copy");
}

}  // namespace
}  // namespace assay::syncval
