# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest

from registry import explicit_rules
from registry.explicit.model import ExplicitRule, Hop, Limit, Place, Term
from registry.model import Feature, Length, Member, Struct, Vuid

_MEMBERS = [
    Member("flags", "VkAFlags", "VkAFlags", "Flags", type_ref="VkAFlagBits"),
    Member("type", "VkT", "VkT", "Enum", type_ref="VkT"),
    Member("size", "VkDeviceSize", "VkDeviceSize"),
    Member("extent", "VkExtent2D", "VkExtent2D", "Struct", type_ref="VkExtent2D"),
    Member("pNames", "char", "const char*", "String", "Pointer"),
    Member("ratio", "float", "float"),
    Member("pNext", "void", "const void*", "Next", "Pointer"),
    Member("format", "VkFormat", "VkFormat", "Enum", type_ref="VkFormat"),
    Member("offset", "VkDeviceSize", "VkDeviceSize"),
    Member("pItems", "VkItem", "const VkItem*", "Struct", "Pointer", Length("Member", 2), type_ref="VkItem"),
    Member("pItem", "VkItem", "const VkItem*", "Struct", "Pointer", type_ref="VkItem"),
    Member("pSizes", "VkDeviceSize", "const VkDeviceSize*", "Value", "Pointer", Length("Member", 2)),
]
_ITEM = [Member("count", "uint32_t", "uint32_t"), Member("used", "uint32_t", "uint32_t")]
_OWNERS = {
    "VkA": _MEMBERS,
    "VkB": [_MEMBERS[6], Member("size", "VkDeviceSize", "VkDeviceSize")],
    "VkItem": _ITEM,
    "VkExtent2D": [Member("width", "uint32_t", "uint32_t")],
    "vkDoA": []
}
_VALUES = {
    "VkAFlagBits": {"VK_A_X_BIT": 1, "VK_A_Y_BIT": 2, "VK_A_XY": 3, "VK_A_PLANE_0_BIT": 4, "VK_A_PLANE_1_BIT": 8},
    "VkT": {"VK_T_1": 1, "VK_T_2": 2},
    "VkStructureType": {"VK_STRUCTURE_TYPE_B": 77},
    "uint64_t": {"VK_WHOLE_SIZE": 2**64 - 1},
}
_FEATURES = [
    Feature("sparse", "VkPhysicalDeviceFeatures", None),
    Feature("other", "VkPhysicalDeviceOtherFeatures", "S")
]
_STRUCTS = [
    Struct("VkA", _MEMBERS, None, extended_by=["VkB"]),
    Struct("VkB", _OWNERS["VkB"], "VK_STRUCTURE_TYPE_B", extends=["VkA"]),
    Struct("VkPhysicalDeviceLimits", [Member("maxSize", "VkDeviceSize", "VkDeviceSize"),
                                      Member("hasSizes", "VkBool32", "VkBool32", "Bool32")])
]
_EACH, _ONE, _LINK = Hop(9), Hop(10), Hop(6, "VkB")
_EACH_SIZE = Place((), (Hop(11),))


def place(member, *hops):
    return Place((member,), hops)


def read(text, owner="VkA"):
    rules = explicit_rules.parse([Vuid(f"VUID-{owner}-x-00001", text, "")], _OWNERS, _VALUES, _FEATURES, _STRUCTS)
    return rules[owner][0] if rules else None


