# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""What side_by_side.py makes of its measurements."""

import unittest

from benchmarks import side_by_side

MEDIANS = {"copy": {"base": 1.0, "assay": 11.0, "khronos": 501.0}, "fill": {"base": 1.0, "khronos": 301.0}}


class SideBySideTest(unittest.TestCase):

    def test_compares_what_is_added(self):
        copy, fill = side_by_side.compare(MEDIANS, {})
        self.assertEqual(copy["assay_added_ns"], 10.0)
        self.assertEqual(copy["khronos_added_ns"], 500.0)
        self.assertAlmostEqual(copy["ratio"], 0.02)
        self.assertIsNone(fill["ratio"])

    def test_table_has_a_line_for_each_case(self):
        table = side_by_side.format_table(side_by_side.compare(MEDIANS, {})).splitlines()
        self.assertEqual(len(table), 3)
        self.assertEqual(table[1].split(), ["copy", "1.0", "10.0", "500.0", "0.020"])
        self.assertEqual(table[2].split(), ["fill", "1.0", "-", "300.0", "-"])

    def test_what_is_not_checked_is_not_compared(self):
        copy, _ = side_by_side.compare(MEDIANS, {"copy": {"assay"}})
        self.assertIsNone(copy["ratio"])
        self.assertIn("not checked by assay", side_by_side.format_table([copy]))

    def test_check_names_what_is_above_the_bar(self):
        rows = side_by_side.compare(MEDIANS, {})
        self.assertEqual(list(side_by_side.check(rows, ["copy"], 0.1)), [])
        self.assertEqual(len(list(side_by_side.check(rows, ["copy"], 0.01))), 1)
        self.assertEqual(len(list(side_by_side.check(rows, ["fill", "dance"], 0.1))), 2)

    def test_every_bar_has_a_verdict(self):
        medians = {
            "crowded_copy": {"base": 1.0, "assay": 11.0, "khronos": 101.0},
            "crowded_draw": {"base": 1.0, "assay": 51.0, "khronos": 101.0},
            "create_instance_and_device": {"base": 2e6, "assay": 5e6, "khronos": 9e6},
        }
        rows = side_by_side.compare(medians, {})
        for checks in side_by_side.ON:
            verdicts = {verdict.case: verdict for verdict in side_by_side.judge(rows, checks)}
            with_bar = {case for case, bars in side_by_side.BARS.items() if checks in bars}
            self.assertEqual(set(verdicts), {*with_bar, *side_by_side.ADDED_BARS})
            met = {case for case, verdict in verdicts.items() if side_by_side.is_met(verdict)}
            self.assertEqual(met, {"crowded_copy", "create_instance_and_device"})

    def test_what_was_not_compared_meets_no_bar(self):
        medians = {"crowded_copy": {"base": 1.0, "assay": 2.0, "khronos": 101.0}}
        rows = side_by_side.compare(medians, {"crowded_copy": {"khronos"}})
        copy = [verdict for verdict in side_by_side.judge(rows, "sync") if verdict.case == "crowded_copy"]
        self.assertFalse(side_by_side.is_met(copy[0]))
        line = side_by_side.format_verdicts(copy).splitlines()[1]
        self.assertEqual(line.split(), ["crowded_copy", "sync", "ratio", "-", "0.100", "FAIL"])

    def test_verdicts_have_ratios_and_nanoseconds(self):
        verdicts = [
            side_by_side.Verdict("a", "sync", "ratio", 0.2, 0.1),
            side_by_side.Verdict("b", "registry", "added ns", 4e6, 4.1e6),
        ]
        lines = side_by_side.format_verdicts(verdicts).splitlines()[1:]
        self.assertEqual(lines[0].split(), ["a", "sync", "ratio", "0.100", "0.200", "pass"])
        self.assertEqual(lines[1].split(), ["b", "registry", "added", "ns", "4100000", "4000000", "FAIL"])


if __name__ == "__main__":
    unittest.main()
