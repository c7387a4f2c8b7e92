# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest

from tools.coverage import counting
from tools.coverage import gathering

_A = "VUID-vkA-commandBuffer-recording"
_B = "VUID-VkB-sType-sType"
_C = "VUID-VkC-pUserData-parameter"
_D = "VUID-vkD-None-00001"
_E = "VUID-vkE-None-00002"


def _coverage(facts="", source="", delivered=()):
    coverage = counting.Coverage([_A, _B, _C, _D, _E])
    coverage.add_facts(counting.read_facts(facts.splitlines()))
    coverage.add_source(source)
    coverage.add_delivered(delivered)
    return coverage


class CountingTest(unittest.TestCase):

    def test_kinds(self):
        kinds = [counting.kind_of(vuid) for vuid in (_A, _B, _C, _D)]
        self.assertEqual(kinds, ["recording", "sType", "parameter", "explicit"])

    def test_explicit_ids_of_owners(self):
        self.assertEqual(_coverage().owners(), {"vkA", "VkB", "VkC", "vkD", "vkE"})
        self.assertEqual(_coverage().explicit_of({"vkA", "vkD", "vkE"}), {_D, _E})
        self.assertEqual(_coverage().explicit_of({"VkB", "vkE"}), {_E})

    def test_checked_by_a_literal(self):
        for call in (f'vk::Vuid("{_D}")', f'Vuid("{_D}")', f'report.Error(vk::Vuid(\n        "{_D}"),\n x);'):
            self.assertEqual(_coverage(source=call).checked, {_D}, call)

    def test_not_checked_by_words(self):
        for text in (f'// As vk::Vuid("{_D}") says.', f'  x();  // vk::Vuid("{_D}")', f'/* Not\nvk::Vuid("{_D}") */',
                     f'const char kId[] = "{_D}";', f'Expect("{_D}");', f"// {_D}", 'vk::Vuid("VUID-vkNo-None-00001")'):
            self.assertEqual(_coverage(source=text).checked, set(), text)

    def test_comments(self):
        self.assertEqual(counting.without_comments('a("//b\\"//");// "c"\nd /* e\n "f" */ g'), 'a("//b\\"//"); \nd   g')

    def test_sources_with_checks(self):
        for path in ("core/queues/queue_rules.cc", "dispatch/chain/forward.h", "thread_safety/a.cc"):
            self.assertTrue(gathering.has_checks(path), path)
        for path in ("core/a_test.cc", "core/events/event_test.h", "core/test_cases/a.cc", "testing/fixture.h",
                     "syncval/fixture/a.cc", "vk/vuid.h", "layer/a.cc", "core/a.md", "dispatch/testing/a.h"):
            self.assertFalse(gathering.has_checks(path), path)

    def test_own_ids(self):
        self.assertEqual(counting.scan_source('f("SYNC-HAZARD-A", "SYNC-HAZARD-"); // "SYNC-HAZARD-B"'),
                         (set(), {"SYNC-HAZARD-A"}))

    def test_checked_by_a_table(self):
        coverage = _coverage(f"tested\t{_A}\t\nin-table\t{_D}\t\nfailed\t{_E}\tsilent\n")
        self.assertEqual((coverage.checked, coverage.has_test_case, coverage.failed), ({_A, _D}, {_A}, {_E: "silent"}))

    def test_tested_is_what_a_test_receives(self):
        coverage = _coverage(f"tested\t{_A}\t\n", f'Vuid("{_D}") Vuid("{_E}")', [_D, "SYNC-HAZARD-A"])
        self.assertEqual(coverage.tested, {_D})
        self.assertEqual(coverage.rows()[-2:], [("implicit", 3, 1, 0, 1, 0), ("explicit", 2, 2, 1, 0, 0)])

    def test_reported_by_another_rule_is_neither_checked_nor_tested(self):
        facts = f"named\t{_B}\tVUID-vkA-pNext-pNext\nby-another\t{_C}\t{_A}\n"
        coverage = _coverage(facts, delivered=["VUID-vkA-pNext-pNext"])
        self.assertEqual(coverage.rows()[-2:], [("implicit", 3, 0, 0, 0, 2), ("explicit", 2, 0, 0, 0, 0)])
        self.assertEqual(coverage.unchecked(), {_A, _D, _E})
        self.assertEqual(coverage.precedence(), {("sType", "pNext"): 1, ("parameter", "recording"): 1})
        # Unless it also has a check of its own.
        self.assertEqual(_coverage(facts, f'Vuid("{_B}")').stood_for(), {_C})


if __name__ == "__main__":
    unittest.main()
