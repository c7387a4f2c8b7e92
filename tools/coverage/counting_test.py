# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest

from tools.coverage import counting

_A = "VUID-vkA-commandBuffer-recording"
_B = "VUID-VkB-sType-sType"
_C = "VUID-VkC-pUserData-parameter"
_D = "VUID-vkD-None-00001"


class CountingTest(unittest.TestCase):

    def test_kinds(self):
        kinds = [counting.kind_of(vuid) for vuid in (_A, _B, _C, _D)]
        self.assertEqual(kinds, ["recording", "sType", "parameter", "explicit"])

    def test_rows(self):
        coverage = counting.Coverage([_A, _B, _C, _D])
        coverage.add_facts(counting.read_facts([f"tested\t{_A}\t\n", f"by-another\t{_B}\tVUID-vkA-pNext-pNext\n"]))
        coverage.add_source("a.cc", f'report.Error(vk::Vuid("{_D}"));')
        self.assertEqual(coverage.rows()[-2:], [("implicit", 3, 1, 1, 0, 1), ("explicit", 1, 1, 0, 0, 0)])
        coverage.add_source("a_test.cc", f'Expect("{_D}"); Expect("{_C}");')
        self.assertEqual(coverage.rows()[-2:], [("implicit", 3, 1, 1, 0, 1), ("explicit", 1, 1, 1, 0, 0)])

    def test_sources(self):
        text = f'Report("{_D}");\n  // As "{_A}" says.\nf("SYNC-HAZARD-A", "SYNC-HAZARD-");\n'
        self.assertEqual(counting.scan_source("a.cc", text), ({_D, "SYNC-HAZARD-A"}, set()))
        self.assertEqual(counting.scan_source("a_test.cc", text), (set(), {_D, "SYNC-HAZARD-A"}))
        coverage = counting.Coverage([_A, _D])
        coverage.add_source("a.cc", text)
        coverage.add_source("b_test.cc", '"SYNC-HAZARD-B"')
        self.assertEqual((coverage.checked, coverage.own), ({_D}, {"SYNC-HAZARD-A"}))

    def test_named(self):
        coverage = counting.Coverage([_A, _B, _C])
        facts = counting.read_facts([f"tested\t{_A}\t\n", f"named\t{_B}\tVUID-vkA-pNext-pNext\n"])
        coverage.add_facts(facts)
        self.assertEqual(coverage.rows()[-1], ("implicit", 3, 2, 2, 1, 0))
        self.assertEqual(coverage.precedence(), {("sType", "pNext"): 1})
        # The output of another program about the same ids changes nothing.
        coverage.add_facts(counting.read_facts([f"tested\t{_A}\t\n", f"by-another\t{_B}\t\n"]))
        self.assertEqual(coverage.rows()[-1], ("implicit", 3, 2, 2, 1, 0))

    def test_unbreakable(self):
        coverage = counting.Coverage([_A, _C])
        coverage.add_facts(counting.read_facts([f"unbreakable\t{_C}\tVkC has no rules\n"]))
        reasons = coverage.unchecked([])
        self.assertEqual((reasons.pop(""), list(reasons.values())), ([_A], [[_C]]))

    def test_reasons(self):
        coverage = counting.Coverage([_A, _C])
        exemptions = counting.read_exemptions(["# Why", "", "VUID-*-pUserData-parameter | Any value is valid."])
        self.assertEqual(coverage.unchecked(exemptions), {"": [_A], "Any value is valid.": [_C]})


if __name__ == "__main__":
    unittest.main()
