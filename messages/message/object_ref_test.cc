// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/message/object_ref.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "vk/vulkan.h"

namespace assay::messages {
namespace {

using std::string_view_literals::operator""sv;

template <class Handle>
Handle MakeHandle(uint64_t value) {
  return reinterpret_cast<Handle>(value);
}

TEST(Object, TypeComesFromTheHandle) {
  EXPECT_EQ(Object(MakeHandle<VkBuffer>(0x12)), (ObjectRef{VK_OBJECT_TYPE_BUFFER, 0x12}));
  EXPECT_EQ(Object(MakeHandle<VkCommandBuffer>(0x34)), (ObjectRef{VK_OBJECT_TYPE_COMMAND_BUFFER, 0x34}));
  EXPECT_EQ(Object(MakeHandle<VkDebugUtilsMessengerEXT>(1)), (ObjectRef{VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT, 1}));
}

TEST(DescribeObject, TypeThenHandleThenName) {
  const ObjectRef buffer{VK_OBJECT_TYPE_BUFFER, 0x7f12};
  EXPECT_EQ(DescribeObject(buffer, ""), "VkBuffer 0x7f12");
  EXPECT_EQ(DescribeObject(buffer, "staging"), "VkBuffer 0x7f12[staging]");
}

TEST(DescribeObject, NullHandle) { EXPECT_EQ(DescribeObject({VK_OBJECT_TYPE_IMAGE, 0}, ""), "VkImage VK_NULL_HANDLE"); }

TEST(DescribeObject, UnknownType) {
  EXPECT_EQ(DescribeObject({static_cast<VkObjectType>(123456), 1}, ""), "VkObjectType 123456 0x1");
}

TEST(EscapeName, OrdinaryTextStays) {
  EXPECT_EQ(EscapeName("a [b] %s %n \"c\" \\d"), "a [b] %s %n \"c\" \\d");
  EXPECT_EQ(EscapeName("Schatten-Puffer № 1 – 影 🌒"), "Schatten-Puffer № 1 – 影 🌒");
}

TEST(EscapeName, ControlCharactersAreSpelt) {
  EXPECT_EQ(EscapeName("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(EscapeName("\x1b[31mred\x7f"), "\\x1b[31mred\\x7f");
  EXPECT_EQ(EscapeName("a\0b"sv), "a\\x00b");
  // U+009B, with which an escape sequence begins on some terminals.
  EXPECT_EQ(EscapeName("\xc2\x9b"), "\\xc2\\x9b");
}

TEST(EscapeName, BytesThatAreNotUtf8AreSpelt) {
  EXPECT_EQ(EscapeName("\xff"), "\\xff");
  EXPECT_EQ(EscapeName("caf\xe9"), "caf\\xe9");
  // Cut short, overlong, a surrogate, past U+10FFFF.
  EXPECT_EQ(EscapeName("\xe5\xbd"), "\\xe5\\xbd");
  EXPECT_EQ(EscapeName("\xc0\x80"), "\\xc0\\x80");
  EXPECT_EQ(EscapeName("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(EscapeName("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

// Whatever the bytes are, the result is one line and the same bytes give the same result.
TEST(EscapeName, EveryPairOfBytes) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string name = {static_cast<char>(first), static_cast<char>(second)};
      for (char c : EscapeName(name)) EXPECT_TRUE(static_cast<uint8_t>(c) >= 0x20 && c != 0x7f);
    }
  }
}

}  // namespace
}  // namespace assay::messages
