# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest

from registry.created import object_rules
from registry.model import Command, Member, Provision, Struct, Vuid


def handle(name, kind, *pointer):
    return Member(name, kind, kind, "Handle", *pointer, type_ref=kind)


def number(name, kind="VkDeviceSize"):
    return Member(name, kind, kind)


_PARAMETERS = [
    handle("commandBuffer", "VkCommandBuffer"),
    handle("buffer", "VkBuffer"),
    number("offset"),
    number("size"),
    number("drawCount", "uint32_t"),
    number("stride", "uint32_t"),
    handle("pImages", "VkImage", "Pointer"),
    Member("pInfo", "VkInfo", "const VkInfo*", "Struct", "Pointer", type_ref="VkInfo"),
    Member("pInfos", "VkInfo", "const VkInfo*", "Struct", "Pointer", type_ref="VkInfo"),
]
_ADDRESSES = [Member(name, "VkDeviceAddress", "VkDeviceAddress", "DeviceAddress") for name in ("first", "second")]
_ADDRESSES += [Member("usage", "VkBufferUsageFlags", "VkBufferUsageFlags", "Flags", type_ref="VkBufferUsageFlagBits")]
_STRUCTS = [
    Struct("VkInfo", [number("memoryOffset"), handle("memory", "VkDeviceMemory")] + _ADDRESSES, extended_by=["VkLink"]),
    Struct("VkLink", [handle("image", "VkImage")]),
]
_VALUES = {
    "VkBufferUsageFlagBits": {
        "VK_BUFFER_USAGE_A_BIT": 1,
        "VK_BUFFER_USAGE_B_BIT": 2,
        "VK_BUFFER_USAGE_2_C_BIT": 1 << 40
    },
    "VkImageCreateFlagBits": {f"VK_IMAGE_CREATE_SPARSE_{n}_BIT": 1 for n in ("BINDING", "RESIDENCY", "ALIASED")},
}


def read(text, owner="vkCmdA"):
    """The rule of the sentence without the id; None if it is not understood."""
    command = Command("vkCmdA", "void", _PARAMETERS, Provision())
    rules = object_rules.parse([Vuid(f"VUID-{owner}-x-00001", text, "")], [command], _STRUCTS, _VALUES)
    return rules[0] if rules else None


class ObjectRulesTest(unittest.TestCase):

    def numbers(self, text):
        rule = read(text)
        return (rule.offset, rule.more, rule.stride, rule.count, rule.size, rule.counts)

    def test_bits(self):
        for text in ("buffer must have been created with the VK_BUFFER_USAGE_A_BIT flag",
                     "If buffer is not VK_NULL_HANDLE, it must have been created with VK_BUFFER_USAGE_A_BIT",
                     "buffer must have been created with a usage value containing VK_BUFFER_USAGE_A_BIT",
                     "buffer must have the VK_BUFFER_USAGE_A_BIT bit set in its usage flag",
                     "If buffer is not VK_NULL_HANDLE, its usage flag must have the VK_BUFFER_USAGE_A_BIT bit set"):
            rule = read(text)
            self.assertEqual((rule.test, rule.handle, rule.enum, rule.bits),
                             ("Has", 1, "VkBufferUsageFlagBits", ["VK_BUFFER_USAGE_A_BIT"]))
        self.assertEqual(len(read("buffer must have been created with a usage value containing at least one of "
                                  "VK_BUFFER_USAGE_A_BIT or VK_BUFFER_USAGE_B_BIT").bits), 2)
        rule = read("Each element of pImages must not have been created with any sparse memory binding flags")
        self.assertEqual((rule.test, rule.handle, len(rule.bits)), ("HasNot", 6, 3))

    def test_addresses(self):
        command = Command("vkCmdA", "void", _PARAMETERS, Provision())
        text = ("The buffers from which the buffer device addresses for pInfo->first and pInfo->second are queried "
                "must have been created with the VK_BUFFER_USAGE_A_BIT usage flag")
        rules = object_rules.parse([Vuid("VUID-vkCmdA-x-00001", text, "")], [command], _STRUCTS, _VALUES)
        self.assertEqual([(rule.path, rule.handle) for rule in rules], [((7,), 2), ((7,), 3)])
        rule = read("If usage includes VK_BUFFER_USAGE_B_BIT, first must be an address within a valid buffer that was "
                    "created with VK_BUFFER_USAGE_A_BIT", "VkInfo")
        self.assertEqual((rule.handle, rule.flags, rule.flag_bits), (2, 4, 2))
        rule = read("For any element of pInfos, if the buffer from which first was queried is non-sparse then it must "
                    "be bound completely and contiguously to a single VkDeviceMemory object")
        self.assertEqual((rule.test, rule.path), ("Bound", (8,)))

    def test_memory(self):
        self.assertEqual(read("If buffer is non-sparse then it must be bound completely and contiguously to a single "
                              "VkDeviceMemory object").test, "Bound")
        self.assertEqual(read("commandBuffer must not be a protected command buffer").test, "Unprotected")

    def test_ranges(self):
        self.assertEqual(read("offset must be less than the size of buffer").test, "Below")
        self.assertEqual(self.numbers("If size is not equal to VK_WHOLE_SIZE, the sum of offset and size must be less "
                                      "than or equal to the size of buffer"), (2, 3, -1, -1, "0", "kAny"))
        self.assertEqual(self.numbers("The sum of offset and the size of VkX must be less than or equal to the size of "
                                      "buffer"), (2, -1, -1, -1, "sizeof(VkX)", "kAny"))
        self.assertEqual(self.numbers("If drawCount is greater than 1, (stride * (drawCount - 1) + offset + "
                                      "sizeof(VkX)) must be less than or equal to the size of buffer"),
                         (2, -1, 5, 4, "sizeof(VkX)", "kMore"))

    def test_paths(self):
        below = "memoryOffset must be less than the size of memory"
        self.assertEqual((read(below, "VkInfo").path, read(below, "VkInfo").chained), ((7,), None))
        rule = read("image must not have been created with any sparse memory binding flags", "VkLink")
        self.assertEqual((rule.command, rule.path, rule.chained), ("CmdA", (7,), "VkLink"))

    def test_what_is_not_understood(self):
        for text in ("buffer must have been created with VK_BUFFER_USAGE_2_C_BIT",
                     "buffer must have been created with VK_BUFFER_USAGE_UNKNOWN_BIT",
                     "offset must be less than the size of commandBuffer",
                     "If offset is zero, buffer must have been created with VK_BUFFER_USAGE_A_BIT"):
            self.assertIsNone(read(text), text)


if __name__ == "__main__":
    unittest.main()
