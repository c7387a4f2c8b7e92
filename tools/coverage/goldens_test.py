# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The files that follow from the coverage are what //tools:coverage -- --update_goldens makes of the checkout.

But for delivered_ids.txt, which follows from the runs of other tests: here its ids must be checked and its tests there.
"""

import argparse
import sys
import unittest

from tools.coverage import areas
from tools.coverage import delivered
from tools.coverage import gathering
from tools.coverage import goldens
from tools.coverage import unchecked
from tools.layout import checkout

_ARGUMENTS = argparse.Namespace()


class GoldensTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.tree = checkout.Checkout(checkout.find_root())
        cls.document = gathering.read_document(_ARGUMENTS.vuids)
        cls.coverage = gathering.gather(cls.document, _ARGUMENTS.facts, cls.tree)

    def test_test_cases_pass(self):
        self.assertEqual(self.coverage.failed, {})
        self.assertGreater(len(self.coverage.has_test_case), 6000)

    def test_readme_has_the_table(self):
        self.maxDiff = None
        _, table, _ = goldens.readme_parts(goldens.text_of(self.tree, goldens.README))
        self.assertEqual(table, areas.markdown(areas.rules_of(self.document), self.coverage))

    def test_unchecked_ids_are_named_once_each(self):
        lines = unchecked.parse(self.tree.lines(unchecked.GOLDEN))
        self.assertEqual(unchecked.problems(lines, self.coverage.ids, self.coverage.unchecked()), [])

    def test_delivered_ids_are_checked(self):
        by_test = delivered.parse(self.tree.lines(delivered.GOLDEN))
        self.assertGreater(len(by_test), 0)
        self.assertEqual([label for label in by_test if not delivered.exists(label, self.tree)], [])
        self.assertEqual(sorted(self.coverage.tested - self.coverage.checked), [])
        received = {vuid for ids in by_test.values() for vuid in ids if vuid.startswith("VUID-")}
        self.assertEqual(sorted(received - self.coverage.ids), [])

    def test_readme_parts(self):
        begin, end = goldens.TABLE_BEGIN, goldens.TABLE_END
        self.assertEqual(
            goldens.readme_parts("a\n" + begin + "| b |\n" + end + "c\n"), ("a\n" + begin, "| b |\n", end + "c\n"))
        with self.assertRaises(ValueError):
            goldens.readme_parts("a\n" + begin + "| b |\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--vuids", required=True)
    parser.add_argument("--facts", action="append", required=True)
    _, rest = parser.parse_known_args(namespace=_ARGUMENTS)
    unittest.main(argv=sys.argv[:1] + rest)
