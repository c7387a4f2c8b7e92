# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest

from registry import members
from registry import testing_registry as testing


def members_of(body, category="struct", types=""):
    parsed = testing.parse_xml(types=f'{types}<type category="{category}" name="VkA">{body}</type>',
                               require='<type name="VkA"/>')
    return testing.struct(parsed, "VkA").members


def one(body, **arguments):
    return members_of(body, **arguments)[-1]


class KindTest(unittest.TestCase):
    def test_value(self):
        m = one("<member><type>uint32_t</type> <name>count</name></member>")
        self.assertEqual((m.kind, m.indirection, m.length.kind, m.fixed_count), ("Value", "Inline", "One", "1"))

    def test_structure_type_and_next(self):
        parsed = members_of('<member values="VK_STRUCTURE_TYPE_A"><type>VkStructureType</type> '
                            '<name>sType</name></member><member optional="true">const <type>void</type>* '
                            '<name>pNext</name></member>')
        self.assertEqual([m.kind for m in parsed], ["StructureType", "Next"])
        self.assertEqual(parsed[1].flags, ["Const", "Optional"])
        self.assertFalse(parsed[1].complete)

    def test_handle(self):
        m = one("<member><type>VkBuffer</type> <name>buffer</name></member>")
        self.assertEqual((m.kind, m.type_ref), ("Handle", "VkBuffer"))

    def test_typed_handle(self):
        m = one("<member><type>VkObjectType</type> <name>objectType</name></member>"
                '<member objecttype="objectType"><type>uint64_t</type> <name>objectHandle</name></member>')
        self.assertEqual((m.kind, m.selector), ("TypedHandle", 0))

    def test_enum_flags_and_bits(self):
        parsed = members_of("<member><type>VkResult</type> <name>result</name></member>"
                            "<member><type>VkAccessFlags2</type> <name>access</name></member>"
                            "<member><type>VkAccessFlagBits2</type> <name>bit</name></member>"
                            "<member><type>VkEmptyFlags</type> <name>reserved</name></member>")
        self.assertEqual([(m.kind, m.type_ref) for m in parsed], [
            ("Enum", "VkResult"), ("Flags", "VkAccessFlagBits2"), ("Flags", "VkAccessFlagBits2"), ("Flags", None)])
        self.assertEqual([m.flags for m in parsed], [[], [], ["SingleBit"], []])

    def test_bool_and_address(self):
        parsed = members_of("<member><type>VkBool32</type> "
                            "<name>b</name></member><member><type>VkDeviceAddress</type> <name>a</name></member>")
        self.assertEqual([m.kind for m in parsed], ["Bool32", "DeviceAddress"])

    def test_string(self):
        m = one('<member len="null-terminated">const <type>char</type>* <name>pName</name></member>')
        self.assertEqual((m.kind, m.indirection, m.length.kind), ("String", "Pointer", "NullTerminated"))

    def test_fixed_string(self):
        m = one('<member len="null-terminated"><type>char</type> <name>name</name>[4]</member>')
        self.assertEqual((m.kind, m.indirection, m.fixed_count), ("String", "Inline", "4"))

    def test_opaque_pointer(self):
        m = one("<member><type>void</type>* <name>pUserData</name></member>")
        self.assertEqual((m.kind, m.indirection, m.length.kind, m.flags), ("OpaquePointer", "Pointer", "Unknown", []))

    def test_two_dimensions(self):
        m = one("<member><type>float</type> <name>matrix</name>[3][4]</member>")
        self.assertEqual((m.fixed_count, m.indirection), ("3 * 4", "Inline"))

    def test_bit_field(self):
        parsed = members_of("<member><type>uint32_t</type> <name>mask</name>:8</member><member><type>uint32_t</type> "
                            "<name>x</name>:24</member>")
        self.assertEqual([m.flags for m in parsed], [["BitField"], ["BitField"]])

    def test_selector_and_selection(self):
        union = ('<type category="union" name="VkU"><member selection="VK_SUCCESS"><type>uint32_t</type> '
                 '<name>a</name></member><member selection="VK_SUCCESS,VK_SUCCESS"><type>float</type> '
                 '<name>b</name></member></type>')
        parsed = testing.parse_xml(
            types=union + '<type category="struct" name="VkA"><member><type>VkResult</type> <name>kind</name></member>'
            '<member selector="kind"><type>VkU</type> <name>data</name></member></type>',
            require='<type name="VkA"/>')
        holder = testing.struct(parsed, "VkA").members[1]
        self.assertEqual((holder.kind, holder.selector, holder.flags), ("Struct", 0, ["HasSelector"]))
        u = testing.struct(parsed, "VkU")
        self.assertTrue(u.union)
        self.assertEqual([m.selections for m in u.members], [["VK_SUCCESS"], ["VK_SUCCESS", "VK_SUCCESS"]])

    def test_flags_of_the_registry(self):
        m = one('<member noautovalidity="true" externsync="true" optional="false,true"><type>VkBuffer</type>* '
                '<name>pBuffer</name></member>')
        self.assertEqual(m.flags, ["PointeeOptional", "NoAutoValidity", "ExternSync", "Output"])


