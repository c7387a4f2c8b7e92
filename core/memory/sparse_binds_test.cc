// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <functional>
#include <string_view>
#include <vector>

#include "core/memory/memory_test.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

constexpr VkDeviceSize kPage = 4096;

template <class B>
struct Case {
  // Follows "VUID-"; empty for none.
  std::string_view rule;
  std::function<void(B&)> set;
};

// The driver's pages have 4096 bytes of any use. Its blocks of images have 32 x 32 x 2 texels; the mip tail of metadata
// has one page behind the first one.
class SparseBinds : public MemoryTest {
 protected:
  void SetUp() override {
    driver().config().adjust_requirements = [](VkMemoryRequirements2& r) {
      r.memoryRequirements = {kSize, kPage, 1 << kAnyUse};
    };
    MemoryTest::SetUp();
    using Get = vk::GetImageSparseMemoryRequirements;
    driver().Observe<Get>([](const Get& call) {
      *call.pSparseMemoryRequirementCount = 2;
      if (call.pSparseMemoryRequirements == nullptr) return;
      call.pSparseMemoryRequirements[0] = {{VK_IMAGE_ASPECT_COLOR_BIT, {32, 32, 2}, 0}, 1, 0, 0, 0};
      call.pSparseMemoryRequirements[1] = {{VK_IMAGE_ASPECT_METADATA_BIT, {1, 1, 1}, 0}, 0, kPage, kPage, 0};
    });
    driver().FailNext<Get>(VK_SUCCESS, 1000);
    other_type_ = MakeMemory(kSize, kHostVisible);
    const auto exports = Of<VkExportMemoryAllocateInfo>(kFd);
    exported_ = MakeMemory(kSize, kAnyUse, &exports);
    const auto imports = Of<VkImportMemoryFdInfoKHR>(kFd, 3);
    imported_ = MakeMemory(kSize, kAnyUse, &imports);
    messages.Take();
  }

  // Binds of a resource, whose place is in `count` and `places`.
  template <class B, class Info>
  void Run(Info place, uint32_t VkBindSparseInfo::* count, const Info* VkBindSparseInfo::* places, const B& correct,
           const std::vector<Case<B>>& cases) {
    for (const Case<B>& row : cases) {
      B bind = correct;
      row.set(bind);
      VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO};
      place.bindCount = 1, place.pBinds = &bind;
      info.*count = 1, info.*places = &place;
      const SkipCalls skip(*this);
      Call(row.rule, vk.QueueBindSparse, Queue(), 1, &info, VK_NULL_HANDLE);
    }
  }
  VkImage SparseImage(VkImageCreateFlags more = 0) {
    return MakeUnboundImage(ImageInfo(nullptr, VK_IMAGE_CREATE_SPARSE_BINDING_BIT | more));
  }

  VkDeviceMemory other_type_, exported_, imported_;
};

TEST_F(SparseBinds, Buffers) {
  using B = VkSparseMemoryBind;
  const VkSparseBufferMemoryBindInfo info = {.buffer = UnboundBuffer(nullptr, VK_BUFFER_CREATE_SPARSE_BINDING_BIT)};
  Run<B>(info, &VkBindSparseInfo::bufferBindCount, &VkBindSparseInfo::pBufferBinds, {0, kPage, memory_, 0, 0},
         {
             {"", [](B&) {}},
             {"", [](B& b) { b.resourceOffset = 3 * kPage, b.memoryOffset = kSize; }},
             {"VkSparseMemoryBind-memory-01096", [&](B& b) { b.memory = other_type_; }},
             {"VkSparseMemoryBind-memory-02730", [&](B& b) { b.memory = exported_; }},
             {"VkSparseMemoryBind-memory-02731", [&](B& b) { b.memory = imported_; }},
             {"VkSparseMemoryBind-resourceOffset-09491", [](B& b) { b.resourceOffset = 64; }},
             {"VkSparseMemoryBind-resourceOffset-09491", [](B& b) { b.memoryOffset = 64; }},
             {"VkSparseMemoryBind-resourceOffset-09491", [](B& b) { b.size = 64; }},
             {"VkSparseMemoryBind-resourceOffset-01099", [](B& b) { b.resourceOffset = kSize; }},
             {"VkSparseMemoryBind-size-01100", [](B& b) { b.resourceOffset = kPage, b.size = kSize; }},
         });
}

TEST_F(SparseBinds, OpaqueImages) {
  using B = VkSparseMemoryBind;
  constexpr auto kCount = &VkBindSparseInfo::imageOpaqueBindCount;
  constexpr auto kPlaces = &VkBindSparseInfo::pImageOpaqueBinds;
  VkSparseImageOpaqueMemoryBindInfo info = {.image = SparseImage()};
  Run<B>(info, kCount, kPlaces, {0, kPage, memory_, 0, 0},
         {
             {"", [](B& b) { b.resourceOffset = 3 * kPage; }},
             {"VkSparseMemoryBind-resourceOffset-09492", [](B& b) { b.resourceOffset = 64; }},
             {"VkSparseMemoryBind-size-01100", [](B& b) { b.resourceOffset = kPage, b.size = kSize; }},
         });
  info.image = SparseImage(VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT);
  Run<B>(info, kCount, kPlaces, {kPage, kPage, memory_, 0, VK_SPARSE_MEMORY_BIND_METADATA_BIT},
         {
             {"", [](B&) {}},
             {"VkSparseImageOpaqueMemoryBindInfo-pBinds-01103", [](B& b) { b.resourceOffset = 0; }},
             {"VkSparseImageOpaqueMemoryBindInfo-pBinds-01103", [](B& b) { b.size = 2 * kPage; }},
         });
}

TEST_F(SparseBinds, Images) {
  using B = VkSparseImageMemoryBind;
  const VkSparseImageMemoryBindInfo info = {.image = SparseImage(VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT)};
  Run<B>(info, &VkBindSparseInfo::imageBindCount, &VkBindSparseInfo::pImageBinds,
         {{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0}, {32, 32, 0}, {32, 32, 1}, memory_, 0, 0},
         {
             {"", [](B&) {}},
             {"VkSparseImageMemoryBind-memory-01105", [&](B& b) { b.memory = other_type_; }},
             {"VkSparseImageMemoryBind-memory-01105", [](B& b) { b.memoryOffset = 64; }},
             {"VkSparseImageMemoryBind-memory-02732", [&](B& b) { b.memory = exported_; }},
             {"VkSparseImageMemoryBind-memory-02733", [&](B& b) { b.memory = imported_; }},
             {"VkSparseImageMemoryBindInfo-subresource-01722", [](B& b) { b.subresource.mipLevel = 1; }},
             {"VkSparseImageMemoryBindInfo-subresource-01723", [](B& b) { b.subresource.arrayLayer = 1; }},
             {"VkSparseImageMemoryBindInfo-subresource-01106",
              [](B& b) { b.subresource.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT; }},
             {"VkSparseImageMemoryBind-offset-01107", [](B& b) { b.offset.x = 16; }},
             {"VkSparseImageMemoryBind-extent-01108", [](B& b) { b.extent.width = 16; }},
             {"VkSparseImageMemoryBind-offset-01109", [](B& b) { b.offset.y = 16; }},
             {"VkSparseImageMemoryBind-extent-01110", [](B& b) { b.extent.height = 16; }},
             {"VkSparseImageMemoryBind-offset-01111", [](B& b) { b.offset.z = 1, b.extent.depth = 2; }},
             {"VkSparseImageMemoryBind-extent-01112", [](B& b) { b.extent.depth = 3; }},
         });
}

}  // namespace
}  // namespace assay::core