class SentenceTest(unittest.TestCase):
    def test_requirements(self):
        for text, test, member, operands in (
            ("size must be greater than 0", "AtLeast", 2, [1]),
            ("size must be a multiple of 4", "MultipleOf", 2, [4]),
            ("size must be less than or equal to VkPhysicalDeviceLimits::maxSize", "AtMost", 2,
             [Limit("VkPhysicalDeviceLimits", "maxSize")]),
            ("type must be VK_T_1, or VK_T_2", "OneOf", 1, [1, 2]),
            ("type must not be VK_T_1", "NoneOf", 1, [1]),
            ("flags must not include both VK_A_X_BIT and VK_A_Y_BIT", "NotAll", 0, [1, 2]),
            ("flags must not contain either of VK_A_X_BIT or VK_A_Y_BIT", "NoBits", 0, [1, 2]),
            ("flags must not include VK_A_PLANE_i_BIT for any index i", "NoBits", 0, [4, 8]),
            ("pNames must not be NULL", "NoneOf", 4, [0]),
        ):
            self.assertEqual(read(text), ExplicitRule(0, requirements=[Term(test, place(member), operands)]), text)
        self.assertEqual(
            read("extent.width must be greater than 0").requirements, [Term("AtLeast", Place((3, 0)), [1])])

    def test_conditions(self):
        rule = read("If the sparse feature is not enabled, and type is VK_T_2, flags must not contain VK_A_X_BIT or "
                    "VK_A_Y_BIT")
        self.assertEqual(rule, ExplicitRule(0, [Term("OneOf", place(1), [2])], [Term("NoBits", place(0), [1, 2])],
                                            ["sparse"]))
        rule = read("If flags includes VK_A_X_BIT, then the VkPhysicalDeviceOtherFeatures::other feature must be "
                    "enabled")
        self.assertEqual(rule,
                         ExplicitRule(0, [Term("AnyBits", place(0), [1])], [],
                                      ["VkPhysicalDeviceOtherFeatures::other"]))

    def test_chains_formats_and_sums(self):
        self.assertEqual(
            read("If the pNext chain includes a VkB structure, size must not be 0").conditions,
            [Term("HasLink", place(6), [77])])
        self.assertEqual(
            read("If format is a color format, type must not be VK_T_1").conditions,
            [Term("FormatKind", place(7), [1])])
        rule = read("If size is not VK_WHOLE_SIZE, size must be less than or equal to VkPhysicalDeviceLimits::maxSize "
                    "minus offset")
        self.assertEqual(rule.conditions, [Term("NoneOf", place(2), [2**64 - 1])])
        self.assertEqual(rule.requirements,
                         [Term("AtMost", place(2), [Limit("VkPhysicalDeviceLimits", "maxSize")], place(8))])

    def test_numbers_behind_hops(self):
        at_least = Term("AtLeast", place(0, _EACH), [1])
        max_size = Limit("VkPhysicalDeviceLimits", "maxSize")
        for text, requirements in (
            ("pItem->count must be greater than 0", [Term("AtLeast", place(0, _ONE), [1])]),
            ("The count member of pItem must be equal to its used member",
             [Term("OneOf", place(0, _ONE), [], None, place(1, _ONE))]),
            ("The count member of each element of pItems must be greater than 0", [at_least]),
            ("For each element of pItems, its count member must be greater than 0", [at_least]),
            ("Each element of pSizes must be a multiple of 4", [Term("MultipleOf", _EACH_SIZE, [4])]),
            ("pSizes[0] must be less than size", [Term("Below", Place((), (Hop(11, element=0),)), [], None, place(2))]),
            ("The sum of the count and used members of any element of pItems must be less than or equal to maxSize",
             [Term("AtMost", place(0, _EACH), [max_size], place(1, _EACH))]),
            ("size and offset must be 0", [Term("OneOf", place(2), [0]), Term("OneOf", place(8), [0])]),
        ):
            self.assertEqual(read(text), ExplicitRule(0, requirements=requirements), text)

    def test_conditions_about_links_and_properties(self):
        of_link = Term("NoneOf", place(1, _LINK), [0])
        for text, conditions, requirement in (
            ("If VkB::size is not 0, size must be 0", [of_link], Term("OneOf", place(2), [0])),
            ("If the pNext chain includes a VkB structure, its size member must not be 0",
             [Term("HasLink", place(6), [77])], of_link),
            ("If pItem is not NULL and its used member is 1, its count member must be 1",
             [Term("NoneOf", place(10), [0]), Term("OneOf", place(1, _ONE), [1])], Term("OneOf", place(0, _ONE), [1])),
            ("If the hasSizes limit is not supported, size must be 0",
             [Term("NoLimit", None, [Limit("VkPhysicalDeviceLimits", "hasSizes")])], Term("OneOf", place(2), [0])),
            ("size must be 0 if type is VK_T_1", [Term("OneOf", place(1), [1])], Term("OneOf", place(2), [0])),
        ):
            self.assertEqual(read(text), ExplicitRule(0, conditions, [requirement]), text)
        # A sentence about a structure in a chain is a rule of the head.
        vuids = [Vuid("VUID-VkB-x-00001", "size must be equal to VkA::size", "")]
        rules = explicit_rules.parse(vuids, _OWNERS, _VALUES, _FEATURES, _STRUCTS)
        self.assertEqual(rules, {"VkA": [ExplicitRule(0, [], [Term("OneOf", place(1, _LINK), [], None, place(2))])]})

    def test_features(self):
        self.assertEqual(read("The sparse feature must be enabled", "vkDoA"), ExplicitRule(0, absent=["sparse"]))
        text = ("At least one of the following must be true: - the sparse feature is enabled - the other feature is "
                "enabled - the value of VkApplicationInfo::apiVersion used to create the VkInstance parent of "
                "commandBuffer is greater than or equal to Version 1.3")
        self.assertEqual(read(text, "vkDoA"), ExplicitRule(0, absent=["sparse", "other"], before=(1, 3)))

    def test_of_synchronization_commands_only_what_a_command_needs(self):
        owner = "vkCmdPipelineBarrier2"
        owners = {**_OWNERS, owner: _MEMBERS}

        def rules(text):
            vuids = [Vuid(f"VUID-{owner}-x-00001", text, "")]
            return explicit_rules.parse(vuids, owners, _VALUES, _FEATURES, _STRUCTS).get(owner)

        self.assertEqual(rules("The sparse feature must be enabled"), [ExplicitRule(0, absent=["sparse"])])
        self.assertIsNone(rules("size must be greater than 0"))

    def test_unreadable_sentences_make_no_rule(self):
        for text in (
            "size must be less than the size of buffer",
            "If buffer was created with VK_A_X_BIT, size must be greater than 0",
            "If the unknown feature is not enabled, size must be 0",
            "flags must not include VK_A_XY",
            "flags must not include VK_T_1",
            "type must be VK_T_3",
            "ratio must be 1",
            "size must be a multiple of VkPhysicalDeviceLimits::unknown",
            "pItems->count must be 0",
            "each element of pItem must be 0",
            "If size is not 0, size must not be 0",
            "If VkItem::count is 1, size must be 0",
        ):
            self.assertIsNone(read(text), text)