class LengthTest(unittest.TestCase):
    COUNT = "<member><type>uint32_t</type> <name>count</name></member>"

    def test_member(self):
        m = one(self.COUNT + '<member len="count">const <type>VkBuffer</type>* <name>pBuffers</name></member>')
        self.assertEqual((m.length.kind, m.length.member), ("Member", 0))

    def test_strings(self):
        m = one(self.COUNT + '<member len="count,null-terminated">const <type>char</type>* const* '
                             '<name>ppNames</name></member>')
        self.assertEqual((m.kind, m.indirection, m.length.kind, m.flags),
                         ("String", "PointerToPointer", "Member", ["Const"]))

    def test_pointers_to_one_each(self):
        m = one(self.COUNT + '<member len="count,1">const <type>VkBuffer</type>* const* '
                             '<name>ppBuffers</name></member>')
        self.assertEqual((m.indirection, m.length.member, m.flags), ("PointerToPointer", 0, ["Const"]))

    def test_outer_length_only(self):
        m = one(self.COUNT + '<member len="count">const <type>uint32_t</type>* const* <name>ppCounts</name></member>')
        self.assertEqual(m.flags, ["Const", "OuterLengthOnly"])

    def test_written_count(self):
        parsed = members_of('<member optional="false,true"><type>uint32_t</type>* <name>pCount</name></member>'
                            '<member len="pCount"><type>VkBuffer</type>* <name>pBuffers</name></member>')
        self.assertEqual([m.flags for m in parsed], [["PointeeOptional", "Output"], ["IsLengthOf", "Output"]])

    def test_altlen_wins(self):
        m = one(self.COUNT + r'<member len="latexmath:[\textrm{count} \over 4]" altlen="count / 4">const '
                             r'<type>uint32_t</type>* <name>p</name></member>')
        self.assertEqual((m.length.kind, m.length.member, m.length.value), ("MemberDivided", 0, "4"))

    def test_forms(self):
        def parsed(text):
            length = members.parse_length(text, {"a": 0, "pInfo": 1}, {"a": "uint32_t", "pInfo": "VkInfo"})
            return length.kind, length.member, length.value

        self.assertEqual(parsed("(a + 31) / 32"), ("MemberDividedUp", 0, "32"))
        self.assertEqual(parsed("pInfo->count"), ("MemberOfPointee", 1, "offsetof(VkInfo, count)"))
        self.assertEqual(parsed("2*VK_UUID_SIZE"), ("Constant", -1, "2*VK_UUID_SIZE"))
        self.assertEqual(parsed("1"), ("One", -1, "0"))
        self.assertEqual(parsed("null-terminated"), ("NullTerminated", -1, "0"))
        with self.assertRaises(ValueError):
            parsed("a ** 2")
        with self.assertRaises(ValueError):
            parsed("(a + 30) / 32")


class ParameterTest(unittest.TestCase):
    def test_array_decays(self):
        parsed = testing.parse_xml(
            commands="<command><proto><type>void</type> <name>vkCmdA</name></proto><param><type>VkCommandBuffer</type> "
            "<name>commandBuffer</name></param><param>const <type>float</type> "
            "<name>values</name>[4]</param></command>",
            require='<command name="vkCmdA"/>')
        m = testing.command(parsed, "vkCmdA").params[1]
        self.assertEqual((m.c_type, m.indirection, m.length.kind, m.length.value, m.fixed_count),
                         ("const float*", "Pointer", "Constant", "4", "1"))


if __name__ == "__main__":
    unittest.main()
