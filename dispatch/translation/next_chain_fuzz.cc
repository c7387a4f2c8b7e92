// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// pNext chains of any structure types, known and unknown, on every command that takes one: they are translated without
// a change to the application's memory.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "dispatch/translation/scratch_arena.h"
#include "dispatch/translation/translate.h"
#include "vk/command_info.h"
#include "vk/commands.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

namespace {

using assay::vk::StructInfo;

// The structures of a chain, each with memory of its own, so that a sanitizer sees an access past its end.
class Chain {
 public:
  // Each two bytes choose a structure: an index into all, or an unknown type.
  Chain(const uint8_t* data, size_t size) {
    const auto structs = assay::vk::Structs();
    for (size_t at = 0; at + 2 <= size; at += 2) {
      const size_t choice = size_t{data[at]} << 8 | data[at + 1];
      const StructInfo& info = structs[choice % structs.size()];
      const bool is_known = info.structure_type != VK_STRUCTURE_TYPE_MAX_ENUM && choice < 0xf000;
      Add(is_known ? info.structure_type : static_cast<VkStructureType>(0x7abc0000 + choice),
          is_known ? info.size : sizeof(VkBaseInStructure));
    }
  }
  const void* head() const { return links_.empty() ? nullptr : links_.back().bytes.get(); }
  bool IsUntouched() const {
    for (const Link& link : links_) {
      if (std::memcmp(link.bytes.get(), link.original.data(), link.original.size()) != 0) return false;
    }
    return true;
  }

 private:
  struct Link {
    std::unique_ptr<char[]> bytes;
    std::vector<char> original;
  };
  void Add(VkStructureType type, size_t size) {
    auto bytes = std::make_unique<char[]>(size);
    const VkBaseInStructure base = {type, static_cast<const VkBaseInStructure*>(head())};
    std::memcpy(bytes.get(), &base, sizeof(base));
    links_.push_back({std::move(bytes), {}});
    links_.back().original.assign(links_.back().bytes.get(), links_.back().bytes.get() + size);
  }
  std::vector<Link> links_;
};

template <class C, class Info>
void Translate(const void* chain) {
  Info info = {};
  std::memcpy(reinterpret_cast<char*>(&info) + offsetof(VkBaseInStructure, pNext), &chain, sizeof(chain));
  C call = {};
  if constexpr (requires { call.pCreateInfo; }) {
    call.pCreateInfo = &info;
  } else if constexpr (requires { call.pCreateInfos; }) {
    call.createInfoCount = 1;
    call.pCreateInfos = &info;
  } else {
    call.pAllocateInfo = &info;
  }
  assay::dispatch::ScratchArena arena;
  assay::dispatch::TranslateToDriver(assay::vk::GetCommandInfo(C::kId), &call, arena);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Chain chain(data, size < 512 ? size : 512);
  namespace vk = assay::vk;
  Translate<vk::CreateBuffer, VkBufferCreateInfo>(chain.head());
  Translate<vk::CreateImageView, VkImageViewCreateInfo>(chain.head());
  Translate<vk::AllocateMemory, VkMemoryAllocateInfo>(chain.head());
  Translate<vk::CreateGraphicsPipelines, VkGraphicsPipelineCreateInfo>(chain.head());
  if (!chain.IsUntouched()) std::abort();
  return 0;
}
