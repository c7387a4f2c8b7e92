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


if __name__ == "__main__":
    unittest.main()
