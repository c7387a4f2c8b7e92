# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import unittest

from tools.coverage import counting
from tools.interfaces import lookup

_INK = "VUID-VkPen-ink-00001"
_DRAW = "VUID-vkCmdDraw-None-00002"
_FILL = "VUID-vkCmdFill-None-00002"
_TABLE = "VUID-VkPen-sType-sType"
_OTHER = "VUID-VkPen-pNext-pNext"
_HAZARD = "SYNC-HAZARD-WRITE-AFTER-INK"

_CHECK = f'report.Error(vk::Vuid("{_INK}")); // "{_DRAW}"\n vk::Vuid(\n "{_DRAW}");'
_TEST = f'TEST_F(NegativePen, HasNoInk) {{ Expect("{_INK}"); }}\nTEST(PositivePen,\n     HasInk) {{}}'


def _lookup():
    result = lookup.Lookup([_INK, _DRAW, _FILL, _TABLE, _OTHER])
    result.add_source("core/pens/pen_rules.cc", _CHECK, has_checks=True)
    result.add_source("core/pens/pen_rules_test.cc", _TEST, has_checks=False)
    result.add_source("testing/elsewhere_test.cc", _TEST.replace("Pen", "Other"), has_checks=False)
    result.add_source("syncval/hazards.cc", f'"{_HAZARD}"', has_checks=True)
    result.add_facts("stateless/test_cases/coverage_facts",
                     counting.read_facts([f"tested\t{_TABLE}\t", f"named\t{_OTHER}\t{_TABLE}"]))
    result.add_delivered({"//core/pens:pen_rules_test": {_INK}, "//layer:other_test": {_DRAW},
                          "//syncval:hazards_test": {_HAZARD}})
    return result


class LookupTest(unittest.TestCase):

    def test_literals(self):
        self.assertEqual(lookup.literals(_CHECK), set())
        self.assertEqual(lookup.literals(_TEST), {_INK})
        self.assertEqual(lookup.literals(f'f("{_HAZARD}", "none") // "{_DRAW}"'), {_HAZARD})

    def test_test_names(self):
        self.assertEqual(lookup.test_names(_TEST), {"NegativePen.HasNoInk", "PositivePen.HasInk"})

    def test_folders_of_programs(self):
        self.assertEqual(lookup.folder_of("stateless/test_cases/coverage_facts"), "stateless")
        self.assertEqual(lookup.folder_of("gpuav/reports/coverage_facts"), "gpuav/reports")

    def test_families(self):
        finder = _lookup()
        self.assertEqual(finder.family(_INK), [_INK])
        self.assertEqual(finder.family("VUID-vkCmd*-None-00002"), [_DRAW, _FILL])
        self.assertEqual(finder.family("SYNC-HAZARD-*"), [_HAZARD])
        self.assertEqual(finder.family("VUID-VkPen-ink-00009"), [])
        # To ask for an id does not make it known.
        finder.find("UNASSIGNED-Pen")
        self.assertEqual(finder.family("UNASSIGNED-*"), [])

    def test_delivered_by_a_file_that_has_the_id(self):
        finding = _lookup().find(_INK)
        self.assertEqual(finding.delivered, [_INK])
        self.assertEqual(finding.checkers, ["core/pens"])
        # Not by the file of another folder, whose test does not receive it.
        self.assertEqual(finding.tests, ["core/pens/pen_rules_test.cc"])

    def test_delivered_by_a_test_that_does_not_name_the_id(self):
        finding = _lookup().find("VUID-vkCmd*-None-00002")
        self.assertEqual(finding.ids, [_DRAW, _FILL])
        self.assertEqual(finding.delivered, [_DRAW])
        self.assertEqual(finding.tests, ["//layer:other_test"])

    def test_own_id(self):
        finding = _lookup().find("SYNC-HAZARD-*")
        self.assertEqual((finding.delivered, finding.checkers), ([_HAZARD], ["syncval"]))
        # The file of a check is no file of a test.
        self.assertEqual(finding.tests, ["//syncval:hazards_test"])

    def test_not_delivered(self):
        finder = _lookup()
        finding = finder.find(_TABLE)
        self.assertEqual((finding.delivered, finding.tests), ([], []))
        self.assertEqual((finding.test_cases, finding.checkers), ([_TABLE], ["stateless"]))
        finding = finder.find(_OTHER)
        self.assertEqual((finding.delivered, finding.test_cases), ([], []))
        self.assertEqual(finding.by_another, {_OTHER: _TABLE})
        finding = finder.find(_FILL)
        self.assertEqual((finding.delivered, finding.test_cases, finding.checkers), ([], [], []))

    def test_id_in_a_source_alone_is_not_delivered(self):
        finder = _lookup()
        finder.add_source("core/pens/fill_test.cc", f'Expect("{_FILL}");', has_checks=False)
        self.assertEqual(finder.find(_FILL).delivered, [])

    def test_general_id_needs_a_test(self):
        finder = _lookup()
        self.assertEqual(finder.find(_INK, is_general=True).delivered, [])
        self.assertEqual(finder.find(_INK, True, ["NegativePen.NoSuchTest"]).delivered, [])
        # A test that is elsewhere, and does not receive the id.
        self.assertEqual(finder.find(_INK, True, ["NegativeOther.HasNoInk"]).delivered, [])
        finding = finder.find(_INK, True, ["NegativePen.HasNoInk"])
        self.assertEqual((finding.delivered, finding.tests), ([_INK], ["core/pens/pen_rules_test.cc"]))

    def test_tests_named(self):
        finder = _lookup()
        self.assertEqual(finder.tests_named("NegativePen.HasNoInk", [_INK]), {"core/pens/pen_rules_test.cc"})
        self.assertEqual(finder.tests_named("NegativePen.HasNoInk", [_DRAW]), set())
        self.assertEqual(finder.tests_named("NegativePen.NoSuchTest", [_INK]), set())


if __name__ == "__main__":
    unittest.main()
