// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/message/object_names.h"

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace assay::messages {
namespace {

constexpr ObjectRef kBuffer{VK_OBJECT_TYPE_BUFFER, 1};
constexpr ObjectRef kImage{VK_OBJECT_TYPE_IMAGE, 1};

TEST(ObjectNames, SetGetRemove) {
  ObjectNames names;
  EXPECT_EQ(names.Get(kBuffer), "");
  names.Set(kBuffer, "first");
  names.Set(kBuffer, "second");
  EXPECT_EQ(names.Get(kBuffer), "second");
  names.Remove(kBuffer);
  EXPECT_EQ(names.Get(kBuffer), "");
}

TEST(ObjectNames, HandlesOfTwoTypesMayBeEqual) {
  ObjectNames names;
  names.Set(kBuffer, "buffer");
  names.Set(kImage, "image");
  EXPECT_EQ(names.Get(kBuffer), "buffer");
  EXPECT_EQ(names.Get(kImage), "image");
}

TEST(ObjectNames, EmptyNameRemovesTheName) {
  ObjectNames names;
  names.Set(kBuffer, "buffer");
  names.Set(kBuffer, "");
  EXPECT_EQ(names.Get(kBuffer), "");
}

TEST(ObjectNames, AnyBytesAreKept) {
  ObjectNames names;
  const std::string odd = "\n\xff\x1b[0m%s" + std::string(1 << 16, '[');
  names.Set(kBuffer, odd);
  EXPECT_EQ(names.Get(kBuffer), odd);
}

TEST(ObjectNames, ThreadsNameTheirOwnObjects) {
  ObjectNames names;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&names, thread] {
      for (uint64_t i = 0; i < 1000; ++i) {
        const ObjectRef object{VK_OBJECT_TYPE_BUFFER, thread * 1000 + i + 1};
        names.Set(object, std::to_string(i));
        EXPECT_EQ(names.Get(object), std::to_string(i));
        names.Remove(object);
        EXPECT_EQ(names.Get(object), "");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace assay::messages
