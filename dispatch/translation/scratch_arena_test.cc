// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/translation/scratch_arena.h"

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

namespace assay::dispatch {
namespace {

TEST(ScratchArenaTest, AllocatesAlignedMemoryThatDoesNotOverlap) {
  ScratchArena arena;
  struct Piece {
    unsigned char* bytes;
    size_t size;
  };
  std::vector<Piece> pieces;
  // More than the memory on the stack, and more than one piece of the heap.
  for (size_t size : {1, 16, 17, 0, 1000, 2000, 3000, 20000, 5, 16384, 16000, 1000, 1, 40000, 8}) {
    auto* bytes = static_cast<unsigned char*>(arena.Allocate(size));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes) % 16, 0u) << size;
    std::memset(bytes, static_cast<int>(pieces.size() + 1), size);
    pieces.push_back({bytes, size});
  }
  for (size_t i = 0; i < pieces.size(); ++i) {
    for (size_t byte = 0; byte < pieces[i].size; ++byte) ASSERT_EQ(pieces[i].bytes[byte], i + 1);
  }
}

TEST(ScratchArenaTest, AllocatesFromTheStackFirst) {
  ScratchArena arena;
  const auto* begin = reinterpret_cast<const char*>(&arena);
  const auto* bytes = static_cast<const char*>(arena.Allocate(64));
  EXPECT_GE(bytes, begin);
  EXPECT_LT(bytes, begin + sizeof(arena));
}

TEST(ScratchArenaTest, Copies) {
  ScratchArena arena;
  const std::string_view text = "vkCmdCopyBuffer";
  const auto* copy = static_cast<const char*>(arena.Copy(text.data(), text.size()));
  EXPECT_NE(copy, text.data());
  EXPECT_EQ(std::string_view(copy, text.size()), text);
}

TEST(ScratchArenaTest, CopiesNoBytesFromNull) {
  ScratchArena arena;
  EXPECT_NE(arena.Copy(nullptr, 0), nullptr);
}

}  // namespace
}  // namespace assay::dispatch