class CorrectionTest(unittest.TestCase):
    ID = "VUID-vkCmdDrawMultiEXT-drawCount-04934"
    SENTENCE = "drawCount must be less than VkPhysicalDeviceMultiDrawPropertiesEXT::maxMultiDrawCount"

    def read(self, text):
        struct = Struct("VkPhysicalDeviceMultiDrawPropertiesEXT", [Member("maxMultiDrawCount", "uint32_t", "uint32_t")],
                        "", extends=["VkPhysicalDeviceProperties2"])
        owners = {"vkCmdDrawMultiEXT": [Member("drawCount", "uint32_t", "uint32_t")]}
        rules = explicit_rules.parse([Vuid(self.ID, text, "")], owners, _VALUES, _FEATURES, _STRUCTS + [struct])
        return rules["vkCmdDrawMultiEXT"][0]

    def test_the_maximum_is_allowed(self):
        limit = Limit("VkPhysicalDeviceMultiDrawPropertiesEXT", "maxMultiDrawCount")
        self.assertEqual(self.read(self.SENTENCE).requirements, [Term("AtMost", place(0), [limit])])

    def test_another_sentence_needs_another_look(self):
        with self.assertRaises(ValueError):
            self.read("drawCount must be less than or equal to 7")


if __name__ == "__main__":
    unittest.main()
