# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest

from registry import explicit_rules
from registry.model import ExplicitRule, Feature, Limit, Member, Struct, Term, Vuid

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
]
_OWNERS = {"VkA": _MEMBERS, "VkExtent2D": [Member("width", "uint32_t", "uint32_t")], "vkDoA": []}
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
    Struct("VkB", [], "VK_STRUCTURE_TYPE_B"),
    Struct("VkPhysicalDeviceLimits", [Member("maxSize", "VkDeviceSize", "VkDeviceSize")])
]


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
            self.assertEqual(read(text), ExplicitRule(0, requirements=[Term(test, member, -1, operands)]), text)
        self.assertEqual(read("extent.width must be greater than 0").requirements, [Term("AtLeast", 3, 0, [1])])

    def test_conditions(self):
        rule = read("If the sparse feature is not enabled, and type is VK_T_2, flags must not contain VK_A_X_BIT or "
                    "VK_A_Y_BIT")
        self.assertEqual(rule, ExplicitRule(0, [Term("OneOf", 1, -1, [2])], [Term("NoBits", 0, -1, [1, 2])],
                                            ["sparse"]))
        rule = read("If flags includes VK_A_X_BIT, then the VkPhysicalDeviceOtherFeatures::other feature must be "
                    "enabled")
        self.assertEqual(rule,
                         ExplicitRule(0, [Term("AnyBits", 0, -1, [1])], [], ["VkPhysicalDeviceOtherFeatures::other"]))

    def test_chains_formats_and_sums(self):
        self.assertEqual(
            read("If the pNext chain includes a VkB structure, size must not be 0").conditions,
            [Term("HasLink", 6, -1, [77])])
        self.assertEqual(
            read("If format is a color format, type must not be VK_T_1").conditions, [Term("FormatKind", 7, -1, [1])])
        rule = read("If size is not VK_WHOLE_SIZE, size must be less than or equal to VkPhysicalDeviceLimits::maxSize "
                    "minus offset")
        self.assertEqual(rule.conditions, [Term("NoneOf", 2, -1, [2**64 - 1])])
        self.assertEqual(rule.requirements, [Term("AtMost", 2, -1, [Limit("VkPhysicalDeviceLimits", "maxSize")], 8)])

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
        self.assertEqual(self.read(self.SENTENCE).requirements, [Term("AtMost", 0, -1, [limit])])

    def test_another_sentence_needs_another_look(self):
        with self.assertRaises(ValueError):
            self.read("drawCount must be less than or equal to 7")


if __name__ == "__main__":
    unittest.main()
