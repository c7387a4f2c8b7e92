# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest

from registry import model
from tools.coverage import owners


def _member(type_name):
    return model.Member(name="m", type_name=type_name, c_type=type_name)


def _struct(name, *members, extended_by=()):
    return model.Struct(name=name, members=[_member(m) for m in members], extended_by=list(extended_by))


def _registry():
    command = model.Command("vkA", "void", [_member("VkCommandBuffer"), _member("VkA")], model.Provision())
    a, c = _struct("VkA", "uint32_t", "VkB", extended_by=["VkC"]), _struct("VkC", "VkA")
    return model.Registry(commands=[command], structs=[a, _struct("VkB"), c, _struct("VkD")])


class OwnersTest(unittest.TestCase):

    def test_whole_names(self):
        self.assertEqual(owners.matching({"vkCopy", "vkCopy2", "VkCopy"}, "vkCopy"), {"vkCopy"})
        self.assertEqual(owners.matching({"vkCopy", "vkCopy2", "VkCopy"}, "vkCopy.*"), {"vkCopy", "vkCopy2"})

    def test_parameters_members_and_chains(self):
        self.assertEqual(owners.structures_of(_registry(), ["vkA"]), {"vkA", "VkA", "VkB", "VkC"})

    def test_of_a_structure(self):
        self.assertEqual(owners.structures_of(_registry(), ["VkC", "VkD"]), {"VkA", "VkB", "VkC", "VkD"})

    def test_a_group_of_rules_has_none(self):
        self.assertEqual(owners.structures_of(_registry(), ["RuntimeSpirv"]), {"RuntimeSpirv"})


if __name__ == "__main__":
    unittest.main()
