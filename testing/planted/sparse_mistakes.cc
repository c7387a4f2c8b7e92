// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Mistakes with sparse buffers. Only semaphores order vkQueueBindSparse and commands.

#include <algorithm>

#include "testing/planted/commands.h"
#include "testing/planted/planted.h"

namespace assay::planted {
namespace {

constexpr VkPipelineStageFlags2 kAllStages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
constexpr Needs kSparse = {.sparse_buffers = true};

// A sparse buffer of two pages, with memory for two.
struct Pages {
  Buffer buffer;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  // In bytes.
  VkDeviceSize page = 0;
};

Pages MakePages(Engine& engine, const char* name, VkBufferCreateFlags flags = 0) {
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | flags,
                             .size = 1,
                             .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  VkMemoryRequirements requirements = {};
  engine.vk.GetBufferMemoryRequirements(engine.device, engine.MakeUnboundBuffer(info), &requirements);
  info.size = 2 * requirements.alignment;
  Pages pages = {.buffer = {engine.MakeUnboundBuffer(info)}, .page = requirements.alignment};
  engine.vk.GetBufferMemoryRequirements(engine.device, pages.buffer, &requirements);
  pages.memory = engine.MakeMemory(requirements);
  engine.SetName(VK_OBJECT_TYPE_BUFFER, pages.buffer.handle, name);
  return pages;
}

// Bytes of a page, as many as other buffers have room for.
VkDeviceSize CopiedBytes(const Pages& pages) { return std::min<VkDeviceSize>(pages.page, 256); }

struct Order {
  VkSemaphore wait = VK_NULL_HANDLE;
  VkSemaphore signal = VK_NULL_HANDLE;
};
void Bind(Engine& engine, const Pages& pages, const VkSparseMemoryBind& bind, const Order& order) {
  const VkSparseBufferMemoryBindInfo binds = {pages.buffer, 1, &bind};
  const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                 .waitSemaphoreCount = order.wait != VK_NULL_HANDLE ? 1u : 0u,
                                 .pWaitSemaphores = &order.wait,
                                 .bufferBindCount = 1,
                                 .pBufferBinds = &binds,
                                 .signalSemaphoreCount = order.signal != VK_NULL_HANDLE ? 1u : 0u,
                                 .pSignalSemaphores = &order.signal};
  engine.vk.QueueBindSparse(engine.Queue(), 1, &info, VK_NULL_HANDLE);
}
void BindAll(Engine& engine, const Pages& pages, VkDeviceMemory memory, const Order& order = {}) {
  Bind(engine, pages, {0, 2 * pages.page, memory, 0, 0}, order);
}

}  // namespace

std::vector<Mistake> SparseMistakes() {
  return {
      {"pages_used_before_they_are_bound",
       "A heap gets its memory on the queue that fills it next, as if a queue did one after the other.",
       {"SYNC-HAZARD-WRITE-RACING-WRITE"},
       [](Engine& engine, Bug bug) {
         const Pages heap = MakePages(engine, "heap");
         const VkSemaphore bound = engine.MakeSemaphore();
         BindAll(engine, heap, heap.memory, {.signal = bound});
         const VkCommandBuffer fill = engine.Record([&](Commands& c) { c.Fill(heap.buffer, 0, heap.page); });
         if (bug) {
           engine.Submit(engine.Queue(), {fill});
           engine.Submit(engine.Queue(), {}, {.waits = {Engine::At(bound, kAllStages)}});
         } else {
           engine.Submit(engine.Queue(), {fill}, {.waits = {Engine::At(bound, kAllStages)}});
         }
       },
       kSparse},
      {"page_taken_away_while_it_is_read",
       "A streaming heap takes memory off a page that the last frame may still read.",
       {"SYNC-HAZARD-WRITE-RACING-READ"},
       [](Engine& engine, Bug bug) {
         const Pages heap = MakePages(engine, "heap", VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT);
         const Buffer readback = engine.MakeBuffer("readback");
         BindAll(engine, heap, heap.memory);
         engine.WaitIdle();
         const VkSemaphore read = engine.MakeSemaphore();
         engine.Submit([&](Commands& c) { c.Copy(heap.buffer, readback, CopiedBytes(heap), heap.page); },
                       {.signals = {Engine::At(read, kAllStages)}});
         if (bug) engine.LetFinish();
         Bind(engine, heap, {heap.page, heap.page, VK_NULL_HANDLE, 0, 0}, {.wait = bug ? VK_NULL_HANDLE : read});
       },
       kSparse},
      {"mirrored_pages",
       "Two buffers show one page of guest memory, written through one and read through the other.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Pages guest = MakePages(engine, "guest", VK_BUFFER_CREATE_SPARSE_ALIASED_BIT);
         const Pages mirror = MakePages(engine, "mirror", VK_BUFFER_CREATE_SPARSE_ALIASED_BIT);
         const Buffer readback = engine.MakeBuffer("readback");
         BindAll(engine, guest, guest.memory);
         BindAll(engine, mirror, guest.memory);
         engine.WaitIdle();
         engine.Run([&](Commands& c) {
           c.Fill(guest.buffer, 0, guest.page);
           if (!bug) c.Barrier(kClearTarget, kCopySource);
           c.Copy(mirror.buffer, readback, CopiedBytes(mirror));
         });
       },
       kSparse},
  };
}

}  // namespace assay::planted
