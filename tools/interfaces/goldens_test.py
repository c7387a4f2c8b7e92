# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""docs/interfaces.md is what //tools/interfaces -- --update_goldens makes of the checkout."""

import argparse
import sys
import unittest

from tools.coverage import gathering
from tools.interfaces import document
from tools.interfaces import interfaces
from tools.interfaces import lookup
from tools.interfaces import sentences
from tools.layout import checkout

_ARGUMENTS = argparse.Namespace()


class GoldensTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.tree = checkout.Checkout(checkout.find_root())
        cls.finder = lookup.make(gathering.read_document(_ARGUMENTS.vuids), _ARGUMENTS.facts, cls.tree)

    def test_document_is_what_is_made(self):
        self.maxDiff = None
        self.assertEqual(interfaces.golden_of(self.tree), interfaces.text_of(self.tree, self.finder))

    def test_lines_are_short(self):
        for line in interfaces.text_of(self.tree, self.finder).splitlines():
            if not line.startswith("| "):
                self.assertLessEqual(len(line), 100, line)

    def test_ids_and_tests_exist(self):
        self.assertEqual(list(interfaces.problems(self.tree, self.finder)), [])

    def test_rows_are_different(self):
        for chapter in sentences.CHAPTERS:
            places = [row.place for row in interfaces.rows_of(self.tree, chapter)]
            self.assertGreater(len(places), 50)
            self.assertEqual(len(places), len(set(places)))

    def test_every_status_occurs(self):
        made = interfaces.text_of(self.tree, self.finder)
        for status in (document.DELIVERED, document.NOT_YET, document.NOT_CHECKED):
            self.assertIn(f" | {status} | ", made)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--vuids", required=True)
    parser.add_argument("--facts", action="append", required=True)
    _, rest = parser.parse_known_args(namespace=_ARGUMENTS)
    unittest.main(argv=sys.argv[:1] + rest)
